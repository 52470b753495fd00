#pragma once
// The plugins of this process: loaded once at start, never unloaded, frozen afterwards and then free to read from
// any thread.
#include "plugin/calls.h"

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

    // A component that comes from elsewhere than a file, before the first reading.
    void add(std::unique_ptr<Adapter> adapter);
    void add(std::unique_ptr<Transcoder> transcoder);

    // For the log: what was ignored, and what plugins said while loading.
    std::vector<std::string> notes() const;

    const Adapter* adapter(std::string_view id) const;       // null: none such
    const Transcoder* transcoder(std::string_view id) const; // null: none such
    std::vector<const Adapter*> adapters() const;
    std::vector<const Transcoder*> transcoders() const; // in load order

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace wm::plugin
