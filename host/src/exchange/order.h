#pragma once
#include "base/random.h"
#include "exchange/asked.h"
#include "policy/policies.h"

namespace wm::exchange {

// The order in which a layer's equivalent targets are tried for this request, as its policy says: of those that hold
// what it continues, where that is known; then maybe none. `random` is drawn from once for each target, so that
// policies need no state.
policy::Ordering order_targets(const config::Settings& settings, const config::Layer& layer, const Asked& asked,
                               policy::Policies& policies, Random& random);

} // namespace wm::exchange
