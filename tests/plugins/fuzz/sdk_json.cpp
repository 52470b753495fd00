// The scan, the reader and the writer agree with each other on every input.
#include "target.h"

#include <watermaster/json_reader.hpp>
#include <watermaster/json_write.hpp>

#include <string>

namespace {

using namespace wm::sdk::json;
using wm::fuzz::require;

// Writes what it is told; reading that again must tell the same.
struct Echo {
    std::string out;
    bool first = true;

    void comma() {
        if (!first) out += ',';
        first = false;
    }
    void scalar(std::string_view raw) {
        comma();
        out += raw;
    }
    void null() { scalar("null"); }
    void boolean(bool b) { scalar(b ? "true" : "false"); }
    void number(std::string_view raw) { scalar(raw); }
    void string(std::string_view s) { scalar(quote(s)); }
    void name(std::string_view s) {
        comma();
        append_quoted(out, s);
        out += ':';
        first = true;
    }
    void open(char c) {
        comma();
        out += c;
        first = true;
    }
    void close(char c) {
        out += c;
        first = false;
    }
    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }
};

void walk(Scan& scan) {
    if (scan.kind() == Kind::object) {
        scan.members([&](const Name& name) {
            require(!name.is("model") || name.folds_to("model"), "equal names fold to each other");
            walk(scan);
        });
    } else if (scan.kind() == Kind::array) {
        scan.elements([&] { walk(scan); });
    } else {
        const Value value = scan.value();
        if (value.is_string()) text(value.body());
        value.count();
        value.empty();
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(wm::fuzz::text(data, size));
    Scan skipped(input), walked(input);
    skipped.value();
    const bool valid = skipped.finish();
    walk(walked);
    require(walked.finish() == valid, "walking and skipping accept the same");

    Echo once, twice;
    require((read(input, once) == Fault::none) == valid, "reading and skipping accept the same");
    if (valid) {
        require(read(once.out, twice) == Fault::none, "what was written can be read");
        require(once.out == twice.out, "reading what was written tells the same");
    }
    text(input);
    const std::string back = quote(input);
    Scan requoted(back);
    requoted.value();
    require(requoted.finish(), "any bytes can be quoted");
    return 0;
}
