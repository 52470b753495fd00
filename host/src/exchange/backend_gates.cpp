#include "exchange/backend_gates.h"

#include <algorithm>

namespace wm::exchange {

namespace {

constexpr std::string_view of_credential = "credential ";

unsigned limit_of(const std::optional<unsigned>& concurrency) { return concurrency.value_or(0); }

} // namespace

// A gate that bounds nothing any more stays: should a limit come back, it knows who is inside. So does the gate of a
// backend that is gone, while a request still is not.
BackendGates::BackendGates(const config::Settings& settings, const BackendGates* before, const Clock& clock)
    : settings_(settings), known_(before ? before->known_ : std::make_shared<Known>()) {
    for (const auto& backend : settings.backends) {
        auto gate = known_->find(backend.name);
        const bool made = !gate && backend.limited();
        if (made) {
            gate = std::make_shared<gate::Gate>(limit_of(backend.concurrency), clock);
            known_->put(backend.name, gate);
        }
        auto& places = places_.emplace_back();
        gates_.push_back(gate);
        if (!gate) continue;
        for (const auto& credential : backend.credentials)
            places.push_back({gate, gate->part(credential.name, made ? limit_of(credential.concurrency) : 0)});
    }
}

// Who still waits for a key that is gone does so under its last limit.
void BackendGates::resize() const {
    for (std::size_t i = 0; i < gates_.size(); ++i) {
        if (!gates_[i]) continue;
        const auto& backend = settings_.backends[i];
        std::vector<gate::Gate::Size> sizes{{gate::whole, limit_of(backend.concurrency)}};
        for (std::size_t c = 0; c < places_[i].size(); ++c)
            sizes.push_back({places_[i][c].part, limit_of(backend.credentials[c].concurrency)});
        gates_[i]->resize(sizes);
    }
}

const BackendGates::Place* BackendGates::place_of(const config::Target& target) const {
    return gates_[target.backend] ? &places_[target.backend][target.credential] : nullptr;
}

bool BackendGates::bounded(const config::Target& target) const {
    const auto& backend = settings_.backends[target.backend];
    return backend.concurrency || backend.credentials[target.credential].concurrency;
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
    const auto& configured = settings_.backends[backend].credentials;
    for (const auto& part : gates_[backend]->parts()) {
        const bool gone = std::none_of(configured.begin(), configured.end(),
                                       [&](const config::Credential& one) { return one.name == part.name; });
        if (!gone || part.used()) add(part, std::string(of_credential) + part.name);
    }
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
