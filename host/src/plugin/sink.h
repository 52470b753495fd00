#pragma once
// Sinks: what plugins put is judged and copied here. Private to this folder.
#include "plugin/report.h"
#include "plugin/views.h"

namespace wm::plugin {

// Derived has `const char* take(const wm_event&)`: null to accept, else what is wrong. The first fault stops the
// call; it outweighs whatever status the plugin then returns. Faults are constants: no allocation per event.
template <class Derived>
class Sink {
  public:
    // At most `budget` bytes of names and values, counting 16 for each event.
    explicit Sink(std::size_t budget) : budget_(budget), left_(budget) {
        raw_.size = sizeof raw_;
        raw_.reserved = 0;
        raw_.ctx = this;
        raw_.put = &Sink::put;
    }
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;

    const wm_sink* raw() const { return &raw_; }
    const char* fault() const { return fault_; }
    void reset(std::size_t more = 0) { // than the budget, this time
        left_ = budget_ + more;
        fault_ = nullptr;
    }

  private:
    static wm_status put(void* ctx, const wm_event* event) noexcept {
        auto& self = *static_cast<Sink*>(ctx);
        try {
            if (!self.fault_) self.fault_ = self.judge(event);
        } catch (...) { // no exception crosses into a plugin
            self.fault_ = out_of_memory;
        }
        return self.fault_ ? WM_REFUSED : WM_OK;
    }
    const char* judge(const wm_event* event) {
        if (!event) return "a null event";
        if ((!event->name.data && event->name.size) || (!event->value.data && event->value.size))
            return "an event with a null pointer and a size";
        const std::size_t name = event->name.size, value = event->value.size;
        if (left_ < 16 || name > left_ - 16 || value > left_ - 16 - name) return "too many results";
        left_ -= 16 + name + value;
        return static_cast<Derived*>(this)->take(*event);
    }

    wm_sink raw_;
    std::size_t budget_, left_;
    const char* fault_ = nullptr;
};

} // namespace wm::plugin
