#include "rig.h"

namespace wm::http::testing {

namespace {

runtime::Detached run(std::unique_ptr<Awaited> awaited) { co_await *awaited; }

} // namespace

void drive(std::unique_ptr<Awaited> awaited) { run(std::move(awaited)); }

} // namespace wm::http::testing
