#include "answer_reader.hpp"

#include "response_object.hpp"

#include <watermaster/protocol/usage.hpp>

#include <algorithm>

namespace wm::openai_responses {

using sdk::json::Kind;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

constexpr auto event_members =
    sdk::member_names("type", "response", "item", "part", "error", "output_index", "content_index", "summary_index",
                      "delta", "text", "refusal", "arguments", "input", "logprobs", "annotation");
constexpr auto response_members =
    sdk::member_names("id", "status", "model", "created_at", "error", "output", "usage", "incomplete_details");
constexpr auto item_members = sdk::member_names("type", "id", "phase", "content", "summary", "encrypted_content",
                                                "call_id", "name", "namespace", "arguments", "input");
constexpr auto part_members = sdk::member_names("type", "text", "refusal", "annotations", "logprobs");

std::string_view kind_of_foreign(std::string_view type) {
    if (type == "compaction") return WM_BLOCK_COMPACTION;
    if (type == "mcp_approval_request") return WM_BLOCK_APPROVAL;
    return type.ends_with("_output") ? WM_BLOCK_SERVER_RESULT : WM_BLOCK_SERVER_CALL;
}

} // namespace

// What an event of a stream is about.
struct AnswerReader::Place {
    explicit Place(const sdk::Object<event_members.size()>& the_event)
        : event(the_event), output(the_event["output_index"].count().value_or(0)),
          content(the_event["content_index"].count().value_or(0)) {}

    const sdk::Object<event_members.size()>& event;
    const std::uint64_t output, content;
};

sdk::Status AnswerReader::event(const sdk::Frame& frame, sdk::Sink& out) {
    if (failed_ || done_) return {}; // what follows an end is not of this answer
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
    if (!event["error"].empty()) return fail(sdk::locate_error(event["error"]), out);
    if (type == "error") return fail(sdk::locate_error({frame.data, Kind::object}), out);
    if (type == "response.failed" || type == "response.cancelled")
        return failure(sdk::json::member(event["response"].raw, "error"), events);
    if (type == "response.completed" || type == "response.incomplete")
        return finish(event["response"], type == "response.incomplete", events);
    if (type.starts_with("response.")) stream_event(type.substr(9), Place(event), events);
    if (!talk_.fits(held_.bytes())) return {WM_LIMIT, {}, "the answer has more open items or calls than may be held"};
    return out.status();
}

void AnswerReader::stream_event(std::string_view type, const Place& place, sdk::Emitter& events) {
    const auto& event = place.event;
    if (type == "output_text.delta") {
        text(place, WM_BLOCK_TEXT, event["delta"], events);
    } else if (type == "function_call_arguments.delta" || type == "custom_tool_call_input.delta") {
        arguments(place, event["delta"], false, events);
    } else if (type == "reasoning_text.delta") {
        thought(place, WM_EV_TEXT, event["delta"], events);
    } else if (type == "reasoning_summary_text.delta") {
        thought(place, WM_EV_SUMMARY, event["delta"], events);
    } else if (type == "refusal.delta") {
        text(place, WM_BLOCK_REFUSAL, event["delta"], events);
    } else if (type == "created" || type == "queued" || type == "in_progress") {
        begin(event["response"], events);
    } else if (type == "output_item.added") {
        add(place.output, event["item"], events);
    } else if (type == "output_item.done") {
        done(place.output, event["item"], events);
    } else if (type == "function_call_arguments.done") {
        arguments(place, event["arguments"], true, events);
    } else if (type == "custom_tool_call_input.done") {
        arguments(place, event["input"], true, events);
    } else if (type == "output_text.annotation.added") {
        if (const Item* item = find(place.output); item && item->node)
            citation(item->node, event["annotation"], events);
    }
}

void AnswerReader::begin(const Value& response, sdk::Emitter& events) {
    if (response_) return;
    const sdk::Object object(response.raw, response_members);
    response_ = events.open(WM_EV_RESPONSE, 0, protocol, text_of(object["id"]));
    if (const auto model = text_of(object["model"]); !model.empty()) events.leaf(response_, WM_EV_MODEL, {}, model);
    if (object["created_at"].count().value_or(0)) events.leaf(response_, WM_EV_CREATED, {}, object["created_at"].raw);
    choice_ = events.open(WM_EV_CHOICE, response_, {}, "0");
}

