#pragma once
// In which form an upstream's stream comes, and in which it goes to the client.
#include "exchange/relay.h"

namespace wm::exchange {

enum class Passing : unsigned char {
    bytes,    // unread, as they come
    raw,      // as they come; the protocol's tap, which cuts its frames itself, judges them
    frames,   // cut and judged, and to the client as server-sent events
    unframed, // the same, unwrapped by the adapter before
};

struct StreamForm {
    Passing passing = Passing::bytes;
    std::size_t most = 0;          // bytes of a frame
    const char* problem = nullptr; // why it cannot be relayed; null: it can

    bool read() const { return passing != Passing::bytes; }
    bool events() const { return passing == Passing::frames || passing == Passing::unframed; }
};

StreamForm form_of(const Context& x, const Upstream& up);

} // namespace wm::exchange
