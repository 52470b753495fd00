#include "tap.hpp"

#include <watermaster/protocol/error_shapes.hpp>
#include <watermaster/protocol/handles.hpp>
#include <watermaster/protocol/usage.hpp>

namespace wm::openai_chat {

using sdk::json::Kind;
using sdk::json::Name;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

// A later request may name what was said instead of repeating it.
void put_audio_pin(const Value& audio, sdk::Sink& out) {
    if (audio.kind == Kind::object) sdk::put_pin(out, WM_PIN_AUDIO, sdk::json::member(audio.raw, "id"));
}

} // namespace

// What one chunk or document holds.
struct Tap::Chunk {
    Value error;
    std::size_t choices = 0;
    bool has_choices = false;     // the member is there, and an array
    bool has_usage = false;       // and it is not null
    bool semantic = false;        // some choice says something
    bool finished_now = false;    // some choice ends here
    bool finish_error = false;    // and it ends with "error"
    bool is_error_object = false; // "object": "error", as some servers write errors without an `error` member
};

void Tap::read_choice(Scan& scan, Chunk& chunk, sdk::Sink& out) {
    ++chunk.choices;
    if (scan.kind() != Kind::object) return;
    std::size_t index = 0;
    bool finished = false;
    scan.members([&](const Name& name) {
        if (name.is("index")) {
            index =
                static_cast<std::size_t>(std::min<std::uint64_t>(scan.value().count().value_or(0), seen_.size() - 1));
        } else if (name.is("delta") && scan.kind() == Kind::object) {
            scan.members([&](const Name& part) {
                if (part.is("role")) return;
                const Value value = scan.value();
                if (!value.empty()) chunk.semantic = true;
                if (part.is("audio")) put_audio_pin(value, out);
            });
        } else if (name.is("finish_reason")) {
            const Value reason = scan.value();
            finished = !reason.empty();
            chunk.finish_error |= reason.says("error");
        } else if (name.is("message") && scan.kind() == Kind::object) {
            scan.members([&](const Name& part) {
                chunk.semantic = true;
                if (part.is("audio")) put_audio_pin(scan.value(), out);
            });
        } else if (name.is("text") || name.is("logprobs")) {
            if (!scan.value().empty()) chunk.semantic = true;
        }
    });
    seen_.set(index);
    if (finished) finished_.set(index);
    chunk.finished_now |= finished;
}

sdk::Status Tap::done_marker(sdk::Sink& out) {
    if (seen_.none()) return fail(sdk::wrong_answer("the stream ended without a choice"), out);
    done_ = true;
    return verdict(WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL, out);
}

sdk::Status Tap::judge(const sdk::Frame& frame, sdk::Sink& out) {
    Scan scan(frame.data);
    Chunk chunk;
    if (scan.kind() != Kind::object) {
        if (frame.data.starts_with("[DONE]")) return done_marker(out);
        if (scan.offset() != frame.data.size()) return sdk::bad_input("frame", "not a JSON object");
        out.verdict(WM_FLAG_PREAMBLE | WM_FLAG_IDLE);
        return out.status();
    }
    scan.members([&](const Name& name) {
        if (name.is("choices") && scan.kind() == Kind::array) {
            scan.elements([&] { read_choice(scan, chunk, out); });
        } else if (name.is("usage") && scan.kind() == Kind::object) {
            chunk.has_usage = true;
            sdk::put_openai_usage(out, scan);
        } else if (name.is("error")) {
            chunk.error = scan.value();
        } else if (name.is("object")) {
            chunk.is_error_object = scan.value().says("error");
        }
    });
    if (!scan.finish()) return sdk::bad_input("frame", "not valid JSON", scan.offset());

    if (chunk.error.there() && !chunk.error.null()) return fail(sdk::locate_error(chunk.error), out);
    if (chunk.is_error_object || frame.name == "error") return fail(sdk::locate_error({frame.data, Kind::object}), out);
    if (chunk.finish_error) return fail(sdk::wrong_answer("a choice finished with an error"), out);

    std::uint32_t flags = chunk.semantic || chunk.finished_now ? WM_FLAG_SEMANTIC : WM_FLAG_PREAMBLE;
    if (chunk.finished_now && every_choice_finished()) flags |= WM_FLAG_TERMINAL;
    if (chunk.choices == 0 && chunk.has_usage && withhold_usage_) flags |= WM_FLAG_WITHHOLD;
    out.verdict(flags);
    return out.status();
}

sdk::Status Tap::document(std::string_view body, sdk::Sink& out) {
    Scan scan(body);
    Chunk chunk;
    if (scan.kind() != Kind::object) return sdk::bad_input("body", "not a JSON object");
    scan.members([&](const Name& name) {
        if (name.is("choices") && scan.kind() == Kind::array) {
            chunk.has_choices = true;
            scan.elements([&] { read_choice(scan, chunk, out); });
        } else if (name.is("usage") && scan.kind() == Kind::object) {
            sdk::put_openai_usage(out, scan);
        } else if (name.is("error")) {
            chunk.error = scan.value();
        } else if (name.is("object")) {
            chunk.is_error_object = scan.value().says("error");
        }
    });
    if (!scan.finish()) return sdk::bad_input("body", "not valid JSON", scan.offset());

    if (chunk.error.there() && !chunk.error.null()) return fail(sdk::locate_error(chunk.error), out);
    if (chunk.is_error_object) return fail(sdk::locate_error({body, Kind::object}), out);
    if (chunk.choices == 0) return fail(sdk::wrong_answer("the answer has no choices"), out);
    if (chunk.finish_error) return fail(sdk::wrong_answer("a choice finished with an error"), out);
    done_ = true;
    return verdict(WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL, out);
}

sdk::Status Tap::end(const wm_events* error, sdk::Sink& out) {
    if (error) {
        // Official clients raise at a chunk with `error`. No [DONE] after it: others would take that for success.
        out.frame({}, sdk::openai_error(sdk::read_error(*error)), WM_FLAG_ERROR);
    } else {
        out.verdict(!failed_ && (done_ || every_choice_finished()) ? WM_FLAG_TERMINAL : WM_FLAG_ERROR);
    }
    return out.status();
}

} // namespace wm::openai_chat
