#pragma once
// The gates of one mount, and which of them a request has to pass. [any thread]
#include "base/clock.h"
#include "config/limit_pattern.h"
#include "gate/gate.h"

#include <array>
#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

namespace wm::mount {

class Limits {
  public:
    // Goes on with the gates of `before`, by name: who is inside stays counted. `settings` outlives it.
    Limits(const config::MountLimits& settings, const Limits* before, const Clock& clock);

    void resize() const; // when it takes effect

    // The gates a request has to pass, in no order; null ones are none.
    using Needed = std::array<gate::Gate*, 2>;
    Needed needed(std::string_view method, std::string_view path) const; // path: behind the prefix, as sent

    unsigned waiting() const { return *waiting_; }
    const config::MountLimits& settings() const { return settings_; }

    // A place among those who wait, given back when it goes.
    class Place {
      public:
        Place() = default;
        explicit Place(std::shared_ptr<std::atomic<unsigned>> count) : count_(std::move(count)) {}
        Place(Place&&) noexcept = default;
        Place& operator=(Place&&) = delete;
        ~Place() {
            if (count_) --*count_;
        }
        explicit operator bool() const { return count_ != nullptr; }

      private:
        std::shared_ptr<std::atomic<unsigned>> count_;
    };
    Place place() const; // none: queue_depth are waiting

  private:
    const config::MountLimits& settings_;
    std::vector<std::pair<std::string, std::shared_ptr<gate::Gate>>>
        pools_; // as settings_.pools, then those of `before` alone
    std::shared_ptr<gate::Gate> global_;
    std::shared_ptr<std::atomic<unsigned>> waiting_;
};

// Whether the path's last segments are the pattern's. Segments end at '/' and ':', are decoded, and compared without
// case.
bool matches(const config::LimitPattern& pattern, std::string_view method, std::string_view path);

} // namespace wm::mount
