#include "config/switches.h"

#include "config/suggest.h"

namespace wm::config {

Switches read_switches(SectionReader& in, std::string_view key,
                       const std::function<std::optional<Complaint>(std::string_view, bool)>& judge) {
    Switches out;
    const auto take = [&](std::string_view word, const IniEntry& entry) {
        const bool set = !word.starts_with('!');
        if (!set) word.remove_prefix(1);
        if (const auto complaint = judge(word, set)) return in.bad(entry, *complaint);
        const auto [first, fresh] = out.emplace(word, set);
        if (!fresh && first->second != set)
            in.bad(entry,
                   {std::string(word) + " is both set and withdrawn", std::string(word) + " or !" + std::string(word)});
    };
    for (const auto& [text, entry] : in.list(key))
        for (std::string_view rest = text; !rest.empty();) {
            const auto end = rest.find_first_of(" \t");
            if (const auto word = rest.substr(0, end); !word.empty()) take(word, *entry);
            rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
        }
    return out;
}

Switches read_switches(SectionReader& in, std::string_view key, std::string_view what,
                       std::span<const std::string_view> known) {
    return read_switches(in, key, [&](std::string_view name, bool) -> std::optional<Complaint> {
        for (const auto one : known)
            if (one == name) return std::nullopt;
        return Complaint{"no such " + std::string(what) + did_you_mean(name, known), "of " + joined(known)};
    });
}

} // namespace wm::config
