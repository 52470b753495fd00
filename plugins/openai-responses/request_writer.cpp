#include "request_writer.hpp"

#include <watermaster/translation/reasoning.hpp>
#include <watermaster/translation/schema.hpp>

#include <array>

namespace wm::openai_responses {

namespace {

struct Param {
    std::string_view word, member;
};
constexpr std::array<Param, 10> carried{{
    {WM_PARAM_MAX_OUTPUT_TOKENS, "max_output_tokens"},
    {WM_PARAM_TEMPERATURE, "temperature"},
    {WM_PARAM_TOP_P, "top_p"},
    {WM_PARAM_TOP_LOGPROBS, "top_logprobs"},
    {WM_PARAM_STORE, "store"},
    {WM_PARAM_TRUNCATION, "truncation"},
    {WM_PARAM_MAX_TOOL_CALLS, "max_tool_calls"},
    {WM_PARAM_CACHE_KEY, "prompt_cache_key"},
    {WM_PARAM_USER, "user"},
    {WM_PARAM_BACKGROUND, "background"},
}};

} // namespace

void RequestWriter::param(std::string_view word, std::string_view raw) {
    store_said_ |= word == WM_PARAM_STORE;
    for (const Param& one : carried)
        if (one.word == word) return member(one.member, raw);
    if (word == WM_PARAM_PARALLEL_TOOL_CALLS)
        parallel_ = raw; // without tools it says nothing
    else if (word == WM_PARAM_SERVICE_TIER)
        member("service_tier", raw == "\"standard_only\"" ? "\"default\"" : raw);
    else if (word == WM_PARAM_LOGPROBS)
        logprobs_ = raw == "true";
    else if (word == WM_PARAM_VERBOSITY)
        verbosity_ = raw;
    else if (word == WM_PARAM_INCLUDE)
        include_ = raw;
    else if (word != WM_PARAM_STREAM) // the talk knows whether it streams
        lose_param(word, raw);
}

void RequestWriter::meta(std::string_view key, std::string_view text) {
    if (!metadata_.empty()) metadata_ += ',';
    sdk::json::append_quoted(metadata_, key);
    metadata_ += ':';
    sdk::json::append_quoted(metadata_, text);
}

void RequestWriter::extra(std::string_view name, std::string_view raw) {
    if (own() && name.find('.') == name.npos)
        member(name, raw);
    else
        loss(WM_LOSS_EXTENSION_MEMBERS, name);
}

void RequestWriter::resume(std::string_view what, std::string_view id) {
    if (!own()) return RequestWriterBase::resume(what, id);
    if (what == WM_RESUME_PREVIOUS_RESPONSE) {
        member("previous_response_id", sdk::json::quote(id));
    } else if (what == WM_RESUME_CONVERSATION) {
        member("conversation", sdk::json::quote(id));
    } else {
        Writer w = item();
        w.text("type", "item_reference");
        w.text("id", id);
    }
}

void RequestWriter::reason(std::string_view what, std::string_view token) {
    if (what == WM_REASON_EFFORT)
        effort_ = token;
    else if (what == WM_REASON_BUDGET)
        budget_ = token;
    else if (what == WM_REASON_MODE) // what the model decides, and what it does without being told
        note(WM_LOSS_REQUEST_REASONING, "reasoning.mode");
    else if (token == "summarized")
        summary_ = "auto";
    else if (token != "omitted") // as it is where none is asked for
        summary_ = token;
}

void RequestWriter::write_reasoning() {
    if (!budget_.empty()) loss(WM_LOSS_REQUEST_REASONING, "reasoning.budget");
    if (effort_.empty() && !budget_.empty()) effort_ = sdk::effort_of(budget_);
    if (effort_.empty() && summary_.empty()) return;
    if (!talk_.options.reasoning_effort) return loss(WM_LOSS_REQUEST_REASONING, "reasoning");
    std::string raw;
    {
        Writer w(raw);
        if (!effort_.empty()) w.text("effort", effort_);
        if (!summary_.empty()) w.text("summary", summary_);
    }
    member("reasoning", raw);
    if (!own() && talk_.options.encrypted_reasoning && include_.empty())
        include_ = R"(["reasoning.encrypted_content"])";
}

void RequestWriter::write_include() {
    if (logprobs_) {
        if (include_.empty()) include_ = "[]";
        include_.insert(include_.size() - 1,
                        include_ == "[]" ? R"("message.output_text.logprobs")" : R"(,"message.output_text.logprobs")");
    }
    if (!include_.empty()) member("include", include_);
}

void RequestWriter::format(sdk::Format& format) {
    if (format.type == WM_FORMAT_GRAMMAR) return loss(WM_LOSS_OUTPUT_FORMAT, "format");
    Writer w(format_);
    w.text("type", format.type);
    if (format.type != WM_FORMAT_JSON_SCHEMA) return;
    w.text("name", format.name.empty() ? std::string_view("response") : std::string_view(format.name));
    if (!format.description.empty()) w.text("description", format.description);
    w.raw("schema", format.schema.empty() ? std::string_view("{}") : std::string_view(format.schema));
    if (!format.strict.empty()) w.raw("strict", format.strict);
}

void RequestWriter::write_text() {
    if (format_.empty() && verbosity_.empty()) return;
    std::string raw;
    {
        Writer w(raw);
        if (!format_.empty()) w.raw("format", format_);
        if (!verbosity_.empty()) w.raw("verbosity", verbosity_);
    }
    member("text", raw);
}

void RequestWriter::tool(sdk::Tool& tool) {
    if (tool.cache) loss(WM_LOSS_CACHE_MARKERS, "tool.cache_control");
    const bool made_by_client = tool.type == WM_TOOL_FUNCTION || tool.type == WM_TOOL_CUSTOM;
    if (!made_by_client && (!own() || tool.config.empty()))
        return loss(WM_LOSS_BUILTIN_TOOLS, "tool." + (tool.name.empty() ? tool.type : tool.name));
    if (!tools_.empty()) tools_ += ',';
    if (!made_by_client) {
        choice().sent_unnamed();
        tools_ += tool.config;
        return;
    }
    choice().sent(tool.name, tool.type == WM_TOOL_CUSTOM);
    Writer w(tools_);
    tool.type == WM_TOOL_CUSTOM ? custom(w, tool) : function(w, tool);
    for (const sdk::Named& extra : tool.extras)
        if (own() && extra.name.find('.') == extra.name.npos)
            w.raw(extra.name, extra.value);
        else
            loss(WM_LOSS_EXTENSION_MEMBERS, "tool." + extra.name);
}

// A tool binds strictly here unless it says otherwise; elsewhere it does so only if it says so.
void RequestWriter::function(Writer& w, const sdk::Tool& tool) {
    w.text("type", "function");
    w.text("name", tool.name);
    if (!tool.description.empty()) w.text("description", tool.description);
    w.raw("parameters", sdk::object_schema(tool.schema));
    if (!tool.strict.empty())
        w.raw("strict", tool.strict);
    else if (!own())
        w.raw("strict", "false");
}

void RequestWriter::custom(Writer& w, const sdk::Tool& tool) {
    w.text("type", "custom");
    w.text("name", tool.name);
    if (!tool.description.empty()) w.text("description", tool.description);
    if (tool.grammars.empty()) return;
    Writer format = w.object("format");
    format.text("type", "grammar");
    format.text("syntax", tool.grammars.front().name);
    format.text("definition", tool.grammars.front().value);
}

void RequestWriter::name_tool(Writer& w, std::string_view tool) {
    w.text("type", choice().custom(tool) ? "custom" : "function");
    w.text("name", tool);
}

void RequestWriter::write_choice() {
    if (choice().how().empty()) return;
    std::string raw;
    if (!choice().allowed().empty()) {
        Writer w(raw);
        w.text("type", "allowed_tools");
        w.text("mode", choice().how());
        Writer list = w.array("tools");
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

void RequestWriter::finish() {
    if (!tools_.empty()) member("tools", "[" + tools_ + "]");
    write_choice();
    if (!tools_.empty() && !parallel_.empty()) member("parallel_tool_calls", parallel_);
    write_reasoning();
    write_include();
    write_text();
    if (!metadata_.empty()) member("metadata", "{" + metadata_ + "}");
    // Answers are kept here unless a request says otherwise, and nobody asked for that.
    if (!store_said_ && !own()) member("store", "false");
    if (talk_.stream) member("stream", "true");

    std::string head = "{\"model\":";
    sdk::json::append_quoted(head, talk_.model);
    if (!instructions_.empty()) {
        head += ",\"instructions\":";
        sdk::json::append_quoted(head, instructions_);
    }
    head += ",\"input\":[";
    out().put(WM_OUT_BODY, {}, head);
    out().put(WM_OUT_BODY, {}, items_);
    out().put(WM_OUT_BODY, {}, "]");
    out().put(WM_OUT_BODY, {}, members());
    out().put(WM_OUT_BODY, {}, "}");
}

} // namespace wm::openai_responses
