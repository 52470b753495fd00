#include "request_reader.hpp"

namespace wm::openai_chat {

using sdk::a_boolean;
using sdk::a_number;
using sdk::a_string;
using sdk::json::Kind;
using sdk::json::Value;

namespace {

constexpr auto request_members = sdk::member_names(
    "model", "messages", "stream", "stream_options", "max_tokens", "max_completion_tokens", "temperature", "top_p",
    "top_k", "seed", "n", "frequency_penalty", "presence_penalty", "logit_bias", "logprobs", "top_logprobs",
    "parallel_tool_calls", "service_tier", "user", "safety_identifier", "store", "verbosity", "prompt_cache_key",
    "modalities", "prediction", "stop", "metadata", "reasoning_effort", "response_format", "tools", "tool_choice",
    "functions", "function_call");
constexpr auto message_members = sdk::member_names("role", "content", "name", "tool_call_id", "tool_calls", "refusal",
                                                   "reasoning_content", "reasoning", "function_call", "audio");
constexpr auto part_members =
    sdk::member_names("type", "text", "refusal", "image_url", "input_audio", "file", "prompt_cache_breakpoint");
constexpr auto image_members = sdk::member_names("url", "detail");
constexpr auto audio_members = sdk::member_names("data", "format");
constexpr auto file_members = sdk::member_names("file_data", "file_id", "filename");
constexpr auto call_members = sdk::member_names("id", "type", "function", "custom", "index");
constexpr auto called_members = sdk::member_names("name", "arguments", "input");
constexpr auto tool_members = sdk::member_names("type", "function", "custom");
constexpr auto function_members = sdk::member_names("name", "description", "parameters", "strict");
constexpr auto custom_members = sdk::member_names("name", "description", "format");
constexpr auto format_members = sdk::member_names("type", "json_schema");
constexpr auto schema_members = sdk::member_names("name", "description", "schema", "strict");
constexpr auto choice_members = sdk::member_names("type", "function", "custom", "allowed_tools");
constexpr auto allowed_members = sdk::member_names("mode", "tools");
constexpr auto grammar_members = sdk::member_names("type", "grammar");
constexpr auto option_members = sdk::member_names("include_usage", "include_obfuscation");

constexpr std::array<sdk::PlainParam, 17> plain_params{{
    {"temperature", WM_PARAM_TEMPERATURE, Kind::number, a_number},
    {"top_p", WM_PARAM_TOP_P, Kind::number, a_number},
    {"top_k", WM_PARAM_TOP_K, Kind::number, a_number},
    {"seed", WM_PARAM_SEED, Kind::number, a_number},
    {"n", WM_PARAM_N, Kind::number, a_number},
    {"frequency_penalty", WM_PARAM_FREQUENCY_PENALTY, Kind::number, a_number},
    {"presence_penalty", WM_PARAM_PRESENCE_PENALTY, Kind::number, a_number},
    {"logit_bias", WM_PARAM_LOGIT_BIAS, Kind::object, "not an object"},
    {"logprobs", WM_PARAM_LOGPROBS, Kind::boolean, a_boolean},
    {"top_logprobs", WM_PARAM_TOP_LOGPROBS, Kind::number, a_number},
    {"parallel_tool_calls", WM_PARAM_PARALLEL_TOOL_CALLS, Kind::boolean, a_boolean},
    {"service_tier", WM_PARAM_SERVICE_TIER, Kind::string, a_string},
    {"store", WM_PARAM_STORE, Kind::boolean, a_boolean},
    {"verbosity", WM_PARAM_VERBOSITY, Kind::string, a_string},
    {"prompt_cache_key", WM_PARAM_CACHE_KEY, Kind::string, a_string},
    {"modalities", WM_PARAM_MODALITIES, Kind::array, "not an array"},
    {"prediction", WM_PARAM_PREDICTION, Kind::object, "not an object"},
}};

} // namespace

sdk::Status RequestReader::read(std::string_view body) {
    if (!checked(body)) return result();
    const sdk::Object request(body, request_members);
    if (!has_text(request["model"], "model")) refuse("model", "missing");
    if (!has_list(request["messages"], "messages")) refuse("messages", "missing");
    if (stopped()) return result();

    asked_.model = sdk::json::text(request["model"].body());
    const std::uint32_t node = events_.open(WM_EV_REQUEST, 0, protocol, asked_.model);
    params(node, request, plain_params);
    Value limit;
    for (const std::string_view member : {"max_completion_tokens", "max_tokens"})
        if (const Value value = request[member]; has(value, Kind::number, member, a_number))
            sdk::keep_largest(limit, value);
    if (limit.there()) events_.leaf(node, WM_EV_PARAM, WM_PARAM_MAX_OUTPUT_TOKENS, limit.raw);
    // Two names for one thing; the newer one counts.
    for (const std::string_view member : {"safety_identifier", "user"})
        if (const Value value = request[member]; has_text(value, member)) {
            events_.leaf(node, WM_EV_PARAM, WM_PARAM_USER, value.raw);
            break;
        }
    if (const Value stream = request["stream"]; has(stream, Kind::boolean, "stream", a_boolean))
        events_.leaf(node, WM_EV_PARAM, WM_PARAM_STREAM, stream.raw);
    if (const Value effort = request["reasoning_effort"]; has_text(effort, "reasoning_effort"))
        leaf_text(node, WM_EV_REASON, WM_REASON_EFFORT, effort);
    stream_options(node, request["stream_options"]);
    stops(node, request["stop"]);
    choices_of_tools(node, request["tool_choice"].there() ? request["tool_choice"] : request["function_call"]);
    metadata(node, request["metadata"]);
    others(request, node);
    format(node, request["response_format"]);
    each_of(request["tools"], "tools", [&](const Value& one) { tool(node, one); });
    each_of(request["functions"], "functions", [&](const Value& one) { function(node, one); });
    each_of(request["messages"], "messages", [&](const Value& one) { message(node, one); });
    end_tool_turn();
    events_.close(node);
    return result();
}

void RequestReader::stream_options(std::uint32_t request, const Value& options) {
    if (!has_object(options, "stream_options")) return;
    const auto at = path_.member("stream_options");
    const sdk::Object object(options.raw, option_members);
    if (const Value usage = object["include_usage"]; has(usage, Kind::boolean, "include_usage", a_boolean))
        asked_.include_usage = usage.is_true();
    if (object["include_obfuscation"].is_true()) // what it hides is the provider's own framing, which ends here
        events_.leaf(request, WM_EV_LOSS, WM_LOSS_CHAT_CONTROLS, "stream_options.include_obfuscation");
    others(object, request);
}

void RequestReader::stops(std::uint32_t request, const Value& stop) {
    if (stop.is_string()) return leaf_text(request, WM_EV_STOP, {}, stop);
    if (!has(stop, Kind::array, "stop", "neither a string nor an array")) return;
    const auto at = path_.member("stop");
    stop_list(request, stop);
}

void RequestReader::choices_of_tools(std::uint32_t request, const Value& choice) {
    if (!choice.there()) return;
    const auto at = path_.member("tool_choice");
    if (choice.is_string()) {
        for (const std::string_view word : {WM_CHOOSE_AUTO, WM_CHOOSE_NONE, WM_CHOOSE_REQUIRED})
            if (choice.says(word)) return events_.leaf(request, WM_EV_CHOOSE, word, {});
        return refuse("not one of none, auto, required");
    }
    if (choice.kind != Kind::object) return refuse("neither a string nor an object");
    const sdk::Object object(choice.raw, choice_members);
    if (has_object(object["allowed_tools"], "allowed_tools")) return allowed_tools(request, object["allowed_tools"]);
    Value named = object["function"].there() ? object["function"] : object["custom"];
    if (!named.there()) named = choice; // function_call: {"name"}
    const Value name = sdk::json::member(named.raw, "name");
    if (!has_text(name, "name")) return refuse("names no tool");
    leaf_text(request, WM_EV_CHOOSE, WM_CHOOSE_TOOL, name);
}

void RequestReader::allowed_tools(std::uint32_t request, const Value& allowed) {
    const auto at = path_.member("allowed_tools");
    const sdk::Object object(allowed.raw, allowed_members);
    const bool required = object["mode"].says("required");
    if (!required && !object["mode"].says("auto")) return refuse("mode", "neither auto nor required");
    events_.leaf(request, WM_EV_CHOOSE, required ? WM_CHOOSE_REQUIRED : WM_CHOOSE_AUTO, {});
    each_of(object["tools"], "tools", [&](const Value& one) {
        const sdk::Object tool(one.raw, choice_members);
        const Value named = tool["function"].there() ? tool["function"] : tool["custom"];
        const Value name = sdk::json::member(named.raw, "name");
        if (has_text(name, "name")) return leaf_text(request, WM_EV_CHOOSE, WM_CHOOSE_ALLOWED, name);
        refuse("names no tool");
    });
}

void RequestReader::format(std::uint32_t request, const Value& format) {
    if (!has_object(format, "response_format")) return;
    const auto at = path_.member("response_format");
    const sdk::Object object(format.raw, format_members);
    const Value type = object["type"];
    if (type.says("text") || type.says("json_object")) {
        events_.close(events_.open(WM_EV_FORMAT, request, text(type)));
    } else if (type.says("json_schema") && has_object(object["json_schema"], "json_schema")) {
        const auto inside = path_.member("json_schema");
        const sdk::Object schema(object["json_schema"].raw, schema_members);
        const std::string name(text(schema["name"]));
        const std::uint32_t node = events_.open(WM_EV_FORMAT, request, WM_FORMAT_JSON_SCHEMA, name);
        if (schema["description"].is_string()) leaf_text(node, WM_EV_DESCRIPTION, {}, schema["description"]);
        if (schema["schema"].there()) events_.leaf(node, WM_EV_SCHEMA, "output", schema["schema"].raw);
        if (schema["strict"].there()) events_.leaf(node, WM_EV_STRICT, {}, schema["strict"].raw);
        events_.close(node);
    } else {
        refuse("type", "not one of text, json_object, json_schema");
    }
    others(object, request);
}

void RequestReader::tool(std::uint32_t request, const Value& tool) {
    if (tool.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(tool.raw, tool_members);
    if (const Value defined = object["function"]; has_object(defined, "function")) {
        const auto at = path_.member("function");
        return function(request, defined);
    }
    if (const Value defined = object["custom"]; has_object(defined, "custom")) {
        const auto at = path_.member("custom");
        return custom(request, defined);
    }
    // Anything else is run by the provider.
    if (!has_text(object["type"], "type")) return refuse("type", "missing");
    provider_tool(request, WM_TOOL_SERVER, text(object["type"]), protocol, tool);
}

void RequestReader::function(std::uint32_t request, const Value& function) {
    if (function.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(function.raw, function_members);
    if (!has_text(object["name"], "name")) return refuse("name", "missing");
    const std::uint32_t node = events_.open(WM_EV_TOOL, request, WM_TOOL_FUNCTION, text(object["name"]));
    if (has_text(object["description"], "description")) leaf_text(node, WM_EV_DESCRIPTION, {}, object["description"]);
    if (has_object(object["parameters"], "parameters"))
        events_.leaf(node, WM_EV_SCHEMA, "input", object["parameters"].raw);
    if (has(object["strict"], Kind::boolean, "strict", a_boolean))
        events_.leaf(node, WM_EV_STRICT, {}, object["strict"].raw);
    others(object, node);
    events_.close(node);
}

void RequestReader::custom(std::uint32_t request, const Value& custom) {
    const sdk::Object object(custom.raw, custom_members);
    if (!has_text(object["name"], "name")) return refuse("name", "missing");
    const std::uint32_t node = events_.open(WM_EV_TOOL, request, WM_TOOL_CUSTOM, text(object["name"]));
    if (has_text(object["description"], "description")) leaf_text(node, WM_EV_DESCRIPTION, {}, object["description"]);
    if (const Value format = object["format"]; has_object(format, "format")) {
        const auto at = path_.member("format");
        const sdk::Object kind(format.raw, grammar_members);
        const Value grammar = kind["grammar"];
        if (kind["type"].says("grammar") && has_object(grammar, "grammar")) {
            const std::string syntax(text(sdk::json::member(grammar.raw, "syntax")));
            leaf_text(node, WM_EV_GRAMMAR, syntax, sdk::json::member(grammar.raw, "definition"));
        } else if (!kind["type"].says("text")) {
            refuse("type", "neither text nor grammar");
        }
        others(kind, node, "format.");
    }
    others(object, node);
    events_.close(node);
}

void RequestReader::end_tool_turn() {
    if (tool_turn_) events_.close(tool_turn_);
    tool_turn_ = 0;
}

void RequestReader::message(std::uint32_t request, const Value& message) {
    if (message.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(message.raw, message_members);
    const Value role = object["role"];
    if (!has_text(role, "role")) return refuse("role", "missing");
    if (role.says("tool") || role.says("function")) return tool_message(request, object);
    end_tool_turn();
    std::string_view word;
    for (const std::string_view known : {WM_TURN_SYSTEM, WM_TURN_DEVELOPER, WM_TURN_USER, WM_TURN_ASSISTANT})
        if (role.says(known)) word = known;
    if (word.empty()) return refuse("role", "not one of system, developer, user, assistant, tool");
    std::string author;
    if (has_text(object["name"], "name")) author = text(object["name"]);
    const std::uint32_t turn = events_.open(WM_EV_TURN, request, word, author);
    if (word == WM_TURN_ASSISTANT) {
        assistant(turn, object);
    } else {
        if (!object["content"].there()) refuse("content", "missing");
        content(turn, object["content"]);
    }
    others(object, turn);
    events_.close(turn);
}

template <std::size_t N>
void RequestReader::tool_message(std::uint32_t request, const sdk::Object<N>& object) {
    if (!tool_turn_) tool_turn_ = events_.open(WM_EV_TURN, request, WM_TURN_TOOL);
    const std::uint32_t block = events_.open(WM_EV_BLOCK, tool_turn_, WM_BLOCK_TOOL_RESULT);
    if (object["role"].says("function"))
        events_.leaf(block, WM_EV_CALL, {}, "call_legacy_" + std::to_string(legacy_calls_));
    else if (has_text(object["tool_call_id"], "tool_call_id"))
        leaf_text(block, WM_EV_CALL, {}, object["tool_call_id"]);
    else
        refuse("tool_call_id", "missing");
    content(block, object["content"]);
    others(object, block);
    events_.close(block);
}

void RequestReader::content(std::uint32_t turn, const Value& content) {
    if (content.is_string()) return text_block(turn, WM_BLOCK_TEXT, content);
    if (!has(content, Kind::array, "content", "neither a string nor an array")) return;
    const auto at = path_.member("content");
    each(content, [&](const Value& one) { part(turn, one); });
}

void RequestReader::part(std::uint32_t turn, const Value& part) {
    if (part.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(part.raw, part_members);
    const Value type = object["type"];
    if (!has_text(type, "type")) return refuse("type", "missing");
    std::uint32_t block = 0;
    if (type.says("text")) {
        if (!has_text(object["text"], "text")) return refuse("text", "missing");
        block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_TEXT);
        leaf_text(block, WM_EV_TEXT, {}, object["text"]);
    } else if (type.says("refusal") && has_text(object["refusal"], "refusal")) {
        block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_REFUSAL);
        leaf_text(block, WM_EV_TEXT, {}, object["refusal"]);
    } else if (type.says("image_url") && has_object(object["image_url"], "image_url")) {
        block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_IMAGE);
        image(block, object["image_url"]);
    } else if (type.says("input_audio") && has_object(object["input_audio"], "input_audio")) {
        block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_AUDIO);
        audio(block, object["input_audio"]);
    } else if (type.says("file") && has_object(object["file"], "file")) {
        block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_DOCUMENT);
        file(block, object["file"]);
    } else {
        block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_RAW);
        events_.leaf(block, WM_EV_RAW, protocol, part.raw);
        return events_.close(block);
    }
    if (object["prompt_cache_breakpoint"].there()) events_.leaf(block, WM_EV_CACHE, "explicit", {});
    others(object, block);
    events_.close(block);
}

