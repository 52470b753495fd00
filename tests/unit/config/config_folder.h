#pragma once
// A folder of its own with policies and plugins folders, and a configuration file to write and load.
#include "config/load.h"
#include "fake_plugins.h"
#include "plugin/registry.h"

#include <string>
#include <string_view>

class ConfigFolder {
  public:
    explicit ConfigFolder(void (*plugins)(wm::plugin::Registry&) = add_fake_plugins);
    ~ConfigFolder();
    ConfigFolder(const ConfigFolder&) = delete;

    // Writes w.ini, readable by the owner alone unless `open`.
    void write(std::string_view text, bool open = false) const;
    void write_file(const std::string& name, std::string_view text) const;
    void write_certificate(const std::string& certificate, const std::string& key) const; // that belong together

    wm::Result<std::shared_ptr<const wm::config::Settings>, wm::config::Problems>
    load(const wm::config::Overrides& overrides = {}) const;
    // The problems of `text`, with this folder's path left out; none: it loads.
    std::vector<std::string> problems(std::string_view text, bool open = false) const;
    std::vector<std::string> without_folder(wm::config::Problems problems) const;

    const wm::plugin::Transcoder* transcoder(std::string_view id) const { return registry_.transcoder(id); }
    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path file() const { return path_ / "w.ini"; }

  private:
    std::filesystem::path path_;
    wm::plugin::Registry registry_;
};

// Parts of a configuration that loads: 3, 6 and 3 lines.
inline constexpr std::string_view server_part = "[server]\nplugins = plugins\npolicies = policies\n";
inline constexpr std::string_view backend_part =
    "[backend \"go\"]\nadapter = url\nbase_url = http://up:9000/v1\n"
    "[credential \"go\" \"k\"]\napi_key = public:x\n[upstream-model \"go\" \"m\"]\n";
inline constexpr std::string_view model_part = "[model \"chat\"]\n[layer \"chat\" \"first\"]\ntarget = go/k m\n";

inline std::string parts(std::initializer_list<std::string_view> all) {
    std::string out;
    for (const auto part : all) out += part;
    return out;
}
