// One client connection: requests in, in order, and the play of the one being answered.
#pragma once
#include "script.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace wm::mock {

using Clock = std::chrono::steady_clock;

class Connection {
  public:
    Connection(int fd, std::uint64_t id, const Settings& settings) : fd_(fd), id_(id), settings_(settings) {}
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // What the server must do next for this connection.
    struct Wish {
        bool close = false;
        bool wait_writable = false;
        std::optional<Clock::time_point> wake_at;
    };

    Wish on_readable();
    Wish on_writable();
    Wish on_time();

    std::uint64_t id() const { return id_; }

  private:
    bool read_all();
    bool flush();
    void advance(Clock::time_point now);
    void step(Clock::time_point now);
    Wish pump();

    int fd_;
    std::uint64_t id_; // tells a timer of an earlier connection with the same descriptor
    const Settings& settings_;
    std::string in_;
    std::string out_;
    std::size_t sent_ = 0;
    std::optional<Play> play_;
    bool opened_ = false;
    int word_ = 0;
    Clock::time_point due_;
    bool close_after_ = false; // what is in out_ is the last
    bool waiting_ = false;     // for due_
};

} // namespace wm::mock
