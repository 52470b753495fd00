// A configuration's text: what was understood, written out again, is understood alike; values never come back changed.
#include "config/address.h"
#include "config/ini.h"
#include "config/value.h"
#include "target.h"

#include <string>

using namespace wm::config;
using wm::fuzz::require;

namespace {

void read_value(const std::string& text) {
    if (const auto duration = parse_duration(text)) {
        require(duration->count() >= 1, "a duration is positive");
        const auto again = parse_duration(to_text(*duration));
        require(again && *again == *duration, "a duration can be written");
    }
    if (const auto size = parse_size(text, 1, UINT64_MAX)) {
        const auto again = parse_size(size_text(*size), 1, UINT64_MAX);
        require(again && *again == *size, "a size can be written");
    }
    if (const auto number = parse_integer(text, 3, 1000)) require(*number >= 3 && *number <= 1000, "bounds hold");
    if (const auto address = parse_listen(text)) require(!address->host.empty(), "an address has a host");
    const auto base = parse_url(text, UrlUse::base), complete = parse_url(text, UrlUse::complete);
    require(!base || (complete && *base == text), "a base is a URL, and not changed");
    if (const auto script = parse_script_name(text)) require(script->size() == text.size(), "a name keeps its length");
    require(!parse_bool(text) || text.size() <= 5, "yes and no are short");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto document = parse_ini(wm::fuzz::text(data, size));
    std::string written;
    for (const auto& section : document.sections) {
        written.append(section.title()).append("\n");
        for (const auto& entry : section.entries) {
            written.append(entry.key).append(" = ").append(entry.value).append("\n");
            read_value(entry.value);
        }
    }
    const auto again = parse_ini(written);
    require(again.problems.empty(), "what was understood can be written");
    require(again.sections.size() == document.sections.size(), "with its sections");
    for (std::size_t i = 0; i < again.sections.size(); ++i) {
        const auto &one = document.sections[i], &other = again.sections[i];
        require(one.kind == other.kind && one.names == other.names, "their names");
        require(one.entries.size() == other.entries.size(), "their entries");
        for (std::size_t n = 0; n < one.entries.size(); ++n)
            require(one.entries[n].key == other.entries[n].key && one.entries[n].value == other.entries[n].value,
                    "and their values");
    }
    return 0;
}
