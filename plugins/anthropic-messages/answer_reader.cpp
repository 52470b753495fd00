#include "answer_reader.hpp"

#include <algorithm>
#include <array>

namespace wm::anthropic_messages {

using sdk::json::Kind;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

constexpr auto event_members =
    sdk::member_names("type", "index", "message", "content_block", "delta", "usage", "error", "request_id", "content",
                      "id", "model", "stop_reason", "stop_sequence", "stop_details");
constexpr auto block_members =
    sdk::member_names("type", "text", "thinking", "signature", "data", "id", "name", "input", "citations");
constexpr auto delta_members = sdk::member_names("type", "text", "partial_json", "thinking", "signature", "citation");

std::string_view finish_word(const Value& reason) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> words{{
        {"end_turn", WM_FINISH_END},
        {"stop_sequence", WM_FINISH_STOP_SEQUENCE},
        {"max_tokens", WM_FINISH_LENGTH},
        {"model_context_window_exceeded", WM_FINISH_CONTEXT},
        {"tool_use", WM_FINISH_TOOL_CALLS},
        {"pause_turn", WM_FINISH_PAUSE},
        {"refusal", WM_FINISH_FILTER},
    }};
    for (const auto& [native, word] : words)
        if (reason.says(native)) return word;
    return WM_FINISH_UNKNOWN;
}

} // namespace

sdk::Status AnswerReader::event(const sdk::Frame& frame, sdk::Sink& out) {
    if (failed_ || closed_) return {}; // what follows an end is not of this answer
    Scan look(frame.data);
    if (look.kind() != Kind::object) {
        const bool nothing = frame.data.starts_with("[DONE]") || look.offset() == frame.data.size();
        return nothing ? sdk::Status{} : sdk::bad_input("frame", "not a JSON object");
    }
    look.value();
    if (!look.finish()) return sdk::bad_input("frame", "not valid JSON", look.offset());

    sdk::Emitter events(out, nodes_);
    const sdk::Object event(frame.data, event_members);
    const std::string_view type = event["type"].is_string() ? event["type"].body() : frame.name;
    const std::uint64_t index = event["index"].count().value_or(0);
    if (type == "error" || !event["error"].empty()) {
        sdk::ErrorReport report = sdk::locate_error(event["error"]);
        if (event["request_id"].is_string()) report.request_id = event["request_id"].raw;
        return fail(report, out);
    }
    if (type == "content_block_delta") {
        delta(index, event["delta"], events);
    } else if (type == "content_block_start") {
        start_block(index, event["content_block"], events);
    } else if (type == "content_block_stop") {
        end_block(index, events);
    } else if (type == "message_start") {
        begin(event["message"], events);
        usage(sdk::json::member(event["message"].raw, "usage"), events);
    } else if (type == "message_delta") {
        usage(event["usage"], events);
        stop(event["delta"], events);
    } else if (type == "message_stop") {
        done_ = true;
        complete(events);
    } else if (type == "ping") {
        events.leaf(response_, WM_EV_PING, {}, {});
    }
    if (!talk_.fits(held_.bytes()))
        return {WM_LIMIT, {}, "the answer has more open blocks or calls than may be held, or longer ones"};
    return out.status();
}

sdk::Status AnswerReader::document(std::string_view body, sdk::Sink& out) {
    Scan look(body);
    if (look.kind() != Kind::object) return sdk::bad_input("body", "not a JSON object");
    const Value whole = look.value();
    if (!look.finish()) return sdk::bad_input("body", "not valid JSON", look.offset());
    const sdk::Object message(body, event_members);
    if (message["type"].says("error") || !message["error"].empty()) {
        sdk::ErrorReport report = sdk::locate_error(message["error"]);
        if (message["request_id"].is_string()) report.request_id = message["request_id"].raw;
        return fail(report, out);
    }
    if (message["content"].kind != Kind::array) return fail(sdk::wrong_answer("the answer has no content"), out);

    sdk::Emitter events(out, nodes_);
    begin(whole, events);
    Scan scan(message["content"].raw);
    std::uint64_t index = 0;
    scan.elements([&] {
        const Value one = scan.value();
        if (failed_) return;
        start_block(index, one, events);
        end_block(index++, events);
    });
    if (failed_) return out.status();
    stop(whole, events);
    usage(message["usage"], events);
    done_ = true;
    complete(events);
    return out.status();
}

