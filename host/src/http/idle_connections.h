#pragma once
// Internal to upstream.*. [loop thread]
#include "base/clock.h"
#include "runtime/stream.h"

#include <deque>
#include <memory>
#include <optional>

namespace wm::http {

class IdleConnections {
  public:
    IdleConnections(const Clock& clock, Millis timeout, std::size_t most)
        : clock_(clock), timeout_(timeout), most_(most) {}

    std::unique_ptr<runtime::Stream> take() { // the freshest: least likely to be closed by the peer just now
        while (!idle_.empty()) {
            auto last = std::move(idle_.back());
            idle_.pop_back();
            if (!gone(last)) return std::move(last.stream);
        }
        return nullptr;
    }
    // `epoch`: when the connection was made, or taken from here.
    void put(std::unique_ptr<runtime::Stream> stream, unsigned epoch, std::optional<std::size_t> limit) {
        const auto most = limit.value_or(most_);
        if (closed_ || epoch != epoch_ || most == 0 || stream->stale()) return;
        while (idle_.size() >= most) idle_.pop_front();
        idle_.push_back({std::move(stream), clock_.now()});
    }
    void prune() {
        std::erase_if(idle_, [this](const Idle& idle) { return gone(idle); });
    }
    void drop_idle() { idle_.clear(); }
    void clear() { // those in use do not come back either: they were made with the trust and keys of before
        ++epoch_;
        drop_idle();
    }
    unsigned epoch() const { return epoch_; }
    void close() {
        closed_ = true;
        clear();
    }
    std::size_t size() const { return idle_.size(); }

  private:
    struct Idle {
        std::unique_ptr<runtime::Stream> stream;
        SteadyTime since;
    };
    bool gone(const Idle& idle) const { return idle.stream->stale() || clock_.now() - idle.since >= timeout_; }

    const Clock& clock_;
    const Millis timeout_;
    const std::size_t most_;
    std::deque<Idle> idle_;
    unsigned epoch_ = 0;
    bool closed_ = false;
};

} // namespace wm::http
