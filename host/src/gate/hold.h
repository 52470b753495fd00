#pragma once
// Permits that nobody gets for a time, because an upstream may count a request for longer than it lasts. Each time
// is kept by the loop that asked for it, and ends with the loop.
#include "gate/gate.h"

#include <memory>

namespace wm::gate {

// [loop thread] Gives the permit, which is one of `gate`, back after this time.
void hold(runtime::Loop& loop, std::shared_ptr<Gate> gate, Gate::Permit permit, Millis time);

// [loop thread] Takes one permit of the part out of use for this time, never the last one. Asked again meanwhile, the
// time begins again.
void withhold(runtime::Loop& loop, std::shared_ptr<Gate> gate, Part part, Millis time);

} // namespace wm::gate