void AnswerReader::usage(const Value& usage, sdk::Emitter& events) {
    if (usage.kind != Kind::object) return;
    Scan scan(usage.raw);
    usage_.take(scan, events.sink());
}

void AnswerReader::begin(const Value& message, sdk::Emitter& events) {
    if (response_) return;
    const sdk::Object object(message.raw, event_members);
    response_ = events.open(WM_EV_RESPONSE, 0, protocol, text(object["id"]));
    if (const auto model = text(object["model"]); !model.empty()) events.leaf(response_, WM_EV_MODEL, {}, model);
    choice_ = events.open(WM_EV_CHOICE, response_, {}, "0");
}

void AnswerReader::start_block(std::uint64_t index, const Value& raw, sdk::Emitter& events) {
    begin({}, events);
    if (stopped_ || raw.kind != Kind::object) return;
    const sdk::Object block(raw.raw, block_members);
    const Value type = block["type"];
    Open open{index, 0, {held_, sizeof(Open)}, {}, false};
    if (type.says("text")) {
        open.node = events.open(WM_EV_BLOCK, choice_, WM_BLOCK_TEXT);
        if (!block["text"].empty()) events.leaf(open.node, WM_EV_TEXT, {}, text(block["text"]));
        if (const Value marks = block["citations"]; marks.kind == Kind::array) {
            Scan scan(marks.raw);
            scan.elements([&] { citation(open.node, scan.value(), events); });
        }
    } else if (type.says("thinking")) {
        open.node = events.open(WM_EV_BLOCK, choice_, WM_BLOCK_REASONING);
        if (!block["thinking"].empty()) events.leaf(open.node, WM_EV_TEXT, {}, text(block["thinking"]));
        if (!block["signature"].empty()) events.leaf(open.node, WM_EV_SIGNATURE, protocol, text(block["signature"]));
    } else if (type.says("redacted_thinking")) {
        open.node = events.open(WM_EV_BLOCK, choice_, WM_BLOCK_REASONING);
        events.leaf(open.node, WM_EV_OPAQUE, protocol, text(block["data"]));
    } else if (type.says("tool_use") && block["name"].empty()) {
        (void)fail(sdk::wrong_answer("a call of a tool has no name"), events.sink());
        return;
    } else if (type.says("tool_use")) {
        open.node = events.open(WM_EV_BLOCK, choice_, WM_BLOCK_TOOL_CALL);
        open.call = true;
        events.leaf(open.node, WM_EV_CALL, {}, call_ids_.take(text(block["id"]), "toolu_", talk_.exchange));
        events.leaf(open.node, WM_EV_TOOLNAME, {}, text(block["name"]));
        open.freeform = sent_.freeform.has(text(block["name"]));
        open.input = block["input"].raw;
        open.weight.add(open.input.size());
    } else {
        const bool call = type.says("server_tool_use") || type.says("mcp_tool_use");
        open.node = events.open(WM_EV_BLOCK, choice_, call ? WM_BLOCK_SERVER_CALL : WM_BLOCK_SERVER_RESULT);
        events.leaf(open.node, WM_EV_RAW, protocol, raw.raw);
    }
    open_.push_back(std::move(open));
}

void AnswerReader::citation(std::uint32_t node, const Value& citation, sdk::Emitter& events) {
    const bool web = sdk::json::member(citation.raw, "url").there();
    const std::uint32_t mark = events.open(WM_EV_CITATION, node, web ? WM_CITATION_URL : WM_CITATION_DOCUMENT);
    events.leaf(mark, WM_EV_RAW, protocol, citation.raw);
    events.close(mark);
}

