#include "request_writer.hpp"

#include "input_schema.hpp"

#include <watermaster/translation/arguments.hpp>
#include <watermaster/translation/schema.hpp>

#include <charconv>

namespace wm::anthropic_messages {

using sdk::Block;
using sdk::json::Writer;

namespace {

void cache_control(Writer& w, const std::optional<std::string>& ttl) {
    if (!ttl) return;
    Writer control = w.object("cache_control");
    control.text("type", "ephemeral");
    if (!ttl->empty()) control.text("ttl", *ttl);
}

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

bool plain(const Block& block) {
    return block.is(WM_BLOCK_TEXT) && !block.cache && block.citations.empty() && block.children.empty() &&
           block.attributes.empty();
}

} // namespace

void RequestWriter::param(std::string_view word, std::string_view raw) {
    if (word == WM_PARAM_MAX_OUTPUT_TOKENS) {
        max_tokens_ = raw;
    } else if (word == WM_PARAM_TEMPERATURE) {
        temperature(raw);
    } else if (word == WM_PARAM_TOP_P || word == WM_PARAM_TOP_K) {
        member(word, raw);
    } else if (word == WM_PARAM_USER) {
        user_ = raw;
    } else if (word == WM_PARAM_PARALLEL_TOOL_CALLS) {
        parallel_ = raw;
    } else if (word == WM_PARAM_SERVICE_TIER) {
        service_tier(raw);
    } else if (word != WM_PARAM_STREAM) { // the talk knows whether it streams
        lose_param(word, raw);
    }
}

// From 0 to 1 here, to 2 elsewhere.
void RequestWriter::temperature(std::string_view raw) {
    double value = 0;
    std::from_chars(raw.data(), raw.data() + raw.size(), value);
    if (value > 1) loss(WM_LOSS_SAMPLING, WM_PARAM_TEMPERATURE);
    member("temperature", value > 1 ? std::string_view("1") : raw);
}

void RequestWriter::service_tier(std::string_view raw) {
    if (raw == "\"auto\"" || raw == "\"standard_only\"")
        member("service_tier", raw);
    else if (raw == "\"default\"")
        member("service_tier", "\"standard_only\"");
    else
        loss(WM_LOSS_CHAT_CONTROLS, WM_PARAM_SERVICE_TIER);
}

void RequestWriter::meta(std::string_view key, std::string_view text) {
    if (key == "user_id" && user_.empty())
        user_ = sdk::json::quote(text);
    else
        loss(WM_LOSS_METADATA, "metadata");
}

void RequestWriter::reason(std::string_view what, std::string_view token) {
    if (what == WM_REASON_EFFORT) {
        if (token == "none") {
            mode_ = "disabled";
        } else if (token == "minimal") {
            effort_ = "low";
            note(WM_LOSS_REQUEST_REASONING, "reasoning.effort");
        } else {
            effort_ = token;
        }
    } else if (what == WM_REASON_BUDGET) {
        budget_ = token;
        if (mode_.empty()) mode_ = "enabled";
    } else if (what == WM_REASON_MODE) {
        mode_ = token;
    } else if (token == "summarized" || token == "omitted") {
        display_ = token;
    } else {
        loss(WM_LOSS_REASONING_SUMMARY, "reasoning.summary");
    }
}

void RequestWriter::extra(std::string_view name, std::string_view raw) {
    if (origin() == protocol && name.find('.') == name.npos)
        member(name, raw);
    else
        loss(WM_LOSS_EXTENSION_MEMBERS, name);
}

void RequestWriter::extras(Writer& w, const std::vector<sdk::Named>& extras, std::string_view what) {
    for (const sdk::Named& one : extras)
        if (origin() == protocol && one.name.find('.') == one.name.npos)
            w.raw(one.name, one.value);
        else
            loss(WM_LOSS_EXTENSION_MEMBERS, std::string(what) + "." + one.name);
}

void RequestWriter::cache(std::string_view ttl) {
    std::string raw;
    {
        Writer w(raw);
        w.text("type", "ephemeral");
        if (!ttl.empty()) w.text("ttl", ttl);
    }
    member("cache_control", raw);
}

void RequestWriter::format(sdk::Format& format) {
    if (format.type == WM_FORMAT_JSON_SCHEMA && !format.schema.empty()) {
        format_ = R"({"type":"json_schema","schema":)" + format.schema + "}";
        if (!format.name.empty()) note(WM_LOSS_OUTPUT_FORMAT, "format.name");
    } else if (format.type != WM_FORMAT_TEXT) {
        loss(WM_LOSS_OUTPUT_FORMAT, "format");
    }
}

void RequestWriter::tool(sdk::Tool& tool) {
    if (tool.type == WM_TOOL_CUSTOM) return freeform(tool);
    const bool own = origin() == protocol;
    if (tool.type == WM_TOOL_FUNCTION) {
        choice().sent(tool.name);
        if (!tools_.empty()) tools_ += ',';
        Writer w(tools_);
        w.text("name", tool.name);
        if (!tool.description.empty()) w.text("description", tool.description);
        w.raw("input_schema", input_schema(tool.schema));
        if (tool.strict == "true" || (own && !tool.strict.empty())) w.raw("strict", tool.strict);
        cache_control(w, tool.cache);
        extras(w, tool.extras, "tool");
    } else if (own && !tool.config.empty()) {
        choice().sent_unnamed();
        std::string& list = tool.type == WM_TOOL_MCP ? servers_ : tools_;
        list.append(list.empty() ? "" : ",").append(tool.config);
    } else {
        loss(WM_LOSS_BUILTIN_TOOLS, "tool." + (tool.name.empty() ? tool.type : tool.name));
    }
}

void RequestWriter::freeform(const sdk::Tool& tool) {
    note(WM_LOSS_CUSTOM_TOOLS, "tools");
    if (!tool.grammars.empty()) loss(WM_LOSS_TOOL_SCHEMA_STRICTNESS, "tools.format");
    sent_.freeform.add(tool.name);
    choice().sent(tool.name);
    if (!tools_.empty()) tools_ += ',';
    Writer w(tools_);
    w.text("name", tool.name);
    if (const auto description = sdk::freeform_description(tool); !description.empty())
        w.text("description", description);
    w.raw("input_schema", sdk::freeform_schema);
    cache_control(w, tool.cache);
    extras(w, tool.extras, "tool");
}

// A schema that is a choice of several is refused here: their properties are all allowed instead.
std::string RequestWriter::input_schema(const std::string& schema) {
    bool joined = false;
    const std::string one = without_choices(schema, joined);
    if (joined) loss(WM_LOSS_TOOL_SCHEMA_STRICTNESS, "tools.input_schema");
    return sdk::object_schema(one);
}

void RequestWriter::turn(sdk::Turn& turn) {
    if (!turn.author.empty()) loss(WM_LOSS_AUTHOR, "message.name");
    if (origin() != protocol)
        for (const sdk::Named& one : turn.extras) loss(WM_LOSS_EXTENSION_MEMBERS, "message." + one.name);
    if (turn.role == WM_TURN_DEVELOPER) loss(WM_LOSS_DEVELOPER_ROLE, "message.role");
    if (turn.role == WM_TURN_SYSTEM || turn.role == WM_TURN_DEVELOPER) return system_turn(turn);
    dialog_ = true;
    if (turn.role != WM_TURN_ASSISTANT) ids_.next_turn();
    message(turn.role == WM_TURN_ASSISTANT ? WM_TURN_ASSISTANT : WM_TURN_USER, turn);
}

void RequestWriter::system_turn(const sdk::Turn& turn) {
    if (dialog_ && talk_.options.system_anywhere) return message(WM_TURN_SYSTEM, turn);
    if (dialog_)
        loss(WM_LOSS_MID_CONVERSATION_SYSTEM, "message.role");
    else if (!system_.empty())
        note(WM_LOSS_MULTIPLE_SYSTEM_TURNS, "system");
    for (const Block& one : turn.blocks) {
        if (!one.is(WM_BLOCK_TEXT)) {
            loss(WM_LOSS_MEDIA, "system." + one.kind);
            continue;
        }
        if (one.text.empty()) continue;
        system_is_list_ |= !system_.empty() || !plain(one);
        if (!system_.empty()) system_ += ',';
        Writer w(system_);
        w.text("type", "text");
        w.text("text", one.text);
        cache_control(w, one.cache);
        extras(w, one.extras, "system");
    }
}

void RequestWriter::end_message() {
    if (open_role_.empty()) return;
    if (!open_text_ && open_.empty() && open_role_ == WM_TURN_ASSISTANT) {
        note(WM_LOSS_BLOCK_ORDER, "message.content"); // it said nothing that can be said here
    } else {
        if (!messages_.empty()) messages_ += ',';
        Writer w(messages_);
        w.text("role", open_role_);
        if (open_text_ || open_.empty())
            w.text("content", open_text_.value_or(""));
        else
            w.raw("content", "[" + open_ + "]");
    }
    open_role_.clear();
    open_.clear();
    open_text_.reset();
    open_takes_more_ = false;
}

// Results and what the user says with them are one message; other turns stay apart.
void RequestWriter::message(std::string_view role, const sdk::Turn& turn) {
    const bool more = open_takes_more_ && role == WM_TURN_USER && turn.role == WM_TURN_USER;
    if (!more) {
        end_message();
        open_role_ = role;
        const bool only = turn.blocks.size() == 1 && plain(turn.blocks.front()) && turn.blocks.front().extras.empty();
        if (only && !(role == WM_TURN_ASSISTANT && blank(turn.blocks.front().text))) {
            open_text_ = turn.blocks.front().text;
            return;
        }
    }
    {
        std::string list;
        {
            Writer w(list, true);
            blocks(w, turn.blocks);
        }
        const std::string_view inside(list.data() + 1, list.size() - 2);
        if (!inside.empty()) open_.append(open_.empty() ? "" : ",").append(inside);
    }
    open_takes_more_ = turn.role == WM_TURN_TOOL;
}

void RequestWriter::blocks(Writer& list, const std::list<Block>& all) {
    for (const Block& one : all) // results come first in their message
        if (one.is(WM_BLOCK_TOOL_RESULT)) tool_result(list, one);
    for (const Block& one : all)
        if (!one.is(WM_BLOCK_TOOL_RESULT)) block(list, one);
}

void RequestWriter::block(Writer& list, const Block& block) {
    if (block.signed_elsewhere()) loss(WM_LOSS_AUTHENTICATED_THINKING, block.kind + ".signature");
    if (!block.attribute(WM_ATTR_PHASE).empty()) loss(WM_LOSS_RESPONSES_CONTROLS, "message.phase");
    if (block.is(WM_BLOCK_TEXT) || block.is(WM_BLOCK_REFUSAL)) {
        if (block.is(WM_BLOCK_REFUSAL)) loss(WM_LOSS_REFUSAL, "message.refusal");
        if (blank(block.text)) return; // refused by the API, and nothing is lost
        Writer w = list.element_object();
        w.text("type", "text");
        w.text("text", block.text);
        if (!block.citations.empty() && block.raw_origin == protocol) {
            Writer marks = w.array("citations");
            for (const std::string& mark : block.citations) marks.element_raw(mark);
        } else if (!block.citations.empty()) {
            loss(WM_LOSS_CITATIONS, "text.citations");
        }
        cache_control(w, block.cache);
        extras(w, block.extras, "text");
    } else if (block.is(WM_BLOCK_REASONING)) {
        reasoning(list, block);
    } else if (block.is(WM_BLOCK_TOOL_CALL)) {
        bool wrapped = false;
        const bool freeform = block.args.empty() && !block.text.empty();
        const std::string input = freeform ? sdk::freeform_arguments(block.text) : sdk::object_of(block.args, wrapped);
        if (wrapped) loss(WM_LOSS_TOOL_ARGUMENTS, "message.tool_calls");
        Writer w = list.element_object();
        w.text("type", "tool_use");
        w.text("id", ids_.call(block.call));
        w.text("name", block.tool);
        w.raw("input", input);
        cache_control(w, block.cache);
        extras(w, block.extras, "tool_call");
    } else if (block.is(WM_BLOCK_RAW) && block.raw_origin == protocol) {
        list.element_raw(block.raw);
    } else {
        media(list, block);
    }
}

// Of a block that is not written itself.
void RequestWriter::lose_extras(const Block& block) {
    for (const sdk::Named& one : block.extras) loss(WM_LOSS_EXTENSION_MEMBERS, block.kind + "." + one.name);
}

// Only what this protocol's own provider signed can be given back to it.
void RequestWriter::reasoning(Writer& list, const Block& block) {
    if (block.signature_format == protocol && !block.signature.empty()) {
        Writer w = list.element_object();
        w.text("type", "thinking");
        w.text("thinking", block.text);
        w.text("signature", block.signature);
        extras(w, block.extras, "reasoning");
    } else if (block.opaque_format == protocol && !block.opaque.empty()) {
        Writer w = list.element_object();
        w.text("type", "redacted_thinking");
        w.text("data", block.opaque);
        extras(w, block.extras, "reasoning");
    } else {
        lose_extras(block);
        if (block.synthetic())
            return note(WM_LOSS_PROVIDER_REASONING_TEXT, "message.reasoning"); // shown to the client alone
        const bool authentic = !block.signature.empty() || !block.opaque.empty();
        loss(authentic ? WM_LOSS_AUTHENTICATED_THINKING : WM_LOSS_PROVIDER_REASONING_TEXT, "message.reasoning");
    }
}

void RequestWriter::media(Writer& list, const Block& block) {
    const bool image = block.is(WM_BLOCK_IMAGE), document = block.is(WM_BLOCK_DOCUMENT);
    const bool base64 = !block.data.empty() && (image || block.media_type == "application/pdf");
    const bool text = document && (!block.text.empty() || !block.children.empty());
    const bool own_file = block.file_origin == protocol && !block.file.empty();
    if ((!image && !document) || !(base64 || text || own_file || !block.url.empty())) {
        lose_extras(block);
        return loss(sdk::lost_with(block.kind), "message." + block.kind);
    }
    if (const auto detail = block.attribute(WM_ATTR_DETAIL); !detail.empty() && detail != "\"auto\"")
        loss(WM_LOSS_CHAT_CONTROLS, "image.detail");
    Writer w = list.element_object();
    w.text("type", block.kind);
    {
        Writer source = w.object("source");
        if (base64) {
            source.text("type", "base64");
            source.text("media_type", block.media_type);
            source.text("data", block.data);
        } else if (own_file) {
            source.text("type", "file");
            source.text("file_id", block.file);
        } else if (!block.url.empty()) {
            source.text("type", "url");
            source.text("url", block.url);
        } else if (block.children.empty()) {
            source.text("type", "text");
            source.text("media_type", "text/plain");
            source.text("data", block.text);
        } else {
            source.text("type", "content");
            Writer content = source.array("content");
            blocks(content, block.children);
        }
    }
    const auto title = block.attribute(WM_ATTR_TITLE), name = block.attribute(WM_ATTR_FILENAME);
    if (document && (!title.empty() || !name.empty())) w.raw("title", title.empty() ? name : title);
    cache_control(w, block.cache);
    extras(w, block.extras, block.kind);
}

void RequestWriter::tool_result(Writer& list, const Block& block) {
    Writer w = list.element_object();
    w.text("type", "tool_result");
    w.text("tool_use_id", ids_.result(block.call));
    if (block.children.size() == 1 && plain(block.children.front()) && block.children.front().extras.empty()) {
        w.text("content", block.children.front().text);
    } else if (!block.children.empty()) {
        Writer content = w.array("content");
        blocks(content, block.children);
    }
    if (const auto failed = block.attribute(WM_ATTR_IS_ERROR); !failed.empty()) w.raw("is_error", failed);
    cache_control(w, block.cache);
    extras(w, block.extras, "tool_result");
}

std::string RequestWriter::thinking() const {
    std::string raw;
    {
        Writer w(raw);
        w.text("type", mode_);
        if (!budget_.empty() && mode_ == "enabled") w.raw("budget_tokens", budget_);
        if (!display_.empty()) w.text("display", display_);
    }
    return raw;
}

// Whether calls may be parallel is said with it.
void RequestWriter::write_choice() {
    if (!choice().allowed().empty()) loss(WM_LOSS_TOOL_CHOICE, "tool_choice");
    const std::string_view how = choice().how();
    if (how.empty() && (parallel_ != "false" || tools_.empty())) return;
    std::string raw;
    {
        Writer w(raw);
        w.text("type", how.empty() ? WM_CHOOSE_AUTO : how == WM_CHOOSE_REQUIRED ? "any" : how);
        if (how == WM_CHOOSE_TOOL) w.text("name", choice().tool());
        if (!parallel_.empty() && how != WM_CHOOSE_NONE)
            w.raw("disable_parallel_tool_use", parallel_ == "false" ? "true" : "false");
    }
    member("tool_choice", raw);
}

void RequestWriter::finish() {
    end_message();
    if (max_tokens_.empty())
        return fail(sdk::unsupported(WM_PARAM_MAX_OUTPUT_TOKENS, "the protocol requires a limit of output tokens"));
    if (!user_.empty()) member("metadata", R"({"user_id":)" + user_ + "}");
    if (!stops_.empty()) {
        std::string list;
        {
            Writer w(list, true);
            for (const std::string& one : stops_) w.element_text(one);
        }
        member("stop_sequences", list);
    }
    if (!tools_.empty()) member("tools", "[" + tools_ + "]");
    if (!servers_.empty()) member("mcp_servers", "[" + servers_ + "]");
    write_choice();
    if (!mode_.empty()) member("thinking", thinking());
    if (!effort_.empty() || !format_.empty()) {
        std::string config;
        {
            Writer w(config);
            if (!effort_.empty()) w.text("effort", effort_);
            if (!format_.empty()) w.raw("format", format_);
        }
        member("output_config", config);
    }
    if (talk_.stream) member("stream", "true");

    std::string head = "{\"model\":";
    sdk::json::append_quoted(head, talk_.model);
    head.append(",\"max_tokens\":").append(max_tokens_);
    if (!system_.empty()) {
        const auto only = sdk::json::member(system_, "text");
        head.append(",\"system\":").append(system_is_list_ ? "[" + system_ + "]" : std::string(only.raw));
    }
    head += ",\"messages\":[";
    out().put(WM_OUT_BODY, {}, head);
    out().put(WM_OUT_BODY, {}, messages_);
    out().put(WM_OUT_BODY, {}, "]");
    out().put(WM_OUT_BODY, {}, members());
    out().put(WM_OUT_BODY, {}, "}");
}

} // namespace wm::anthropic_messages
