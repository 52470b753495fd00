#pragma once
// How much the bodies of all requests hold together. One request's body has a limit, and so has the number of
// connections, but not their product: without this, clients that send most of a large body and stop hold it all.
#include <atomic>
#include <cstdint>

namespace wm::http {

class HeldBytes { // shared by all threads; outlives its shares
  public:
    std::uint64_t held() const { return held_.load(std::memory_order_relaxed); }

    // Bodies up to here are not counted: they are nearly all, and must pass however many large ones wait.
    static constexpr std::uint64_t small = 64 * 1024;

    // What one body holds: a lease, given back when it ends. Belongs to one thread at a time.
    class Share {
      public:
        // `most`: for all shares together.
        Share(HeldBytes& all, std::uint64_t most) : all_(all), most_(most) {}
        ~Share() { release(); }
        Share(const Share&) = delete;

        // From now on this body holds so many. False: then all would hold too much, and nothing has changed.
        bool hold(std::uint64_t bytes) {
            if (bytes <= small || bytes <= mine_) return true;
            const auto more = bytes - mine_;
            if (all_.held_.fetch_add(more, std::memory_order_relaxed) + more > most_) {
                all_.held_.fetch_sub(more, std::memory_order_relaxed);
                return false;
            }
            mine_ = bytes;
            return true;
        }
        void release() {
            all_.held_.fetch_sub(mine_, std::memory_order_relaxed);
            mine_ = 0;
        }

      private:
        HeldBytes& all_;
        const std::uint64_t most_;
        std::uint64_t mine_ = 0;
    };

  private:
    std::atomic<std::uint64_t> held_{0};
};

} // namespace wm::http
