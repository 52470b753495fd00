#pragma once
// The two shapes of error documents: OpenAI's and Anthropic's.
#include "../json_write.hpp"
#include "error_report.hpp"

#include <string>
#include <string_view>

namespace wm::sdk {

// The `type` of an error document: by HTTP status where that says enough, by the canonical word elsewhere.
inline std::string_view native_error_type(const ErrorReport& error) {
    switch (error.status) {
    case 400: return "invalid_request_error";
    case 401: return "authentication_error";
    case 402: return "billing_error";
    case 403: return "permission_error";
    case 404: return "not_found_error";
    case 409: return "conflict_error";
    case 413: return "request_too_large";
    case 429: return "rate_limit_error";
    case 500: return "api_error";
    case 504: return "timeout_error";
    case 529: return "overloaded_error";
    default: break;
    }
    const std::string_view word = error.type;
    if (word == WM_ERROR_INVALID_REQUEST) return "invalid_request_error";
    if (word == WM_ERROR_AUTHENTICATION) return "authentication_error";
    if (word == WM_ERROR_PERMISSION) return "permission_error";
    if (word == WM_ERROR_NOT_FOUND) return "not_found_error";
    if (word == WM_ERROR_TOO_LARGE) return "request_too_large";
    if (word == WM_ERROR_RATE_LIMIT || word == WM_ERROR_QUOTA) return "rate_limit_error";
    if (word == WM_ERROR_BILLING) return "billing_error";
    if (word == WM_ERROR_OVERLOADED) return "overloaded_error";
    if (word == WM_ERROR_TIMEOUT) return "timeout_error";
    return error.status >= 400 && error.status < 500 ? "invalid_request_error" : "api_error";
}

// {"error":{"message","type","param","code"}}; param and code are there, as null if need be.
inline std::string openai_error(const ErrorReport& error) {
    std::string out;
    {
        json::Writer document(out);
        json::Writer body = document.object("error");
        body.text("message", error.message);
        // Clients look for this one word to tell an empty account from a short wait.
        body.text("type", error.type == WM_ERROR_QUOTA ? "insufficient_quota" : native_error_type(error));
        body.raw("param", error.param.empty() ? "null" : error.param);
        body.raw("code", error.code.empty() ? "null" : error.code);
    }
    return out;
}

// {"type":"error","error":{"type","message"},"request_id"?}
inline std::string anthropic_error(const ErrorReport& error) {
    std::string out;
    {
        json::Writer document(out);
        document.text("type", "error");
        {
            json::Writer body = document.object("error");
            body.text("type", native_error_type(error));
            body.text("message", error.message);
        }
        if (!error.request_id.empty()) document.raw("request_id", error.request_id);
    }
    return out;
}

} // namespace wm::sdk
