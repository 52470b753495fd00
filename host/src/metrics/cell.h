#pragma once
#include <array>
#include <atomic>
#include <cstdint>

namespace wm::metrics {

// A number that one thread changes and any thread reads: no lock, no cache line that cores pull at.
class Cell {
  public:
    void add(std::int64_t n = 1) {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::int64_t> value_{0};
};

// One more while it lives.
class [[nodiscard]] During {
  public:
    explicit During(Cell& cell) : cell_(cell) { cell_.add(); }
    During(const During&) = delete;
    ~During() { cell_.add(-1); }

  private:
    Cell& cell_;
};

// Upper bounds of the buckets of all histograms, in milliseconds; a last bucket has none. From a local model's first
// byte to a reasoning model's last.
inline constexpr std::array<std::int64_t, 15> bucket_bounds_ms{5,    10,   25,    50,    100,   250,    500,   1000,
                                                               2500, 5000, 10000, 30000, 60000, 120000, 300000};

struct HistogramValue {
    std::array<std::int64_t, bucket_bounds_ms.size() + 1> in_bucket{}; // not cumulative
    std::int64_t sum_ms = 0;

    HistogramValue& operator+=(const HistogramValue& other) {
        for (std::size_t i = 0; i < in_bucket.size(); ++i) in_bucket[i] += other.in_bucket[i];
        sum_ms += other.sum_ms;
        return *this;
    }
};

// As Cell.
class Histogram {
  public:
    void observe(std::int64_t ms) {
        std::size_t i = 0;
        while (i < bucket_bounds_ms.size() && ms > bucket_bounds_ms[i]) ++i;
        in_bucket_[i].add();
        sum_ms_.add(ms);
    }
    HistogramValue value() const {
        HistogramValue out;
        for (std::size_t i = 0; i < in_bucket_.size(); ++i) out.in_bucket[i] = in_bucket_[i].value();
        out.sum_ms = sum_ms_.value();
        return out;
    }

  private:
    std::array<Cell, bucket_bounds_ms.size() + 1> in_bucket_;
    Cell sum_ms_;
};

} // namespace wm::metrics
