#pragma once
// What a request leaves behind when it is over: to the circuit, and to whoever comes next.
#include "mount/admission.h"

namespace wm::mount {

// How long nobody gets it. What is due adds up, and the breaker's penalty takes the place of the failure hold.
Millis hold_after(const config::Holds& holds, Verdict verdict, Millis penalty);

// Tells the circuit, unless that was told before, and gives the permit back, at once or later.
void settle(const Call& call, Admission admission, const Outcome& outcome);

} // namespace wm::mount