AnswerReader::Item* AnswerReader::find(std::uint64_t index) {
    const auto found = std::find_if(items_.begin(), items_.end(), [&](const Item& one) { return one.index == index; });
    return found == items_.end() ? nullptr : &*found;
}

void AnswerReader::add(std::uint64_t index, const Value& raw, sdk::Emitter& events) {
    begin({}, events);
    if (raw.kind != Kind::object || find(index)) return;
    const sdk::Object object(raw.raw, item_members);
    const Value type = object["type"];
    const auto kind = type.says("message")            ? ItemKind::message
                      : type.says("reasoning")        ? ItemKind::reasoning
                      : type.says("function_call")    ? ItemKind::call
                      : type.says("custom_tool_call") ? ItemKind::custom_call
                                                      : ItemKind::foreign;
    close_texts(events); // whoever writes in sequence need not hold what comes next
    ++items_seen_;
    items_.push_back(
        {index, kind, {held_, sizeof(Item)}, std::string(text_of(object["id"])), std::string(object["phase"].raw)});
    Item& item = items_.back();
    if (kind == ItemKind::foreign) item.type = text_of(type);
    item.weight.add(item.id.size() + item.phase.size() + item.type.size());
    if (item.is_call() && !object["name"].empty()) open_call(item, raw, events);
}

void AnswerReader::open_call(Item& item, const Value& raw, sdk::Emitter& events) {
    const sdk::Object object(raw.raw, item_members);
    item.node = events.open(WM_EV_BLOCK, choice_, WM_BLOCK_TOOL_CALL);
    if (!item.id.empty()) events.leaf(item.node, WM_EV_ITEM, {}, item.id);
    events.leaf(item.node, WM_EV_CALL, {}, call_ids_.take(text_of(object["call_id"]), "call_", talk_.exchange));
    const std::string space(text_of(object["namespace"]));
    events.leaf(item.node, WM_EV_TOOLNAME, space, text_of(object["name"]));
}

// One kind of text at a time: another one begins where this one ends.
void AnswerReader::close_texts(sdk::Emitter& events) {
    for (Item& item : items_)
        if (item.kind == ItemKind::message || item.kind == ItemKind::reasoning) close(item, events);
}

void AnswerReader::close(Item& item, sdk::Emitter& events) {
    if (item.node) events.close(item.node);
    item.node = 0;
}

void AnswerReader::open_part(Item& item, std::uint64_t part, std::string_view kind, sdk::Emitter& events) {
    if (item.node && item.part == part) return;
    close_texts(events);
    item.part = part;
    item.node = events.open(WM_EV_BLOCK, choice_, kind);
    if (!item.id.empty()) events.leaf(item.node, WM_EV_ITEM, {}, item.id);
    if (item.phase.starts_with('"')) events.leaf(item.node, WM_EV_ATTR, WM_ATTR_PHASE, item.phase);
    refused_ |= kind == WM_BLOCK_REFUSAL;
}

void AnswerReader::open_thought(Item& item, sdk::Emitter& events) {
    if (item.node) return;
    close_texts(events);
    item.node = events.open(WM_EV_BLOCK, choice_, WM_BLOCK_REASONING);
    if (!item.id.empty()) events.leaf(item.node, WM_EV_ITEM, {}, item.id);
}

void AnswerReader::text(const Place& place, std::string_view kind, const Value& piece, sdk::Emitter& events) {
    Item* item = find(place.output);
    if (!item || item->kind != ItemKind::message || piece.empty()) return;
    open_part(*item, place.content, kind, events);
    item->said = true;
    events.leaf(item->node, WM_EV_TEXT, {}, text_of(piece));
    logprobs(item->node, place.event["logprobs"], events);
}

