#pragma once
// What has happened, by provider: the mount's or the backend's name. Each loop counts into Counts of its own; a scrape
// adds up all of them. A count is never lost and never goes back; those of different cells may be a moment apart.
#include "base/no_provider.h"
#include "metrics/cell.h"
#include "records/record.h"

#include <array>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace wm::metrics {

using wm::no_provider; // refused before one was chosen

// Of UsageRecord, in its order: input includes the next two.
inline constexpr std::array<std::string_view, 5> token_kinds{"input", "input_cached", "input_cache_write", "output",
                                                             "output_reasoning"};

using AttemptKey = std::pair<std::string, std::string>; // credential (empty: a mount's own), "ok" or the failure class

// Every exchange that is counted ends in one of four ways: clean, limited or passed through; aborted; refused.
struct Totals {
    std::int64_t active = 0, retrying = 0;
    std::int64_t clean_proxied = 0, clean_passthrough = 0, aborted = 0;
    std::int64_t fallbacks = 0;
    std::array<std::int64_t, 5> by_status{}; // 1xx to 5xx, as the client saw it
    std::array<std::int64_t, token_kinds.size()> tokens{};
    HistogramValue queue_wait, first_byte, total;
    std::map<std::string, std::int64_t, std::less<>> refused; // by the code of the refusal
    std::map<AttemptKey, std::int64_t> attempts;
};

class Counts {
  public:
    class Provider {
      public:
        Cell active, retrying; // requests at the upstream now; those that are tried again

      private:
        friend class Counts;
        Cell clean_proxied_, clean_passthrough_, aborted_, fallbacks_;
        std::array<Cell, 5> by_status_;
        std::array<Cell, token_kinds.size()> tokens_;
        Histogram queue_wait_, first_byte_, total_;
        std::map<std::string, Cell, std::less<>> refused_; // grow under the mutex
        std::map<AttemptKey, Cell> attempts_;
    };

    // [the loop's thread] Lives as long as this.
    Provider& provider(std::string_view name);
    void settled(const records::ExchangeRecord& record) noexcept; // [the loop's thread]

    void add_to(std::map<std::string, Totals, std::less<>>& totals) const; // [any thread]

  private:
    template <class Map, class Key>
    auto& grown(Map& map, const Key& key);
    void count_attempt(const records::AttemptRecord& attempt);
    static void count_tokens(Provider& provider, const records::UsageRecord& usage);

    mutable std::mutex mutex_; // held to grow a map, and by whoever reads one on another thread
    std::map<std::string, Provider, std::less<>> providers_;
};

class AllCounts {
  public:
    Counts& of_one_more_loop() {
        const std::lock_guard lock(mutex_);
        return loops_.emplace_back();
    }
    std::map<std::string, Totals, std::less<>> totals() const {
        const std::lock_guard lock(mutex_);
        std::map<std::string, Totals, std::less<>> out;
        for (const auto& one : loops_) one.add_to(out);
        return out;
    }

  private:
    mutable std::mutex mutex_; // of the list
    std::list<Counts> loops_;
};

} // namespace wm::metrics
