// The scan and the writer agree with each other on every input.
#include "target.h"

#include <watermaster/json_scan.hpp>
#include <watermaster/json_value.hpp>
#include <watermaster/json_write.hpp>

#include <string>

namespace {

using namespace wm::sdk::json;
using wm::fuzz::require;

// What was written reads as the same text.
void rewrite(const std::string& text) {
    const std::string quoted = quote(text);
    Scan scan(quoted);
    const Value value = scan.value();
    require(scan.finish() && value.is_string(), "any bytes can be quoted");
    require(quote(wm::sdk::json::text(value.body())) == quoted, "reading what was written tells the same");
}

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
        if (value.is_string()) rewrite(text(value.body()));
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

    rewrite(input);
    return 0;
}