void AnswerReader::thought(const Place& place, std::uint32_t tag, const Value& piece, sdk::Emitter& events) {
    Item* item = find(place.output);
    if (!item || item->kind != ItemKind::reasoning || piece.empty()) return;
    open_thought(*item, events);
    item->said = true;
    const std::uint64_t index = place.event["summary_index"].count().value_or(0);
    events.leaf(item->node, tag, tag == WM_EV_SUMMARY ? std::string_view(sdk::Decimal(index)) : std::string_view(),
                text_of(piece));
}

// `whole`: all of them once more, which counts where no piece has come.
void AnswerReader::arguments(const Place& place, const Value& piece, bool whole, sdk::Emitter& events) {
    Item* item = find(place.output);
    if (!item || !item->node || piece.empty() || (whole && item->said)) return;
    if (!item->is_call()) return;
    item->said = true;
    events.leaf(item->node, item->kind == ItemKind::call ? WM_EV_ARGS : WM_EV_TEXT, {}, text_of(piece));
}

void AnswerReader::citation(std::uint32_t block, const Value& annotation, sdk::Emitter& events) {
    if (annotation.kind != Kind::object) return;
    const bool web = sdk::json::member(annotation.raw, "url").there();
    const std::uint32_t mark = events.open(WM_EV_CITATION, block, web ? WM_CITATION_URL : WM_CITATION_FILE);
    events.leaf(mark, WM_EV_RAW, protocol, annotation.raw);
    events.close(mark);
}

void AnswerReader::logprobs(std::uint32_t block, const Value& entries, sdk::Emitter& events) {
    if (entries.kind == Kind::array && !entries.empty())
        events.leaf(block, WM_EV_LOGPROBS, {}, entries.raw.substr(1, entries.raw.size() - 2));
}

// The item once more and whole: what no event before has said of it is taken from here.
void AnswerReader::done(std::uint64_t index, const Value& raw, sdk::Emitter& events) {
    if (raw.kind != Kind::object) return;
    add(index, raw, events);
    Item* item = find(index);
    const sdk::Object object(raw.raw, item_members);
    switch (item->kind) {
    case ItemKind::message:
        if (!item->said) whole_message(*item, object["content"], events);
        break;
    case ItemKind::reasoning: whole_reasoning(*item, raw, events); break;
    case ItemKind::call:
    case ItemKind::custom_call: {
        const bool custom = item->kind == ItemKind::custom_call;
        if (!item->node && object["name"].empty()) return nameless(events);
        if (!item->node) open_call(*item, raw, events);
        const Value input = object[custom ? "input" : "arguments"];
        if (!item->said && !input.empty())
            events.leaf(item->node, custom ? WM_EV_TEXT : WM_EV_ARGS, {}, text_of(input));
        break;
    }
    case ItemKind::foreign: foreign(kind_of_foreign(item->type), raw, events);
    }
    close(*item, events);
    items_.erase(items_.begin() + (item - items_.data()));
}

void AnswerReader::foreign(std::string_view kind, const Value& raw, sdk::Emitter& events) {
    close_texts(events);
    const std::uint32_t block = events.open(WM_EV_BLOCK, choice_, kind);
    events.leaf(block, WM_EV_RAW, protocol, raw.raw);
    events.close(block);
}

void AnswerReader::whole_message(Item& item, const Value& content, sdk::Emitter& events) {
    if (content.kind != Kind::array) return;
    Scan scan(content.raw);
    std::uint64_t index = 0;
    scan.elements([&] {
        const Value raw = scan.value();
        const sdk::Object part(raw.raw, part_members);
        const bool refusal = part["type"].says("refusal");
        const Value said = part[refusal ? "refusal" : "text"];
        const std::uint64_t at = index++;
        if (!said.there()) return foreign(WM_BLOCK_RAW, raw, events);
        if (said.empty()) return;
        open_part(item, at, refusal ? WM_BLOCK_REFUSAL : WM_BLOCK_TEXT, events);
        events.leaf(item.node, WM_EV_TEXT, {}, text_of(said));
        logprobs(item.node, part["logprobs"], events);
        if (part["annotations"].kind != Kind::array) return;
        Scan marks(part["annotations"].raw);
        marks.elements([&] { citation(item.node, marks.value(), events); });
    });
}

