#pragma once
// A client connection for its whole life: one exchange after another.
#include "exchange/site.h"
#include "runtime/stream.h"

namespace wm::exchange {

runtime::Task<> serve_connection(Worker& worker, runtime::Stream& stream, runtime::Abort& abort);

} // namespace wm::exchange
