#include "answer_reader.hpp"

#include <watermaster/protocol/usage.hpp>

#include <algorithm>

namespace wm::openai_chat {

using sdk::json::Kind;
using sdk::json::Name;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

constexpr auto choice_members =
    sdk::member_names("index", "delta", "message", "finish_reason", "logprobs", "stop_reason", "matched_stop");
constexpr auto delta_members = sdk::member_names("content", "refusal", "reasoning_content", "reasoning", "tool_calls",
                                                 "function_call", "annotations", "audio", "role");
constexpr auto said_members = sdk::member_names("thinking", "refusal", "text", "content", "summary");
constexpr auto call_members = sdk::member_names("index", "id", "type", "function", "custom");
constexpr auto called_members = sdk::member_names("name", "arguments", "input");

std::string_view finish_word(const Value& reason) {
    if (reason.says("stop")) return WM_FINISH_END;
    if (reason.says("length")) return WM_FINISH_LENGTH;
    if (reason.says("tool_calls") || reason.says("function_call")) return WM_FINISH_TOOL_CALLS;
    if (reason.says("content_filter")) return WM_FINISH_FILTER;
    return WM_FINISH_UNKNOWN;
}

} // namespace

struct AnswerReader::Chunk {
    Value id, model, created, error, object, choices, usage;
};

// False: not JSON.
bool AnswerReader::read(std::string_view json, Chunk& chunk) {
    Scan scan(json);
    scan.members([&](const Name& name) {
        if (name.is("choices"))
            chunk.choices = scan.value();
        else if (name.is("id"))
            chunk.id = scan.value();
        else if (name.is("model"))
            chunk.model = scan.value();
        else if (name.is("created"))
            chunk.created = scan.value();
        else if (name.is("error"))
            chunk.error = scan.value();
        else if (name.is("object"))
            chunk.object = scan.value();
        else if (name.is("usage"))
            chunk.usage = scan.value();
    });
    return scan.finish();
}

sdk::Status AnswerReader::event(const sdk::Frame& frame, sdk::Sink& out) {
    if (failed_ || closed_) return {}; // what follows an end is not of this answer
    sdk::Emitter events(out, nodes_);
    Scan look(frame.data);
    if (look.kind() != Kind::object) {
        if (frame.data.starts_with("[DONE]")) {
            if (choices_.empty()) return fail(sdk::wrong_answer("the stream ended without a choice"), out);
            done_ = true;
            complete(events);
            return out.status();
        }
        return look.offset() == frame.data.size() ? sdk::Status{} : sdk::bad_input("frame", "not a JSON object");
    }
    Chunk chunk;
    if (!read(frame.data, chunk)) return sdk::bad_input("frame", "not valid JSON");
    if (chunk.error.there() && !chunk.error.null()) return fail(sdk::locate_error(chunk.error), out);
    if (chunk.object.says("error") || frame.name == "error")
        return fail(sdk::locate_error({frame.data, Kind::object}), out);
    answer(chunk, events);
    return status_.ok() ? out.status() : status_;
}

sdk::Status AnswerReader::document(std::string_view body, sdk::Sink& out) {
    sdk::Emitter events(out, nodes_);
    Chunk chunk;
    if (Scan(body).kind() != Kind::object) return sdk::bad_input("body", "not a JSON object");
    if (!read(body, chunk)) return sdk::bad_input("body", "not valid JSON");
    if (chunk.error.there() && !chunk.error.null()) return fail(sdk::locate_error(chunk.error), out);
    if (chunk.object.says("error")) return fail(sdk::locate_error({body, Kind::object}), out);
    if (chunk.choices.kind != Kind::array || chunk.choices.empty())
        return fail(sdk::wrong_answer("the answer has no choices"), out);
    answer(chunk, events);
    if (failed_ || !status_.ok()) return status_.ok() ? out.status() : status_;
    done_ = true;
    complete(events);
    return out.status();
}

