#pragma once
// In which form an upstream's stream comes, and in which it goes to the client.
#include "exchange/relay.h"

namespace wm::exchange {

struct StreamForm {
    bool read = false;             // frames are cut and judged; otherwise bytes pass
    bool unframes = false;         // and unwrapped by the adapter before that
    bool events = false;           // what the client gets is an event stream
    std::size_t most = 0;          // bytes of a frame
    const char* problem = nullptr; // why it cannot be relayed; null: it can
};

StreamForm form_of(const Context& x, const Upstream& up);

} // namespace wm::exchange
