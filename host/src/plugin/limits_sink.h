#pragma once
// Collects what an adapter's `observe` puts. Private to this folder.
#include "base/rate_limit.h"
#include "plugin/sink.h"

namespace wm::plugin {

class LimitsSink : public Sink<LimitsSink> {
  public:
    LimitsSink() : Sink(budget) {}
    const char* take(const wm_event& event);

    RateLimits limits;

  private:
    static constexpr std::size_t budget = 8 << 10;
};

} // namespace wm::plugin
