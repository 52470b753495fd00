#pragma once
// The INI reader: sections with quoted names, keys, line numbers and repeats kept, nothing interpreted.
#include "base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wm::config {

struct IniEntry {
    std::string key, value; // value: trimmed, otherwise as written
    unsigned line = 0;
};

struct IniSection {
    std::string kind;
    std::vector<std::string> names;
    unsigned line = 0;
    std::vector<IniEntry> entries;

    std::string title() const; // as written: [backend "go"]
};

struct IniProblem {
    unsigned line = 0;
    std::string text; // never holds what could not be parsed: it may be a secret in the wrong place
};

struct IniDocument {
    std::vector<IniSection> sections;
    std::vector<IniProblem> problems;
    bool header_lost = false;        // a section header was unreadable, so what follows it is not here
    bool readable_by_others = false; // mode of the file it came from
};

inline constexpr std::size_t max_ini_bytes = 1u << 20, max_ini_line = 4u << 10;

IniDocument parse_ini(std::string_view text);

// The error says why the file could not be read, without its name.
Result<IniDocument, std::string> read_ini(const std::filesystem::path& file);

} // namespace wm::config
