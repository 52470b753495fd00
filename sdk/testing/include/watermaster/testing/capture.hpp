#pragma once
// A sink that keeps what a plugin puts.
#include "values.hpp"

#include <cstddef>

namespace wm::sdk::testing {

struct Event {
    std::uint32_t tag, node, parent, flags;
    std::string name, value;
    std::size_t at = 0; // of a SPLICE: where the view lies in the input
};

// One call's results. It copies, as every sink does; with `refuse_after` it says WM_REFUSED from that event on, and
// counts what is put in spite of that.
class Capture {
  public:
    // `input`: the body that SPLICEs view; it must outlive the call.
    explicit Capture(std::string_view input = {}) : input_(input) {}

    wm_sink sink() { return {sizeof(wm_sink), 0, this, put}; } // valid as long as this object

    std::size_t refuse_after = SIZE_MAX;
    std::size_t put_after_refusal = 0;
    std::vector<Event> events;

    // The value of the last event of that tag and name; "-": none.
    std::string value(std::uint32_t tag, std::string_view name = {}) const;
    std::string fact(std::string_view name) const { return value(WM_OUT_FACT, name); }
    // The flags of the only VERDICT; throws Broken when there is not exactly one.
    std::uint32_t verdict() const;
    // `body` with the SPLICEs applied; throws Broken when they are not views of it in its order.
    std::string spliced(std::string_view body) const;

  private:
    static wm_status put(void* ctx, const wm_event* event) WM_NOEXCEPT;
    std::string_view input_;
};

} // namespace wm::sdk::testing
