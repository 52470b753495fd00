#pragma once
// A plugin as the host sees it: its entry, its tables, and a sink that copies what is put.
#include <watermaster/plugin.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wm::test {

struct Event {
    std::uint32_t tag, node, flags;
    std::string name, value;
    std::size_t at = 0; // of a view: its offset in the input, if one was given
};

// Copies events; with `refuse_after` it says WM_REFUSED from that event on.
class Capture {
  public:
    explicit Capture(std::string_view input = {}) : input_(input) {}

    wm_sink sink();
    std::size_t refuse_after = SIZE_MAX;
    std::vector<Event> events;

    // The value of the last event of that tag and name; "-": none.
    std::string value(std::uint32_t tag, std::string_view name) const;
    std::string fact(std::string_view name) const { return value(WM_OUT_FACT, name); }
    // The flags of the only VERDICT; a test fails when there is not exactly one.
    std::uint32_t verdict() const;

  private:
    static wm_status put(void* ctx, const wm_event* e) WM_NOEXCEPT;
    std::string_view input_;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Outcome {
    wm_status status = WM_OK;
    std::string where, message;
};

class Transcoder {
  public:
    explicit Transcoder(const std::string& plugin); // the component has the plugin's id
    ~Transcoder();
    Transcoder(const Transcoder&) = delete;
    Transcoder& operator=(const Transcoder&) = delete;

    Outcome facts(std::string_view body, Capture& out, std::uint32_t want = 0, const Pairs& headers = {}) const;
    Outcome rewrite(std::string_view body, std::string_view model, bool ask_usage, Capture& out) const;
    Outcome write_error(const std::vector<wm_event>& error, Capture& out) const;
    // The body with the splices applied; what went wrong instead, in brackets.
    std::string rewritten(std::string_view body, std::string_view model, bool ask_usage) const;

    const wm_transcoder& table() const { return *table_; }
    void* self() const { return self_; }

  private:
    const wm_component* component_;
    const wm_transcoder* table_;
    void* self_;
};

class Tap {
  public:
    explicit Tap(const Transcoder& of, bool usage_by_gateway = false);
    ~Tap();
    Tap(const Tap&) = delete;
    Tap& operator=(const Tap&) = delete;

    Outcome frame(std::string_view name, std::string_view data, Capture& out, std::uint32_t kind = WM_FRAME_MESSAGE);
    Outcome document(std::string_view body, Capture& out) { return frame({}, body, out, WM_FRAME_DOCUMENT); }
    Outcome end(const std::vector<wm_event>* error, Capture& out);

    // The verdict of one frame; a test fails when the status is not OK.
    std::uint32_t judge(std::string_view data, std::string_view name = {});

  private:
    const wm_transcoder& table_;
    wm_tap* tap_;
};

class Adapter {
  public:
    Adapter(const std::string& plugin, const std::string& id);
    ~Adapter();
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;

    void* bind(const Pairs& settings, Capture& problems) const;
    Outcome prepare(void* bound, bool stream, const Pairs& headers, Capture& out,
                    std::string_view operation = "create") const;
    const wm_adapter& table() const { return *table_; }
    const char* facts() const { return component_->facts_json; }

  private:
    const wm_component* component_;
    const wm_adapter* table_;
    void* self_;
};

const wm_plugin_entry& entry(const std::string& plugin);
const wm_component& component(const std::string& plugin, std::string_view id);

// Processor time of this thread: other load on the machine does not count.
std::chrono::nanoseconds cpu_time();

wm_bytes bytes(std::string_view s);
wm_event event(std::uint32_t tag, std::string_view name = {}, std::string_view value = {}, std::uint32_t node = 1);
// An ERROR tree; its texts must outlive it.
std::vector<wm_event> error_tree(std::string_view type, std::string_view status, std::string_view message,
                                 std::string_view raw_code = {}, std::string_view raw_param = {});

} // namespace wm::test
