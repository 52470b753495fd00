#pragma once
// What writers of answers gather from leaves that may come anywhere: usage, and an error tree.
#include "../json_value.hpp"
#include "../protocol/error_report.hpp"
#include "event.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wm::sdk {

// Cumulative counts; the last one wins, absent is unknown.
class UsageTally {
  public:
    void take(const Event& e) {
        const auto n = json::Value{e.value, json::Kind::number}.count();
        for (Count& one : counts_)
            if (n && one.word == e.name) one.n = n;
    }
    std::optional<std::uint64_t> get(std::string_view word) const {
        for (const Count& one : counts_)
            if (one.word == word) return one.n;
        return std::nullopt;
    }
    bool any() const { return get(WM_USAGE_INPUT) || get(WM_USAGE_OUTPUT); }

  private:
    struct Count {
        std::string_view word;
        std::optional<std::uint64_t> n{};
    };
    std::array<Count, 9> counts_{{{WM_USAGE_INPUT},
                                  {WM_USAGE_INPUT_CACHED},
                                  {WM_USAGE_INPUT_CACHE_WRITE},
                                  {WM_USAGE_INPUT_AUDIO},
                                  {WM_USAGE_OUTPUT},
                                  {WM_USAGE_OUTPUT_REASONING},
                                  {WM_USAGE_OUTPUT_AUDIO},
                                  {WM_USAGE_PREDICTION_ACCEPTED},
                                  {WM_USAGE_PREDICTION_REJECTED}}};
};

// An ERROR tree as it comes, leaf by leaf.
class ErrorTree {
  public:
    // True: the event belongs to an error tree. `complete()` from its END on.
    bool take(const Event& e) {
        if (e.tag == WM_EV_ERROR) {
            node_ = e.node;
            type_ = e.name;
            status_ = json::Value{e.value, json::Kind::number}.count().value_or(0);
            return true;
        }
        if (!node_ || e.node != node_ || complete_) return false;
        if (e.tag == WM_EV_END)
            complete_ = true;
        else if (e.tag == WM_EV_TEXT)
            message_ += e.value;
        else if (e.tag == WM_EV_ATTR && e.name == WM_ATTR_CODE)
            code_ = e.value;
        else if (e.tag == WM_EV_ATTR && e.name == WM_ATTR_PARAM)
            param_ = e.value;
        else if (e.tag == WM_EV_ATTR && e.name == WM_ATTR_REQUEST_ID)
            request_id_ = e.value;
        return true;
    }
    bool complete() const { return complete_; }
    ErrorReport report() const { // views into this
        ErrorReport error;
        error.type = type_;
        error.status = status_;
        error.message = message_;
        error.code = code_;
        error.param = param_;
        error.request_id = request_id_;
        return error;
    }

  private:
    std::uint32_t node_ = 0;
    std::uint64_t status_ = 0;
    std::string type_, message_, code_, param_, request_id_;
    bool complete_ = false;
};

} // namespace wm::sdk
