#include "cases.h"
#include "elf.h"
#include "plugin/manifest.h"

namespace wm::check {

void check_manifest(Trial& trial, const Subject& subject) {
    const auto ini = subject.file.parent_path() / "plugin.ini";
    trial.step(ini.string());
    const auto manifest = plugin::read_manifest(ini);
    if (!manifest) return trial.find_text(manifest.error());
    for (const auto& key : manifest->unknown)
        trial.find_text(plugin::refusal(ini.string() + ": key " + plugin::ticked(key), "a key of the manifest",
                                        "an unknown one", "correct its spelling or remove it"));
    if (manifest->library != subject.file.filename())
        trial.find_text(plugin::refusal(ini.string() + ": key `library`",
                                        plugin::ticked(subject.file.filename().string()),
                                        plugin::ticked(manifest->library), "name the library that is checked"));
}

void check_symbols(Trial& trial, const Subject& subject) {
    trial.step(subject.file.string());
    const auto symbols = exported_symbols(subject.file);
    if (!symbols)
        return trial.find("a shared object of this machine", "another kind of file", "build it with wm_add_plugin");
    if (*symbols == std::vector<std::string>{WM_PLUGIN_ENTRY_SYMBOL}) return;
    std::string found = std::to_string(symbols->size());
    for (std::size_t i = 0; i < symbols->size() && i < 5; ++i) found += (i ? ", " : ": ") + (*symbols)[i];
    trial.find("one exported symbol, " WM_PLUGIN_ENTRY_SYMBOL, found,
               "build it with wm_add_plugin, which hides everything else");
}

void check_load(Trial& trial, const Subject& subject) {
    trial.step(subject.file.string() + ": opening the library, which runs its static constructors");
    const Opened opened(trial, subject);
}

void check_create(Trial& trial, const Subject& subject) {
    Opened opened(trial, subject);
    trial.step(subject.file.string() + ": create");
    auto first = opened.components();
    trial.step(subject.file.string() + ": create beside a component that exists");
    auto second = opened.components();
    trial.step(subject.file.string() + ": destroy in the order of creation");
    first = {};
    second = {};
    trial.step(subject.file.string() + ": create after destroy");
    opened.components();
}

} // namespace wm::check
