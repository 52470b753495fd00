#include "plugin/loader.h"

#include "plugin/components.h"
#include "plugin/elf_check.h"
#include "plugin/entry.h"
#include "plugin/file_check.h"
#include "plugin/library.h"
#include "plugin/refusal.h"

namespace wm::plugin {

namespace fs = std::filesystem;

bool looks_like_plugin(const fs::path& folder) {
    std::error_code ignored;
    if (fs::exists(folder / "plugin.ini", ignored)) return true;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored))
        if (at->path().extension() == ".so") return true;
    return false;
}

Result<JudgedPlugin, std::string> judge_plugin(const fs::path& folder, std::vector<std::string>& notes) {
    const fs::path ini = folder / "plugin.ini";
    const auto manifest = read_manifest(ini);
    if (!manifest) return Failure{manifest.error()};
    for (const auto& key : manifest->unknown)
        notes.push_back(ini.string() + ": key " + ticked(key) + " is unknown to this host and ignored");
    if (manifest->abi_major != WM_ABI_MAJOR)
        return Failure{refusal(ini.string() + ": key `abi`", "ABI " + std::to_string(WM_ABI_MAJOR),
                               std::to_string(manifest->abi_major) + "." + std::to_string(manifest->abi_minor),
                               "install a build of the plugin for this host, or a host for this plugin")};

    const fs::path file = folder / manifest->library;
    if (auto problem = file_problem(file, manifest->sha256)) return Failure{*problem};
    if (auto problem = cut_short(file)) return Failure{*problem};
    const auto entry = open_library(file);
    if (!entry) return Failure{entry.error()};
    auto judged = judge_entry(file.string(), **entry, *manifest, notes);
    if (!judged) return Failure{judged.error()};
    PluginInfo about{manifest->id, manifest->version,   manifest->abi_major, manifest->abi_minor,
                     file,         manifest->components};
    return JudgedPlugin{std::move(about), std::move(*judged)};
}

Result<Components, std::string> create_components(JudgedPlugin plugin, const wm_host& host) {
    Components out;
    for (auto& [component, facts] : plugin.components) {
        wm_error error = fresh_error();
        const Self self{component->create(&host, &error), component->destroy};
        if (!self.at)
            return Failure{refusal(plugin.about.file.string() + ": component `" + component->id + "`",
                                   "create to succeed", failed(WM_INTERNAL, error, "null").message,
                                   "see what the plugin says, or remove its folder")};
        if (auto* adapter = std::get_if<AdapterFacts>(&facts))
            out.adapters.push_back(
                make_adapter(*static_cast<const wm_adapter*>(component->table), self, std::move(*adapter)));
        else
            out.transcoders.push_back(make_transcoder(*static_cast<const wm_transcoder*>(component->table), self,
                                                      std::get<TranscoderFacts>(std::move(facts))));
    }
    out.about = std::move(plugin.about);
    return out;
}

Result<Components, std::string> load_plugin(const fs::path& folder, const wm_host& host,
                                            std::vector<std::string>& notes) {
    auto judged = judge_plugin(folder, notes);
    if (!judged) return Failure{judged.error()};
    return create_components(std::move(*judged), host);
}

} // namespace wm::plugin
