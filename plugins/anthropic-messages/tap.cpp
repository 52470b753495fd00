#include "tap.hpp"

#include <watermaster/protocol/error_shapes.hpp>
#include <watermaster/protocol/handles.hpp>
#include <watermaster/protocol/usage.hpp>

namespace wm::anthropic_messages {

using sdk::json::Kind;
using sdk::json::Name;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

// {"type":"text","text":""}, {"type":"thinking","thinking":"","signature":""}: nothing said yet. A tool call names its
// tool, which is something.
bool is_empty_block(const Value& block) {
    if (block.kind != Kind::object) return false;
    bool text = false, empty = true;
    Scan scan(block.raw);
    scan.members([&](const Name& name) {
        const Value value = scan.value();
        if (name.is("type"))
            text = value.says("text") || value.says("thinking");
        else if (!value.empty())
            empty = false;
    });
    return text && empty;
}

sdk::ErrorReport locate(const Value& error, const Value& request_id) {
    sdk::ErrorReport report = sdk::locate_error(error);
    if (request_id.is_string()) report.request_id = request_id.raw;
    return report;
}

// Where tools ran: a later request may go on there.
void put_container_pin(Scan& scan, sdk::Sink& out) {
    if (scan.kind() != Kind::object) return;
    scan.members([&](const Name& name) {
        if (name.is("id")) sdk::put_pin(out, WM_PIN_CONTAINER, scan.value());
    });
}

} // namespace

void UsageSnapshot::take(Scan& scan, sdk::Sink& out) {
    if (scan.kind() != Kind::object) return;
    const auto update = [](std::optional<std::uint64_t>& kept, const Value& value) {
        if (const auto n = value.count()) kept = n;
    };
    scan.members([&](const Name& name) {
        if (name.is("input_tokens"))
            update(input_, scan.value());
        else if (name.is("cache_read_input_tokens"))
            update(cache_read_, scan.value());
        else if (name.is("cache_creation_input_tokens"))
            update(cache_write_, scan.value());
        else if (name.is("output_tokens"))
            sdk::put_usage(out, WM_USAGE_OUTPUT, scan.value());
        else if (name.is("output_tokens_details") && scan.kind() == Kind::object)
            scan.members([&](const Name& part) {
                if (part.is("thinking_tokens")) sdk::put_usage(out, WM_USAGE_OUTPUT_REASONING, scan.value());
            });
    });
    const auto put = [&out](std::string_view word, std::uint64_t n) { out.put(WM_EV_USAGE, word, sdk::Decimal(n)); };
    if (input_) put(WM_USAGE_INPUT, *input_ + cache_read_.value_or(0) + cache_write_.value_or(0));
    if (cache_read_) put(WM_USAGE_INPUT_CACHED, *cache_read_);
    if (cache_write_) put(WM_USAGE_INPUT_CACHE_WRITE, *cache_write_);
}

sdk::Status Tap::judge(const sdk::Frame& frame, sdk::Sink& out) {
    Scan scan(frame.data);
    if (scan.kind() != Kind::object) {
        if (frame.data.starts_with("[DONE]") || scan.offset() == frame.data.size())
            return verdict(WM_FLAG_PREAMBLE | WM_FLAG_IDLE, out); // not of this protocol, but some servers send it
        return sdk::bad_input("frame", "not a JSON object");
    }
    Value type, block, error, request_id;
    scan.members([&](const Name& name) {
        if (name.is("type")) {
            type = scan.value();
        } else if (name.is("content_block")) {
            block = scan.value();
        } else if (name.is("error")) {
            error = scan.value();
        } else if (name.is("request_id")) {
            request_id = scan.value();
        } else if (name.is("usage")) {
            usage_.take(scan, out);
        } else if (name.is("message") && scan.kind() == Kind::object) {
            scan.members([&](const Name& part) {
                if (part.is("usage"))
                    usage_.take(scan, out);
                else if (part.is("container"))
                    put_container_pin(scan, out);
            });
        } else if (name.is("delta") && scan.kind() == Kind::object) {
            scan.members([&](const Name& part) {
                if (part.is("stop_reason")) {
                    if (!scan.value().empty()) stop_reason_ = true;
                } else if (part.is("container")) {
                    put_container_pin(scan, out);
                }
            });
        }
    });
    if (!scan.finish()) return sdk::bad_input("frame", "not valid JSON", scan.offset());

    const std::string_view is = type.is_string() ? type.body() : frame.name;
    if (is == "error" || !error.empty()) return fail(locate(error, request_id), out);
    if (is == "ping") return verdict(WM_FLAG_PREAMBLE | WM_FLAG_IDLE, out);
    if (is == "message_start" || (is == "content_block_start" && is_empty_block(block)))
        return verdict(WM_FLAG_PREAMBLE, out);
    if (is != "message_stop") return verdict(WM_FLAG_SEMANTIC, out);
    done_ = true;
    return verdict(WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL, out);
}

sdk::Status Tap::document(std::string_view body, sdk::Sink& out) {
    Value type, error, request_id;
    bool has_content = false;
    Scan scan(body);
    if (scan.kind() != Kind::object) return sdk::bad_input("body", "not a JSON object");
    scan.members([&](const Name& name) {
        if (name.is("type"))
            type = scan.value();
        else if (name.is("error"))
            error = scan.value();
        else if (name.is("request_id"))
            request_id = scan.value();
        else if (name.is("content"))
            has_content = scan.kind() == Kind::array;
        else if (name.is("usage"))
            usage_.take(scan, out);
        else if (name.is("container"))
            put_container_pin(scan, out);
    });
    if (!scan.finish()) return sdk::bad_input("body", "not valid JSON", scan.offset());

    if (type.says("error") || !error.empty()) return fail(locate(error, request_id), out);
    if (!has_content) return fail(sdk::wrong_answer("the answer has no content"), out);
    done_ = true;
    return verdict(WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL, out);
}

sdk::Status Tap::end(const wm_events* error, sdk::Sink& out) {
    if (error)
        out.frame("error", sdk::anthropic_error(sdk::read_error(*error)), WM_FLAG_ERROR);
    else
        out.verdict(!failed_ && (done_ || stop_reason_) ? WM_FLAG_TERMINAL : WM_FLAG_ERROR);
    return out.status();
}

} // namespace wm::anthropic_messages
