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
constexpr auto choice_members = sdk::member_names("type", "function", "custom", "allowed_tools", "name");
constexpr auto named_members = sdk::member_names("name");
constexpr auto allowed_members = sdk::member_names("mode", "tools");
constexpr auto text_format_members = sdk::member_names("type", "grammar");
constexpr auto grammar_members = sdk::member_names("syntax", "definition");
constexpr auto heard_members = sdk::member_names("id");
constexpr auto breakpoint_members = sdk::member_names("mode");
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
    const Value output = request["response_format"], tools = request["tools"], functions = request["functions"];

    asked_.model = sdk::json::text(request["model"].body());
    const std::uint32_t node = events_.open(WM_EV_REQUEST, 0, protocol, asked_.model);
    params(node, request, plain_params);
    Value limit;
    for (const std::string_view member : {"max_completion_tokens", "max_tokens"})
        if (const Value value = request[member]; has(value, Kind::number, member, a_number))
            sdk::keep_largest(limit, value);
    if (limit.there()) events_.leaf(node, WM_EV_PARAM, WM_PARAM_MAX_OUTPUT_TOKENS, limit.raw);
    if (const auto [member, user] = one_of(request, {"safety_identifier", "user"}); has_text(user, member))
        events_.leaf(node, WM_EV_PARAM, WM_PARAM_USER, user.raw);
    if (const Value stream = request["stream"]; has(stream, Kind::boolean, "stream", a_boolean))
        events_.leaf(node, WM_EV_PARAM, WM_PARAM_STREAM, stream.raw);
    if (const Value effort = request["reasoning_effort"]; has_text(effort, "reasoning_effort"))
        leaf_text(node, WM_EV_REASON, WM_REASON_EFFORT, effort);
    stream_options(node, request["stream_options"]);
    stops(node, request["stop"]);
    const auto [choice, choice_of_tools] = one_of(request, {"tool_choice", "function_call"});
    choices_of_tools(node, choice, choice_of_tools);
    metadata(node, request["metadata"]);
    others(request, node);
    format(node, output);
    each_of(tools, "tools", [&](const Value& one) { tool(node, one); });
    each_of(functions, "functions", [&](const Value& one) { function(node, one); });
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
    others(object, request, "stream_options.");
}

void RequestReader::stops(std::uint32_t request, const Value& stop) {
    if (stop.is_string()) return leaf_text(request, WM_EV_STOP, {}, stop);
    if (!has(stop, Kind::array, "stop", "neither a string nor an array")) return;
    const auto at = path_.member("stop");
    stop_list(request, stop);
}

void RequestReader::choices_of_tools(std::uint32_t request, std::string_view member, const Value& choice) {
    if (!choice.there()) return;
    const auto at = path_.member(member);
    if (choice.is_string()) {
        for (const std::string_view word : {WM_CHOOSE_AUTO, WM_CHOOSE_NONE, WM_CHOOSE_REQUIRED})
            if (choice.says(word)) return events_.leaf(request, WM_EV_CHOOSE, word, {});
        return refuse("not one of none, auto, required");
    }
    if (choice.kind != Kind::object) return refuse("neither a string nor an object");
    const sdk::Object object(choice.raw, choice_members);
    object.ignore({"type"});
    if (has_object(object["allowed_tools"], "allowed_tools"))
        allowed_tools(request, object["allowed_tools"]);
    else
        named_tool(request, WM_CHOOSE_TOOL, object);
    others(object, request, std::string(member) + ".");
}

// {"function": {"name"}} or {"custom": {"name"}}; of a function_call the name alone.
template <std::size_t N>
void RequestReader::named_tool(std::uint32_t request, std::string_view how, const sdk::Object<N>& object) {
    const std::string_view member = object.peek("function").there() ? "function" : "custom";
    const Value inside = object[member], name = inside.there() ? Value{} : object["name"];
    const sdk::Object named(inside.raw, named_members);
    const Value said = inside.there() ? named["name"] : name;
    if (!has_text(said, "name")) return refuse("names no tool");
    leaf_text(request, WM_EV_CHOOSE, how, said);
    others(named, request, "tool_choice." + std::string(member) + ".");
}

void RequestReader::allowed_tools(std::uint32_t request, const Value& allowed) {
    const auto at = path_.member("allowed_tools");
    const sdk::Object object(allowed.raw, allowed_members);
    const bool required = object["mode"].says("required");
    if (!required && !object["mode"].says("auto")) return refuse("mode", "neither auto nor required");
    events_.leaf(request, WM_EV_CHOOSE, required ? WM_CHOOSE_REQUIRED : WM_CHOOSE_AUTO, {});
    each_of(object["tools"], "tools", [&](const Value& one) {
        const sdk::Object tool(one.raw, choice_members);
        tool.ignore({"type"});
        named_tool(request, WM_CHOOSE_ALLOWED, tool);
        others(tool, request, "tool_choice.allowed_tools.tools.");
    });
    others(object, request, "tool_choice.allowed_tools.");
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
        const std::string name(has_text(schema["name"], "name") ? text(schema["name"]) : std::string_view());
        const std::uint32_t node = events_.open(WM_EV_FORMAT, request, WM_FORMAT_JSON_SCHEMA, name);
        if (has_text(schema["description"], "description"))
            leaf_text(node, WM_EV_DESCRIPTION, {}, schema["description"]);
        if (has_object(schema["schema"], "schema")) events_.leaf(node, WM_EV_SCHEMA, "output", schema["schema"].raw);
        if (has(schema["strict"], Kind::boolean, "strict", a_boolean))
            events_.leaf(node, WM_EV_STRICT, {}, schema["strict"].raw);
        events_.close(node);
        others(schema, request, "response_format.json_schema.");
    } else {
        refuse("type", "not one of text, json_object, json_schema");
    }
    others(object, request, "response_format.");
}

