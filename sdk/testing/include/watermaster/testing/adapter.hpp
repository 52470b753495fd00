#pragma once
// An adapter as the host drives it.
#include "capture.hpp"
#include "plugin_file.hpp"

namespace wm::sdk::testing {

class Adapter {
  public:
    // With an empty id the first adapter of the library.
    explicit Adapter(const PluginFile& file, std::string_view id = {})
        : component_(file.component(WM_ADAPTER_1, id)), self_(component_, host_) {}

    const wm_adapter& table() const { return *static_cast<const wm_adapter*>(component_.table); }
    void* self() const { return self_.get(); }
    const FakeHost& host() const { return host_; }
    const char* facts() const { return component_.facts_json; }

  private:
    FakeHost host_;
    const wm_component& component_;
    Created self_;
};

// One attempt's request, as the host would describe it.
struct Attempt {
    bool stream = false;
    TextPairs headers{}, query{};
    std::string operation = "create", protocol{}, model = "upstream-model", handle{}, body{};
    std::uint32_t number = 1;
};

// One backend: the adapter with its settings. The adapter must outlive it.
class Backend {
  public:
    Backend(const Adapter& adapter, const TextPairs& settings);
    ~Backend();
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    bool bound() const { return bound_ != nullptr; }
    // What prepare puts; throws Broken when it does not succeed.
    Capture prepare(const Attempt& attempt = {}) const;
    Outcome prepare(const Attempt& attempt, Capture& out) const;

    bool unframes() const { return WM_HAS(&adapter_.table(), wm_adapter, unframe); }
    Outcome unframe(std::string_view name, std::string_view data, Capture& out,
                    std::uint32_t kind = WM_FRAME_MESSAGE) const;

    Capture problems; // what bind found wrong with the settings

  private:
    const Adapter& adapter_;
    void* bound_;
};

} // namespace wm::sdk::testing
