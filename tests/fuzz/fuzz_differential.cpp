// A request or an answer, as the first byte says: whatever our reader accepts Boost.Beast's accepts, and reads alike.
#include "read_message.h"
#include "target.h"

using namespace wm::http::differential;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto wire = wm::fuzz::text(data, size).substr(1);
    const auto what = data[0] & 1 ? difference<false>(wire, data[0] & 2) : difference<true>(wire);
    wm::fuzz::require(what.empty(), what.c_str());
    return 0;
}
