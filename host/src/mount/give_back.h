#pragma once
// When a permit goes back after its request: at once, or when the upstream no longer counts the request.
#include "config/protection.h"
#include "gate/gate.h"
#include "mount/outcome.h"

#include <memory>

namespace wm::mount {

// How long nobody gets it. What is due adds up, and the breaker's penalty takes the place of the failure hold.
Millis hold_after(const config::Holds& holds, Verdict verdict, Millis penalty);

// [loop thread] `part`: what the permit, which is one of `gate`, is for.
void give_back(runtime::Loop& loop, const std::shared_ptr<gate::Gate>& gate, gate::Part part, gate::Gate::Permit permit,
               const config::Holds& holds, Verdict verdict, Millis penalty = Millis(0));

} // namespace wm::mount
