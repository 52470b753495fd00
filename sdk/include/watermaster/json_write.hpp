#pragma once
// Writes JSON into a string the caller owns.
#include "json_scan.hpp"
#include "json_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace wm::sdk::json {

// Appends `text` with its quotes; what is not UTF-8 becomes U+FFFD.
inline void append_quoted(std::string& out, std::string_view text) {
    constexpr char hex[] = "0123456789abcdef";
    const char* p = text.data();
    const char* const end = p + text.size();
    out.push_back('"');
    while (p != end) {
        const char* const plain = detail::string_stop<true>(p, end);
        out.append(p, plain);
        p = plain;
        if (p == end) break;
        if (const unsigned char c = static_cast<unsigned char>(*p); c >= 0x80) {
            detail::append_utf8(out, detail::utf8_point(p, end));
        } else {
            ++p;
            out.push_back('\\');
            switch (c) {
            case '"':
            case '\\': out.push_back(static_cast<char>(c)); break;
            case '\n': out.push_back('n'); break;
            case '\r': out.push_back('r'); break;
            case '\t': out.push_back('t'); break;
            default:
                out += "u00";
                out.push_back(hex[c >> 4]);
                out.push_back(hex[c & 15]);
            }
        }
    }
    out.push_back('"');
}

// Appends a JSON text without the space between its tokens, and so on one line.
inline void append_compact(std::string& out, std::string_view raw) {
    bool string = false;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const char c = raw[i];
        if (string && c == '\\' && i + 1 < raw.size())
            out.push_back(raw[i++]);
        else if (c == '"')
            string = !string;
        else if (!string && (c == ' ' || c == '\t' || c == '\r' || c == '\n'))
            continue;
        out.push_back(raw[i]);
    }
}

inline std::string quote(std::string_view text) {
    std::string out;
    append_quoted(out, text);
    return out;
}

// An object or array, member by member. Closing is the destructor's.
class Writer {
  public:
    explicit Writer(std::string& out, bool array = false) : out_(out), close_(array ? ']' : '}') {
        out_.push_back(array ? '[' : '{');
    }
    ~Writer() { out_.push_back(close_); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    void text(std::string_view name, std::string_view value) {
        key(name);
        append_quoted(out_, value);
    }
    void raw(std::string_view name, std::string_view value) {
        key(name);
        out_ += value;
    }
    void number(std::string_view name, std::uint64_t value) {
        key(name);
        out_ += std::to_string(value);
    }
    Writer object(std::string_view name) {
        key(name);
        return Writer(out_);
    }
    Writer array(std::string_view name) {
        key(name);
        return Writer(out_, true);
    }
    // Members that are written already, with commas between.
    void members(std::string_view written) {
        comma();
        out_ += written;
    }
    // The next element of an array.
    void element_raw(std::string_view value) {
        comma();
        out_ += value;
    }
    void element_text(std::string_view value) {
        comma();
        append_quoted(out_, value);
    }
    Writer element_object() {
        comma();
        return Writer(out_);
    }
    bool empty() const { return first_; }

  private:
    void comma() {
        if (!first_) out_.push_back(',');
        first_ = false;
    }
    void key(std::string_view name) {
        comma();
        append_quoted(out_, name);
        out_.push_back(':');
    }

    std::string& out_;
    char close_;
    bool first_ = true;
};

} // namespace wm::sdk::json
