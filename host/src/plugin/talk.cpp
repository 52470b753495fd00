#include "plugin/talk.h"

#include "plugin/components.h"
#include "plugin/sink.h"

namespace wm::plugin {

namespace {

constexpr std::size_t put_budget = 256u << 20; // of one call: the largest body several times over

class TakerSink : public Sink<TakerSink> {
  public:
    explicit TakerSink(EventTaker& taker) : Sink(put_budget), taker_(taker) {}
    const char* take(const wm_event& event) {
        if (taker_.take(event)) return nullptr;
        stopped_ = true;
        return "stopped";
    }
    bool stopped() const { return stopped_; } // by the taker, not by a fault of the plugin

  private:
    EventTaker& taker_;
    bool stopped_ = false;
};

class TableTalk final : public Talk {
  public:
    TableTalk(const wm_transcoder& table, wm_talk* handle, const std::string& id)
        : table_(table), handle_(handle), id_(id) {
        frame_.size = sizeof frame_;
    }
    ~TableTalk() override { table_.close(handle_); }
    TableTalk(const TableTalk&) = delete;
    TableTalk& operator=(const TableTalk&) = delete;

    Fault read(std::string_view name, std::string_view data, framing::FrameKind kind, EventTaker& out) override {
        frame_.kind = to_kind(kind);
        frame_.name = to_bytes(name);
        frame_.data = to_bytes(data);
        TakerSink sink(out);
        return outcome(table_.read(handle_, &frame_, sink.raw(), &error_), &sink, "read");
    }
    Fault read_end(EventTaker& out) override {
        TakerSink sink(out);
        return outcome(table_.read_end(handle_, sink.raw(), &error_), &sink, "read_end");
    }
    Fault write_begin(TalkMode mode) override {
        const std::uint32_t raw = mode == TalkMode::stream ? WM_MODE_STREAM : WM_MODE_DOCUMENT;
        return outcome(table_.write_begin(handle_, raw, &error_), nullptr, "write_begin");
    }
    Fault write(const wm_event& event, EventTaker& out) override {
        TakerSink sink(out);
        return outcome(table_.write(handle_, &event, sink.raw(), &error_), &sink, "write");
    }
    Fault write_end(EventTaker& out) override {
        TakerSink sink(out);
        return outcome(table_.write_end(handle_, sink.raw(), &error_), &sink, "write_end");
    }

  private:
    Fault outcome(wm_status status, const TakerSink* sink, const char* function) {
        if (status == WM_OK && !(sink && sink->fault())) return std::nullopt;
        const auto who = "transcoder " + id_ + ": " + function;
        if (sink && sink->stopped()) return PluginError{refused, {}, who + ": stopped"};
        auto fault = sink && sink->fault() ? misbehaved(sink->fault(), who) : failed(status, error_, who);
        error_ = fresh_error();
        return fault;
    }

    const wm_transcoder& table_;
    wm_talk* handle_;
    const std::string& id_;
    wm_frame frame_{};
    wm_error error_ = fresh_error(); // cleared after a failure, not for every frame
};

} // namespace

std::unique_ptr<Talk> make_talk(const wm_transcoder& table, wm_talk* handle, const std::string& id) {
    return std::make_unique<TableTalk>(table, handle, id);
}

} // namespace wm::plugin
