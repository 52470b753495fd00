#include "request_reader.hpp"

#include <watermaster/json_write.hpp>

namespace wm::openai_responses {

using sdk::a_boolean;
using sdk::a_number;
using sdk::a_string;
using sdk::json::Kind;
using sdk::json::Value;

namespace {

constexpr auto request_members = sdk::member_names(
    "model", "input", "instructions", "stream", "stream_options", "max_output_tokens", "temperature", "top_p",
    "top_logprobs", "parallel_tool_calls", "max_tool_calls", "service_tier", "store", "truncation", "prompt_cache_key",
    "user", "safety_identifier", "include", "background", "reasoning", "text", "metadata", "tools", "tool_choice",
    "previous_response_id", "conversation", "prompt", "context_management", "prompt_cache_options",
    "prompt_cache_retention", "client_metadata", "moderation");
constexpr auto reasoning_members = sdk::member_names("effort", "summary", "generate_summary");
constexpr auto text_members = sdk::member_names("format", "verbosity");
constexpr auto format_members = sdk::member_names("type", "name", "description", "schema", "strict");
constexpr auto tool_members = sdk::member_names("type", "name", "description", "parameters", "strict", "format");
constexpr auto grammar_members = sdk::member_names("type", "syntax", "definition");
constexpr auto choice_members = sdk::member_names("type", "name", "mode", "tools");
constexpr auto kept_members = sdk::member_names("id");
constexpr auto option_members = sdk::member_names("include_obfuscation");

constexpr std::string_view logprobs_included = "message.output_text.logprobs";

constexpr std::array<sdk::PlainParam, 10> plain_params{{
    {"max_output_tokens", WM_PARAM_MAX_OUTPUT_TOKENS, Kind::number, a_number},
    {"temperature", WM_PARAM_TEMPERATURE, Kind::number, a_number},
    {"top_p", WM_PARAM_TOP_P, Kind::number, a_number},
    {"parallel_tool_calls", WM_PARAM_PARALLEL_TOOL_CALLS, Kind::boolean, a_boolean},
    {"max_tool_calls", WM_PARAM_MAX_TOOL_CALLS, Kind::number, a_number},
    {"service_tier", WM_PARAM_SERVICE_TIER, Kind::string, a_string},
    {"store", WM_PARAM_STORE, Kind::boolean, a_boolean},
    {"truncation", WM_PARAM_TRUNCATION, Kind::string, a_string},
    {"prompt_cache_key", WM_PARAM_CACHE_KEY, Kind::string, a_string},
    {"stream", WM_PARAM_STREAM, Kind::boolean, a_boolean},
}};

// Members an answer repeats, and what it says where the request said nothing.
constexpr std::pair<std::string_view, std::string_view> echoed[] = {
    {"instructions", "null"},
    {"max_output_tokens", "null"},
    {"max_tool_calls", "null"},
    {"metadata", "{}"},
    {"parallel_tool_calls", "true"},
    {"reasoning", R"({"effort":null,"summary":null})"},
    {"temperature", "null"},
    {"text", R"({"format":{"type":"text"}})"},
    {"tool_choice", R"("auto")"},
    {"tools", "[]"},
    {"top_p", "null"},
    {"truncation", R"("disabled")"},
};

template <std::size_t N>
std::string echo(const sdk::Object<N>& request) {
    std::string out;
    for (const auto& [name, unsaid] : echoed) {
        if (!out.empty()) out += ',';
        sdk::json::append_quoted(out, name);
        out += ':';
        const Value said = request.peek(name);
        sdk::json::append_compact(out, said.there() ? said.raw : unsaid); // for a line of a stream
    }
    return out.append(
        R"(,"background":false,"previous_response_id":null,"store":false)"); // nobody keeps a translated answer
}

} // namespace

sdk::Status RequestReader::read(std::string_view body) {
    if (!checked(body)) return result();
    const sdk::Object request(body, request_members);
    if (!has_text(request["model"], "model")) refuse("model", "missing");
    if (stopped()) return result();
    const Value tools = request["tools"], instructions = request["instructions"], items = request["input"];

    asked_.model = sdk::json::text(request["model"].body());
    asked_.echo = echo(request);
    const std::uint32_t node = events_.open(WM_EV_REQUEST, 0, protocol, asked_.model);
    continuation(node, request);
    params(node, request, plain_params);
    controls(node, request);
    include(node, request["include"], request["top_logprobs"]);
    reasoning(node, request["reasoning"]);
    choice_of_tools(node, request["tool_choice"]);
    metadata(node, request["metadata"]);
    verbosity(node, request["text"]);
    others(request, node);
    format(node, request["text"]);
    each_of(tools, "tools", [&](const Value& one) { tool(node, one); });
    if (has_text(instructions, "instructions")) {
        const std::uint32_t turn = events_.open(WM_EV_TURN, node, WM_TURN_SYSTEM);
        text_block(turn, WM_BLOCK_TEXT, instructions);
        events_.close(turn);
    }
    if (items.there())
        input(node, items);
    else if (!request["previous_response_id"].there() && !request["conversation"].there() && !request["prompt"].there())
        refuse("input", "missing");
    events_.close(node);
    return result();
}

// What the provider keeps, and only it knows.
template <std::size_t N>
void RequestReader::continuation(std::uint32_t request, const sdk::Object<N>& object) {
    if (const Value previous = object["previous_response_id"]; has_text(previous, "previous_response_id"))
        leaf_text(request, WM_EV_RESUME, WM_RESUME_PREVIOUS_RESPONSE, previous);
    if (const Value conversation = object["conversation"]; conversation.there()) {
        const sdk::Object kept(conversation.raw, kept_members);
        const Value id = conversation.kind == Kind::object ? kept["id"] : conversation;
        if (has_text(id, "conversation")) leaf_text(request, WM_EV_RESUME, WM_RESUME_CONVERSATION, id);
        others(kept, request, "conversation.");
    }
    if (const Value background = object["background"]; has(background, Kind::boolean, "background", a_boolean))
        events_.leaf(request, WM_EV_PARAM, WM_PARAM_BACKGROUND, background.raw);
    if (object["prompt"].there()) events_.leaf(request, WM_EV_LOSS, WM_LOSS_CONTINUATION, "prompt");
}

template <std::size_t N>
void RequestReader::controls(std::uint32_t request, const sdk::Object<N>& object) {
    if (const auto [member, user] = one_of(object, {"safety_identifier", "user"}); has_text(user, member))
        events_.leaf(request, WM_EV_PARAM, WM_PARAM_USER, user.raw);
    // Of the provider's own workings: no other protocol has words for them.
    for (const std::string_view member :
         {"context_management", "prompt_cache_options", "prompt_cache_retention", "client_metadata", "moderation"})
        if (const Value value = object[member]; value.there() && !value.empty())
            events_.leaf(request, WM_EV_LOSS, WM_LOSS_RESPONSES_CONTROLS, member);
    const Value options = object["stream_options"];
    if (!has_object(options, "stream_options")) return;
    const sdk::Object known(options.raw, option_members);
    if (known["include_obfuscation"].is_true()) // what it hides is the provider's own framing, which ends here
        events_.leaf(request, WM_EV_LOSS, WM_LOSS_RESPONSES_CONTROLS, "stream_options.include_obfuscation");
    others(known, request, "stream_options.");
}

// Log probabilities are asked for by including them.
void RequestReader::include(std::uint32_t request, const Value& include, const Value& top_logprobs) {
    bool logprobs = false;
    std::string rest;
    each_of(include, "include", [&](const Value& one) {
        if (!one.is_string()) return refuse(a_string);
        if (one.says(logprobs_included))
            logprobs = true;
        else
            rest.append(rest.empty() ? "[" : ",").append(one.raw);
    });
    const bool top = has(top_logprobs, Kind::number, "top_logprobs", a_number) && top_logprobs.count() != 0;
    if (top) events_.leaf(request, WM_EV_PARAM, WM_PARAM_TOP_LOGPROBS, top_logprobs.raw); // first: it may stand alone
    if (logprobs || top) events_.leaf(request, WM_EV_PARAM, WM_PARAM_LOGPROBS, "true");
    if (!rest.empty()) events_.leaf(request, WM_EV_PARAM, WM_PARAM_INCLUDE, rest.append("]"));
}

void RequestReader::reasoning(std::uint32_t request, const Value& reasoning) {
    if (!has_object(reasoning, "reasoning")) return;
    const auto at = path_.member("reasoning");
    const sdk::Object object(reasoning.raw, reasoning_members);
    if (has_text(object["effort"], "effort")) leaf_text(request, WM_EV_REASON, WM_REASON_EFFORT, object["effort"]);
    if (const auto [member, summary] = one_of(object, {"summary", "generate_summary"}); has_text(summary, member))
        leaf_text(request, WM_EV_REASON, WM_REASON_SUMMARY, summary);
    others(object, request, "reasoning.");
}

void RequestReader::choice_of_tools(std::uint32_t request, const Value& choice) {
    if (!choice.there()) return;
    const auto at = path_.member("tool_choice");
    if (choice.is_string()) {
        for (const std::string_view word : {WM_CHOOSE_AUTO, WM_CHOOSE_NONE, WM_CHOOSE_REQUIRED})
            if (choice.says(word)) return events_.leaf(request, WM_EV_CHOOSE, word, {});
        return refuse("not one of none, auto, required");
    }
    if (choice.kind != Kind::object) return refuse("neither a string nor an object");
    const sdk::Object object(choice.raw, choice_members);
    const Value type = object["type"];
    if (!has_text(type, "type")) return refuse("type", "missing");
    if (type.says("allowed_tools")) {
        allowed_tools(request, object["mode"], object["tools"]);
        return others(object, request, "tool_choice.");
    }
    if (!type.says("function") && !type.says("custom")) // a tool that the provider runs
        return events_.leaf(request, WM_EV_LOSS, WM_LOSS_TOOL_CHOICE, "tool_choice");
    if (!has_text(object["name"], "name")) return refuse("name", "missing");
    leaf_text(request, WM_EV_CHOOSE, WM_CHOOSE_TOOL, object["name"]);
    others(object, request, "tool_choice.");
}

void RequestReader::allowed_tools(std::uint32_t request, const Value& mode, const Value& tools) {
    const bool required = mode.says("required");
    if (!required && !mode.says("auto")) return refuse("mode", "neither auto nor required");
    events_.leaf(request, WM_EV_CHOOSE, required ? WM_CHOOSE_REQUIRED : WM_CHOOSE_AUTO, {});
    each_of(tools, "tools", [&](const Value& one) {
        if (one.kind != Kind::object) return refuse("not an object");
        const sdk::Object tool(one.raw, choice_members);
        if (!has_text(tool["name"], "name")) // run by the provider
            return events_.leaf(request, WM_EV_LOSS, WM_LOSS_TOOL_CHOICE, "tool_choice.tools");
        tool.ignore({"type"});
        leaf_text(request, WM_EV_CHOOSE, WM_CHOOSE_ALLOWED, tool["name"]);
        others(tool, request, "tool_choice.tools.");
    });
}

void RequestReader::verbosity(std::uint32_t request, const Value& text) {
    if (!has_object(text, "text")) return;
    const auto at = path_.member("text");
    const sdk::Object object(text.raw, text_members);
    if (const Value verbosity = object["verbosity"]; has_text(verbosity, "verbosity"))
        events_.leaf(request, WM_EV_PARAM, WM_PARAM_VERBOSITY, verbosity.raw);
    object.ignore({"format"}); // which comes later
    others(object, request, "text.");
}

void RequestReader::format(std::uint32_t request, const Value& output) {
    const Value format = sdk::json::member(output.raw, "format");
    if (format.null() || !format.there()) return;
    const auto at = path_.member("text");
    if (!has_object(format, "format")) return;
    const auto inside = path_.member("format");
    const sdk::Object object(format.raw, format_members);
    const Value type = object["type"];
    if (type.says("text") || type.says("json_object")) {
        events_.close(events_.open(WM_EV_FORMAT, request, text(type)));
    } else if (type.says("json_schema")) {
        const std::string name(has_text(object["name"], "name") ? text(object["name"]) : std::string_view());
        const std::uint32_t node = events_.open(WM_EV_FORMAT, request, WM_FORMAT_JSON_SCHEMA, name);
        if (has_text(object["description"], "description"))
            leaf_text(node, WM_EV_DESCRIPTION, {}, object["description"]);
        if (has_object(object["schema"], "schema"))
            events_.leaf(node, WM_EV_SCHEMA, "output", object["schema"].raw);
        else
            refuse("schema", "missing");
        if (has(object["strict"], Kind::boolean, "strict", a_boolean))
            events_.leaf(node, WM_EV_STRICT, {}, object["strict"].raw);
        events_.close(node);
    } else {
        refuse("type", "not one of text, json_object, json_schema");
    }
    others(object, request, "text.format.");
}

void RequestReader::tool(std::uint32_t request, const Value& tool) {
    if (tool.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(tool.raw, tool_members);
    const Value type = object["type"];
    if (!has_text(type, "type")) return refuse("type", "missing");
    const bool custom = type.says("custom");
    if (!custom && !type.says("function")) { // run by the provider, or a group of tools
        const std::string_view kind = type.says("mcp")         ? WM_TOOL_MCP
                                      : type.says("namespace") ? WM_TOOL_NAMESPACE
                                                               : WM_TOOL_SERVER;
        return provider_tool(request, kind, text(type), protocol, tool);
    }
    const std::uint32_t node = open_tool(request, custom ? WM_TOOL_CUSTOM : WM_TOOL_FUNCTION, object);
    if (!node) return;
    if (custom) {
        grammar(node, object["format"]);
    } else {
        tool_input(node, object, "parameters");
        if (!object["strict"].there()) // bound strictly where the schema allows it, which nobody else does unasked
            events_.leaf(node, WM_EV_NOTE, WM_LOSS_TOOL_SCHEMA_STRICTNESS, "tools.strict");
    }
    others(object, node);
    events_.close(node);
}

void RequestReader::grammar(std::uint32_t tool, const Value& format) {
    if (!has_object(format, "format")) return;
    const auto at = path_.member("format");
    const sdk::Object object(format.raw, grammar_members);
    if (object["type"].says("grammar")) {
        if (!has_text(object["definition"], "definition")) return refuse("definition", "missing");
        const std::string syntax(text(object["syntax"]));
        leaf_text(tool, WM_EV_GRAMMAR, syntax, object["definition"]);
    } else if (!object["type"].says("text")) {
        refuse("type", "neither text nor grammar");
    }
    others(object, tool, "format.");
}

} // namespace wm::openai_responses
