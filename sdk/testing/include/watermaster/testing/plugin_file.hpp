#pragma once
// A plugin's library and the host it sees.
#include "values.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace wm::sdk::testing {

// A host that has no extensions and keeps what plugins log. It must outlive what is created with it.
class FakeHost {
  public:
    FakeHost();
    FakeHost(const FakeHost&) = delete;
    FakeHost& operator=(const FakeHost&) = delete;

    const wm_host* raw() const { return &raw_; }

    std::vector<std::string> log;

  private:
    wm_host raw_{};
};

// An open library; like the host, it never unloads one.
class PluginFile {
  public:
    explicit PluginFile(const std::string& path); // throws Broken when it does not load or is no plugin

    const wm_plugin_entry& entry() const { return *entry_; }
    // The component of this interface and id; with an empty id the first of the interface. Throws Broken.
    const wm_component& component(std::string_view interface_id, std::string_view id = {}) const;

  private:
    std::string path_;
    const wm_plugin_entry* entry_;
};

// What `create` of a component returned, until the end of this object.
class Created {
  public:
    Created(const wm_component& component, const FakeHost& host); // throws Broken when create fails
    ~Created() { component_.destroy(self_); }
    Created(const Created&) = delete;
    Created& operator=(const Created&) = delete;

    void* get() const { return self_; }

  private:
    const wm_component& component_;
    void* self_;
};

} // namespace wm::sdk::testing
