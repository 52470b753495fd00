#pragma once
// A guarded walk over JSON text. It checks the grammar of everything it passes, builds nothing, skips strings in
// blocks, never recurses by itself and nests at most `max_depth` deep. Values come out as raw views into the text.
//
//     Scan scan(text);
//     scan.members([&](const Name& name) {
//         if (name.is("model")) model = scan.value();     // take it whole,
//         else if (name.is("usage")) scan.members(...);   // walk into it,
//     });                                                 // or leave it: it is skipped
//     if (!scan.finish()) ...                             // grammar, depth, or bytes after the value
//
// After a fault every call returns at once and says false, so callbacks need no checks of their own. A view from
// value() is empty then. UTF-8 is not checked: what decodes a string replaces what is not UTF-8.
#include "json_value.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace wm::sdk::json {

inline constexpr unsigned max_depth = 128;

enum class Fault : unsigned char { none, syntax, depth };

namespace detail {

using Block = unsigned char __attribute__((vector_size(16)));
using Halves = std::uint64_t __attribute__((vector_size(16)));

// Does a byte end a plain run: a quote, a backslash, a control character, and with `Ascii` what is not ASCII?
template <bool Ascii>
bool ends_run(unsigned char c) {
    return c == '"' || c == '\\' || c < 0x20 || (Ascii && c >= 0x80);
}

// All ones where one does.
template <bool Ascii>
Halves stops_in(const char* p) {
    Block block;
    std::memcpy(&block, p, sizeof block);
    auto found = (block == '"') | (block == '\\') | (block < 0x20);
    if constexpr (Ascii) found |= block >= 0x80;
    return reinterpret_cast<Halves>(found);
}

// The first byte a string body may not simply contain, or `end`.
template <bool Ascii = false>
const char* string_stop(const char* p, const char* end) {
    for (bool first = true; end - p >= 16; p += 16) {
        const Halves stops = stops_in<Ascii>(p);
        if constexpr (std::endian::native == std::endian::little) {
            if (stops[0]) return p + std::countr_zero(stops[0]) / 8;
            if (stops[1]) return p + 8 + std::countr_zero(stops[1]) / 8;
        } else if (stops[0] | stops[1]) {
            break;
        }
        if (first) { // most strings are short; the others deserve wider steps
            first = false;
            continue;
        }
        while (end - p >= 80) {
            const Halves any =
                stops_in<Ascii>(p + 16) | stops_in<Ascii>(p + 32) | stops_in<Ascii>(p + 48) | stops_in<Ascii>(p + 64);
            if (any[0] | any[1]) break;
            p += 64;
        }
    }
    while (p != end && !ends_run<Ascii>(static_cast<unsigned char>(*p))) ++p;
    return p;
}

} // namespace detail

class Scan {
  public:
    explicit Scan(std::string_view text) : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

    // What comes next; `none` at the end, after a fault, and where no value can start.
    Kind kind() {
        skip_space();
        switch (peek()) {
        case '{': return Kind::object;
        case '[': return Kind::array;
        case '"': return Kind::string;
        case 't':
        case 'f': return Kind::boolean;
        case 'n': return Kind::null;
        default: return peek() == '-' || digit(peek()) ? Kind::number : Kind::none;
        }
    }

    // Passes the next value.
    Value value() {
        const Kind is = kind();
        const char* const start = at_;
        if (!skip()) return {};
        return {{start, static_cast<std::size_t>(at_ - start)}, is};
    }

    // Calls each(name) for the members of the object that comes next. False: a fault, of which no object is one.
    template <class F>
    bool members(F&& each) {
        return walk('{', '}', [&] {
            Name name;
            if (!member_name(name)) return;
            visit([&] { each(static_cast<const Name&>(name)); });
        });
    }

    // Calls each() for the elements of the array that comes next.
    template <class F>
    bool elements(F&& each) {
        return walk('[', ']', [&] { visit(each); });
    }

    // Nothing but white space is left, and nothing was wrong.
    bool finish() {
        skip_space();
        if (!failed() && at_ != end_) fail(Fault::syntax);
        return !failed();
    }

    Fault fault() const { return fault_; }
    bool failed() const { return fault_ != Fault::none; }
    // Where the fault was noticed, or the walk has got to.
    std::size_t offset() const { return static_cast<std::size_t>((failed() ? fault_at_ : at_) - begin_); }

  private:
    static bool digit(char c) { return c >= '0' && c <= '9'; }
    char peek() const { return at_ != end_ ? *at_ : '\0'; }

    bool fail(Fault fault) {
        if (fault_ == Fault::none) {
            fault_ = fault;
            fault_at_ = at_;
        }
        at_ = end_; // so that every loop ends
        return false;
    }

