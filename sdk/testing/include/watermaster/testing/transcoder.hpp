#pragma once
// A transcoder and its taps as the host drives them.
#include "capture.hpp"
#include "plugin_file.hpp"

namespace wm::sdk::testing {

class Transcoder {
  public:
    // With an empty id the first transcoder of the library.
    explicit Transcoder(const PluginFile& file, std::string_view id = {})
        : component_(file.component(WM_TRANSCODER_1, id)), self_(component_, host_) {}

    Outcome facts(std::string_view body, Capture& out, std::uint32_t want = 0, const TextPairs& headers = {}) const;
    // `out` must know the body: Capture out(body).
    Outcome rewrite(std::string_view body, std::string_view model, bool ask_usage, Capture& out) const;
    // The body with the splices applied; what went wrong instead, in brackets.
    std::string rewritten(std::string_view body, std::string_view model, bool ask_usage = false) const;
    Outcome write_error(const std::vector<wm_event>& error, Capture& out) const;

    bool translates() const { return WM_HAS(&table(), wm_transcoder, open); } // then see talk.hpp

    const wm_transcoder& table() const { return *static_cast<const wm_transcoder*>(component_.table); }
    void* self() const { return self_.get(); }
    const FakeHost& host() const { return host_; }

  private:
    FakeHost host_;
    const wm_component& component_;
    Created self_;
};

// Watches one native answer. The transcoder must outlive it.
class Tap {
  public:
    explicit Tap(const Transcoder& of, bool usage_by_gateway = false); // throws Broken when it cannot be opened
    ~Tap() { table_.tap_close(tap_); }
    Tap(const Tap&) = delete;
    Tap& operator=(const Tap&) = delete;

    Outcome frame(std::string_view name, std::string_view data, Capture& out, std::uint32_t kind = WM_FRAME_MESSAGE);
    Outcome document(std::string_view body, Capture& out) { return frame({}, body, out, WM_FRAME_DOCUMENT); }
    Outcome end(const std::vector<wm_event>* error, Capture& out); // null: the upstream ended by itself

    // The verdict of one frame; throws Broken when its status is not OK.
    std::uint32_t judge(std::string_view data, std::string_view name = {});

  private:
    const wm_transcoder& table_;
    wm_tap* tap_;
};

} // namespace wm::sdk::testing
