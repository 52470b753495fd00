#pragma once
// An ERROR tree: put from what an upstream said, read from what the host says.
#include "../json_scan.hpp"
#include "../sink.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace wm::sdk {

struct ErrorReport {
    std::string_view type;    // WM_ERROR_
    std::uint64_t status = 0; // HTTP; 0: none known
    std::string message;
    std::string_view code, param, request_id; // raw JSON; empty: none
};

// Puts `error` as the container `node`.
inline void put_error(Sink& out, const ErrorReport& error, std::uint32_t node) {
    out.put(WM_EV_ERROR, error.type, error.status ? std::string_view(Decimal(error.status)) : std::string_view(), 0,
            node);
    if (!error.message.empty()) out.put(WM_EV_TEXT, {}, error.message, 0, node);
    const auto attr = [&](std::string_view word, std::string_view raw) {
        if (!raw.empty()) out.put(WM_EV_ATTR, word, raw, 0, node);
    };
    attr(WM_ATTR_CODE, error.code);
    attr(WM_ATTR_PARAM, error.param);
    attr(WM_ATTR_REQUEST_ID, error.request_id);
    out.put(WM_EV_END, {}, {}, 0, node);
}

// The first ERROR tree of `events`. Views point into `events`.
inline ErrorReport read_error(const wm_events& events) {
    ErrorReport error;
    std::uint32_t node = 0;
    for (std::uint32_t i = 0; i < events.count; ++i) {
        const wm_event& e = events.at[i];
        const std::string_view name = view(e.name), value = view(e.value);
        if (e.tag == WM_EV_ERROR && node == 0) {
            node = e.node;
            error.type = name;
            error.status = json::Value{value, json::Kind::number}.count().value_or(0);
        } else if (node == 0 || e.node != node) {
            continue;
        } else if (e.tag == WM_EV_TEXT) {
            error.message += value;
        } else if (e.tag == WM_EV_ATTR) {
            if (name == WM_ATTR_CODE) error.code = value;
            if (name == WM_ATTR_PARAM) error.param = value;
            if (name == WM_ATTR_REQUEST_ID) error.request_id = value;
        } else if (e.tag == WM_EV_END) {
            break;
        }
    }
    return error;
}

// What providers of the OpenAI and Anthropic families call their errors, by `code` or `type`. Empty: unknown.
inline std::string_view error_word(std::string_view native) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 37> words{{
        {"invalid_request_error", WM_ERROR_INVALID_REQUEST},
        {"invalid_prompt", WM_ERROR_INVALID_REQUEST},
        {"context_length_exceeded", WM_ERROR_INVALID_REQUEST},
        {"string_above_max_length", WM_ERROR_INVALID_REQUEST},
        {"invalid_image", WM_ERROR_INVALID_REQUEST},
        {"content_policy_violation", WM_ERROR_INVALID_REQUEST},
        {"conflict_error", WM_ERROR_INVALID_REQUEST},
        {"authentication_error", WM_ERROR_AUTHENTICATION},
        {"invalid_api_key", WM_ERROR_AUTHENTICATION},
        {"permission_error", WM_ERROR_PERMISSION},
        {"permission_denied", WM_ERROR_PERMISSION},
        {"insufficient_permissions", WM_ERROR_PERMISSION},
        {"not_found_error", WM_ERROR_NOT_FOUND},
        {"model_not_found", WM_ERROR_NOT_FOUND},
        {"not_found", WM_ERROR_NOT_FOUND},
        {"request_too_large", WM_ERROR_TOO_LARGE},
        {"rate_limit_error", WM_ERROR_RATE_LIMIT},
        {"rate_limit_exceeded", WM_ERROR_RATE_LIMIT},
        {"rate_limit", WM_ERROR_RATE_LIMIT},
        {"requests", WM_ERROR_RATE_LIMIT},
        {"tokens", WM_ERROR_RATE_LIMIT},
        {"insufficient_quota", WM_ERROR_QUOTA},
        {"quota_exceeded", WM_ERROR_QUOTA},
        {"billing_error", WM_ERROR_BILLING},
        {"billing_not_active", WM_ERROR_BILLING},
        {"billing_hard_limit_reached", WM_ERROR_BILLING},
        {"overloaded_error", WM_ERROR_OVERLOADED},
        {"overloaded", WM_ERROR_OVERLOADED},
        {"server_overloaded", WM_ERROR_OVERLOADED},
        {"server_is_overloaded", WM_ERROR_OVERLOADED},
        {"slow_down", WM_ERROR_OVERLOADED},
        {"service_unavailable", WM_ERROR_OVERLOADED},
        {"timeout_error", WM_ERROR_TIMEOUT},
        {"timeout", WM_ERROR_TIMEOUT},
        {"api_error", WM_ERROR_API},
        {"server_error", WM_ERROR_API},
        {"internal_server_error", WM_ERROR_API},
    }};
    for (const auto& [from, to] : words)
        if (from == native) return to;
    return {};
}

inline std::string_view error_word(std::uint64_t status) {
    switch (status) {
    case 401: return WM_ERROR_AUTHENTICATION;
    case 402: return WM_ERROR_BILLING;
    case 403: return WM_ERROR_PERMISSION;
    case 404: return WM_ERROR_NOT_FOUND;
    case 408:
    case 504: return WM_ERROR_TIMEOUT;
    case 413: return WM_ERROR_TOO_LARGE;
    case 429: return WM_ERROR_RATE_LIMIT;
    case 503:
    case 529: return WM_ERROR_OVERLOADED;
    default: return status >= 400 && status < 500 ? WM_ERROR_INVALID_REQUEST : WM_ERROR_API;
    }
}

// An error as an upstream wrote it: an object with message, type, code, param and perhaps a status, or just a text.
inline ErrorReport locate_error(const json::Value& native) {
    ErrorReport error;
    json::Value type, code;
    if (native.is_string()) {
        error.message = json::text(native.body());
    } else if (native.kind == json::Kind::object) {
        json::Scan scan(native.raw);
        scan.members([&](const json::Name& name) {
            if (name.is("message")) {
                if (const json::Value v = scan.value(); v.is_string()) error.message = json::text(v.body());
            } else if (name.is("type")) {
                type = scan.value();
            } else if (name.is("code")) {
                code = scan.value();
            } else if (name.is("param")) {
                if (const json::Value v = scan.value(); !v.null()) error.param = v.raw;
            } else if (name.is("status") || name.is("status_code") || name.is("http_code")) {
                error.status = scan.value().count().value_or(error.status);
            }
        });
    }
    const auto word_of = [](const json::Value& v) {
        return v.is_string() ? error_word(json::text(v.body())) : std::string_view();
    };
    const auto http = [](std::uint64_t n) { return n >= 400 && n < 600; };
    if (!code.empty()) error.code = code.raw;
    if (const auto number = code.count(); number && http(*number)) error.status = *number;
    if (!http(error.status)) error.status = 0;
    error.type = word_of(code); // a code is the more exact of the two
    if (error.type.empty()) error.type = word_of(type);
    if (error.type.empty()) error.type = error_word(error.status);
    return error;
}

// What the gateway's side finds wrong with an answer that is well-formed.
inline ErrorReport wrong_answer(std::string_view message) {
    ErrorReport error;
    error.type = WM_ERROR_API;
    error.message = message;
    return error;
}

} // namespace wm::sdk
