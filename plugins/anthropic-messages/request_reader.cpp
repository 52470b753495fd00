#include "request_reader.hpp"

#include <watermaster/translation/carrier.hpp>

namespace wm::anthropic_messages {

using sdk::a_boolean;
using sdk::a_number;
using sdk::a_string;
using sdk::json::Kind;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

constexpr unsigned deepest = 3; // a message, a tool result in it, a document in that

constexpr auto request_members = sdk::member_names(
    "model", "messages", "max_tokens", "system", "stream", "temperature", "top_p", "top_k", "stop_sequences", "tools",
    "tool_choice", "metadata", "service_tier", "thinking", "output_config", "cache_control", "mcp_servers");
constexpr auto metadata_members = sdk::member_names("user_id");
constexpr auto message_members = sdk::member_names("role", "content");
constexpr auto block_members =
    sdk::member_names("type", "text", "source", "thinking", "signature", "data", "id", "name", "input", "tool_use_id",
                      "content", "is_error", "citations", "cache_control", "title");
constexpr auto source_members = sdk::member_names("type", "media_type", "data", "url", "file_id", "content");
constexpr auto tool_members =
    sdk::member_names("type", "name", "description", "input_schema", "strict", "cache_control");
constexpr auto choice_members = sdk::member_names("type", "name", "disable_parallel_tool_use");
constexpr auto thinking_members = sdk::member_names("type", "budget_tokens", "display");
constexpr auto config_members = sdk::member_names("effort", "format");
constexpr auto format_members = sdk::member_names("type", "schema");
constexpr auto cache_members = sdk::member_names("type", "ttl");

constexpr std::array<sdk::PlainParam, 6> plain_params{{
    {"max_tokens", WM_PARAM_MAX_OUTPUT_TOKENS, Kind::number, a_number},
    {"temperature", WM_PARAM_TEMPERATURE, Kind::number, a_number},
    {"top_p", WM_PARAM_TOP_P, Kind::number, a_number},
    {"top_k", WM_PARAM_TOP_K, Kind::number, a_number},
    {"service_tier", WM_PARAM_SERVICE_TIER, Kind::string, a_string},
    {"stream", WM_PARAM_STREAM, Kind::boolean, a_boolean},
}};

} // namespace

sdk::Status RequestReader::read(std::string_view body) {
    if (!checked(body)) return result();
    const sdk::Object request(body, request_members);
    if (!has_text(request["model"], "model")) refuse("model", "missing");
    if (!has_list(request["messages"], "messages")) refuse("messages", "missing");
    if (!request["max_tokens"].there()) refuse("max_tokens", "missing");
    if (stopped()) return result();
    const Value output = request["output_config"], tools = request["tools"], servers = request["mcp_servers"],
                instructions = request["system"];

    asked_.model = sdk::json::text(request["model"].body());
    const std::uint32_t node = events_.open(WM_EV_REQUEST, 0, protocol, asked_.model);
    params(node, request, plain_params);
    if (const Value stops = request["stop_sequences"]; has_list(stops, "stop_sequences")) {
        const auto at = path_.member("stop_sequences");
        stop_list(node, stops);
    }
    choice_of_tools(node, request["tool_choice"]);
    if (const Value metadata = request["metadata"]; has_object(metadata, "metadata")) {
        const auto at = path_.member("metadata");
        const sdk::Object object(metadata.raw, metadata_members);
        if (const Value user = object["user_id"]; has_text(user, "user_id"))
            events_.leaf(node, WM_EV_PARAM, WM_PARAM_USER, user.raw);
        others(object, node, "metadata.");
    }
    thinking(node, request["thinking"]);
    cache(node, request["cache_control"]);
    others(request, node);
    output_config(node, output);
    each_of(tools, "tools", [&](const Value& one) { tool(node, one); });
    each_of(servers, "mcp_servers", [&](const Value& one) { provider_tool(node, WM_TOOL_MCP, {}, protocol, one); });
    system(node, instructions);
    each_of(request["messages"], "messages", [&](const Value& one) { message(node, one); });
    events_.close(node);
    return result();
}

void RequestReader::choice_of_tools(std::uint32_t request, const Value& choice) {
    if (!has_object(choice, "tool_choice")) return;
    const auto at = path_.member("tool_choice");
    const sdk::Object object(choice.raw, choice_members);
    const Value type = object["type"];
    if (type.says("auto"))
        events_.leaf(request, WM_EV_CHOOSE, WM_CHOOSE_AUTO, {});
    else if (type.says("any"))
        events_.leaf(request, WM_EV_CHOOSE, WM_CHOOSE_REQUIRED, {});
    else if (type.says("none"))
        events_.leaf(request, WM_EV_CHOOSE, WM_CHOOSE_NONE, {});
    else if (type.says("tool") && has_text(object["name"], "name"))
        leaf_text(request, WM_EV_CHOOSE, WM_CHOOSE_TOOL, object["name"]);
    else
        refuse("type", "not one of auto, any, none, tool");
    if (const Value alone = object["disable_parallel_tool_use"];
        has(alone, Kind::boolean, "disable_parallel_tool_use", a_boolean))
        events_.leaf(request, WM_EV_PARAM, WM_PARAM_PARALLEL_TOOL_CALLS, alone.is_true() ? "false" : "true");
    others(object, request, "tool_choice.");
}

