#pragma once
// Reads the keys of one section and remembers which keys it may have, so that `finish` can refuse all others.
#include "config/report.h"
#include "config/secret_value.h"

namespace wm::config {

class SectionReader {
  public:
    SectionReader(const IniSection& section, Report& report) : section_(section), report_(report) {}

    const IniSection& section() const { return section_; }
    Report& report() const { return report_; }

    // The key's entry, or null; given twice is reported and the first counts.
    const IniEntry* one(std::string_view key);
    std::vector<const IniEntry*> all(std::string_view key); // a key that may be repeated

    // Sets `out` from the key if it is there and right; `parse` takes the text and gives a Value. Returns the entry
    // if `out` was set.
    template <class T, class Parse>
    const IniEntry* read(std::string_view key, T& out, Parse&& parse) {
        const auto* entry = one(key);
        if (!entry) return nullptr;
        auto value = parse(entry->value);
        if (!value) return bad(*entry, value.error()), nullptr;
        out = static_cast<T>(std::move(*value));
        return entry;
    }

    const IniEntry* duration(std::string_view key, Millis& out, Millis min = Millis(1));
    const IniEntry* number(std::string_view key, unsigned& out, std::uint64_t min, std::uint64_t max);
    const IniEntry* size(std::string_view key, std::uint64_t& out, std::uint64_t min, std::uint64_t max);
    const IniEntry* flag(std::string_view key, bool& out);
    const IniEntry* path(std::string_view key, std::filesystem::path& out, const std::filesystem::path& folder);

    // Every element of a repeated or comma-separated key, with the entry it stands in. Empty elements are reported.
    std::vector<std::pair<std::string, const IniEntry*>> list(std::string_view key);

    void bad(const IniEntry& entry, const Complaint& complaint) const { report_.add(section_, entry, complaint); }
    void bad(std::string_view key, const Complaint& complaint) const; // at the key if it is there, else at the section
    void bad(const Complaint& complaint) const { report_.add(section_, complaint); }

    void finish() const; // reports every key that nobody asked for

  private:
    const IniSection& section_;
    Report& report_;
    std::vector<std::string> known_;
};

} // namespace wm::config
