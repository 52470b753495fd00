// A chunked body: one feed, two feeds and many small ones give the same payload and the same verdict.
#include "http/body.h"
#include "target.h"

#include <string>

using namespace wm::http;
using wm::fuzz::require;

namespace {

struct Result {
    Step step = Step::more;
    std::string payload;
    std::size_t used = 0;
};

Result decode(std::string_view wire, std::size_t piece, std::size_t most) {
    BodyDecoder decoder(Framing::chunked, 0, {4096, 20, 256, 64, 256});
    wm::runtime::Buffer in;
    Result result;
    std::size_t fed = 0;
    while (result.step == Step::more && fed < wire.size()) {
        in.append(wire.substr(fed, piece));
        fed += std::min(piece, wire.size() - fed);
        for (std::size_t before = SIZE_MAX; result.step == Step::more && in.size() < before;) {
            before = in.size();
            result.step = decoder.feed(
                in, [&](std::string_view bytes) { result.payload += bytes; }, most);
        }
    }
    result.used = fed - in.size();
    return result;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto wire = wm::fuzz::text(data, size).substr(1);
    const auto whole = decode(wire, SIZE_MAX, SIZE_MAX);
    for (const std::size_t piece : {std::size_t(1), std::size_t(data[0]) + 1}) {
        const auto split = decode(wire, piece, std::size_t(data[0] & 7) + 1);
        require(split.step == whole.step, "the verdict does not depend on the reads");
        require(split.payload == whole.payload, "the payload does not depend on the reads");
        require(split.step != Step::done || split.used == whole.used, "the body ends at the same byte");
    }
    return 0;
}
