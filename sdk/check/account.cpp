#include "account.h"

#include "dialogue.h"
#include "feeding.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <utility>
#include <watermaster/testing/sse.hpp>

namespace wm::check {

using sdk::testing::Capture;
using sdk::testing::Outcome;
using sdk::testing::Tap;
using sdk::testing::Transcoder;
using sdk::testing::Translator;

std::string lines_of(const Outcome& outcome, const Capture& out) {
    std::string text = "status " + std::to_string(outcome.status) + " " + outcome.where + ": " + outcome.message + "\n";
    for (const auto& event : out.events) {
        text += std::to_string(event.tag) + " " + std::to_string(event.node) + " " + std::to_string(event.parent) +
                " " + std::to_string(event.flags) + " " + std::to_string(event.at) + " ";
        text.append(event.name).append(" ").append(event.value).append("\n");
    }
    return text;
}

namespace {

// Calls take(frame) for each frame of the pieces, until it says false. All of them stay where they are meanwhile.
void each_piece(std::initializer_list<std::string_view> pieces,
                const std::function<bool(const sdk::testing::SseFrame&)>& take) {
    sdk::testing::SseFrames frames;
    std::deque<sdk::testing::SseFrame> kept;
    for (const auto piece : pieces)
        for (auto& frame : frames.feed(piece))
            if (!take(kept.emplace_back(std::move(frame)))) return;
}

void ignore(const Outcome&) {}

} // namespace

std::unique_ptr<Translator> translator_of(const Transcoder& transcoder) {
    if (!transcoder.translates()) return nullptr;
    auto made = std::make_unique<Translator>(transcoder);
    return made->bound() ? std::move(made) : nullptr;
}

std::string account_of_stream(const Transcoder& transcoder, std::initializer_list<std::string_view> pieces,
                              Fence* fence) {
    std::string text;
    Tap tap(transcoder);
    bool failed = false; // then only tap_end with an error may follow
    each_piece(pieces, [&](const sdk::testing::SseFrame& frame) {
        Capture out;
        const Outcome outcome = tap.frame(frame.name, fence ? fence->hold(frame.data) : frame.data, out);
        text += lines_of(outcome, out);
        failed = !outcome.ok();
        return !failed;
    });
    if (failed) return text;
    Capture out;
    const Outcome outcome = tap.end(nullptr, out);
    return text + lines_of(outcome, out);
}

std::string account_of_stream(const Translator& translator, const std::string& question,
                              std::initializer_list<std::string_view> pieces, Fence* fence) {
    const std::function<void(const Outcome&)> judge = ignore;
    Dialogue dialogue(translator, true, fence, judge);
    bool goes_on = dialogue.ask(question);
    if (goes_on)
        each_piece(pieces, [&](const sdk::testing::SseFrame& frame) {
            return goes_on = dialogue.frame(frame.name, frame.data, WM_FRAME_MESSAGE);
        });
    if (goes_on) dialogue.end();
    return dialogue.account();
}

namespace {

std::string account_of_request(const Transcoder& transcoder, const std::string& request, Fence& fence) {
    std::string text;
    {
        const auto body = fence.hold(request);
        Capture out(body);
        const Outcome outcome = transcoder.facts(body, out, WM_WANT_PROMPT, {{"user-agent", "check"}});
        text += lines_of(outcome, out);
    }
    for (const bool ask_usage : {false, true}) {
        const auto body = fence.hold(request);
        Capture out(body);
        const Outcome outcome = transcoder.rewrite(body, "other", ask_usage, out);
        text += lines_of(outcome, out);
    }
    return text;
}

std::string account_of_document(const Transcoder& transcoder, const std::string& document, Fence& fence) {
    Tap tap(transcoder);
    Capture out;
    const Outcome outcome = tap.document(fence.hold(document), out);
    return lines_of(outcome, out);
}

std::string account_of_errors(const Transcoder& transcoder) {
    const auto tree = sdk::testing::error_tree(WM_ERROR_RATE_LIMIT, "429", "slow down \"please\"\n", "\"code\"");
    Capture document, closing;
    const Outcome written = transcoder.write_error(tree, document);
    Tap tap(transcoder);
    const Outcome closed = tap.end(&tree, closing);
    return lines_of(written, document) + lines_of(closed, closing);
}

std::string account_of_translation(const Translator& translator, const Samples& samples, Fence& fence) {
    std::string text;
    const std::function<void(const Outcome&)> judge = ignore;
    for (const auto& request : samples.requests) {
        Dialogue dialogue(translator, false, &fence, judge);
        dialogue.ask(request.text);
        text += dialogue.account();
    }
    for (const auto& stream : samples.streams)
        text += account_of_stream(translator, samples.question(), {stream.text}, &fence);
    for (const auto& document : samples.documents) {
        Dialogue dialogue(translator, false, &fence, judge);
        if (dialogue.ask(samples.question()) && dialogue.frame({}, document.text, WM_FRAME_DOCUMENT)) dialogue.end();
        text += dialogue.account();
    }
    return text;
}

} // namespace

std::string account(const Transcoder& transcoder, const Translator* translator, const Samples& samples, Fence& fence) {
    std::string text;
    for (const auto& request : samples.requests) text += account_of_request(transcoder, request.text, fence);
    for (const auto& stream : samples.streams) text += account_of_stream(transcoder, {stream.text}, &fence);
    for (const auto& document : samples.documents) text += account_of_document(transcoder, document.text, fence);
    if (translator) text += account_of_translation(*translator, samples, fence);
    return text + account_of_errors(transcoder);
}

std::string account_of_frame(const sdk::testing::Backend& backend, const std::string& name, std::string_view data,
                             std::uint32_t kind) {
    Capture out;
    const Outcome outcome = backend.unframe(name, data, out, kind);
    return lines_of(outcome, out);
}

std::string account(const sdk::testing::Backend& backend, const plugin::AdapterFacts& facts, const Samples& samples,
                    Fence& fence) {
    std::string text;
    each_frame(backend, samples,
               [&](const std::string&, std::string_view data, const std::string& name, std::uint32_t kind) {
                   text += account_of_frame(backend, name, fence.hold(data), kind);
               });
    for (const auto& request : samples.requests)
        for (const auto& attempt : attempts_for(facts, request.text)) {
            Capture out;
            const Outcome outcome = backend.prepare(attempt, out);
            text += lines_of(outcome, out);
        }
    return text;
}

std::size_t largest(const Samples& samples) {
    std::size_t out = 0;
    for (const auto* kind : {&samples.requests, &samples.streams, &samples.documents})
        for (const auto& sample : *kind) out = std::max(out, sample.text.size());
    return out;
}

} // namespace wm::check
