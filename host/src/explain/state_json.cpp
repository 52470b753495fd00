#include "explain/state_json.h"

namespace wm::explain {

void write_circuit(JsonWriter& w, const routing::CircuitSnapshot& circuit) {
    using routing::CircuitMode;
    w.open('{').key("state").text(to_string(circuit.mode));
    if (circuit.mode != CircuitMode::closed) {
        const bool probing = circuit.mode == CircuitMode::half_open;
        w.key("reason").text(to_string(circuit.reason));
        w.key("level").number(circuit.levels[static_cast<unsigned char>(circuit.reason)]);
        w.key("since_ms").number(circuit.opened_at_ms);
        w.key("until_ms").number(probing ? circuit.probe_deadline_at_ms : circuit.next_probe_at_ms);
        w.key("consecutive_failures").number(circuit.consecutive_failures);
    }
    w.close('}');
}

void write_gate(JsonWriter& w, const gate::Gate::State& gate) {
    w.open('{')
        .key("limit")
        .number(gate.limit)
        .key("in_use")
        .number(gate.in_flight)
        .key("held")
        .number(gate.held)
        .key("waiting")
        .number(gate.waiting);
    w.key("waits").number(std::int64_t(gate.waits)).close('}');
}

} // namespace wm::explain
