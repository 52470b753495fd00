#pragma once
// One JSON line for each settled exchange, written by a thread of its own from a bounded queue.
#include "records/record.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

namespace wm::records {

// One JSON object and a line end.
void append_json(std::string& line, const ExchangeRecord& record);

class AccessLog final : public Sink {
  public:
    // `file`: a path, or "-" for standard output. Throws std::runtime_error when it cannot be opened.
    explicit AccessLog(const std::string& file, std::size_t max_queued_bytes = 8u << 20);
    ~AccessLog() override; // writes what is queued

    void arrived(const ArrivalRecord&) noexcept override {}
    void settled(const ExchangeRecord& record) noexcept override;
    std::uint64_t dropped() const { return dropped_; }

  private:
    void write_all();

    struct Close {
        void operator()(std::FILE* file) const {
            if (file != stdout) std::fclose(file);
        }
    };
    std::unique_ptr<std::FILE, Close> file_;
    const std::size_t max_queued_;
    std::mutex mutex_;
    std::condition_variable more_;
    std::string queued_;
    bool stopping_ = false;
    std::atomic<std::uint64_t> dropped_{0};
    std::thread writer_;
};

} // namespace wm::records
