#include "plugin/entry.h"

#include "plugin/component_check.h"
#include "plugin/layout.h"
#include "plugin/refusal.h"

#include <algorithm>
#include <optional>

namespace wm::plugin {

namespace {

constexpr std::uint32_t max_components = 64;

std::string version(unsigned major, unsigned minor) { return std::to_string(major) + "." + std::to_string(minor); }

std::string bytes(std::uint64_t count) { return std::to_string(count) + " bytes"; }

// Nothing, or why the table itself cannot be read.
std::optional<std::string> table_problem(const std::string& file, const wm_plugin_entry& entry) {
    const std::string where = file + ": " WM_PLUGIN_ENTRY_SYMBOL;
    if (entry.size < entry_bytes || entry.size > max_table_bytes)
        return refusal(where, "a size of at least " + bytes(entry_bytes), bytes(entry.size),
                       "set size to sizeof(wm_plugin_entry)");
    if (entry.abi_major != WM_ABI_MAJOR)
        return refusal(where, "ABI " + std::to_string(WM_ABI_MAJOR), "ABI " + version(entry.abi_major, entry.abi_minor),
                       "install a build of the plugin for this host, or a host for this plugin");
    if (!entry.version) return refusal(where, "the plugin's version", "null", "set version");
    if (!entry.components || !entry.count || entry.count > max_components)
        return refusal(where, "1 to 64 components", entry.components ? std::to_string(entry.count) : "null",
                       "set components and count");
    if (entry.stride < component_bytes || entry.stride > max_table_bytes || entry.stride % alignof(wm_component))
        return refusal(where, "a stride of at least " + bytes(component_bytes) + " and a multiple of 8",
                       bytes(entry.stride), "set stride to sizeof(wm_component)");
    return std::nullopt;
}

// Nothing, or where library and manifest are not of one package.
std::optional<std::string> manifest_problem(const std::string& file, const wm_plugin_entry& entry,
                                            const Manifest& manifest) {
    const std::string built = version(entry.abi_major, entry.abi_minor);
    const std::string stated = version(manifest.abi_major, manifest.abi_minor);
    if (built != stated)
        return refusal(file, "ABI " + stated + " as its manifest says", "ABI " + built,
                       "install the library and the manifest of one package");
    const std::string found = printable(entry.version, 64);
    if (found != printable(manifest.version, 64))
        return refusal(file, "version " + ticked(manifest.version) + " as its manifest says", ticked(found),
                       "install the library and the manifest of one package");
    return std::nullopt;
}

bool contains(const std::vector<std::string>& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

} // namespace

Result<std::vector<Judged>, std::string> judge_entry(const std::string& file, const wm_plugin_entry& entry,
                                                     const Manifest& manifest, std::vector<std::string>& notes) {
    if (auto problem = table_problem(file, entry)) return Failure{*problem};
    if (auto problem = manifest_problem(file, entry, manifest)) return Failure{*problem};
    std::vector<Judged> usable;
    std::vector<std::string> found;
    for (std::uint32_t i = 0; i < entry.count; ++i) {
        const auto* at = reinterpret_cast<const char*>(entry.components) + std::size_t(i) * entry.stride;
        const auto& component = *reinterpret_cast<const wm_component*>(at);
        const std::string where = file + ": component " + std::to_string(i);
        if (auto problem = component_problem(where, component, entry.stride)) return Failure{*problem};
        found.emplace_back(component.id);
        const std::string_view kind = kind_of(component);
        if (kind.empty()) {
            notes.push_back(where + " `" + component.id + "`: interface `" + printable(component.interface_id, 64) +
                            "` is unknown to this host and ignored");
            continue;
        }
        if (!contains(manifest.components, component.id))
            return Failure{refusal(where, "an id its manifest names", ticked(component.id),
                                   "correct the manifest's key `id` or `components`")};
        if (!contains(manifest.kinds, kind))
            return Failure{
                refusal(where, "a kind its manifest names", ticked(kind), "correct the manifest's key `kind`")};
        auto judged = judge_component(where + " `" + component.id + "`", component);
        if (!judged) return Failure{judged.error()};
        usable.push_back(std::move(*judged));
    }
    for (const auto& id : manifest.components)
        if (!contains(found, id))
            return Failure{refusal(file, "a component " + ticked(id) + " as its manifest says", "none of this id",
                                   "correct the manifest's key `id` or `components`")};
    return usable;
}

} // namespace wm::plugin
