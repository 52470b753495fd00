#pragma once
// Decisions in Lua, evaluated per request. A Policies object belongs to one thread (one per loop); the Library it
// reads from is shared and immutable. A policy that fails, overruns or answers nonsense costs the request its
// policy and nothing else: each call below then returns its documented default with `from_policy` false.
#include "base/clock.h"
#include "base/failure_class.h"
#include "base/pair.h"
#include "policy/library.h"
#include "policy/meter.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wm::policy {

struct AllocationRequest {
    std::string_view served_model{}, protocol{}, principal{}, layer{};
    bool stream = false;
    std::uint64_t text_bytes = 0;
};

struct Candidate {
    std::string_view backend, credential, upstream_model;
    double random = 0; // in [0, 1), drawn by the host
};

struct Ordering {
    std::vector<std::uint32_t> order; // a permutation of the candidates
    std::string reason;               // "random", "single-target", "configured"
    bool from_policy = false;
};

struct FailureView {
    std::string_view adapter, protocol;
    int status = 0;                    // 0: no response head
    std::span<const PairView> headers; // names lower-cased, no credentials
    std::string_view document;         // JSON error document, at most 16 KiB; empty: none or not JSON
    std::string_view transport;        // "", "dns", "connect", "tls", "reset", "eof", "timeout", "protocol"
    std::string_view stage;            // "connect", "head", "body", "stream"
    std::string_view error_type, error_code, error_message; // as a tap located them
    std::optional<std::int64_t> retry_after_ms;             // parsed by the host, from when it was received
    std::uint32_t attempt = 0;                              // on this target, from 0
    bool names_state = false; // the request names what a provider keeps: an answer, a file, a container
};

struct Classification {
    FailureClass what = FailureClass::local; // the fixed default neither retries nor touches a circuit
    bool retry_in_place = false;
    bool fall_back = false;
    std::optional<std::int64_t> hint_ms; // Retry-After to honour
    bool from_policy = false;
};

struct Backoff {
    bool suspended = false; // else open
    std::int64_t delay_ms = 0;
    bool from_policy = false;
};

struct WaitingRequest {
    std::string_view priority{}; // "high", "medium", "low"
    std::string_view principal{}, served_model{}, protocol{};
    bool stream = false;
    std::uint64_t text_bytes = 0;
};

struct GateView {
    std::string_view name{}, order{}; // order: "fair" or "fifo"
    std::optional<Millis> promote_after;
    unsigned limit = 0, waiting = 0;
};

inline constexpr std::array<std::string_view, 3> rank_classes{"high", "medium", "low"}; // first goes first

struct Rank {                    // where a request stands while it waits; see gate/queue.h
    unsigned priority_class = 1; // of rank_classes
    std::string turn;
    unsigned weight = 1;
    std::optional<Millis> promote_after;
    bool from_policy = false;
};

// Counts by cause, shared by all threads.
struct Counters {
    bool quiet = false; // failures are counted but not logged: a test says itself what it found
    std::atomic<std::uint64_t> calls{0}, errors{0}, instructions{0}, memory{0}, nonsense{0};
    std::array<std::atomic<std::int64_t>, 4> logged_minute{}; // per cause: when it was last logged
};

class Policies {
  public:
    // Throws std::runtime_error if a script that loaded before does not load again.
    Policies(std::shared_ptr<const Library> library, Counters& counters, const Clock& clock, const Limits& limits = {});
    ~Policies();
    Policies(const Policies&) = delete;

    Ordering order(std::string_view strategy, const AllocationRequest& request, std::span<const Candidate> candidates);
    Classification classify(std::string_view failure_policy, const FailureView& failure);
    Backoff backoff(FailureClass what, std::uint32_t level, std::optional<std::int64_t> hint_ms);
    Rank rank(const WaitingRequest& request, const GateView& gate);

    // Why the last call that failed did so, in full. May hold request data: for case tables, never for a log.
    const std::string& last_problem() const;

    struct Cost {
        std::int64_t instructions = 0; // exact if the limits count with step 1
        std::size_t bytes = 0;         // allocated, freed or not
    };
    Cost cost() const; // of all calls so far

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace wm::policy
