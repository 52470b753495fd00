#pragma once
// What is kept of an exchange. Ids, names, times, classes, bytes and usage; never content.
#include "base/failure_class.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wm::records {

struct UsageRecord { // absent: the provider did not say
    std::optional<std::uint64_t> input, input_cached, input_cache_write, output, output_reasoning;
};

struct AttemptRecord {
    std::uint32_t sequence = 0; // from 1
    std::string backend, credential, upstream_model, protocol;
    std::string layer;
    std::uint32_t layer_index = 0;
    std::int64_t started_at_ms = 0, total_ms = 0;
    int status = 0; // 0: no response
    std::optional<FailureClass> failure;
    std::optional<std::int64_t> first_byte_ms; // to its answer's head
    std::optional<std::int64_t> retry_after_ms;
    bool probe = false, committed = false;
};

struct ExchangeRecord {
    std::string id;
    std::int64_t started_at_ms = 0, completed_at_ms = 0;
    std::string method, path, mount, protocol, principal, tenant; // path: of an endpoint, or a mount's prefix
    std::string requested_model, served_model;
    std::uint64_t generation = 0; // of settings and policies: the one it was served with
    bool streaming = false;
    int status = 0;    // as the client saw it; 0: it left before
    std::string error; // code of the gateway's own refusal, or empty
    std::optional<FailureClass> failure;
    std::string selection_reason;
    std::optional<bool> fallback; // absent: no target was attempted
    bool fallback_exhausted = false;
    bool committed = false;
    bool limited = false; // it needed a permit of a limiter of its own, not just of its mount's global one
    bool aborted = false; // the client left, or has a part of an answer
    std::uint64_t request_bytes = 0, response_bytes = 0;
    std::optional<std::int64_t> first_byte_ms;
    std::int64_t total_ms = 0, waited_ms = 0;
    UsageRecord usage;
    std::string losses; // of a translation, `key=member, ...`: what was asked or answered and could not be carried
    std::vector<AttemptRecord> attempts;
};

// Said when an exchange has been read and identified, before anything is attempted.
struct ArrivalRecord {
    std::string id, protocol, principal, model;
    std::int64_t at_ms = 0;
};

// Takes records on any loop's thread. Must not block and must not throw; what it cannot take it drops and counts.
class Sink {
  public:
    virtual ~Sink() = default;
    virtual void arrived(const ArrivalRecord& record) noexcept = 0;
    virtual void settled(const ExchangeRecord& record) noexcept = 0;
    virtual std::uint64_t dropped() const noexcept = 0; // so far [any thread]
};

} // namespace wm::records
