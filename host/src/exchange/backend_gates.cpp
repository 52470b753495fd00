#include "exchange/backend_gates.h"

#include <algorithm>

namespace wm::exchange {

namespace {

constexpr std::string_view of_credential = "credential ";

unsigned limit_of(const std::optional<unsigned>& concurrency) { return concurrency.value_or(0); }

} // namespace

// A gate that bounds nothing any more stays: should a limit come back, it knows who is inside.
BackendGates::BackendGates(const config::Settings& settings, const BackendGates* before, const Clock& clock)
    : settings_(settings) {
    for (const auto& backend : settings.backends) {
        auto& gate = gates_.emplace_back();
        for (std::size_t i = 0; before && i < before->gates_.size(); ++i)
            if (before->settings_.backends[i].name == backend.name) gate = before->gates_[i];
        const bool made = !gate && backend.limited();
        if (made) gate = std::make_shared<gate::Gate>(limit_of(backend.concurrency), clock);
        auto& places = places_.emplace_back();
        if (!gate) continue;
        for (const auto& credential : backend.credentials)
            places.push_back({gate, gate->part(credential.name, made ? limit_of(credential.concurrency) : 0)});
    }
}

void BackendGates::resize() const {
    for (std::size_t i = 0; i < gates_.size(); ++i) {
        if (!gates_[i]) continue;
        const auto& backend = settings_.backends[i];
        std::vector<gate::Gate::Size> sizes(gates_[i]->parts().size() + 1); // no limit for keys that are gone
        for (gate::Part part = gate::whole; part < sizes.size(); ++part) sizes[part].part = part;
        sizes[gate::whole].limit = limit_of(backend.concurrency);
        for (std::size_t c = 0; c < places_[i].size(); ++c)
            sizes[places_[i][c].part].limit = limit_of(backend.credentials[c].concurrency);
        gates_[i]->resize(sizes);
    }
}

const BackendGates::Place* BackendGates::place_of(const config::Target& target) const {
    return gates_[target.backend] ? &places_[target.backend][target.credential] : nullptr;
}

gate::Part BackendGates::blamed(const config::Target& target) const {
    const bool bounded = bool(settings_.backends[target.backend].credentials[target.credential].concurrency);
    return bounded ? places_[target.backend][target.credential].part : gate::whole;
}

std::vector<gate::Gate::State> BackendGates::limiters(std::size_t backend) const {
    std::vector<gate::Gate::State> all;
    if (!gates_[backend]) return all;
    const auto add = [&](gate::Gate::State state, std::string name) {
        if (state.limit == 0) return;
        state.name = std::move(name);
        all.push_back(std::move(state));
    };
    add(gates_[backend]->state(), "concurrency");
    for (const auto& part : gates_[backend]->parts()) add(part, std::string(of_credential) + part.name);
    return all;
}

std::vector<gate::Gate::State> BackendGates::limiters_of(const config::Target& target) const {
    auto all = limiters(target.backend);
    const auto& own = settings_.backends[target.backend].credentials[target.credential].name;
    std::erase_if(all, [&](const gate::Gate::State& state) {
        return state.name.starts_with(of_credential) && state.name.substr(of_credential.size()) != own;
    });
    return all;
}

unsigned BackendGates::waiting() const {
    unsigned sum = 0;
    for (const auto& gate : gates_)
        if (gate) sum += gate->waiting();
    return sum;
}

} // namespace wm::exchange
