#pragma once
// Appends JSON to a string. For the host's own documents: errors, lists, records, health.
#include <charconv>
#include <cstdint>
#include <cstring>
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
    // A word of the document's own, with nothing to escape. Put together first: an append a piece would be the most of
    // what a record costs.
    template <std::size_t size>
    JsonWriter& key(const char (&name)[size]) {
        char piece[size + 3];
        piece[0] = ',';
        piece[1] = '"';
        std::memcpy(piece + 2, name, size - 1);
        piece[size + 1] = '"';
        piece[size + 2] = ':';
        out_.append(piece + fresh_, sizeof piece - fresh_);
        fresh_ = true;
        return *this;
    }
    JsonWriter& key(const std::string_view& name) {
        separate();
        ((out_ += '"') += name) += "\":";
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