void AnswerReader::answer(const Chunk& chunk, sdk::Emitter& events) {
    begin(chunk, events);
    if (chunk.usage.kind == Kind::object) {
        Scan scan(chunk.usage.raw);
        sdk::put_openai_usage(events.sink(), scan);
    }
    if (chunk.choices.kind != Kind::array) return;
    Scan scan(chunk.choices.raw);
    scan.elements([&] {
        if (const Value one = scan.value(); !failed_ && status_.ok()) choice(one.raw, events);
    });
}

void AnswerReader::begin(const Chunk& chunk, sdk::Emitter& events) {
    if (response_ || (chunk.id.empty() && chunk.choices.empty())) return; // some servers say other things first
    response_ = events.open(WM_EV_RESPONSE, 0, protocol, sdk::text_of(chunk.id, scratch_));
    if (const auto model = sdk::text_of(chunk.model, scratch_); !model.empty())
        events.leaf(response_, WM_EV_MODEL, {}, model);
    if (chunk.created.count().value_or(0)) events.leaf(response_, WM_EV_CREATED, {}, chunk.created.raw);
}

void AnswerReader::choice(std::string_view raw, sdk::Emitter& events) {
    const sdk::Object object(raw, choice_members);
    const std::uint64_t index = object["index"].count().value_or(0);
    auto found = std::find_if(choices_.begin(), choices_.end(), [&](const Choice& c) { return c.index == index; });
    if (found == choices_.end()) {
        const std::uint32_t node = events.open(WM_EV_CHOICE, response_, {}, sdk::Decimal(index));
        found = choices_.insert(choices_.end(), Choice{index, node, {held_, sizeof(Choice)}});
        bound();
    }
    if (found->finished) return;
    for (const std::string_view member : {"delta", "message"})
        if (const Value said = object[member]; said.kind == Kind::object) delta(*found, said.raw, events);
    logprobs(found->text, sdk::json::member(object["logprobs"].raw, "content"), events);
    logprobs(found->refusal, sdk::json::member(object["logprobs"].raw, "refusal"), events);
    const Value reason = object["finish_reason"];
    if (reason.empty()) return;
    if (reason.says("error")) {
        (void)fail(sdk::wrong_answer("a choice finished with an error"), events.sink());
        return;
    }
    const Value matched = object["matched_stop"].there() ? object["matched_stop"] : object["stop_reason"];
    finish(*found, reason, matched, events);
}

void AnswerReader::close(std::uint32_t& block, sdk::Emitter& events) {
    if (block) events.close(block);
    block = 0;
}

void AnswerReader::delta(Choice& choice, std::string_view raw, sdk::Emitter& events) {
    const sdk::Object object(raw, delta_members);
    const Value thought = object["reasoning_content"].empty() ? object["reasoning"] : object["reasoning_content"];
    said(choice, WM_BLOCK_REASONING, thought, events);
    said(choice, WM_BLOCK_TEXT, object["content"], events);
    citations(choice, object["annotations"], events);
    said(choice, WM_BLOCK_REFUSAL, object["refusal"], events);
    if (!object["audio"].empty()) foreign(choice, object["audio"], events);
    if (const Value calls = object["tool_calls"]; calls.kind == Kind::array) {
        Scan scan(calls.raw);
        std::uint64_t position = 0;
        scan.elements([&] {
            if (const Value one = scan.value(); status_.ok()) tool_call(choice, one.raw, position++, events);
        });
    }
    if (const Value call = object["function_call"]; call.kind == Kind::object) {
        std::string wrapped = R"({"index":0,"function":)";
        tool_call(choice, wrapped.append(call.raw).append("}"), 0, events);
    }
}

// A text; some servers say it in parts, or in an object.
void AnswerReader::said(Choice& choice, std::string_view kind, const Value& said, sdk::Emitter& events) {
    if (said.kind != Kind::array) return part(choice, kind, said, events);
    Scan scan(said.raw);
    scan.elements([&] { part(choice, kind, scan.value(), events); });
}