void AnswerReader::delta(std::uint64_t index, const Value& raw, sdk::Emitter& events) {
    const auto open = std::find_if(open_.begin(), open_.end(), [&](const Open& one) { return one.index == index; });
    if (open == open_.end() || raw.kind != Kind::object) return;
    const sdk::Object delta(raw.raw, delta_members);
    const Value type = delta["type"];
    if (type.says("text_delta")) {
        events.leaf(open->node, WM_EV_TEXT, {}, text(delta["text"]));
    } else if (type.says("input_json_delta")) {
        if (!open->call || delta["partial_json"].empty()) return;
        if (!open->pieces) { // instead of that of its start
            open->weight.drop(open->input.size());
            open->input.clear();
        }
        open->pieces = true;
        const std::string_view piece = text(delta["partial_json"]);
        if (!open->freeform) return events.leaf(open->node, WM_EV_ARGS, {}, piece);
        open->input += piece;
        open->weight.add(piece.size());
    } else if (type.says("thinking_delta")) {
        events.leaf(open->node, WM_EV_TEXT, {}, text(delta["thinking"]));
    } else if (type.says("signature_delta")) {
        events.leaf(open->node, WM_EV_SIGNATURE, protocol, text(delta["signature"]));
    } else if (type.says("citations_delta")) {
        citation(open->node, delta["citation"], events);
    }
}

void AnswerReader::end_block(Open& open, sdk::Emitter& events) {
    if (open.freeform)
        events.leaf(open.node, WM_EV_TEXT, {}, sdk::freeform_text(open.input));
    else if (!open.input.empty())
        events.leaf(open.node, WM_EV_ARGS, {}, open.input);
    events.close(open.node);
}

void AnswerReader::end_block(std::uint64_t index, sdk::Emitter& events) {
    const auto open = std::find_if(open_.begin(), open_.end(), [&](const Open& one) { return one.index == index; });
    if (open == open_.end()) return;
    end_block(*open, events);
    open_.erase(open);
}

void AnswerReader::stop(const Value& message, sdk::Emitter& events) {
    if (stopped_ || message.kind != Kind::object) return;
    const sdk::Object object(message.raw, event_members);
    const Value reason = object["stop_reason"];
    if (reason.empty()) return;
    begin({}, events);
    stopped_ = true;
    for (Open& open : open_) end_block(open, events);
    open_.clear();
    if (const Value why = sdk::json::member(object["stop_details"].raw, "explanation");
        why.is_string() && !why.empty()) {
        const std::uint32_t block = events.open(WM_EV_BLOCK, choice_, WM_BLOCK_REFUSAL);
        events.leaf(block, WM_EV_TEXT, {}, text(why));
        events.close(block);
    }
    std::string_view word = finish_word(reason);
    const bool plain = word == WM_FINISH_END || word == WM_FINISH_PAUSE || word == WM_FINISH_UNKNOWN;
    if (call_ids_.any() && plain) word = WM_FINISH_TOOL_CALLS; // they are the client's, whatever the reason says
    events.leaf(choice_, WM_EV_FINISH, word, reason.raw);
    if (object["stop_sequence"].is_string()) events.leaf(choice_, WM_EV_MATCHED, {}, object["stop_sequence"].raw);
    events.close(choice_);
}

void AnswerReader::complete(sdk::Emitter& events) {
    if (closed_) return;
    closed_ = true;
    begin({}, events);
    if (!stopped_) {
        for (Open& open : open_) end_block(open, events);
        events.leaf(choice_, WM_EV_FINISH, call_ids_.any() ? WM_FINISH_TOOL_CALLS : WM_FINISH_UNKNOWN, {});
        events.close(choice_);
    }
    events.close(response_);
}

sdk::Status AnswerReader::end(sdk::Sink& out) {
    if (failed_) return {};
    if (!done_ && !stopped_) return sdk::bad_input("frame", "the answer was cut");
    sdk::Emitter events(out, nodes_);
    complete(events);
    return out.status();
}

} // namespace wm::anthropic_messages
