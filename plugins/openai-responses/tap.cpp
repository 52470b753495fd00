#include "tap.hpp"

#include "response_object.hpp"

#include <watermaster/json_write.hpp>
#include <watermaster/protocol/handles.hpp>
#include <watermaster/protocol/usage.hpp>

namespace wm::openai_responses {

using sdk::json::Kind;
using sdk::json::Name;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

constexpr std::size_t max_kept = 256; // bytes of one remembered member; longer ones are not ids

void keep(std::string& kept, const Value& value, Kind kind) {
    if (value.kind == kind && value.raw.size() <= max_kept) kept = value.raw;
}

// An item or part that only announces text to come.
bool announces_text(const Value& value) {
    if (value.kind != Kind::object) return false;
    bool text = false, empty = true;
    Scan scan(value.raw);
    scan.members([&](const Name& name) {
        if (name.is("type")) {
            const Value type = scan.value();
            text = type.says("message") || type.says("reasoning") || type.says("output_text") ||
                   type.says("reasoning_text") || type.says("summary_text") || type.says("refusal");
        } else if (!name.is("id") && !name.is("status") && !name.is("role") && !name.is("phase")) {
            if (!scan.value().empty()) empty = false;
        }
    });
    return text && empty;
}

// What a later request may name of an item that is complete.
void put_item_pins(const Value& item, sdk::Sink& out) {
    if (item.kind != Kind::object) return;
    Scan scan(item.raw);
    scan.members([&](const Name& name) {
        if (name.is("id"))
            sdk::put_pin(out, WM_PIN_ITEM, scan.value());
        else if (name.is("encrypted_content"))
            sdk::put_pin(out, WM_PIN_REASONING, scan.value());
        else if (name.is("container_id"))
            sdk::put_pin(out, WM_PIN_CONTAINER, scan.value());
    });
}

} // namespace

// One event, or a document, which is a `response` without an event around it.
struct Tap::Event {
    Value type, response, item, part, error;
    // of the response
    Value id, status, model, created_at, conversation, output;
};

Tap::Tap(const sdk::Params& params)
    : id_(sdk::json::quote("resp_" + std::string(params.exchange))), model_(sdk::json::quote(params.model)),
      created_at_(std::to_string(params.now_ms / 1000)) {}

void Tap::read_response(std::string_view raw, Event& event, sdk::Sink& out) {
    Scan scan(raw);
    scan.members([&](const Name& name) {
        if (name.is("id"))
            event.id = scan.value();
        else if (name.is("status"))
            event.status = scan.value();
        else if (name.is("model"))
            event.model = scan.value();
        else if (name.is("created_at"))
            event.created_at = scan.value();
        else if (name.is("error"))
            event.error = scan.value();
        else if (name.is("output"))
            event.output = scan.value();
        else if (name.is("conversation"))
            event.conversation = scan.value();
        else if (name.is("usage") && scan.kind() == Kind::object)
            sdk::put_openai_usage(out, scan);
    });
}

void Tap::remember(const Event& event, sdk::Sink& out) {
    if (!created_) {
        sdk::put_pin(out, WM_PIN_RESPONSE, event.id);
        if (event.conversation.kind == Kind::object)
            sdk::put_pin(out, WM_PIN_CONVERSATION, sdk::json::member(event.conversation.raw, "id"));
    }
    created_ = true;
    keep(id_, event.id, Kind::string);
    keep(model_, event.model, Kind::string);
    keep(created_at_, event.created_at, Kind::number);
}

// All items at once, where they were not told one by one.
void Tap::put_output_pins(const Value& output, sdk::Sink& out) {
    if (item_done_ || output.kind != Kind::array) return;
    Scan scan(output.raw);
    scan.elements([&] { put_item_pins(scan.value(), out); });
}

