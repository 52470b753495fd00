#include "exchange/refusal.h"

#include <array>

namespace wm::exchange {

namespace {

constexpr auto registry = std::to_array<CodeFacts>({
    {"bad_framing", 400, "invalid_request"},
    {"request_timeout", 408, "timeout"},
    {"not_found", 404, "not_found"},
    {"method_not_allowed", 405, "invalid_request"},
    {"upgrade_required", 426, "invalid_request"},
    {"unauthorized", 401, "authentication"},
    {"body_too_large", 413, "too_large"},
    {"bodies_crowded", 503, "overloaded"},
    {"unsupported_encoding", 415, "invalid_request"},
    {"invalid_body", 400, "invalid_request"},
    {"invalid_model", 400, "invalid_request"},
    {"guarded_member", 400, "invalid_request"},
    {"unsupported_protocol", 400, "invalid_request"},
    {"untranslatable", 400, "invalid_request"},
    {"model_not_found", 404, "not_found"},
    {"circuit_open", 503, "overloaded"},
    {"queue_full", 429, "rate_limit"},
    {"queue_timeout", 504, "timeout"},
    {"upstream_failed", 502, "api"},
    {"upstream_timeout", 504, "timeout"},
    {"starved", 503, "overloaded"},
    {"draining", 503, "overloaded"},
    {"internal", 500, "api"},
});
static_assert(registry.size() == static_cast<std::size_t>(Code::internal) + 1);

} // namespace

Refusal draining() { return {.code = Code::draining, .message = "the gateway is shutting down", .retry_after_s = 1}; }

Refusal starved() {
    return {.code = Code::starved,
            .message = "the gateway has no descriptor or port left for a connection to the provider",
            .retry_after_s = 1};
}

const CodeFacts& about(Code code) { return registry[static_cast<std::size_t>(code)]; }

} // namespace wm::exchange
