#pragma once
// A folder of plugins for one test, gone with it.
#include <filesystem>
#include <string>

class PluginFolder {
  public:
    PluginFolder();
    ~PluginFolder();
    PluginFolder(const PluginFolder&) = delete;
    PluginFolder& operator=(const PluginFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    // Copies the fixture <name>.so to <folder>/<as>/<name>.so, with a manifest that fits bad.c, and `more` lines.
    std::filesystem::path install(const std::string& name, const std::string& more = "", const std::string& as = "p");
    void write(const std::filesystem::path& relative, const std::string& text);

  private:
    std::filesystem::path path_;
};

// A manifest for bad.c.
std::string manifest_of(const std::string& library);