sdk::Status Tap::judge(const sdk::Frame& frame, sdk::Sink& out) {
    Scan scan(frame.data);
    if (scan.kind() != Kind::object) {
        if (frame.data.starts_with("[DONE]") || scan.offset() == frame.data.size())
            return verdict(WM_FLAG_PREAMBLE | WM_FLAG_IDLE, out); // not of this protocol, but some servers send it
        return sdk::bad_input("frame", "not a JSON object");
    }
    Event e;
    scan.members([&](const Name& name) {
        if (name.is("type")) {
            e.type = scan.value();
        } else if (name.is("sequence_number")) {
            if (const auto n = scan.value().count(); n && *n >= next_sequence_) next_sequence_ = *n + 1;
        } else if (name.is("response")) {
            e.response = scan.value();
        } else if (name.is("item")) {
            e.item = scan.value();
        } else if (name.is("part")) {
            e.part = scan.value();
        } else if (name.is("error")) {
            e.error = scan.value();
        }
    });
    if (!scan.finish()) return sdk::bad_input("frame", "not valid JSON", scan.offset());

    const std::string_view type = e.type.is_string() ? e.type.body() : frame.name;
    if (!e.error.empty()) return fail(sdk::locate_error(e.error), out);
    if (type == "error") return fail(sdk::locate_error({frame.data, Kind::object}), out);
    if (type.starts_with("response.") && e.response.kind == Kind::object) {
        read_response(e.response.raw, e, out);
        remember(e, out);
        if (type == "response.failed" || type == "response.cancelled" || is_failure(e.status))
            return fail(e.error.empty() ? sdk::wrong_answer("the response failed or was cancelled")
                                        : sdk::locate_error(e.error),
                        out);
    }
    if (type == "response.output_item.done") {
        item_done_ = true;
        put_item_pins(e.item, out);
    }
    if (type == "response.completed" || type == "response.incomplete") {
        put_output_pins(e.output, out);
        done_ = true;
        return verdict(WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL, out);
    }
    if (type == "response.created" || type == "response.queued" || type == "response.in_progress")
        return verdict(WM_FLAG_PREAMBLE, out);
    if (type == "keepalive" || type == "ping") return verdict(WM_FLAG_PREAMBLE | WM_FLAG_IDLE, out);
    if ((type == "response.output_item.added" && announces_text(e.item)) ||
        ((type == "response.content_part.added" || type == "response.reasoning_summary_part.added") &&
         announces_text(e.part)))
        return verdict(WM_FLAG_PREAMBLE, out);
    return verdict(WM_FLAG_SEMANTIC, out);
}

sdk::Status Tap::document(std::string_view body, sdk::Sink& out) {
    Scan check(body);
    if (check.kind() != Kind::object) return sdk::bad_input("body", "not a JSON object");
    check.value();
    if (!check.finish()) return sdk::bad_input("body", "not valid JSON", check.offset());

    Event e;
    read_response(body, e, out);
    if (!e.error.empty()) return fail(sdk::locate_error(e.error), out);
    if (is_failure(e.status)) return fail(sdk::wrong_answer("the response failed or was cancelled"), out);
    if (e.output.kind != Kind::array) return fail(sdk::wrong_answer("the answer has no output"), out);
    remember(e, out);
    put_output_pins(e.output, out);
    done_ = true;
    return verdict(WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL, out);
}

void Tap::close_frame(std::string_view type, const ResponseObject& response, std::uint32_t flags, sdk::Sink& out) {
    out.frame(type, numbered_event(type, next_sequence_++, R"("response":)" + response.json()), flags);
}

sdk::Status Tap::end(const wm_events* error, sdk::Sink& out) {
    if (!error) {
        out.verdict(!failed_ && done_ ? WM_FLAG_TERMINAL : WM_FLAG_ERROR);
        return out.status();
    }
    const sdk::ErrorReport report = sdk::read_error(*error);
    ResponseObject response;
    response.id = id_;
    response.model = model_;
    response.created_at = created_at_;
    response.status = "in_progress";
    // Official clients take no event before response.created.
    if (!created_) close_frame("response.created", response, WM_FLAG_PREAMBLE, out);
    // What the answer held so far has been streamed and is not repeated.
    response.fail(report);
    close_frame("response.failed", response, WM_FLAG_ERROR, out);
    return out.status();
}

} // namespace wm::openai_responses