void RequestReader::tool(std::uint32_t request, const Value& tool) {
    if (tool.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(tool.raw, tool_members);
    const Value type = object["type"];
    if (const Value defined = object["function"]; has_object(defined, "function")) {
        const auto at = path_.member("function");
        function(request, defined);
    } else if (const Value made = object["custom"]; has_object(made, "custom")) {
        const auto at = path_.member("custom");
        custom(request, made);
    } else { // run by the provider
        if (!has_text(type, "type")) return refuse("type", "missing");
        return provider_tool(request, WM_TOOL_SERVER, text(type), protocol, tool);
    }
    others(object, request, "tools.");
}

void RequestReader::function(std::uint32_t request, const Value& function) {
    if (function.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(function.raw, function_members);
    const std::uint32_t node = open_tool(request, WM_TOOL_FUNCTION, object);
    if (!node) return;
    tool_input(node, object, "parameters");
    others(object, node);
    events_.close(node);
}

void RequestReader::custom(std::uint32_t request, const Value& custom) {
    const sdk::Object object(custom.raw, custom_members);
    const std::uint32_t node = open_tool(request, WM_TOOL_CUSTOM, object);
    if (!node) return;
    if (const Value format = object["format"]; has_object(format, "format")) {
        const auto at = path_.member("format");
        const sdk::Object kind(format.raw, text_format_members);
        if (kind["type"].says("grammar") && has_object(kind["grammar"], "grammar")) {
            const sdk::Object grammar(kind["grammar"].raw, grammar_members);
            const std::string syntax(text(grammar["syntax"]));
            leaf_text(node, WM_EV_GRAMMAR, syntax, grammar["definition"]);
            others(grammar, node, "format.grammar.");
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
    if (object["role"].says("function") || names_its_call(object)) object.ignore({"name"});
    others(object, block);
    events_.close(block);
}

// Then the name says nothing new.
template <std::size_t N>
bool RequestReader::names_its_call(const sdk::Object<N>& result) {
    const auto called = called_.find(std::string(text(result["tool_call_id"])));
    return called != called_.end() && result.peek("name").says(called->second);
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
    if (const Value mark = object["prompt_cache_breakpoint"]; mark.there()) {
        events_.leaf(block, WM_EV_CACHE, "explicit", {});
        only(mark, breakpoint_members, block, "prompt_cache_breakpoint.");
    }
    others(object, block);
    events_.close(block);
}

void RequestReader::image(std::uint32_t block, const Value& image) {
    const auto at = path_.member("image_url");
    const sdk::Object object(image.raw, image_members);
    if (!has_text(object["url"], "url")) return refuse("url", "missing");
    url(block, text(object["url"]));
    if (has_text(object["detail"], "detail")) events_.leaf(block, WM_EV_ATTR, WM_ATTR_DETAIL, object["detail"].raw);
    others(object, block, "image_url.");
}

void RequestReader::audio(std::uint32_t block, const Value& audio) {
    const auto at = path_.member("input_audio");
    const sdk::Object object(audio.raw, audio_members);
    if (!has_text(object["data"], "data") || !has_text(object["format"], "format"))
        return refuse("data or format is missing");
    const std::string type = "audio/" + std::string(text(object["format"]));
    leaf_text(block, WM_EV_DATA, type, object["data"]);
    others(object, block, "input_audio.");
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
    others(object, block, "file.");
}

template <std::size_t N>
void RequestReader::assistant(std::uint32_t turn, const sdk::Object<N>& object) {
    if (const auto [member, thought] = one_of(object, {"reasoning_content", "reasoning"}); has_text(thought, member))
        text_block(turn, WM_BLOCK_REASONING, thought);
    if (const Value said = object["content"]; !(said.is_string() && said.empty())) content(turn, said);
    if (has_text(object["refusal"], "refusal")) text_block(turn, WM_BLOCK_REFUSAL, object["refusal"]);
    if (const Value heard = object["audio"]; has_object(heard, "audio")) {
        const auto at = path_.member("audio");
        const sdk::Object audio(heard.raw, heard_members);
        if (!has_text(audio["id"], "id")) return refuse("id", "missing");
        const std::uint32_t block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_AUDIO);
        leaf_text(block, WM_EV_FILE, WM_FILES_OPENAI, audio["id"]);
        others(audio, block, "audio.");
        events_.close(block);
    }
    each_of(object["tool_calls"], "tool_calls", [&](const Value& one) { tool_call(turn, one); });
    if (const Value call = object["function_call"]; has_object(call, "function_call")) legacy_call(turn, call);
}

void RequestReader::tool_call(std::uint32_t turn, const Value& call) {
    if (call.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(call.raw, call_members);
    if (!has_text(object["id"], "id")) return refuse("id", "missing");
    object.ignore({"type", "index"});
    const bool custom = object.peek("custom").there();
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
    called_.insert_or_assign(sdk::json::text(object["id"].body()), sdk::json::text(called["name"].body()));
    others(called, block, std::string(member) + ".");
    others(object, block);
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
    if (has_text(called["arguments"], "arguments")) leaf_text(block, WM_EV_ARGS, {}, called["arguments"]);
    others(called, block, "function_call.");
    events_.close(block);
}

} // namespace wm::openai_chat
