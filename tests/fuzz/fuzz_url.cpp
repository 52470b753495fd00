// URLs, percent-coding and queries: what was accepted can be written into a request, and codings undo each other.
#include "http/request_writer.h"
#include "http/url.h"
#include "target.h"

using namespace wm::http;
using wm::fuzz::require;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto input = wm::fuzz::text(data, size);
    if (const auto url = parse_url(input)) {
        require(url->target.starts_with('/'), "a target is a path");
        require(url->origin.port != 0, "there is a port");
        std::string head;
        require(append_request(head, {"GET", url->target, url->origin.authority(), {}}, {}),
                "the URL can be asked for");
        const auto again =
            parse_url((url->origin.tls ? "https://" : "http://") + url->origin.authority() + url->target);
        require(again && again->origin == url->origin && again->target == url->target, "an origin says where it is");
    }
    std::string encoded;
    percent_encode(encoded, input);
    require(percent_decode(encoded) == input, "decoding undoes encoding");

    const auto key = [](std::string_view name, wm::PairView) { return name == "key"; };
    const auto without = query_without(input, key);
    for (const auto& member : split_query(without))
        require(percent_decode(member.name).value_or("") != "key", "what is to go is gone");
    require(split_query(without).size() <= split_query(input).size(), "nothing is added");
    require(query_without(without, key) == without, "once is enough");
    return 0;
}
