#pragma once
// From what was seen of a failure to what it means: asks the backend's failure policy, fills in the outcome.
#include "exchange/context.h"

namespace wm::exchange {

// `head` null: no response head came. `document`: at most 16 KiB of the provider's error, or empty.
void classify(Context& x, const config::Backend& backend, const http::ResponseHead* head, std::string_view document,
              std::uint32_t retries, AttemptFailure& failure);

constexpr bool charges_circuit(FailureClass what) {
    return what != FailureClass::client_request && what != FailureClass::client_cancelled &&
           what != FailureClass::ambiguous && what != FailureClass::local;
}

} // namespace wm::exchange
