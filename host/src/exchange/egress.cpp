#include "exchange/egress.h"

#include <algorithm>

namespace wm::exchange {

const plugin::Transcoder& egress_protocol(const Endpoints& endpoints, const plugin::Transcoder& client,
                                          const config::UpstreamModel& model) {
    const auto& spoken = model.protocols;
    if (std::find(spoken.begin(), spoken.end(), client.about().id) != spoken.end()) return client;
    for (const auto& protocol : spoken) {
        const auto* transcoder = endpoints.transcoder(protocol);
        if (transcoder && transcoder->about().translates) return *transcoder;
    }
    return client; // which the configuration does not let happen
}

std::optional<std::uint64_t> needed_limit(const plugin::Transcoder& egress, const config::UpstreamModel& model,
                                          const plugin::RequestFacts& facts) {
    constexpr std::uint64_t fallback = 4096; // what every model can
    const auto& needs = egress.about().needs;
    if (facts.max_output || std::find(needs.begin(), needs.end(), "max_output_tokens") == needs.end())
        return std::nullopt;
    return model.max_output ? model.max_output : fallback;
}

bool is_translated(const Context& x) {
    return !x.attempts.empty() && x.protocol && x.attempts.back().protocol != x.protocol->about().id;
}

std::string losses_of(const Context& x) {
    return x.translation && is_translated(x) ? x.translation->losses().text() : std::string();
}

} // namespace wm::exchange
