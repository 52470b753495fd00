#pragma once
// One JSON line for each settled exchange, written by a thread of its own from a bounded queue.
#include "base/result.h"
#include "records/record.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace wm::records {

// One JSON object and a line end.
void append_json(std::string& line, const ExchangeRecord& record);

class AccessLog final : public Sink {
  public:
    struct Close {
        void operator()(std::FILE* file) const {
            if (file != stdout) std::fclose(file);
        }
    };
    using File = std::unique_ptr<std::FILE, Close>;

    // `name`: a path, opened for appending; "-", standard output; or empty, no file and nothing is written. Fails with
    // words for people.
    static Result<File, std::string> open(const std::string& name);

    explicit AccessLog(File file, std::size_t max_queued_bytes = 8u << 20);
    ~AccessLog() override; // writes what is queued

    void go_on_in(File file); // with what is queued; waits for nothing [any thread]

    void arrived(const ArrivalRecord&) noexcept override {}
    void settled(const ExchangeRecord& record) noexcept override;
    std::uint64_t dropped() const noexcept override { return dropped_; }

  private:
    void write_all();
    void write(std::string_view batch);

    const std::size_t max_queued_;
    File file_; // the writer's
    std::mutex mutex_;
    std::condition_variable more_;
    std::string queued_;
    std::optional<File> next_; // instead of file_
    bool stopping_ = false;
    std::atomic<bool> wanted_; // is there a file?
    std::atomic<std::uint64_t> dropped_{0};
    std::thread writer_;
};

} // namespace wm::records
