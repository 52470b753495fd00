#include "translate/approvals.h"

#include <watermaster/translation/loss_keys.hpp>

namespace wm::translate {

namespace {

std::size_t place(std::string_view key) {
    const auto* found = sdk::find_loss_key(key);
    return found ? std::size_t(found - sdk::loss_keys.data()) : sdk::loss_keys.size();
}

static_assert(sdk::loss_keys.size() <= 64);

} // namespace

Approvals Approvals::of_served_models() {
    static const Approvals all = [] { // asked for by every translation
        Approvals some(true, false);
        for (const auto& one : sdk::loss_keys) some.set(one.key, one.approved >= sdk::LossDefault::served_models);
        return some;
    }();
    return all;
}

Approvals Approvals::of_mounts() {
    Approvals some(false, true);
    for (const auto& one : sdk::loss_keys) some.set(one.key, one.approved == sdk::LossDefault::everywhere);
    return some;
}

Approvals Approvals::strict() { return {false, true}; }

void Approvals::set(std::string_view key, bool approved) {
    const auto at = place(key);
    if (at < sdk::loss_keys.size() && sdk::loss_keys[at].approved != sdk::LossDefault::never) keys_[at] = approved;
}

bool Approvals::request_may_lose(std::string_view key) const {
    const auto at = place(key);
    return at < sdk::loss_keys.size() ? keys_[at] : unregistered_;
}

} // namespace wm::translate
