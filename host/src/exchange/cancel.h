#pragma once
// What ends all that runs for one exchange: its client leaves, the process stops, or a drain has lasted long enough. In
// the last case the connection's own Abort has not fired: the client is still there, and is told. [loop thread]
#include "runtime/abort.h"

namespace wm::exchange {

class Cancel final {
  public:
    // `connection` and `running` (of the loop's Worker) outlive it.
    Cancel(runtime::Loop& loop, runtime::Abort& connection, runtime::Link& running)
        : abort_(loop), link_(connection, abort_), place_(abort_) {
        running.append(place_);
    }

    runtime::Abort& abort() { return abort_; }

    static void all(runtime::Link& running) { // the end of a drain
        runtime::drain<Place>(running, [](Place& place) { place.abort.fire(); });
    }

  private:
    struct Place : runtime::Link {
        explicit Place(runtime::Abort& the_abort) : abort(the_abort) {}
        runtime::Abort& abort;
    };

    runtime::Abort abort_;
    runtime::AbortLink link_;
    Place place_;
};

} // namespace wm::exchange
