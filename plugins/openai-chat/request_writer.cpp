#include "request_writer.hpp"

#include "message_shapes.hpp"

#include <watermaster/translation/reasoning.hpp>
#include <watermaster/translation/schema.hpp>

#include <array>

namespace wm::openai_chat {

using sdk::Block;
using sdk::json::Writer;

namespace {

struct Param {
    std::string_view word, member;
};
constexpr std::array<Param, 14> carried{{
    {WM_PARAM_TEMPERATURE, "temperature"},
    {WM_PARAM_TOP_P, "top_p"},
    {WM_PARAM_SEED, "seed"},
    {WM_PARAM_N, "n"},
    {WM_PARAM_FREQUENCY_PENALTY, "frequency_penalty"},
    {WM_PARAM_PRESENCE_PENALTY, "presence_penalty"},
    {WM_PARAM_LOGIT_BIAS, "logit_bias"},
    {WM_PARAM_LOGPROBS, "logprobs"},
    {WM_PARAM_TOP_LOGPROBS, "top_logprobs"},
    {WM_PARAM_STORE, "store"},
    {WM_PARAM_VERBOSITY, "verbosity"},
    {WM_PARAM_CACHE_KEY, "prompt_cache_key"},
    {WM_PARAM_MODALITIES, "modalities"},
    {WM_PARAM_PREDICTION, "prediction"},
}};

constexpr std::size_t most_stops = 4; // that the API takes

std::string_view subtype(std::string_view media_type) { return media_type.substr(media_type.find('/') + 1); }

} // namespace

void RequestWriter::param(std::string_view word, std::string_view raw) {
    if (word == WM_PARAM_STORE && raw == "false") return; // as it is where nothing is said
    for (const Param& one : carried)
        if (one.word == word) return member(one.member, raw);
    if (word == WM_PARAM_MAX_OUTPUT_TOKENS)
        member(talk_.options.max_completion_tokens ? "max_completion_tokens" : "max_tokens", raw);
    else if (word == WM_PARAM_USER)
        member("user", raw);
    else if (word == WM_PARAM_PARALLEL_TOOL_CALLS)
        parallel_ = raw; // refused where there are no tools
    else if (word == WM_PARAM_SERVICE_TIER)
        member("service_tier", raw == "\"standard_only\"" ? "\"default\"" : raw);
    else if (word != WM_PARAM_STREAM) // the talk knows whether it streams
        lose_param(word, raw);
}

// {"type","function":{"name"}}, or the same for a custom tool.
void RequestWriter::name_tool(Writer& w, std::string_view tool) {
    const std::string_view type = choice().custom(tool) ? "custom" : "function";
    w.text("type", type);
    w.object(type).text("name", tool);
}

void RequestWriter::write_choice() {
    if (choice().how().empty()) return;
    std::string raw;
    if (!choice().allowed().empty()) {
        Writer w(raw);
        w.text("type", "allowed_tools");
        Writer allowed = w.object("allowed_tools");
        allowed.text("mode", choice().how());
        Writer list = allowed.array("tools");
        for (const std::string& one : choice().allowed()) {
            Writer tool = list.element_object();
            name_tool(tool, one);
        }
    } else if (choice().how() == WM_CHOOSE_TOOL) {
        Writer w(raw);
        name_tool(w, choice().tool());
    } else {
        raw = sdk::json::quote(choice().how());
    }
    member("tool_choice", raw);
}

void RequestWriter::reason(std::string_view what, std::string_view token) {
    if (what == WM_REASON_EFFORT)
        effort_ = token;
    else if (what == WM_REASON_BUDGET)
        budget_ = token;
    else if (what == WM_REASON_SUMMARY)
        loss(WM_LOSS_REASONING_SUMMARY, "reasoning.summary");
    else // adaptive and disabled are what this protocol does without being told
        note(WM_LOSS_REQUEST_REASONING, "reasoning.mode");
}

void RequestWriter::format(sdk::Format& format) {
    if (format.type == WM_FORMAT_TEXT && !talk_.options.structured_outputs) return; // what it does without being told
    if (format.type == WM_FORMAT_GRAMMAR || !talk_.options.structured_outputs)
        return loss(WM_LOSS_OUTPUT_FORMAT, "format");
    std::string raw;
    {
        Writer w(raw);
        w.text("type", format.type);
        if (format.type == WM_FORMAT_JSON_SCHEMA) {
            Writer schema = w.object("json_schema");
            schema.text("name", format.name.empty() ? std::string_view("response") : std::string_view(format.name));
            if (!format.description.empty()) schema.text("description", format.description);
            if (!format.schema.empty()) schema.raw("schema", format.schema);
            if (!format.strict.empty()) schema.raw("strict", format.strict);
        }
    }
    member("response_format", raw);
}

void RequestWriter::tool(sdk::Tool& tool) {
    if (tool.cache) loss(WM_LOSS_CACHE_MARKERS, "tool.cache_control");
    for (const sdk::Named& extra : tool.extras) loss(WM_LOSS_EXTENSION_MEMBERS, "tool." + extra.name);
    const bool custom = tool.type == WM_TOOL_CUSTOM;
    if (!custom && tool.type != WM_TOOL_FUNCTION)
        return loss(WM_LOSS_BUILTIN_TOOLS, "tool." + (tool.name.empty() ? tool.type : tool.name));
    if (!tools_.empty()) tools_ += ',';
    choice().sent(tool.name, custom && talk_.options.custom_tools);
    if (custom && !talk_.options.custom_tools) return freeform(tool);
    Writer w(tools_);
    w.text("type", custom ? "custom" : "function");
    Writer defined = w.object(custom ? "custom" : "function");
    defined.text("name", tool.name);
    if (!tool.description.empty()) defined.text("description", tool.description);
    if (!tool.schema.empty()) defined.raw("parameters", sdk::object_schema(tool.schema));
    if (!tool.strict.empty()) defined.raw("strict", tool.strict);
    if (tool.grammars.empty()) return;
    Writer format = defined.object("format");
    format.text("type", "grammar");
    Writer grammar = format.object("grammar");
    grammar.text("syntax", tool.grammars.front().name);
    grammar.text("definition", tool.grammars.front().value);
}

void RequestWriter::freeform(const sdk::Tool& tool) {
    note(WM_LOSS_CUSTOM_TOOLS, "tools");
    if (!tool.grammars.empty()) loss(WM_LOSS_TOOL_SCHEMA_STRICTNESS, "tools.format");
    sent_.freeform.add(tool.name);
    Writer w(tools_);
    w.text("type", "function");
    Writer defined = w.object("function");
    defined.text("name", tool.name);
    if (const auto description = sdk::freeform_description(tool); !description.empty())
        defined.text("description", description);
    defined.raw("parameters", sdk::freeform_schema);
}

void RequestWriter::common_losses(const Block& block) {
    if (block.cache) loss(WM_LOSS_CACHE_MARKERS, block.kind + ".cache_control");
    if (block.signed_elsewhere()) loss(WM_LOSS_AUTHENTICATED_THINKING, block.kind + ".signature");
    if (!block.citations.empty()) loss(WM_LOSS_CITATIONS, block.kind + ".citations");
    if (!block.attribute(WM_ATTR_PHASE).empty()) loss(WM_LOSS_RESPONSES_CONTROLS, "message.phase");
    for (const sdk::Named& extra : block.extras) loss(WM_LOSS_EXTENSION_MEMBERS, block.kind + "." + extra.name);
    if (block.is(WM_BLOCK_DOCUMENT) && block.only_text() && block.titled()) loss(WM_LOSS_MEDIA, "document.title");
    for (const Block& child : block.children) common_losses(child);
}

void RequestWriter::turn(sdk::Turn& turn) {
    for (const sdk::Named& extra : turn.extras) loss(WM_LOSS_EXTENSION_MEMBERS, "message." + extra.name);
    for (const Block& block : turn.blocks) common_losses(block);
    const bool system = turn.role == WM_TURN_SYSTEM, developer = turn.role == WM_TURN_DEVELOPER;
    if (system || developer) {
        if (developer && !talk_.options.developer_role) loss(WM_LOSS_DEVELOPER_ROLE, "message.role");
        return system_turn(turn);
    }
    dialog_ = true;
    if (turn.role == WM_TURN_ASSISTANT)
        assistant_turn(turn);
    else
        user_turn(turn);
}

void RequestWriter::begin_message() {
    if (!messages_.empty()) messages_ += ',';
}

// Many servers take one system message only, and only as the first.
void RequestWriter::system_turn(const sdk::Turn& turn) {
    const bool developer = turn.role == WM_TURN_DEVELOPER && talk_.options.developer_role;
    const bool in_place = developer || talk_.options.system_anywhere;
    std::string text;
    bool first = true;
    for (const Block& block : turn.blocks) {
        if (!block.is(WM_BLOCK_TEXT)) {
            loss(WM_LOSS_MEDIA, "system." + block.kind);
            continue;
        }
        if (!first) {
            text += "\n\n";
            note(WM_LOSS_MID_CONVERSATION_SYSTEM, "system");
        }
        first = false;
        text += block.text;
    }
    if (in_place) {
        begin_message();
        Writer w(messages_);
        w.text("role", developer ? WM_TURN_DEVELOPER : WM_TURN_SYSTEM);
        w.text("content", text);
        return;
    }
    if (dialog_)
        loss(WM_LOSS_MID_CONVERSATION_SYSTEM, "message.role");
    else if (system_there_)
        note(WM_LOSS_MID_CONVERSATION_SYSTEM, "system");
    if (system_there_) system_ += "\n\n";
    system_there_ = true;
    system_ += text;
}

void RequestWriter::assistant_turn(const sdk::Turn& turn) {
    std::string said, reasoning, refusal;
    std::string_view item; // of the text before
    bool calls = false, any_text = false;
    for (const Block& block : turn.blocks) {
        if (block.is(WM_BLOCK_TEXT)) {
            if (calls) loss(WM_LOSS_BLOCK_ORDER, "message.content");
            if (any_text && block.item != item) said += "\n\n"; // messages of their own, elsewhere
            any_text = true;
            item = block.item;
            said += block.text;
        } else if (block.is(WM_BLOCK_REFUSAL)) {
            refusal += block.text;
        } else if (block.is(WM_BLOCK_TOOL_CALL)) {
            calls = true;
        } else if (block.is(WM_BLOCK_REASONING)) {
            if (!block.signature.empty() || !block.opaque.empty())
                loss(WM_LOSS_AUTHENTICATED_THINKING, "message.thinking");
            const std::string thought = sdk::shown_reasoning(block);
            if (talk_.options.reasoning_history)
                reasoning += thought;
            else if (block.synthetic())
                note(WM_LOSS_PROVIDER_REASONING_TEXT, "message.thinking"); // shown to the client alone
            else if (!thought.empty())
                loss(WM_LOSS_PROVIDER_REASONING_TEXT, "message.thinking");
        } else {
            loss(sdk::lost_with(block.kind), "message." + block.kind);
        }
    }
    if (!any_text && !calls && refusal.empty() && reasoning.empty() && !turn.blocks.empty())
        return note(WM_LOSS_BLOCK_ORDER, "message.content"); // it said nothing that can be said here
    begin_message();
    Writer w(messages_);
    w.text("role", WM_TURN_ASSISTANT);
    if (any_text)
        w.text("content", said);
    else
        w.raw("content", "null");
    if (!refusal.empty()) w.text("refusal", refusal);
    if (!reasoning.empty()) w.text("reasoning_content", reasoning);
    if (!turn.author.empty()) w.text("name", turn.author);
    if (calls) write_tool_calls(w, turn.blocks, talk_.options.custom_tools);
}

// Results go first, each as a message of its own; what such a message cannot hold comes with the user's content, behind
// a line that says whose it is.
void RequestWriter::user_turn(const sdk::Turn& turn) {
    std::vector<const Block*> rest;
    std::list<Block> labels;
    for (const Block& block : turn.blocks) {
        if (!block.is(WM_BLOCK_TOOL_RESULT)) continue;
        std::vector<const Block*> media;
        tool_message(block, media);
        if (media.empty()) continue;
        labels.push_back({.kind = WM_BLOCK_TEXT, .text = "[result of " + block.call + "]"});
        rest.push_back(&labels.back());
        rest.insert(rest.end(), media.begin(), media.end());
    }
    for (const Block& block : turn.blocks)
        if (!block.is(WM_BLOCK_TOOL_RESULT)) rest.push_back(&block);
    if (!rest.empty() || turn.blocks.empty()) user_message(WM_TURN_USER, rest, turn.author);
}

// Appends what a part of a result says as text, to the lines before; what is no text goes into `media`.
void RequestWriter::result_part(const Block& part, std::optional<std::string>& text, std::vector<const Block*>& media) {
    if (!part.only_text()) {
        note(WM_LOSS_MEDIA, "tool_result." + part.kind); // kept, beside the result
        return media.push_back(&part);
    }
    if (!part.text.empty() || part.children.empty()) {
        if (text) note(WM_LOSS_BLOCK_ORDER, "tool_result.content");
        text ? text->append("\n") : text.emplace();
        *text += part.text;
    }
    for (const Block& child : part.children) result_part(child, text, media);
}

void RequestWriter::tool_message(const Block& result, std::vector<const Block*>& media) {
    std::optional<std::string> lines;
    for (const Block& child : result.children) result_part(child, lines, media);
    std::string text = lines.value_or(std::string());
    if (text.empty() && !media.empty()) text = "[in the next message of the user]";
    if (result.attribute(WM_ATTR_IS_ERROR) == "true") {
        loss(WM_LOSS_TOOL_RESULT_ERROR_STATUS, "tool_result.is_error");
        text.insert(0, sdk::failed_tool_mark);
    }
    begin_message();
    Writer w(messages_);
    w.text("role", WM_TURN_TOOL);
    w.text("tool_call_id", result.call);
    w.text("content", text);
}

void RequestWriter::user_message(std::string_view role, const std::vector<const Block*>& blocks,
                                 std::string_view author) {
    begin_message();
    Writer w(messages_);
    w.text("role", role);
    if (!author.empty()) w.text("name", author);
    if (blocks.empty()) return w.text("content", {});
    if (blocks.size() == 1 && blocks.front()->is(WM_BLOCK_TEXT)) return w.text("content", blocks.front()->text);
    Writer list = w.array("content");
    for (const Block* block : blocks) parts(list, *block);
}

void RequestWriter::parts(Writer& list, const Block& block) {
    if (!block.only_text()) return media_part(list, block);
    for (const Block& child : block.children) parts(list, child);
    if (block.text.empty() && !block.children.empty()) return;
    Writer part = list.element_object();
    part.text("type", "text");
    part.text("text", block.text);
}

void RequestWriter::media_part(Writer& list, const Block& block) {
    if (block.is(WM_BLOCK_IMAGE) && !talk_.options.image_input) {
        loss(WM_LOSS_IMAGE_INPUT, "message.image");
    } else if (block.is(WM_BLOCK_IMAGE) && (!block.data.empty() || !block.url.empty())) {
        Writer part = list.element_object();
        part.text("type", "image_url");
        Writer image = part.object("image_url");
        image.text("url", sdk::url_of(block));
        if (const auto detail = block.attribute(WM_ATTR_DETAIL); !detail.empty()) image.raw("detail", detail);
    } else if (block.is(WM_BLOCK_AUDIO) && !block.data.empty()) {
        Writer part = list.element_object();
        part.text("type", "input_audio");
        Writer audio = part.object("input_audio");
        audio.text("data", block.data);
        audio.text("format", subtype(block.media_type));
    } else if (block.is(WM_BLOCK_DOCUMENT) && (!block.data.empty() || block.file_origin == WM_FILES_OPENAI)) {
        Writer part = list.element_object();
        part.text("type", "file");
        Writer file = part.object("file");
        const auto name = block.attribute(WM_ATTR_FILENAME), title = block.attribute(WM_ATTR_TITLE);
        if (!name.empty() || !title.empty())
            file.raw("filename", name.empty() ? title : name);
        else if (!block.data.empty())
            file.text("filename", "document." + std::string(subtype(block.media_type)));
        if (block.data.empty())
            file.text("file_id", block.file);
        else
            file.text("file_data", sdk::url_of(block));
    } else if (block.is(WM_BLOCK_RAW) && block.raw_origin == protocol) {
        list.element_raw(block.raw);
    } else {
        loss(sdk::lost_with(block.kind), "message." + block.kind);
    }
}

void RequestWriter::finish() {
    write_choice();
    if (!effort_.empty() || !budget_.empty()) {
        if (!talk_.options.reasoning_effort)
            loss(WM_LOSS_REQUEST_REASONING, "reasoning");
        else
            member("reasoning_effort", sdk::json::quote(effort_.empty() ? sdk::effort_of(budget_) : effort_));
        if (talk_.options.reasoning_effort && !budget_.empty()) note(WM_LOSS_REQUEST_REASONING, "reasoning.budget");
    }
    const std::size_t taken = talk_.options.stop_sequences ? most_stops : 0;
    if (stops_.size() > taken) loss(WM_LOSS_STOP_SEQUENCES, "stop");
    if (!stops_.empty() && taken) {
        std::string list;
        {
            Writer w(list, true);
            for (std::size_t i = 0; i < stops_.size() && i < most_stops; ++i) w.element_text(stops_[i]);
        }
        member("stop", list);
    }
    if (!metadata_.empty()) {
        std::string object;
        {
            Writer w(object);
            for (const sdk::Named& one : metadata_) w.text(one.name, one.value);
        }
        member("metadata", object);
    }
    if (!tools_.empty() && !parallel_.empty()) {
        if (talk_.options.parallel_tool_calls)
            member("parallel_tool_calls", parallel_);
        else if (parallel_ != "true") // what it does without being told
            loss(WM_LOSS_PARALLEL_TOOL_CALLS, WM_PARAM_PARALLEL_TOOL_CALLS);
    }
    if (talk_.stream) {
        member("stream", "true");
        if (talk_.ask_usage) member("stream_options", R"({"include_usage":true})");
    }

    std::string head = "{\"model\":";
    sdk::json::append_quoted(head, talk_.model);
    head += ",\"messages\":[";
    if (system_there_) {
        {
            Writer w(head);
            w.text("role", WM_TURN_SYSTEM);
            w.text("content", system_);
        }
        if (!messages_.empty()) head += ',';
    }
    out().put(WM_OUT_BODY, {}, head);
    out().put(WM_OUT_BODY, {}, messages_);
    out().put(WM_OUT_BODY, {}, "]");
    if (!tools_.empty()) {
        out().put(WM_OUT_BODY, {}, ",\"tools\":[");
        out().put(WM_OUT_BODY, {}, tools_);
        out().put(WM_OUT_BODY, {}, "]");
    }
    out().put(WM_OUT_BODY, {}, members());
    out().put(WM_OUT_BODY, {}, "}");
}

} // namespace wm::openai_chat