void RequestReader::thinking(std::uint32_t request, const Value& thinking) {
    if (!has_object(thinking, "thinking")) return;
    const auto at = path_.member("thinking");
    const sdk::Object object(thinking.raw, thinking_members);
    if (!has_text(object["type"], "type")) return refuse("type", "missing");
    const Value budget = object["budget_tokens"];
    if (object["type"].says("enabled") != budget.there())
        return refuse("budget_tokens", "belongs to the type enabled, and only to it");
    leaf_text(request, WM_EV_REASON, WM_REASON_MODE, object["type"]);
    if (has(budget, Kind::number, "budget_tokens", a_number))
        events_.leaf(request, WM_EV_REASON, WM_REASON_BUDGET, budget.raw);
    if (has_text(object["display"], "display")) leaf_text(request, WM_EV_REASON, WM_REASON_SUMMARY, object["display"]);
    others(object, request, "thinking.");
}

void RequestReader::output_config(std::uint32_t request, const Value& config) {
    if (!has_object(config, "output_config")) return;
    const auto at = path_.member("output_config");
    const sdk::Object object(config.raw, config_members);
    if (has_text(object["effort"], "effort")) leaf_text(request, WM_EV_REASON, WM_REASON_EFFORT, object["effort"]);
    const Value format = object["format"];
    others(object, request, "output_config.");
    if (!has_object(format, "format")) return;
    const auto inside = path_.member("format");
    const sdk::Object wanted(format.raw, format_members);
    if (!wanted["type"].says("json_schema") || !has_object(wanted["schema"], "schema"))
        return refuse("type", "not json_schema with a schema");
    const std::uint32_t node = events_.open(WM_EV_FORMAT, request, WM_FORMAT_JSON_SCHEMA);
    events_.leaf(node, WM_EV_SCHEMA, "output", wanted["schema"].raw);
    events_.leaf(node, WM_EV_STRICT, {}, "true"); // the protocol knows no other
    events_.close(node);
    others(wanted, request, "output_config.format.");
}

void RequestReader::system(std::uint32_t request, const Value& system) {
    if (!system.there()) return;
    const std::uint32_t turn = events_.open(WM_EV_TURN, request, WM_TURN_SYSTEM);
    const auto at = path_.member("system");
    if (system.is_string() || system.kind == Kind::array)
        content(turn, system, 0);
    else
        refuse("neither a string nor an array");
    events_.close(turn);
}