void RequestReader::image(std::uint32_t block, const Value& image) {
    const auto at = path_.member("image_url");
    const sdk::Object object(image.raw, image_members);
    if (!has_text(object["url"], "url")) return refuse("url", "missing");
    url(block, text(object["url"]));
    if (has_text(object["detail"], "detail")) events_.leaf(block, WM_EV_ATTR, WM_ATTR_DETAIL, object["detail"].raw);
    others(object, block);
}

void RequestReader::audio(std::uint32_t block, const Value& audio) {
    const auto at = path_.member("input_audio");
    const sdk::Object object(audio.raw, audio_members);
    if (!has_text(object["data"], "data") || !has_text(object["format"], "format"))
        return refuse("data or format is missing");
    const std::string type = "audio/" + std::string(text(object["format"]));
    leaf_text(block, WM_EV_DATA, type, object["data"]);
    others(object, block);
}

void RequestReader::file(std::uint32_t block, const Value& file) {
    const auto at = path_.member("file");
    const sdk::Object object(file.raw, file_members);
    if (has_text(object["filename"], "filename"))
        events_.leaf(block, WM_EV_ATTR, WM_ATTR_FILENAME, object["filename"].raw);
    if (has_text(object["file_id"], "file_id"))
        leaf_text(block, WM_EV_FILE, WM_FILES_OPENAI, object["file_id"]);
    else if (has_text(object["file_data"], "file_data"))
        url(block, text(object["file_data"]));
    else
        refuse("neither file_data nor file_id is there");
    others(object, block);
}

