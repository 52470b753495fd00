#include "config/report.h"

#include <algorithm>
#include <utility>

namespace wm::config {
namespace {

// Cut between characters, so that a message stays valid UTF-8.
std::string_view shortened(std::string_view value) {
    constexpr std::size_t longest = 100;
    if (value.size() <= longest) return value;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xc0) == 0x80) --end;
    return value.substr(0, end);
}

std::string text_of(const Complaint& complaint) {
    return complaint.expected.empty() ? complaint.problem : complaint.problem + "; expected " + complaint.expected;
}

std::string text_of(const Complaint& complaint, std::string_view got) {
    if (!complaint.show_value) return text_of(complaint);
    const auto shown = shortened(got);
    return text_of(complaint)
        .append("; got ")
        .append(shown.empty() ? "nothing" : shown)
        .append(shown.size() < got.size() ? "…" : "");
}

} // namespace

void Report::add(unsigned line, std::string_view text) {
    found_.push_back({line, file_ + ":" + std::to_string(line) + ": " + std::string(text)});
}

void Report::add(const IniSection& section, const Complaint& complaint) {
    add(section.line, section.title() + ": " + text_of(complaint));
}

void Report::add(const IniSection& section, std::string_view key, const Complaint& complaint) {
    add(section.line, section.title() + " " + std::string(key) + ": " + text_of(complaint));
}

void Report::add(const IniSection& section, const IniEntry& entry, const Complaint& complaint) {
    add(entry.line, section.title() + " " + entry.key + ": " + text_of(complaint, entry.value));
}

void Report::add_outside(std::string_view where, const Complaint& complaint, std::string_view got) {
    found_.push_back({0, std::string(where) + ": " + text_of(complaint, got)});
}

std::string Report::others_with(std::string_view key, std::string_view kind) {
    if (all_keys_) keys_ = std::exchange(all_keys_, {})();
    return keys_.others_with(key, kind);
}

Problems Report::take() {
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.line < b.line; });
    Problems out;
    for (auto& found : found_) out.push_back(std::move(found.text));
    found_.clear();
    return out;
}

} // namespace wm::config
