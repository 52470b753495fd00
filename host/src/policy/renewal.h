#pragma once
// From the files to the next library: what was edited is judged, and a script that does not hold leaves the old one in
// use. Blocks on small files; any thread.
#include "policy/library.h"

#include <atomic>

namespace wm::policy {

struct Renewal {
    std::shared_ptr<const Library> library; // null: a script is refused of which there is no older one
    std::vector<std::string> changed;       // scripts with another source than before
    std::vector<Refusal> refused;           // these go on as before, where there is a before
};

// Reads every script of `names`; one with another source than in `before` is loaded, its case table is run, and it
// answers probe calls, all within the limits of a request.
Renewal renew(std::span<const std::filesystem::path> folders, std::span<const std::string> names,
              const Library* before = nullptr);

// Scripts that edits brought, since the start. [any thread]
struct RenewalCounters {
    std::atomic<std::uint64_t> accepted{0}, unreadable{0}, syntax{0}, load{0}, limits{0}, self_test{0};

    void count(const Renewal& renewal);
};

constexpr std::string_view to_string(Fault fault) {
    constexpr std::string_view names[] = {"unreadable", "syntax", "load", "limits", "self_test"};
    return names[static_cast<unsigned char>(fault)];
}

// The files on which the outcome of `renew` depends, whether they exist or not.
std::vector<std::filesystem::path> files_of(std::span<const std::filesystem::path> folders,
                                            std::span<const std::string> names);

} // namespace wm::policy