template <std::size_t N>
void RequestReader::assistant(std::uint32_t turn, const sdk::Object<N>& object) {
    for (const std::string_view member : {"reasoning_content", "reasoning"})
        if (const Value value = object[member]; value.is_string() && !value.empty()) {
            text_block(turn, WM_BLOCK_REASONING, value);
            break;
        }
    if (const Value said = object["content"]; !(said.is_string() && said.empty())) content(turn, said);
    if (has_text(object["refusal"], "refusal")) text_block(turn, WM_BLOCK_REFUSAL, object["refusal"]);
    if (const Value heard = object["audio"]; has_object(heard, "audio")) {
        const std::uint32_t block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_AUDIO);
        leaf_text(block, WM_EV_FILE, WM_FILES_OPENAI, sdk::json::member(heard.raw, "id"));
        events_.close(block);
    }
    each_of(object["tool_calls"], "tool_calls", [&](const Value& one) { tool_call(turn, one); });
    if (const Value call = object["function_call"]; has_object(call, "function_call")) legacy_call(turn, call);
}

void RequestReader::tool_call(std::uint32_t turn, const Value& call) {
    if (call.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(call.raw, call_members);
    if (!has_text(object["id"], "id")) return refuse("id", "missing");
    const bool custom = object["custom"].there();
    const std::string_view member = custom ? "custom" : "function";
    if (!has_object(object[member], member)) return refuse(member, "missing");
    const auto at = path_.member(member);
    const sdk::Object called(object[member].raw, called_members);
    const std::string_view input = custom ? "input" : "arguments";
    if (!has_text(called["name"], "name")) return refuse("name", "missing");
    if (!has_text(called[input], input)) return refuse(input, "missing");
    const std::uint32_t block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_TOOL_CALL);
    leaf_text(block, WM_EV_CALL, {}, object["id"]);
    leaf_text(block, WM_EV_TOOLNAME, {}, called["name"]);
    leaf_text(block, custom ? WM_EV_TEXT : WM_EV_ARGS, {}, called[input]);
    others(called, block);
    events_.close(block);
}

// The spelling before tools: one call, without an id.
void RequestReader::legacy_call(std::uint32_t turn, const Value& call) {
    const auto at = path_.member("function_call");
    const sdk::Object called(call.raw, called_members);
    if (!has_text(called["name"], "name")) return refuse("name", "missing");
    const std::uint32_t block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_TOOL_CALL);
    events_.leaf(block, WM_EV_CALL, {}, "call_legacy_" + std::to_string(++legacy_calls_));
    leaf_text(block, WM_EV_TOOLNAME, {}, called["name"]);
    leaf_text(block, WM_EV_ARGS, {}, called["arguments"]);
    events_.close(block);
}

} // namespace wm::openai_chat
