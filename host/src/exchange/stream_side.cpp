#include "exchange/stream_side.h"

#include "exchange/attempt.h"
#include "exchange/relay.h"
#include "framing/sse.h"

namespace wm::exchange {

namespace {

using plugin::Called;
using plugin::TapReport;
using plugin::Verdict;

class NativeSide final : public StreamSide {
  public:
    NativeSide(std::unique_ptr<plugin::Tap> tap, framing::Framing framing)
        : tap_(std::move(tap)), framing_(framing), kind_(framing::kind_of(framing)) {}

    Called<TapReport> frame(const framing::Frame& frame, std::string& out) override {
        TapReport unread;
        if (frame.oversized) unread.verdict = Verdict::semantic; // too large to be read; it is content for sure
        if (frame.oversized || frame.comment_only) {
            out += frame.raw;
            return unread;
        }
        auto report = tap_->frame(frame.name, frame.data, kind_);
        if (!report || (report->verdict & (Verdict::error | Verdict::withhold))) return report;
        pass_on(frame, out);
        return report;
    }
    bool pass_on(const framing::Frame& frame, std::string& out) override {
        if (frame.raw.empty()) framing::append_sse(out, frame.name, frame.data); // it came in another framing
        out += frame.raw;
        if (!frame.complete) out += "\n\n"; // an event without its blank line was meant as one
        return true;
    }
    TapReport end(std::string&) override {
        const auto end = tap_->end(nullptr);
        return {.verdict = end ? end->verdict : std::uint32_t(Verdict::error), .usage = {}, .error = {}};
    }
    void close(const plugin::ErrorReport& error, std::string& out) override {
        if (auto end = tap_->end(&error))
            for (const auto& frame : end->frames) {
                if (framing_ == framing::Framing::raw)
                    out += frame.data;
                else
                    framing::append_sse(out, frame.name, frame.data);
            }
    }

  private:
    const std::unique_ptr<plugin::Tap> tap_;
    const framing::Framing framing_;
    const framing::FrameKind kind_;
};

class TranslatedSide final : public StreamSide {
  public:
    TranslatedSide(translate::Translation& translation, const Upstream& up)
        : translation_(translation), bounds_(up.bounds), kind_(framing::kind_of(up.framing)),
          give_([this](std::string_view name, std::string_view data) {
              too_large_ = too_large_ || data.size() > bounds_.frame || given_ + data.size() > bounds_.batch;
              if (too_large_) return;
              given_ += data.size();
              framing::append_sse(*out_, name, data);
          }) {}

    Called<TapReport> frame(const framing::Frame& frame, std::string& out) override {
        if (frame.comment_only) return TapReport{};
        if (frame.oversized)
            return Failure{plugin::PluginError{plugin::unsupported, {}, "an event too large to be translated"}};
        begin(out);
        auto report = translation_.answer(frame.name, frame.data, kind_, give_);
        if (!report) return report;
        if (too_large_)
            return Failure{plugin::PluginError{plugin::refused, {}, "more than transcode_max_frame or _batch"}};
        if (report->error)
            report->verdict |= Verdict::error;
        else if (translation_.finished())
            report->verdict |= Verdict::terminal; // what may follow need not be waited for
        return report;
    }
    bool pass_on(const framing::Frame&, std::string&) override { return false; }
    TapReport end(std::string& out) override {
        begin(out);
        auto report = translation_.end(give_);
        if (!report || report->error || too_large_) return {.verdict = Verdict::error, .usage = {}, .error = {}};
        report->verdict |= Verdict::terminal;
        return std::move(*report);
    }
    void close(const plugin::ErrorReport& error, std::string& out) override {
        begin(out);
        (void)translation_.close(error, give_); // a writer that cannot has nothing more to say
    }

  private:
    void begin(std::string& out) {
        out_ = &out;
        given_ = 0;
        too_large_ = false;
    }

    translate::Translation& translation_;
    const config::TranscodeBounds& bounds_;
    const framing::FrameKind kind_;
    std::string* out_ = nullptr; // of the call under way
    std::size_t given_ = 0;      // by it
    bool too_large_ = false;     // and the rest of it is dropped
    const translate::Translation::Give give_;
};

} // namespace

Called<std::unique_ptr<StreamSide>> open_stream_side(Context& x, const Upstream& up) {
    if (translated(x, up)) {
        if (auto fault = x.translation->begin_answer(plugin::TalkMode::stream)) return Failure{std::move(*fault)};
        return std::unique_ptr<StreamSide>(std::make_unique<TranslatedSide>(*x.translation, up));
    }
    auto params = talk_params(x, up.model, up.retries);
    params.usage_asked_by_gateway_alone = up.asked_usage;
    auto tap = x.protocol->open_tap(params);
    if (!tap) return Failure{std::move(tap.error())};
    return std::unique_ptr<StreamSide>(std::make_unique<NativeSide>(std::move(*tap), up.framing));
}

} // namespace wm::exchange
