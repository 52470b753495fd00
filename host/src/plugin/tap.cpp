#include "plugin/components.h"
#include "plugin/error_events.h"
#include "plugin/sink.h"
#include "plugin/usage_event.h"

namespace wm::plugin {

namespace {

constexpr std::size_t tap_budget = 256 << 10; // of one frame's report
constexpr std::size_t end_budget = 64u << 20; // closing frames repeat an answer where the protocol wants it

class ReportSink : public Sink<ReportSink> {
  public:
    ReportSink() : Sink(tap_budget) {}
    void start(TapReport& report, std::size_t data) {
        reset(2 * data); // handles are parts of it, and each counts 16 bytes more
        error_.reset();
        report_ = &report;
        judged_ = false;
    }
    bool judged() const { return judged_; }
    const char* take(const wm_event& event) {
        if (event.tag == WM_OUT_VERDICT) {
            report_->verdict |= event.flags;
            judged_ = true;
        } else if (event.tag == WM_EV_USAGE) {
            take_usage(event, report_->usage);
        } else if (event.tag == WM_OUT_PIN) {
            if (report_->pins.size() < most_made)
                report_->pins.push_back(pin_of(to_view(event.name), to_view(event.value)));
        } else {
            error_.take(event, report_->error); // others are newer than this host
        }
        return nullptr;
    }

  private:
    TapReport* report_ = nullptr;
    ErrorReader error_;
    bool judged_ = false;
};

class EndSink : public Sink<EndSink> {
  public:
    EndSink() : Sink(end_budget) {}
    const char* take(const wm_event& event) {
        if (event.tag == WM_OUT_FRAME)
            ended.frames.push_back({std::string(to_view(event.name)), std::string(to_view(event.value)), event.flags});
        if (event.tag == WM_OUT_VERDICT) ended.verdict |= event.flags;
        return nullptr;
    }
    TapEnd ended;
};

class TableTap final : public Tap {
  public:
    TableTap(const wm_transcoder& table, wm_tap* handle, const std::string& id)
        : table_(table), handle_(handle), id_(id) {
        frame_.size = sizeof frame_;
    }
    ~TableTap() override { table_.tap_close(handle_); }
    TableTap(const TableTap&) = delete;
    TableTap& operator=(const TableTap&) = delete;

    Called<TapReport> frame(std::string_view name, std::string_view data, framing::FrameKind kind) override {
        Called<TapReport> out{TapReport{}};
        if (over_) {
            out = Failure{misbehaved_call("tap", "called after its end")};
            return out;
        }
        frame_.kind = to_kind(kind);
        frame_.name = to_bytes(name);
        frame_.data = to_bytes(data);
        sink_.start(*out, data.size());
        const wm_status status = table_.tap(handle_, &frame_, sink_.raw(), &error_);
        if (status != WM_OK || sink_.fault() || !sink_.judged()) {
            over_ = true;
            out = Failure{failure(status, sink_.fault(), "tap", "returned OK without a VERDICT")};
        }
        return out;
    }

    Called<TapEnd> end(const ErrorReport* error) override {
        // An error closes the client's stream also after an unreadable frame, and after an end that was a cut.
        if (error ? closed_ : over_) return Failure{misbehaved_call("tap_end", "called after its end")};
        over_ = true;
        closed_ = error != nullptr;
        error_ = fresh_error(); // what an unreadable frame left is not about this call
        EndSink sink;
        std::optional<ErrorEvents> events;
        if (error) events.emplace(*error);
        const wm_status status = table_.tap_end(handle_, events ? events->get() : nullptr, sink.raw(), &error_);
        if (status != WM_OK || sink.fault()) return Failure{failure(status, sink.fault(), "tap_end", "")};
        // With an error given, how it ended is known, and there may be nothing left to close.
        if (!error && !sink.ended.verdict) return Failure{misbehaved("returned OK without a VERDICT", who("tap_end"))};
        return std::move(sink.ended);
    }

  private:
    std::string who(const char* function) const { return "transcoder " + id_ + ": " + function; }
    PluginError misbehaved_call(const char* function, const char* what) const {
        PluginError error;
        error.status = WM_INTERNAL;
        error.message = who(function) + ": " + what;
        return error;
    }
    PluginError failure(wm_status status, const char* fault, const char* function, const char* missing) const {
        if (fault) return misbehaved(fault, who(function));
        return status == WM_OK ? misbehaved(missing, who(function)) : failed(status, error_, who(function));
    }

    const wm_transcoder& table_;
    wm_tap* handle_;
    const std::string& id_;
    wm_frame frame_{};
    wm_error error_ = fresh_error(); // cleared between calls that may both fail, not for every frame
    ReportSink sink_;
    bool over_ = false;   // no frame may follow
    bool closed_ = false; // nothing may follow
};

} // namespace

std::unique_ptr<Tap> make_tap(const wm_transcoder& table, wm_tap* handle, const std::string& id) {
    return std::make_unique<TableTap>(table, handle, id);
}

void Usage::merge(const Usage& later) {
    const auto keep = [](std::optional<std::uint64_t>& mine, const std::optional<std::uint64_t>& theirs) {
        if (theirs) mine = theirs;
    };
    keep(input, later.input);
    keep(input_cached, later.input_cached);
    keep(input_cache_write, later.input_cache_write);
    keep(output, later.output);
    keep(output_reasoning, later.output_reasoning);
}

} // namespace wm::plugin
