#pragma once
// What cases say and how they are run: a case is a function that is given a Trial in a process of its own.
#include "plugin/refusal.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace wm::check {

// Written by a case's process, read by the tool's: plain memory that both share, so that it survives a crash.
struct Ledger {
    static constexpr std::size_t max_findings = 10, text_bytes = 1024;
    char step[text_bytes]; // what the case was about to do
    bool finished;
    std::uint32_t count;
    char findings[max_findings][text_bytes];
};

// Thrown by `find` when the ledger is full: more of the same helps nobody.
struct Enough {};

class Trial {
  public:
    explicit Trial(Ledger& ledger) : ledger_(ledger) {}

    // What comes next; named in the finding if the process does not survive it.
    void step(std::string_view what) { write(ledger_.step, what); }
    std::string_view current() const { return ledger_.step; }

    // In the shape of the host's refusals. `where` is the current step unless given.
    void find(std::string_view expected, std::string_view found, std::string_view remedy) {
        find_text(plugin::refusal(current(), expected, found, remedy));
    }
    void find_text(std::string_view text) {
        if (ledger_.count == Ledger::max_findings) throw Enough{};
        write(ledger_.findings[ledger_.count++], text);
    }

  private:
    static void write(char (&to)[Ledger::text_bytes], std::string_view text) {
        const std::size_t n = text.copy(to, Ledger::text_bytes - 1);
        to[n] = '\0';
    }

    Ledger& ledger_;
};

} // namespace wm::check
