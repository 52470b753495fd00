#include "config/secret_value.h"

#include "base/text.h"
#include "config/read_file.h"

#include <algorithm>
#include <cstdlib>

namespace wm::config {
namespace {

constexpr std::size_t max_secret_bytes = 16u << 10; // also the longest header value that is worth sending

Failure<Complaint> bad(std::string problem, std::string expected) {
    return Failure{Complaint{std::move(problem), std::move(expected), false}};
}

// A secret travels as a header value.
Value<Secret> checked(std::string text, const std::string& where) {
    if (text.empty()) return bad(where + " is empty", "a key");
    const auto printable = [](char c) { return c >= ' ' && c < 0x7f; };
    if (text.size() > max_secret_bytes || !std::all_of(text.begin(), text.end(), printable) ||
        trim(text).size() != text.size())
        return bad(where + " is not usable as a key", "one line of printable ASCII without spaces around it");
    return Secret(std::move(text));
}

// As it stands in the configuration, where a comment after it or quotes around it would be taken for a part of it.
Value<Secret> literal(std::string_view text, const std::string& where) {
    constexpr std::string_view quotes = "\"'`";
    const bool quoted = text.size() > 1 && text.front() == text.back() && quotes.find(text.front()) != quotes.npos;
    if (quoted) return bad(where + " is in quotes", "it without them, as they would be sent");
    if (text.find_first_of(" \t") != text.npos)
        return bad(where + " holds a space", "it alone on its line; a comment has a line of its own");
    return checked(std::string(text), where);
}

bool is_variable_name(std::string_view name) {
    const auto letter = [](char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; };
    return !name.empty() && letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

Value<Secret> from_environment(std::string_view name) {
    if (!is_variable_name(name)) return bad("no variable name after env:", "env:NAME alone, of letters, digits and _");
    const std::string variable(name);
    const char* value = std::getenv(variable.c_str());
    if (!value) return bad("environment variable " + variable + " is not set", "a key in it");
    return checked(value, "environment variable " + variable);
}

Value<Secret> from_file(std::string_view path, const std::filesystem::path& folder) {
    if (path.empty()) return bad("no path after file:", "file:PATH");
    const auto file = (folder / path).lexically_normal();
    auto read = read_file(file, max_secret_bytes);
    if (!read)
        return bad("secret file " + file.string() + " cannot be read: " + read.error(),
                   "a readable file that holds the key");
    auto text = std::move(read->text);
    if (text.ends_with('\n')) text.pop_back();
    if (text.ends_with('\r')) text.pop_back();
    return checked(std::move(text), "secret file " + file.string());
}

} // namespace

Value<Secret> parse_secret(std::string_view text, const SecretSource& source) {
    const auto after = [&](std::string_view prefix) { return text.substr(prefix.size()); };
    if (text.starts_with("env:")) return from_environment(after("env:"));
    if (text.starts_with("file:")) return from_file(after("file:"), source.folder);
    if (text.starts_with("public:")) {
        auto key = literal(after("public:"), "the key after public:");
        if (!key) return key;
        return Secret::published(key->reveal());
    }
    if (text.starts_with('$')) return bad("variables are not expanded", "env:NAME");
    if (!text.empty() && source.readable_by_others)
        return bad("a literal secret in a file that group or others may read",
                   "env:NAME or file:PATH, or chmod 600 of this file (public:VALUE for a key that is no secret)");
    return literal(text, "the key");
}

} // namespace wm::config
