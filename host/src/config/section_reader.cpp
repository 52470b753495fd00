#include "config/section_reader.h"

#include "base/text.h"
#include "config/suggest.h"

#include <algorithm>

namespace wm::config {
namespace {

// Other formats put the unit into the key; here values carry it.
constexpr std::string_view unit_suffixes[] = {"_ms",      "_millis", "_s",     "_sec", "_secs", "_seconds",
                                              "_minutes", "_hours",  "_bytes", "_kb",  "_mb"};

std::string_view without_unit(std::string_view key, std::span<const std::string_view> known) {
    for (const auto suffix : unit_suffixes) {
        const auto base = key.substr(0, key.size() - std::min(suffix.size(), key.size()));
        if (key.ends_with(suffix) && std::find(known.begin(), known.end(), base) != known.end()) return base;
    }
    return {};
}

const std::vector<std::string_view> none;

// What is said of an unknown key: those that there are here, if they are few, and where else there is one of its name.
std::string belongs(const std::vector<std::string_view>& here, const std::string& others) {
    constexpr std::size_t few = 8;
    std::string out;
    if (!here.empty() && here.size() <= few) out = "one of " + joined(here);
    if (!others.empty()) out.append(out.empty() ? "it in " : ", or it in ").append(others);
    return out;
}

} // namespace

const IniEntry* SectionReader::one(std::string_view key) {
    const auto found = all(key);
    for (std::size_t i = 1; i < found.size(); ++i)
        bad(*found[i], {"given twice", "once; the first is on line " + std::to_string(found[0]->line), false});
    return found.empty() ? nullptr : found.front();
}

std::vector<const IniEntry*> SectionReader::all(std::string_view key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
    std::vector<const IniEntry*> out;
    for (const auto& entry : section_.entries)
        if (entry.key == key) out.push_back(&entry);
    return out;
}

const IniEntry* SectionReader::duration(std::string_view key, Millis& out, Millis min) {
    return read(key, out, [&](std::string_view text) { return parse_duration(text, min); });
}

const IniEntry* SectionReader::number(std::string_view key, unsigned& out, std::uint64_t min, std::uint64_t max) {
    return read(key, out, [&](std::string_view text) { return parse_integer(text, min, max); });
}

const IniEntry* SectionReader::size(std::string_view key, std::uint64_t& out, std::uint64_t min, std::uint64_t max) {
    return read(key, out, [&](std::string_view text) { return parse_size(text, min, max); });
}

const IniEntry* SectionReader::flag(std::string_view key, bool& out) { return read(key, out, parse_bool); }

const IniEntry* SectionReader::path(std::string_view key, std::filesystem::path& out,
                                    const std::filesystem::path& folder) {
    return read(key, out, [&](std::string_view text) -> Value<std::filesystem::path> {
        if (text.empty()) return Failure{Complaint{"empty", "a path, relative to this file's folder or absolute"}};
        return (folder / text).lexically_normal();
    });
}

std::vector<std::pair<std::string, const IniEntry*>> SectionReader::list(std::string_view key) {
    std::vector<std::pair<std::string, const IniEntry*>> out;
    for (const auto* entry : all(key)) {
        const auto before = out.size();
        for_each_element(entry->value, [&](std::string_view element) { out.emplace_back(element, entry); });
        if (out.size() == before) bad(*entry, {"empty", "one or more names with commas between them"});
    }
    return out;
}

void SectionReader::bad(std::string_view key, const Complaint& complaint) const {
    for (const auto& entry : section_.entries)
        if (entry.key == key) return bad(entry, complaint);
    report_.add(section_, key, complaint);
}

void SectionReader::finish() const {
    const std::vector<std::string_view> known(known_.begin(), known_.end());
    report_.learn(section_.kind, known_);
    for (const auto& entry : section_.entries) {
        if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
        const auto base = without_unit(entry.key, known);
        const auto suggestion = did_you_mean(entry.key, known);
        const auto others = report_.others_with(entry.key, section_.kind);
        if (!base.empty())
            bad(entry, {"unknown key", std::string(base) + " with the unit in its value", false});
        else if (entry.value.empty() && suggestion.empty() && others.empty())
            // perhaps the end of a secret in base64, alone on its line
            report_.add(entry.line, section_.title() + ": unknown key; expected \"key = value\"");
        else
            bad(entry, {"unknown key" + suggestion, belongs(suggestion.empty() ? known : none, others), false});
    }
}

} // namespace wm::config
