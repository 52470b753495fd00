#pragma once
// Appends JSON to a string. For the host's own documents: errors, lists, records, health.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace wm {

void append_json_string(std::string& out, std::string_view text); // quoted; invalid UTF-8 becomes U+FFFD

// Usage: JsonWriter w(out); w.open('{').key("id").text(id).close('}'). Commas are its business.
class JsonWriter {
  public:
    explicit JsonWriter(std::string& out) : out_(out) {}

    JsonWriter& open(char bracket) { return separate(), out_ += bracket, fresh_ = true, *this; }
    JsonWriter& close(char bracket) { return out_ += bracket, fresh_ = false, *this; }
    JsonWriter& key(std::string_view name) { // a word of the document's own, with nothing to escape
        const auto at = out_.size();
        out_.resize(at + name.size() + (fresh_ ? 3 : 4)); // once: an append a piece is the most of a record's cost
        auto* to = out_.data() + at;
        if (!fresh_) *to++ = ',';
        *to++ = '"';
        to = std::copy(name.begin(), name.end(), to);
        *to++ = '"';
        *to = ':';
        fresh_ = true;
        return *this;
    }
    JsonWriter& text(std::string_view value) { return separate(), append_json_string(out_, value), *this; }
    JsonWriter& raw(std::string_view json) { return separate(), out_ += json, *this; }
    JsonWriter& number(std::int64_t value) {
        char digits[24];
        return raw({digits, std::size_t(std::to_chars(digits, digits + sizeof digits, value).ptr - digits)});
    }
    JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
    JsonWriter& null() { return raw("null"); }

  private:
    void separate() {
        if (!fresh_) out_ += ',';
        fresh_ = false;
    }
    std::string& out_;
    bool fresh_ = true;
};

} // namespace wm