void AnswerReader::whole_reasoning(Item& item, const Value& raw, sdk::Emitter& events) {
    const sdk::Object object(raw.raw, item_members);
    const auto texts = [&](std::string_view member, std::uint32_t tag) {
        if (item.said || object[member].kind != Kind::array) return;
        Scan scan(object[member].raw);
        std::uint64_t index = 0;
        scan.elements([&] {
            const Value said = sdk::json::member(scan.value().raw, "text");
            const sdk::Decimal at(index++);
            if (said.empty()) return;
            open_thought(item, events);
            events.leaf(item.node, tag, tag == WM_EV_SUMMARY ? std::string_view(at) : std::string_view(),
                        text_of(said));
        });
    };
    texts("summary", WM_EV_SUMMARY);
    texts("content", WM_EV_TEXT);
    if (const Value sealed = object["encrypted_content"]; sealed.is_string() && !sealed.empty()) {
        open_thought(item, events);
        events.leaf(item.node, WM_EV_OPAQUE, protocol, text_of(sealed));
    }
}

sdk::Status AnswerReader::document(std::string_view body, sdk::Sink& out) {
    Scan look(body);
    if (look.kind() != Kind::object) return sdk::bad_input("body", "not a JSON object");
    const Value response = look.value();
    if (!look.finish()) return sdk::bad_input("body", "not valid JSON", look.offset());
    const sdk::Object object(body, response_members);
    const bool failed = !object["error"].empty() || is_failure(object["status"]);
    if (!failed && object["output"].kind != Kind::array)
        return fail(sdk::wrong_answer("the answer has no output"), out);
    sdk::Emitter events(out, nodes_);
    return finish(response, object["status"].says("incomplete"), events);
}

void AnswerReader::nameless(sdk::Emitter& events) {
    (void)fail(sdk::wrong_answer("a call of a tool has no name"), events.sink());
}

sdk::Status AnswerReader::failure(const Value& error, sdk::Emitter& events) {
    return fail(error.empty() ? sdk::wrong_answer("the response failed or was cancelled") : sdk::locate_error(error),
                events.sink());
}

// The answer once more and whole; its output counts where none of it has come.
sdk::Status AnswerReader::finish(const Value& response, bool incomplete, sdk::Emitter& events) {
    const sdk::Object object(response.raw, response_members);
    if (!object["error"].empty() || is_failure(object["status"])) return failure(object["error"], events);
    begin(response, events);
    if (const Value output = object["output"]; output.kind == Kind::array && !items_seen_) {
        Scan scan(output.raw);
        std::uint64_t index = 0;
        scan.elements([&] {
            if (const Value one = scan.value(); !failed_) done(index++, one, events);
        });
    }
    for (const Item& item : items_)
        if (item.is_call() && !item.node && !failed_) nameless(events);
    if (failed_) return events.status();
    for (Item& item : items_) close(item, events);
    items_.clear();
    if (object["usage"].kind == Kind::object) {
        Scan usage(object["usage"].raw);
        sdk::put_openai_usage(events.sink(), usage);
    }
    const Value reason = sdk::json::member(object["incomplete_details"].raw, "reason");
    std::string_view word = refused_ ? WM_FINISH_REFUSAL : call_ids_.any() ? WM_FINISH_TOOL_CALLS : WM_FINISH_END;
    if (incomplete) word = reason.says("content_filter") ? WM_FINISH_FILTER : WM_FINISH_LENGTH;
    events.leaf(choice_, WM_EV_FINISH, word, reason.is_string() ? reason.raw : object["status"].raw);
    events.close(choice_);
    events.close(response_);
    done_ = true;
    return events.status();
}

sdk::Status AnswerReader::end(sdk::Sink& out) {
    if (failed_ || done_) return out.status();
    return sdk::bad_input("frame", "the answer was cut");
}

} // namespace wm::openai_responses
