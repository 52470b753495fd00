// The mock's event loop: one thread, one epoll, a heap of timers.
#pragma once
#include "script.h"

#include <cstdint>

namespace wm::mock {

// Listens on 127.0.0.1:port (0: any free port, returned in `port`); negative with errno set if it cannot.
int listen_on(std::uint16_t& port);

// Serves until SIGTERM or SIGINT; 0 on a clean end.
int serve(int listener, const Settings& settings);

} // namespace wm::mock