void AnswerReader::part(Choice& choice, std::string_view kind, const Value& part, sdk::Emitter& events) {
    if (part.empty()) return;
    if (part.is_string()) return piece(choice, kind, part, events);
    const sdk::Object object(part.raw, said_members);
    if (!object["thinking"].empty()) return said(choice, WM_BLOCK_REASONING, object["thinking"], events);
    if (object["refusal"].is_string()) return piece(choice, WM_BLOCK_REFUSAL, object["refusal"], events);
    for (const std::string_view member : {"text", "content", "summary"})
        if (object[member].is_string()) return piece(choice, kind, object[member], events);
    foreign(choice, part, events);
}

// Nothing that this protocol has: whoever writes it says what is lost with it.
void AnswerReader::foreign(Choice& choice, const Value& raw, sdk::Emitter& events) {
    const std::uint32_t block = events.open(WM_EV_BLOCK, choice.node, WM_BLOCK_RAW);
    events.leaf(block, WM_EV_RAW, protocol, raw.raw);
    events.close(block);
}

// One kind of text at a time: another one begins where this one ends, so that whoever writes blocks in sequence need
// not hold what comes next.
void AnswerReader::piece(Choice& choice, std::string_view kind, const Value& said, sdk::Emitter& events) {
    const std::string_view text = sdk::text_of(said, scratch_);
    if (text.empty()) return;
    std::uint32_t& block = kind == WM_BLOCK_REASONING ? choice.reasoning
                           : kind == WM_BLOCK_REFUSAL ? choice.refusal
                                                      : choice.text;
    for (std::uint32_t* other : {&choice.reasoning, &choice.text, &choice.refusal})
        if (other != &block) close(*other, events);
    if (!block) block = events.open(WM_EV_BLOCK, choice.node, kind);
    choice.refused |= &block == &choice.refusal;
    events.leaf(block, WM_EV_TEXT, {}, text);
}

void AnswerReader::citations(Choice& choice, const Value& annotations, sdk::Emitter& events) {
    if (annotations.kind != Kind::array || annotations.empty()) return;
    if (!choice.text) // of a text that is not there
        return events.leaf(response_, WM_EV_LOSS, WM_LOSS_CITATIONS, "choices.annotations");
    Scan scan(annotations.raw);
    scan.elements([&] {
        const std::uint32_t node = events.open(WM_EV_CITATION, choice.text, WM_CITATION_URL);
        events.leaf(node, WM_EV_RAW, protocol, scan.value().raw);
        events.close(node);
    });
}

void AnswerReader::logprobs(std::uint32_t block, const Value& entries, sdk::Emitter& events) {
    if (entries.kind != Kind::array || entries.empty()) return;
    if (block)
        events.leaf(block, WM_EV_LOGPROBS, {}, entries.raw.substr(1, entries.raw.size() - 2));
    else
        events.leaf(response_, WM_EV_LOSS, WM_LOSS_LOGPROBS, "choices.logprobs"); // of a text that is not there
}

void AnswerReader::tool_call(Choice& choice, std::string_view raw, std::uint64_t position, sdk::Emitter& events) {
    const sdk::Object object(raw, call_members);
    const std::string_view id = sdk::text_of(object["id"], scratch_name_);
    const std::uint64_t index = object["index"].count().value_or(position);
    auto found =
        std::find_if(choice.calls.rbegin(), choice.calls.rend(), [&](const Call& c) { return c.index == index; });
    const bool there = found != choice.calls.rend();
    // Some servers number every call 0: another id is another call, also behind one that began without any.
    const bool another = there && !id.empty() && found->id != id && (found->node || !found->id.empty());
    if (!there || another) {
        for (std::uint32_t* text : {&choice.reasoning, &choice.text, &choice.refusal}) close(*text, events);
        choice.calls.push_back(
            {index, {held_, sizeof(Call) + id.size()}, 0, std::string(id), {}, object["custom"].there()});
        found = choice.calls.rbegin();
        bound();
    }
    const Value called = object[found->custom ? "custom" : "function"];
    if (called.kind != Kind::object) return;
    const sdk::Object function(called.raw, called_members);
    const Value input = function[found->custom ? "input" : "arguments"];
    const std::string_view name = sdk::text_of(function["name"], scratch_name_);
    // Arguments are text that holds JSON; some servers send the JSON itself.
    const std::string_view piece = input.is_string() ? sdk::text_of(input, scratch_) : input.raw;
    arguments(choice, *found, name, piece, events);
}

