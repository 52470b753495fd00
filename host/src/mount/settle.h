#pragma once
// What a request leaves behind when it is over.
#include "mount/admission.h"

namespace wm::mount {

// Tells the circuit, unless that was told before, and gives the permit back, at once or later.
void settle(const Call& call, Admission admission, const Outcome& outcome);

} // namespace wm::mount
