#include "policy/library.h"

#include "policy/entry.h"
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

// Whether one of the folders has it; else where it was looked for.
bool locate(std::span<const std::filesystem::path> folders, Script& script, std::string& looked) {
    for (const auto& folder : folders) {
        const auto file = folder / (script.name + ".lua");
        script.folder = folder;
        script.file = file.string();
        std::error_code ignored;
        if (std::filesystem::is_regular_file(file, ignored)) return true;
        looked += (looked.empty() ? "" : ", ") + file.string();
    }
    return false;
}

} // namespace

std::string chunk_name(std::string_view policy) { return std::string(policy) + ".lua"; }

std::string_view entry_point(std::string_view policy) {
    if (policy == "failure/schedules") return "backoff";
    if (policy.starts_with("failure/")) return "classify";
    if (policy == "allocation/queue") return "rank";
    if (policy.starts_with("allocation/")) return "order";
    return {};
}

std::vector<std::string> with_fallback(std::vector<std::string> names) {
    if (std::any_of(names.begin(), names.end(), [](const auto& name) { return entry_point(name) == "classify"; }))
        names.insert(names.begin(), "failure/generic");
    return names;
}

std::filesystem::path Script::spec() const {
    return folder / "spec" / (std::filesystem::path(name).filename().string() + "_spec.lua");
}

std::string placed(const Script& script, std::string message) {
    const auto chunk = chunk_name(script.name);
    if (message.starts_with(chunk + ":")) return message.replace(0, chunk.size(), script.file);
    return script.file + ": " + message;
}

std::optional<Refusal> read_script(std::span<const std::filesystem::path> folders, const std::string& name,
                                   Script& into) {
    into.name = name;
    const auto refused = [&](std::string text) { return Refusal{name, Fault::unreadable, std::move(text)}; };
    if (!good_name(name) || entry_point(name).empty())
        return refused("'" + name + "': expected allocation/NAME or failure/NAME in a-z, 0-9, _ and -");
    std::string looked;
    if (!locate(folders, into, looked))
        return refused("no such file, looked for " + (looked.empty() ? "none" : looked));
    std::ifstream in(into.file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) return refused(into.file + ": cannot be read");
    if (text.view().size() > longest_source) return refused(into.file + ": longer than 256 KiB");
    into.source = std::move(text).str();
    return std::nullopt;
}

std::optional<Refusal> prove(const Script& script) {
    Sandbox sandbox;
    int function = 0;
    const auto outcome = sandbox.load(chunk_name(script.name), script.source, entry_point(script.name), function);
    if (outcome == Outcome::ok) return std::nullopt;
    const auto fault = outcome != Outcome::error ? Fault::limits : sandbox.compiled() ? Fault::load : Fault::syntax;
    return Refusal{script.name, fault, placed(script, sandbox.message())};
}

std::shared_ptr<const Library> Library::load(std::span<const std::filesystem::path> folders,
                                             std::span<const std::string> names) {
    Library library;
    for (const auto& name : names) {
        if (library.find(name)) continue;
        Script script;
        auto refused = read_script(folders, name, script);
        if (!refused) refused = prove(script);
        if (refused) throw std::runtime_error("policy " + refused->policy + ": " + refused->text);
        library.scripts_.push_back(std::move(script));
    }
    return std::make_shared<const Library>(std::move(library));
}

const Script* Library::find(std::string_view name) const {
    const auto it = std::find_if(scripts_.begin(), scripts_.end(), [&](const Script& s) { return s.name == name; });
    return it == scripts_.end() ? nullptr : &*it;
}

} // namespace wm::policy
