#pragma once
// What is written down of an exchange.
#include "exchange/context.h"

namespace wm::exchange {

// As it ended. Takes what it can from the context, which is not used after it.
records::ExchangeRecord record_of(Context& x);

} // namespace wm::exchange
