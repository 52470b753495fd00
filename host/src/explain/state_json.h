#pragma once
// How live state is written as JSON, the same in explanations and on the admin listener. Times are Unix milliseconds.
#include "base/json_writer.h"
#include "gate/gate.h"
#include "mount/breaker.h"
#include "routing/circuit_store.h"

namespace wm::explain {

// {"state":"open","level":2,"until_ms":…,"reason":"provider_quota",…}; `until_ms` where it is not closed: when the next
// request may try, or must have an answer.
void write_circuit(JsonWriter& w, const routing::CircuitSnapshot& circuit);

// {"limit":4,"in_use":3,"held":1,"waiting":2,"waits":17}; `held`: nobody uses and nobody gets them yet; `waits`: how
// many have had to wait so far.
void write_gate(JsonWriter& w, const gate::Gate::State& gate);

// Limiters of a mount: [{"limiter":"concurrency","gate":{…}}].
void write_limiters(JsonWriter& w, const std::vector<gate::Gate::State>& limiters);

// {"state":"open","failures_in_a_row":5,"until_probe_ms":…}; null: the mount has no circuit.
void write_breaker(JsonWriter& w, const std::optional<mount::Breaker::State>& breaker);

} // namespace wm::explain
