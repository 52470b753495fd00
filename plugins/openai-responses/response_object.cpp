#include "response_object.hpp"

#include <watermaster/json_write.hpp>

namespace wm::openai_responses {

using sdk::json::Writer;

namespace {

constexpr std::string_view nothing_asked =
    R"("instructions":null,"metadata":{},"parallel_tool_calls":true,"temperature":null,"tool_choice":"auto","tools":[],"top_p":null)";

// What Responses clients look for in response.error.code.
std::string error_code(const sdk::ErrorReport& error) {
    if (error.code.starts_with('"')) return std::string(error.code);
    if (error.type == WM_ERROR_RATE_LIMIT) return R"("rate_limit_exceeded")";
    if (error.type == WM_ERROR_QUOTA) return R"("insufficient_quota")";
    if (error.type == WM_ERROR_INVALID_REQUEST) return R"("invalid_prompt")";
    return R"("server_error")";
}

} // namespace

void ResponseObject::fail(const sdk::ErrorReport& report) {
    status = "failed";
    error.clear();
    Writer w(error);
    w.raw("code", error_code(report));
    w.text("message", report.message);
}

std::string ResponseObject::json() const {
    std::string out;
    {
        Writer w(out);
        w.raw("id", id);
        w.text("object", "response");
        w.raw("created_at", created_at);
        w.text("status", status);
        w.raw("error", error);
        w.raw("incomplete_details", incomplete_details);
        w.raw("model", model);
        w.raw("output", output);
        w.raw("usage", usage);
        w.members(echo.empty() ? nothing_asked : echo);
    }
    return out;
}

std::string numbered_event(std::string_view type, std::uint64_t number, std::string_view members) {
    std::string out;
    {
        Writer w(out);
        w.text("type", type);
        w.number("sequence_number", number);
        w.members(members);
    }
    return out;
}

bool is_failure(const sdk::json::Value& status) { return status.says("failed") || status.says("cancelled"); }

} // namespace wm::openai_responses
