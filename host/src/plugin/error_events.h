#pragma once
// ErrorReport as canonical events, and back. For this folder and `translate`.
#include "plugin/calls.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <watermaster/plugin.h>

namespace wm::plugin {

// One ERROR tree as events. Views into itself and into the report: both must outlive the call.
class ErrorEvents {
  public:
    explicit ErrorEvents(const ErrorReport& error);
    ErrorEvents(const ErrorEvents&) = delete;
    ErrorEvents& operator=(const ErrorEvents&) = delete;
    const wm_events* get() const { return &all_; }

  private:
    void leaf(std::uint32_t tag, std::string_view name, std::string_view value);
    void attribute(std::string_view name, const std::string& text, std::string& raw);

    std::string status_, code_, param_, refused_by_;
    std::array<wm_event, 6> events_{};
    wm_events all_{};
};

// Reads ERROR trees out of a stream of events; the last one wins.
class ErrorReader {
  public:
    // True if the event belongs to an error tree.
    bool take(const wm_event& event, std::optional<ErrorReport>& into);
    void reset() { node_ = 0; }

  private:
    std::uint32_t node_ = 0;
};

} // namespace wm::plugin
