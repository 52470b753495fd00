#pragma once
// Every error the gateway itself makes: one registry of codes, statuses and words.
#include <string>
#include <string_view>

namespace wm::exchange {

enum class Code : unsigned char {
    bad_framing,
    request_timeout,
    not_found,
    method_not_allowed,
    upgrade_required,
    unauthorized,
    body_too_large,
    bodies_crowded,
    unsupported_encoding,
    invalid_body,
    invalid_model,
    guarded_member,
    unsupported_protocol,
    untranslatable,
    model_not_found,
    circuit_open,
    queue_full,
    queue_timeout,
    upstream_failed,
    upstream_timeout,
    starved,
    draining,
    internal,
};

struct CodeFacts {
    std::string_view name; // in X-Watermaster-Error
    int status;
    std::string_view type; // word of the canonical error registry
};

const CodeFacts& about(Code code);

struct Refusal {
    Code code = Code::internal;
    std::string message;
    std::string param = {}; // the member at fault, a path without values
    int status = 0;         // 0: the code's
    int retry_after_s = 0;  // 0: none
    std::string allow = {}; // methods, for 405
};

Refusal draining();
Refusal starved();

} // namespace wm::exchange
