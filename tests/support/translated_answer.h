#pragma once
// An answer on its way through a translation, driven as the host drives it: whole, or a stream in whatever pieces.
#include "framing/sse.h"
#include "translate/translation.h"

#include <functional>
#include <string_view>

namespace wm::test {

// Judges what a call came to. False: the answer ends here.
using Took = std::function<bool(plugin::Called<translate::Progress>)>;

inline plugin::TalkParams talk_params(std::string_view exchange, bool stream) {
    return {.exchange = exchange,
            .operation = "create",
            .model = "upstream-model",
            .now_ms = 1'748'000'999'123,
            .max_held = 1u << 20,
            .stream = stream,
            .ask_usage = stream};
}

inline void pass_document(translate::Translation& translation, std::string_view answer,
                          const translate::Translation::Give& give, const Took& took) {
    (void)translation.begin_answer(plugin::TalkMode::document);
    if (took(translation.answer({}, answer, framing::FrameKind::document, give))) (void)took(translation.end(give));
}

class PassedStream {
  public:
    PassedStream(translate::Translation& translation, const translate::Translation::Give& give, Took took)
        : translation_(translation), give_(give), took_(std::move(took)) {
        (void)translation_.begin_answer(plugin::TalkMode::stream);
    }

    void feed(std::string_view piece) {
        framer_.feed(piece);
        while (going_ && framer_.next(event_)) read();
    }
    // The upstream says no more. True: nothing has gone wrong.
    bool finish() {
        if (going_ && framer_.finish(event_)) read();
        return going_ && took_(translation_.end(give_));
    }

  private:
    void read() {
        if (event_.comment_only) return;
        going_ = took_(translation_.answer(event_.name, event_.data, framing::FrameKind::message, give_));
    }

    translate::Translation& translation_;
    const translate::Translation::Give& give_;
    const Took took_;
    framing::SseFramer framer_;
    framing::Frame event_;
    bool going_ = true;
};

} // namespace wm::test
