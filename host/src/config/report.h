#pragma once
// Collects problems and gives them the one form they have: "file:line: [section] key: problem; expected …; got …".
#include "config/ini.h"
#include "config/settings.h"
#include "config/value.h"

#include <optional>
#include <string_view>

namespace wm::config {

class Report {
  public:
    explicit Report(const std::filesystem::path& file) : file_(file.string()) {}

    void add(unsigned line, std::string_view text);
    void add(const IniSection& section, const Complaint& complaint);
    void add(const IniSection& section, std::string_view key, const Complaint& complaint); // a key that is not there
    void add(const IniSection& section, const IniEntry& entry, const Complaint& complaint);
    void add_outside(std::string_view where, const Complaint& complaint, std::string_view got); // not from the file

    bool empty() const { return found_.empty(); }
    Problems take(); // in file order; what is not from the file first

  private:
    struct Found {
        unsigned line;
        std::string text;
    };
    std::string file_;
    std::vector<Found> found_;
};

} // namespace wm::config
