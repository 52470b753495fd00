// A request's content coding, as the first byte says: the result is bounded, whatever the bytes unfold to.
#include "exchange/decode.h"
#include "target.h"

#include <string>

using namespace wm::exchange;
using wm::fuzz::require;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    constexpr std::string_view codings[] = {"gzip", "deflate", "x-gzip", "identity", "", "gzip, gzip", "br"};
    const auto coding = codings[data[0] % std::size(codings)];
    const std::string input(wm::fuzz::text(data, size).substr(1));
    constexpr std::uint64_t most = 64 * 1024;
    auto body = input;
    const auto decoded = decode_body(coding, body, most);
    require(body.capacity() <= 2 * most + input.size(), "memory is bounded");
    if (decoded != Decoded::ok) return 0;
    require(body.size() <= most || coding.empty() || coding == "identity", "the limit holds");
    auto again = input;
    require(decode_body(coding, again, body.size()) == Decoded::ok && again == body, "an exact limit is enough");
    return 0;
}
