#include "account.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <watermaster/testing/sse.hpp>

namespace wm::check {

using sdk::testing::Capture;
using sdk::testing::Outcome;
using sdk::testing::Tap;
using sdk::testing::Transcoder;

std::string lines_of(const Outcome& outcome, const Capture& out) {
    std::string text = "status " + std::to_string(outcome.status) + " " + outcome.where + ": " + outcome.message + "\n";
    for (const auto& event : out.events) {
        text += std::to_string(event.tag) + " " + std::to_string(event.node) + " " + std::to_string(event.flags) + " " +
                std::to_string(event.at) + " ";
        text.append(event.name).append(" ").append(event.value).append("\n");
    }
    return text;
}

std::string account_of_stream(const Transcoder& transcoder, std::initializer_list<std::string_view> pieces,
                              Fence* fence) {
    std::string text;
    Tap tap(transcoder);
    sdk::testing::SseFrames frames;
    std::deque<sdk::testing::SseFrame> kept;
    for (const auto piece : pieces)
        for (auto& frame : frames.feed(piece)) {
            const auto& [name, data] = kept.emplace_back(std::move(frame));
            Capture out;
            const Outcome outcome = tap.frame(name, fence ? fence->hold(data) : data, out);
            text += lines_of(outcome, out);
            if (!outcome.ok())
                return text; // only tap_end with an error may follow
        }
    Capture out;
    const Outcome outcome = tap.end(nullptr, out);
    return text + lines_of(outcome, out);
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

} // namespace

std::string account(const Transcoder& transcoder, const Samples& samples, Fence& fence) {
    std::string text;
    for (const auto& request : samples.requests)
        text += account_of_request(transcoder, request.text, fence);
    for (const auto& stream : samples.streams)
        text += account_of_stream(transcoder, {stream.text}, &fence);
    for (const auto& document : samples.documents)
        text += account_of_document(transcoder, document.text, fence);
    return text + account_of_errors(transcoder);
}

std::string account(const sdk::testing::Backend& backend, const plugin::AdapterFacts& facts, const Samples& samples) {
    std::string text;
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
        for (const auto& sample : *kind)
            out = std::max(out, sample.text.size());
    return out;
}

} // namespace wm::check
