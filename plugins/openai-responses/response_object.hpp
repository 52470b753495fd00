#pragma once
// The object `response` of this protocol, with the members that typed clients require, and the events that carry it.
#include <watermaster/json_value.hpp>
#include <watermaster/protocol/error_report.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace wm::openai_responses {

struct ResponseObject { // raw JSON, but for the status
    std::string id, model, created_at;
    std::string_view status;
    std::string error = "null", incomplete_details = "null", output = "[]", usage = "null";
    std::string_view echo{}; // of the request, or empty: what is said where nothing was asked

    void fail(const sdk::ErrorReport& report);
    std::string json() const;
};

// `members` with the type and the number before them, as an event of a stream.
std::string numbered_event(std::string_view type, std::uint64_t number, std::string_view members);

bool is_failure(const sdk::json::Value& status);

} // namespace wm::openai_responses
