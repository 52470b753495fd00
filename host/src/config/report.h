#pragma once
// Collects problems and gives them the one form they have: "file:line: [section] key: problem; expected …; got …".
#include "config/ini.h"
#include "config/keys.h"
#include "config/settings.h"
#include "config/value.h"

#include <functional>
#include <optional>
#include <string_view>

namespace wm::config {

class Report {
  public:
    // `all_keys` is asked once a key is found where it does not belong.
    explicit Report(const std::filesystem::path& file, std::function<Keys()> all_keys = {})
        : file_(file.string()), all_keys_(std::move(all_keys)) {}

    void add(unsigned line, std::string_view text);
    void add(const IniSection& section, const Complaint& complaint);
    void add(const IniSection& section, std::string_view key, const Complaint& complaint); // a key that is not there
    void add(const IniSection& section, const IniEntry& entry, const Complaint& complaint);
    void add_outside(std::string_view where, const Complaint& complaint, std::string_view got); // not from the file

    void learn(std::string_view kind, std::span<const std::string> keys) { keys_.learn(kind, keys); }
    const Keys& learned() const { return keys_; }
    std::string others_with(std::string_view key, std::string_view kind); // of all keys there are, as Keys

    bool empty() const { return found_.empty(); }
    Problems take(); // in file order; what is not from the file first

  private:
    struct Found {
        unsigned line;
        std::string text;
    };
    std::string file_;
    std::function<Keys()> all_keys_; // until it was asked
    Keys keys_;
    std::vector<Found> found_;
};

} // namespace wm::config