    void skip_space() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
    }

    bool take(char c) {
        skip_space();
        if (peek() != c || at_ == end_) return fail(Fault::syntax);
        ++at_;
        return true;
    }

    template <class F>
    bool walk(char open, char close, F&& one) {
        if (!take(open)) return false;
        if (depth_ == max_depth) return fail(Fault::depth);
        ++depth_;
        skip_space();
        if (peek() == close) {
            ++at_;
        } else {
            for (;;) {
                one();
                if (failed()) return false;
                skip_space();
                const char c = peek();
                if (c != ',' && c != close) return fail(Fault::syntax);
                ++at_;
                if (c == close) break;
            }
        }
        --depth_;
        return true;
    }

    template <class F>
    void visit(F&& each) {
        skip_space();
        const char* const before = at_;
        each();
        if (at_ == before) skip();
    }

    bool member_name(Name& name) {
        skip_space();
        const char* const start = at_;
        if (!string(name.escaped)) return false;
        name.body = {start + 1, static_cast<std::size_t>(at_ - start - 2)};
        return take(':');
    }

    bool string(bool& escaped) {
        if (peek() != '"') return fail(Fault::syntax);
        ++at_;
        for (;;) {
            at_ = detail::string_stop(at_, end_);
            switch (peek()) {
            case '"': ++at_; return true;
            case '\\': break;
            default: return fail(Fault::syntax); // the end, or a control character
            }
            escaped = true;
            ++at_;
            switch (peek()) {
            case '"':
            case '\\':
            case '/':
            case 'b':
            case 'f':
            case 'n':
            case 'r':
            case 't': ++at_; break;
            case 'u':
                ++at_;
                if (detail::hex4(at_, end_) < 0) return fail(Fault::syntax);
                at_ += 4;
                break;
            default: return fail(Fault::syntax);
            }
        }
    }

    bool digits() {
        if (!digit(peek())) return fail(Fault::syntax);
        while (digit(peek())) ++at_;
        return true;
    }

    bool number() {
        if (peek() == '-') ++at_;
        if (peek() == '0')
            ++at_;
        else if (!digits())
            return false;
        if (peek() == '.') {
            ++at_;
            if (!digits()) return false;
        }
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            if (!digits()) return false;
        }
        return true;
    }

    bool literal(std::string_view word) {
        if (static_cast<std::size_t>(end_ - at_) < word.size() || std::memcmp(at_, word.data(), word.size()) != 0)
            return fail(Fault::syntax);
        at_ += word.size();
        return true;
    }

    bool scalar() {
        bool escaped = false;
        switch (peek()) {
        case '"': return string(escaped);
        case 't': return literal("true");
        case 'f': return literal("false");
        case 'n': return literal("null");
        default: return number();
        }
    }

    // One value of any shape, with one bit of memory per level: is it an object?
    bool skip() {
        std::uint64_t objects[max_depth / 64] = {};
        unsigned level = 0;
        const auto in_object = [&] { return objects[(level - 1) / 64] >> ((level - 1) % 64) & 1; };
        for (;;) {
            skip_space();
            const char c = peek();
            if (c == '{' || c == '[') {
                if (depth_ + level == max_depth) return fail(Fault::depth);
                ++at_;
                const std::uint64_t bit = std::uint64_t{1} << (level % 64);
                objects[level / 64] = c == '{' ? objects[level / 64] | bit : objects[level / 64] & ~bit;
                ++level;
                skip_space();
                if (peek() != (c == '{' ? '}' : ']')) {
                    if (c == '{' && !name_and_colon()) return false;
                    continue;
                }
                ++at_;
                --level;
            } else if (!scalar()) {
                return false;
            }
            for (;;) { // after a value: close what ends here
                if (level == 0) return true;
                skip_space();
                const char next = peek();
                if (next == ',') break;
                if (next != (in_object() ? '}' : ']')) return fail(Fault::syntax);
                ++at_;
                --level;
            }
            ++at_;
            if (in_object() && !name_and_colon()) return false;
        }
    }

    bool name_and_colon() {
        bool escaped = false;
        skip_space();
        return string(escaped) && take(':');
    }

    const char* begin_;
    const char* at_;
    const char* end_;
    const char* fault_at_ = nullptr;
    unsigned depth_ = 0;
    Fault fault_ = Fault::none;
};

// The member `name` of an object given as raw text; none if it is not there, or `raw` is no object.
inline Value member(std::string_view raw, std::string_view name) {
    Scan scan(raw);
    Value found;
    scan.members([&](const Name& n) {
        if (!found.there() && n.is(name)) found = scan.value();
    });
    return found;
}

} // namespace wm::sdk::json
