#include "policy/entry.h"
#include "policy/policies.h"
#include "policy/sandbox.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace wm::policy {
namespace {

constexpr std::size_t longest_source = 256u << 10;

bool good_name(std::string_view name) {
    const auto good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '/';
    };
    return !name.empty() && name.front() != '/' && name.back() != '/' && std::all_of(name.begin(), name.end(), good);
}

std::filesystem::path locate(std::span<const std::filesystem::path> folders, std::string_view name) {
    std::string looked;
    for (const auto& folder : folders) {
        const auto file = folder / (std::string(name) + ".lua");
        std::error_code ignored;
        if (std::filesystem::is_regular_file(file, ignored))
            return file;
        looked += (looked.empty() ? "" : ", ") + file.string();
    }
    throw std::runtime_error("policy " + std::string(name) + ": no such file, looked for " +
                             (looked.empty() ? "none" : looked));
}

std::string read(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in)
        throw std::runtime_error(file.string() + ": cannot be read");
    if (text.view().size() > longest_source)
        throw std::runtime_error(file.string() + ": longer than 256 KiB");
    return std::move(text).str();
}

// Runs the chunk once in a state of its own, so that a broken script is refused before anybody depends on it.
void prove(const Library::Script& script) {
    Sandbox sandbox;
    int function = 0;
    const auto chunk = chunk_name(script.name);
    if (sandbox.load(chunk, script.source, entry_point(script.name), function) == Outcome::ok)
        return;
    std::string message = sandbox.message();
    if (message.starts_with(chunk))
        message.replace(0, chunk.size(), script.file);
    else
        message = script.file + ": " + message;
    throw std::runtime_error("policy " + script.name + ": " + message);
}

} // namespace

std::string chunk_name(std::string_view policy) { return std::string(policy) + ".lua"; }

std::string_view entry_point(std::string_view policy) {
    if (policy == "failure/schedules")
        return "backoff";
    if (policy.starts_with("failure/"))
        return "classify";
    if (policy.starts_with("allocation/"))
        return "order";
    return {};
}

std::shared_ptr<const Library> Library::load(std::span<const std::filesystem::path> folders,
                                             std::span<const std::string> names) {
    auto library = std::make_shared<Library>();
    for (const auto& name : names) {
        if (library->find(name))
            continue;
        if (!good_name(name) || entry_point(name).empty())
            throw std::runtime_error("policy '" + name +
                                     "': expected allocation/NAME or failure/NAME in a-z, 0-9, _ and -");
        const auto file = locate(folders, name);
        Script script{name, file.string(), read(file)};
        prove(script);
        library->scripts_.push_back(std::move(script));
    }
    return library;
}

const Library::Script* Library::find(std::string_view name) const {
    const auto it = std::find_if(scripts_.begin(), scripts_.end(), [&](const Script& s) { return s.name == name; });
    return it == scripts_.end() ? nullptr : &*it;
}

} // namespace wm::policy
