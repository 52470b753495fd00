#pragma once
// Names and values as they stand in a JSON text: views, valid as long as it.
#include "json_text.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace wm::sdk::json {

enum class Kind : unsigned char { none, object, array, string, number, boolean, null };

// A member's name: what stands between the quotes.
struct Name {
    std::string_view body;
    bool escaped = false;

    // Inlined, so that the length of a literal is a constant and the comparison a few instructions.
    [[gnu::always_inline]] bool is(std::string_view plain) const {
        if (escaped) [[unlikely]]
            return body_is(body, plain);
        return body.size() == plain.size() && std::memcmp(body.data(), plain.data(), plain.size()) == 0;
    }
    bool folds_to(std::string_view lower) const { return body_folds_to(body, lower); }
};

// A value as it stands in the text.
struct Value {
    std::string_view raw{};
    Kind kind = Kind::none;

    bool there() const { return kind != Kind::none; }
    bool null() const { return kind == Kind::null; }
    bool is_string() const { return kind == Kind::string; }
    bool is_true() const { return kind == Kind::boolean && raw.front() == 't'; }
    // Of a string: what stands between the quotes.
    std::string_view body() const { return raw.substr(1, raw.size() - 2); }
    bool says(std::string_view plain) const { return is_string() && body_is(body(), plain); }
    // null, "", [], {} or no value at all.
    bool empty() const {
        switch (kind) {
        case Kind::none:
        case Kind::null: return true;
        case Kind::string: return raw.size() == 2;
        case Kind::array:
        case Kind::object: return raw.find_first_not_of(" \t\r\n", 1) == raw.size() - 1;
        default: return false;
        }
    }
    // A whole number that is not negative.
    std::optional<std::uint64_t> count() const {
        if (kind != Kind::number || raw.size() > 19) return std::nullopt;
        std::uint64_t n = 0;
        for (const char c : raw) {
            if (c < '0' || c > '9') return std::nullopt;
            n = n * 10 + static_cast<std::uint64_t>(c - '0');
        }
        return n;
    }
};

} // namespace wm::sdk::json
