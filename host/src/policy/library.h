#pragma once
// The sources of policies: where they are found, and whether they may be used at all.
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wm::policy {

struct Script {
    std::string name, file, source; // "failure/generic", where it was found, text of the chunk
    std::filesystem::path folder;   // of the policies, which also holds its case table

    std::filesystem::path spec() const; // the case table that goes with it, whether or not there is one
};

// Why a script is refused.
enum class Fault : unsigned char {
    unreadable, // missing, not readable, too long
    syntax,     // does not compile
    load,       // fails while it is loaded, or lacks its function
    limits,     // uses up its instructions or its memory while it is loaded
    self_test,  // a case of its table or a probe does not hold
};

struct Refusal {
    std::string policy;
    Fault fault = Fault::unreadable;
    std::string text; // "FILE:LINE: what was expected and found"
};

// The scripts of one generation, by name. Immutable; shared by all threads.
class Library {
  public:
    explicit Library(std::vector<Script> scripts = {}) : scripts_(std::move(scripts)) {}

    // Looks each name up in `folders`, in order; a name given twice is loaded once. Throws std::runtime_error naming
    // file and line on a missing script and on one that does not load. Runs no self-test: see renewal.h.
    static std::shared_ptr<const Library> load(std::span<const std::filesystem::path> folders,
                                               std::span<const std::string> names);

    const Script* find(std::string_view name) const;
    const std::vector<Script>& scripts() const { return scripts_; }

  private:
    std::vector<Script> scripts_;
};

// The names, after the script that answers for those of them that may decline.
std::vector<std::string> with_fallback(std::vector<std::string> names);

// Reads a script, and refuses what cannot be read.
std::optional<Refusal> read_script(std::span<const std::filesystem::path> folders, const std::string& name,
                                   Script& into);

// Runs the chunk once in a state of its own.
std::optional<Refusal> prove(const Script& script);

// Lua's message with the name of the chunk, at its start, replaced by the file.
std::string placed(const Script& script, std::string message);

} // namespace wm::policy
