// A request head: the scanner finds the same end however the bytes come, and what was accepted keeps its promises.
#include "base/characters.h"
#include "http/head.h"
#include "http/request_writer.h"
#include "target.h"

using namespace wm;
using namespace wm::http;
using wm::fuzz::require;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = wm::fuzz::text(data, size);
    const Limits limits{4096, 20, 256, 64, 256};
    HeadScanner whole, piecemeal;
    const auto state = whole.scan(bytes, limits);
    auto split = HeadScanner::State::more;
    for (std::size_t n = 0; n <= size && split == HeadScanner::State::more; ++n)
        split = piecemeal.scan(bytes.substr(0, n), limits);
    require(state == split, "a scan byte by byte ends as one of the whole");
    if (state == HeadScanner::State::bad) require(whole.refusal().status >= 400, "a refusal has a status");
    if (state != HeadScanner::State::found) return 0;
    require(whole.size() == piecemeal.size(), "the head ends at the same byte");

    RequestHead head;
    if (const auto refusal = head.parse(bytes.substr(0, whole.size()), limits)) {
        require(refusal->status >= 400 && refusal->status < 600 && !refusal->reason.empty(), "a refusal says why");
        return 0;
    }
    require(is_token(head.method()), "the method is a token");
    require(!head.path().empty(), "there is a path");
    require(head.fields().size() <= limits.max_fields, "the fields are bounded");
    const auto count = [&](std::string_view name) {
        std::size_t found = 0;
        head.for_each(name, [&](std::string_view) { ++found; });
        return found;
    };
    require(count("Host") == 1 || head.minor_version() == 0, "there is one Host");
    require(count("Content-Length") + count("Transfer-Encoding") <= 1, "there is one framing");
    for (const auto& field : head.fields())
        require(is_token(field.name) && is_field_value(field.value), "every field can be written again");
    return 0;
}
