// An answer as an upstream sends it: head, then body, cut at a place the first byte chooses.
#include "http/body.h"
#include "http/head.h"
#include "target.h"

#include <string>

using namespace wm::http;
using wm::fuzz::require;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const bool to_head = data[0] & 1;
    const auto bytes = wm::fuzz::text(data, size).substr(1);
    HeadScanner scanner;
    if (scanner.scan(bytes, {}) != HeadScanner::State::found) return 0;
    ResponseHead head;
    if (head.parse(bytes.substr(0, scanner.size()), to_head)) return 0;
    require(head.status() >= 100 && head.status() < 600, "the status is one");
    require(head.framing() != Framing::until_close || !head.keep_alive(),
            "a body that ends with the connection ends it");
    if (to_head) require(head.framing() == Framing::none, "HEAD has no body");

    wm::runtime::Buffer in;
    in.append(bytes.substr(scanner.size()));
    BodyDecoder body(head);
    std::string out;
    const auto before = in.size();
    const auto step = body.feed(in, out);
    require(out.size() + in.size() <= before, "a body is no longer than its wire form");
    if (step == Step::done && head.framing() == Framing::length)
        require(out.size() == head.content_length(), "the length is kept");
    return 0;
}