void RequestReader::tool(std::uint32_t request, const Value& tool) {
    if (tool.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(tool.raw, tool_members);
    const Value type = object["type"];
    if (type.there() && !type.says("custom")) {
        if (!has_text(type, "type")) return;
        return provider_tool(request, WM_TOOL_SERVER, text(type), protocol, tool);
    }
    const std::uint32_t node = open_tool(request, WM_TOOL_FUNCTION, object);
    if (!node) return;
    if (!object["input_schema"].there()) refuse("input_schema", "missing");
    tool_input(node, object, "input_schema");
    cache(node, object["cache_control"]);
    others(object, node);
    events_.close(node);
}

void RequestReader::message(std::uint32_t request, const Value& message) {
    if (message.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(message.raw, message_members);
    std::string_view role;
    for (const std::string_view known : {WM_TURN_USER, WM_TURN_ASSISTANT, WM_TURN_SYSTEM})
        if (object["role"].says(known)) role = known;
    if (role.empty()) return refuse("role", "not one of user, assistant, system");
    const std::uint32_t turn = events_.open(WM_EV_TURN, request, role);
    const auto at = path_.member("content");
    if (const Value said = object["content"]; said.is_string() || said.kind == Kind::array)
        content(turn, said, 0);
    else
        refuse("neither a string nor an array");
    others(object, turn);
    events_.close(turn);
}

void RequestReader::content(std::uint32_t parent, const Value& content, unsigned nesting) {
    if (content.is_string()) return text_block(parent, WM_BLOCK_TEXT, content);
    if (nesting == deepest) return refuse("nested deeper than the protocol allows");
    each(content, [&](const Value& one) { block(parent, one, nesting); });
}

void RequestReader::cache(std::uint32_t node, const Value& control) {
    if (!has_object(control, "cache_control")) return;
    const sdk::Object object(control.raw, cache_members);
    const std::string type(text(object["type"]));
    events_.leaf(node, WM_EV_CACHE, type, text(object["ttl"]));
    others(object, node, "cache_control.");
}

void RequestReader::citations(std::uint32_t node, const Value& citations) {
    each_of(citations, "citations", [&](const Value& one) {
        const bool web = sdk::json::member(one.raw, "url").there();
        const std::uint32_t citation = events_.open(WM_EV_CITATION, node, web ? WM_CITATION_URL : WM_CITATION_DOCUMENT);
        events_.leaf(citation, WM_EV_RAW, protocol, one.raw);
        events_.close(citation);
    });
}

void RequestReader::thought(std::uint32_t node, const Value& thinking, const Value& signature) {
    leaf_text(node, WM_EV_TEXT, {}, thinking);
    const std::string_view signed_as = text(signature);
    if (const auto carried = sdk::uncarry(signed_as)) {
        const std::uint32_t tag = carried->opaque ? WM_EV_OPAQUE : WM_EV_SIGNATURE;
        events_.leaf(node, tag, carried->format.empty() ? sdk::carrier_none : carried->format, carried->value);
    } else if (!signed_as.empty()) {
        events_.leaf(node, WM_EV_SIGNATURE, protocol, signed_as);
    }
}

void RequestReader::media(std::uint32_t node, const Value& source, unsigned nesting) {
    const auto at = path_.member("source");
    const sdk::Object object(source.raw, source_members);
    const Value type = object["type"];
    if (type.says("base64") && has_text(object["data"], "data") && has_text(object["media_type"], "media_type")) {
        const std::string media_type(text(object["media_type"]));
        leaf_text(node, WM_EV_DATA, media_type, object["data"]);
    } else if (type.says("url") && has_text(object["url"], "url")) {
        leaf_text(node, WM_EV_URL, {}, object["url"]);
    } else if (type.says("file") && has_text(object["file_id"], "file_id")) {
        leaf_text(node, WM_EV_FILE, protocol, object["file_id"]);
    } else if (type.says("text") && has_text(object["data"], "data")) {
        object.ignore({"media_type"}); // it is always text/plain
        leaf_text(node, WM_EV_TEXT, {}, object["data"]);
    } else if (type.says("content") && object["content"].there()) {
        content(node, object["content"], nesting + 1);
    } else {
        refuse("not a base64, url, file, text or content source");
    }
    others(object, node, "source.");
}

void RequestReader::block(std::uint32_t parent, const Value& block, unsigned nesting) {
    if (block.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(block.raw, block_members);
    const Value type = object["type"];
    if (!has_text(type, "type")) return refuse("type", "missing");
    std::uint32_t node = 0;
    if (type.says("text")) {
        if (!has_text(object["text"], "text")) return refuse("text", "missing");
        node = events_.open(WM_EV_BLOCK, parent, WM_BLOCK_TEXT);
        leaf_text(node, WM_EV_TEXT, {}, object["text"]);
        citations(node, object["citations"]);
    } else if (type.says("image") || type.says("document")) {
        if (!has_object(object["source"], "source")) return refuse("source", "missing");
        node = events_.open(WM_EV_BLOCK, parent, type.says("image") ? WM_BLOCK_IMAGE : WM_BLOCK_DOCUMENT);
        if (has_text(object["title"], "title")) events_.leaf(node, WM_EV_ATTR, WM_ATTR_TITLE, object["title"].raw);
        if (object["citations"].there()) events_.leaf(node, WM_EV_EXTRA, "citations", object["citations"].raw);
        media(node, object["source"], nesting);
    } else if (type.says("thinking")) {
        node = events_.open(WM_EV_BLOCK, parent, WM_BLOCK_REASONING);
        thought(node, object["thinking"], object["signature"]);
    } else if (type.says("redacted_thinking")) {
        node = events_.open(WM_EV_BLOCK, parent, WM_BLOCK_REASONING);
        leaf_text(node, WM_EV_OPAQUE, protocol, object["data"]);
    } else if (type.says("tool_use")) {
        if (!has_text(object["id"], "id") || !has_text(object["name"], "name")) return refuse("id or name is missing");
        node = events_.open(WM_EV_BLOCK, parent, WM_BLOCK_TOOL_CALL);
        leaf_text(node, WM_EV_CALL, {}, object["id"]);
        leaf_text(node, WM_EV_TOOLNAME, {}, object["name"]);
        if (has_object(object["input"], "input"))
            events_.leaf(node, WM_EV_ARGS, {}, object["input"].raw);
        else
            refuse("input", "missing");
    } else if (type.says("tool_result")) {
        if (!has_text(object["tool_use_id"], "tool_use_id")) return refuse("tool_use_id", "missing");
        node = events_.open(WM_EV_BLOCK, parent, WM_BLOCK_TOOL_RESULT);
        leaf_text(node, WM_EV_CALL, {}, object["tool_use_id"]);
        if (has(object["is_error"], Kind::boolean, "is_error", a_boolean))
            events_.leaf(node, WM_EV_ATTR, WM_ATTR_IS_ERROR, object["is_error"].raw);
        const auto at = path_.member("content");
        if (const Value said = object["content"]; said.is_string() || said.kind == Kind::array)
            content(node, said, nesting + 1);
        else if (said.there())
            refuse("neither a string nor an array");
    } else { // run by the provider, or newer than this reader
        node = events_.open(WM_EV_BLOCK, parent, WM_BLOCK_RAW);
        events_.leaf(node, WM_EV_RAW, protocol, block.raw);
        return events_.close(node);
    }
    cache(node, object["cache_control"]);
    others(object, node);
    events_.close(node);
}

} // namespace wm::anthropic_messages
