#pragma once
// Reads a whole JSON text as a series of calls, iteratively and at most `max_depth` deep. The handler has
//     void null();  void boolean(bool);  void number(std::string_view raw);  void string(std::string_view utf8);
//     void begin_object();  void name(std::string_view utf8);  void end_object();  void begin_array();  void
//     end_array();
// Texts live until the handler returns. Surrogate pairs are joined, lone ones and broken UTF-8 become U+FFFD, numbers
// keep their digits. The text is checked before the first call: a handler never sees half a document.
#include "json_scan.hpp"

#include <string>
#include <string_view>

namespace wm::sdk::json {

namespace detail {

inline std::string_view decoded(std::string_view body, std::string& scratch) {
    scratch.clear();
    append_text(scratch, body);
    return scratch;
}

// The raw string at `p`, which stands on its first quote in text already checked; moves behind it.
inline std::string_view checked_body(const char*& p, const char* end) {
    const char* const start = ++p;
    for (;;) {
        p = string_stop(p, end);
        if (*p == '"') break;
        p += 2; // a backslash and what it escapes
    }
    const std::string_view body(start, static_cast<std::size_t>(p - start));
    ++p;
    return body;
}

} // namespace detail

template <class Handler>
Fault read(std::string_view text, Handler& handler) {
    Scan check(text);
    check.value();
    if (!check.finish()) return check.fault();

    std::string scratch;
    bool objects[max_depth] = {};
    unsigned level = 0;
    bool expect_name = false;
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
        switch (const char c = *p; c) {
        case '{':
        case '[':
            objects[level++] = expect_name = c == '{';
            c == '{' ? handler.begin_object() : handler.begin_array();
            ++p;
            break;
        case '}':
        case ']':
            --level;
            c == '}' ? handler.end_object() : handler.end_array();
            ++p;
            break;
        case ',':
            expect_name = objects[level - 1];
            ++p;
            break;
        case ':':
            expect_name = false;
            ++p;
            break;
        case '"': {
            const std::string_view decoded = detail::decoded(detail::checked_body(p, end), scratch);
            expect_name ? handler.name(decoded) : handler.string(decoded);
            break;
        }
        case 't':
            handler.boolean(true);
            p += 4;
            break;
        case 'f':
            handler.boolean(false);
            p += 5;
            break;
        case 'n':
            handler.null();
            p += 4;
            break;
        case ' ':
        case '\t':
        case '\r':
        case '\n': ++p; break;
        default: {
            const char* const start = p;
            while (p != end && std::string_view("+-.eE0123456789").find(*p) != std::string_view::npos) ++p;
            handler.number(std::string_view(start, static_cast<std::size_t>(p - start)));
        }
        }
    }
    return Fault::none;
}

} // namespace wm::sdk::json