void AnswerReader::arguments(Choice& choice, Call& call, std::string_view name, std::string_view piece,
                             sdk::Emitter& events) {
    const bool begins = !call.node && !name.empty();
    if (begins) call.freeform = sent_.freeform.has(name);
    if (call.freeform || (!call.node && !begins)) {
        call.held += piece;
        call.weight.add(piece.size());
        bound();
        if (!begins) return;
    }
    if (begins) {
        call.node = events.open(WM_EV_BLOCK, choice.node, WM_BLOCK_TOOL_CALL);
        events.leaf(call.node, WM_EV_CALL, {}, call_ids_.take(call.id, "call_", talk_.exchange));
        bound();
        events.leaf(call.node, WM_EV_TOOLNAME, {}, name);
        if (call.freeform) return;
        if (!call.held.empty()) events.leaf(call.node, call.custom ? WM_EV_TEXT : WM_EV_ARGS, {}, call.held);
        call.weight.drop(call.held.size());
        call.held.clear();
    }
    if (!piece.empty()) events.leaf(call.node, call.custom ? WM_EV_TEXT : WM_EV_ARGS, {}, piece);
}

void AnswerReader::finish(Choice& choice, const Value& reason, const Value& matched, sdk::Emitter& events) {
    choice.finished = true;
    if (std::any_of(choice.calls.begin(), choice.calls.end(), [](const Call& call) { return call.nameless(); })) {
        (void)fail(sdk::wrong_answer("a call of a tool has no name"), events.sink());
        return;
    }
    for (std::uint32_t* block : {&choice.reasoning, &choice.text, &choice.refusal}) close(*block, events);
    bool called = false;
    for (Call& call : choice.calls) {
        called |= call.node != 0;
        if (call.node && call.freeform) events.leaf(call.node, WM_EV_TEXT, {}, sdk::freeform_text(call.held));
        close(call.node, events);
    }
    std::string_view word = finish_word(reason);
    if (called && (word == WM_FINISH_END || word == WM_FINISH_UNKNOWN)) word = WM_FINISH_TOOL_CALLS;
    if (choice.refused && word == WM_FINISH_END) word = WM_FINISH_REFUSAL;
    if (word == WM_FINISH_END && matched.is_string() && !matched.empty()) word = WM_FINISH_STOP_SEQUENCE;
    events.leaf(choice.node, WM_EV_FINISH, word, reason.raw);
    if (!matched.empty()) events.leaf(choice.node, WM_EV_MATCHED, {}, matched.raw);
    events.close(choice.node);
}

void AnswerReader::bound() {
    if (!talk_.fits(held_.bytes())) status_ = {WM_LIMIT, {}, "the answer has more calls or choices than may be held"};
}

bool AnswerReader::every_choice_finished() const {
    return !choices_.empty() &&
           std::all_of(choices_.begin(), choices_.end(), [](const Choice& c) { return c.finished; });
}

void AnswerReader::complete(sdk::Emitter& events) {
    if (closed_) return;
    closed_ = true;
    for (Choice& choice : choices_)
        if (!choice.finished && !failed_) finish(choice, {}, {}, events);
    if (!failed_) events.close(response_);
}

sdk::Status AnswerReader::end(sdk::Sink& out) {
    if (failed_) return {};
    if (!done_ && !every_choice_finished()) return sdk::bad_input("frame", "the answer was cut");
    sdk::Emitter events(out, nodes_);
    complete(events);
    return out.status();
}

} // namespace wm::openai_chat
