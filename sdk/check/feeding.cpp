#include "feeding.h"

#include "outcome.h"

#include <watermaster/testing/sse.hpp>

namespace wm::check {

using sdk::testing::Capture;
using sdk::testing::Outcome;
using sdk::testing::Tap;
using sdk::testing::Transcoder;

void each_input(const Samples& samples, const std::function<void(const std::string& sample, std::string_view text,
                                                                 const std::string& frame, std::uint32_t kind)>& f) {
    for (const auto& [name, text] : samples.requests) f(name, text, "", as_request);
    for (const auto& [name, text] : samples.documents) f(name, text, "", WM_FRAME_DOCUMENT);
    for (const auto& [name, text] : samples.streams)
        for (const auto& frame : sdk::testing::sse_frames(text)) f(name, frame.data, frame.name, WM_FRAME_MESSAGE);
}

void each_frame(const sdk::testing::Backend& backend, const Samples& samples,
                const std::function<void(const std::string& sample, std::string_view text, const std::string& frame,
                                         std::uint32_t kind)>& f) {
    if (!backend.bound() || !backend.unframes()) return;
    each_input(samples,
               [&](const std::string& sample, std::string_view text, const std::string& frame, std::uint32_t kind) {
                   if (kind != as_request) f(sample, text, frame, kind);
               });
}

void Feeder::feed(const Transcoder& transcoder, const std::string& frame, std::string_view text,
                  std::uint32_t kind) const {
    const auto held = fence_.hold(text);
    if (kind == as_request) {
        Capture facts(held), edits(held);
        check_status(trial_, transcoder.facts(held, facts, WM_WANT_PROMPT));
        check_status(trial_, transcoder.rewrite(held, "other", true, edits));
        return;
    }
    Tap tap(transcoder);
    Capture out, end;
    const Outcome outcome = tap.frame(frame, held, out, kind);
    check_status(trial_, outcome);
    if (outcome.ok()) check_status(trial_, tap.end(nullptr, end));
}

void Feeder::feed(const sdk::testing::Backend& backend, const plugin::AdapterFacts& facts,
                  const std::string& body) const {
    for (const auto& attempt : attempts_for(facts, body)) {
        Capture out;
        check_status(trial_, backend.prepare(attempt, out));
    }
}

void Feeder::unframe(const sdk::testing::Backend& backend, const std::string& frame, std::string_view text,
                     std::uint32_t kind) const {
    Capture out;
    check_status(trial_, backend.unframe(frame, fence_.hold(text), out, kind));
}

} // namespace wm::check
