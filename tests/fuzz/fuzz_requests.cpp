// Requests one behind the other, as on one connection: cut anywhere, they are the same requests, and the connection
// ends at the same of them.
#include "http/body.h"
#include "http/head.h"
#include "target.h"

#include <algorithm>
#include <string>

using namespace wm::http;
using wm::fuzz::require;

namespace {

const Limits limits{4096, 20, 256, 64, 256};

// Everything that was understood, as text.
std::string read_all(std::string_view wire, std::size_t piece) {
    std::string told;
    wm::runtime::Buffer in;
    std::size_t fed = 0;
    const auto more = [&] {
        if (fed == wire.size()) return false;
        in.append(wire.substr(fed, piece));
        fed += std::min(piece, wire.size() - fed);
        return true;
    };
    for (;;) {
        HeadScanner scanner;
        auto state = HeadScanner::State::more;
        while ((state = scanner.scan(in.view(), limits)) == HeadScanner::State::more)
            if (!more()) return told;
        if (state == HeadScanner::State::bad) return told + "refused " + std::to_string(scanner.refusal().status);
        RequestHead head;
        if (const auto refusal = head.parse(in.view().substr(0, scanner.size()), limits))
            return told + "refused " + std::to_string(refusal->status);
        in.consume(scanner.size());
        told.append(head.method()).append(" ").append(head.target()).append("\n");

        BodyDecoder body(head, limits);
        std::string payload;
        auto step = Step::more;
        while ((step = body.feed(in, payload)) == Step::more)
            if (!more()) break;
        told.append(payload).append("\n");
        if (step != Step::done) return told + (step == Step::bad ? "bad" : "cut");
        if (!head.keep_alive()) return told + "closed";
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto wire = wm::fuzz::text(data, size).substr(1);
    const auto whole = read_all(wire, SIZE_MAX);
    for (const std::size_t piece : {std::size_t(1), std::size_t(data[0]) + 2})
        require(read_all(wire, piece) == whole, "the requests do not depend on the reads");
    return 0;
}
