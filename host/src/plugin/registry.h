#pragma once
// The plugins of this process: loaded at start, joined by new ones at a reload, never unloaded. The registry belongs to
// the thread that loads; the components it gives out live as long as it does and may be called from any thread.
#include "plugin/calls.h"
#include "plugin/plugin_info.h"

#include <filesystem>
#include <string>
#include <vector>

namespace wm::plugin {

class Registry {
  public:
    Registry();
    ~Registry();
    Registry(const Registry&) = delete;

    // Loads every plugin below `folder` (one folder each, with plugin.ini). Returns one message per refusal, each
    // naming the file, what was expected, what was found and what to do; empty: all loaded.
    std::vector<std::string> load(const std::filesystem::path& folder);

    // Loads the plugins below `folder` that were not there before. One whose files were replaced or removed stays as it
    // is loaded, and a note says that this takes a restart. What is refused is tried again at the next reload.
    struct Renewal {
        std::vector<std::string> refused, notes;
    };
    Renewal renew(const std::filesystem::path& folder);

    // A component that comes from elsewhere than a file, before the first reading.
    void add(std::unique_ptr<Adapter> adapter);
    void add(std::unique_ptr<Transcoder> transcoder);

    // For the log: what was ignored, and what plugins said while loading.
    std::vector<std::string> notes() const;

    std::vector<PluginInfo> plugins() const; // those loaded, in load order

    const Adapter* adapter(std::string_view id) const;       // null: none such
    const Transcoder* transcoder(std::string_view id) const; // null: none such
    std::vector<const Adapter*> adapters() const;
    std::vector<const Transcoder*> transcoders() const; // in load order

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace wm::plugin
