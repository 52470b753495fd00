#pragma once
// What an upstream that counts late, or complains, costs in permits.
#include "config/protection.h"
#include "gate/gate.h"
#include "mount/outcome.h"

#include <initializer_list>
#include <memory>

namespace wm::mount {

// How long nobody gets a request's permit after it. What is due adds up, and the breaker's penalty takes the place of
// the failure hold.
Millis hold_after(const config::Holds& holds, Verdict verdict, Millis penalty = Millis(0));

// [loop thread] After each try: if the upstream complained of too many, one permit less of each of these is in use for
// a time.
void leave_headroom(runtime::Loop& loop, const std::shared_ptr<gate::Gate>& gate, std::initializer_list<gate::Part> of,
                    const config::Holds& holds, Verdict verdict);

} // namespace wm::mount
