#include "config_folder.h"

#include "../runtime/certificates.h"

#include <fstream>
#include <stdexcept>
#include <stdlib.h>

namespace fs = std::filesystem;

ConfigFolder::ConfigFolder(void (*plugins)(wm::plugin::Registry&)) {
    auto pattern = (fs::temp_directory_path() / "wm-config-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    path_ = pattern;
    for (const auto* folder : {"plugins", "policies/allocation", "policies/failure"})
        fs::create_directories(path_ / folder);
    for (const auto* script :
         {"allocation/queue", "allocation/random", "failure/generic", "failure/schedules", "failure/own_rules"})
        write_file("policies/" + std::string(script) + ".lua", "");
    plugins(registry_);
}

ConfigFolder::~ConfigFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void ConfigFolder::write_file(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary | std::ios::trunc) << text;
}

void ConfigFolder::write_certificate(const std::string& certificate, const std::string& key) const {
    static const wm::runtime::Certificates authority;
    const auto files = authority.issue("DNS:a.example");
    fs::copy_file(files.certificate, path_ / certificate);
    fs::copy_file(files.key, path_ / key);
}

void ConfigFolder::write(std::string_view text, bool open) const {
    write_file("w.ini", text);
    fs::permissions(file(), open ? fs::perms(0644) : fs::perms(0600));
}

wm::Result<std::shared_ptr<const wm::config::Settings>, wm::config::Problems>
ConfigFolder::load(const wm::config::Overrides& overrides) const {
    return wm::config::load(file(), registry_, overrides);
}

std::vector<std::string> ConfigFolder::problems(std::string_view text, bool open) const {
    write(text, open);
    auto loaded = load();
    return loaded ? std::vector<std::string>() : without_folder(loaded.error());
}

std::vector<std::string> ConfigFolder::without_folder(wm::config::Problems problems) const {
    const auto prefix = path_.string() + "/";
    for (auto& problem : problems)
        for (auto at = problem.find(prefix); at != problem.npos; at = problem.find(prefix))
            problem.erase(at, prefix.size());
    return problems;
}
