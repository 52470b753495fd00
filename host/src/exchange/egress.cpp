#include "exchange/egress.h"

#include <algorithm>

namespace wm::exchange {

const plugin::Transcoder& egress_protocol(const Context& x, const config::Target& target) {
    const auto& spoken = x.settings().backends[target.backend].models[target.model].protocols;
    if (std::find(spoken.begin(), spoken.end(), x.protocol->about().id) != spoken.end()) return *x.protocol;
    for (const auto& protocol : spoken) {
        const auto* transcoder = x.generation().endpoints.transcoder(protocol);
        if (transcoder && transcoder->about().translates) return *transcoder;
    }
    return *x.protocol; // which the configuration does not let happen
}

bool is_translated(const Context& x) {
    return !x.attempts.empty() && x.protocol && x.attempts.back().protocol != x.protocol->about().id;
}

std::string losses_of(const Context& x) {
    return x.translation && is_translated(x) ? x.translation->losses().text() : std::string();
}

} // namespace wm::exchange
