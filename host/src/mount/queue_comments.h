#pragma once
// A streaming client that waits for a permit sees its connection live: an answer of comments, at once and then at the
// mount's interval. It commits the representation (200, an event stream), not what the upstream will say.
#include "mount/forward.h"
#include "runtime/timer.h"

#include <optional>

namespace wm::mount {

class QueueComments { // while its request waits
  public:
    explicit QueueComments(const Call& call);

  private:
    void begin(Millis interval);
    void say();

    const Call& call_;
    const SteadyTime since_;
    std::optional<runtime::Timer> timer_;
};

// Once comments have begun the answer: whether the upstream's can go on with it, and how a failure is told.
bool goes_on_with_comments(const http::ResponseHead& answer);
std::string_view failure_comment(Problem problem);

} // namespace wm::mount
