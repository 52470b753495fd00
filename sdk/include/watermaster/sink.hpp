#pragma once
// Puts results. The first refusal sticks: later puts are dropped and `status()` returns what the sink said.
#include "bytes.hpp"
#include "status.hpp"

#include <charconv>
#include <string_view>

namespace wm::sdk {

// A number as text, without a heap.
class Decimal {
  public:
    explicit Decimal(std::uint64_t value) { end_ = std::to_chars(digits_, digits_ + sizeof(digits_), value).ptr; }
    Decimal(const Decimal&) = delete;
    Decimal& operator=(const Decimal&) = delete;
    operator std::string_view() const { return {digits_, static_cast<std::size_t>(end_ - digits_)}; }

  private:
    char digits_[20];
    char* end_;
};

class Sink {
  public:
    explicit Sink(const wm_sink* sink) : sink_(sink) {}

    void put(std::uint32_t tag, std::string_view name, std::string_view value, std::uint32_t flags = 0,
             std::uint32_t node = 0, std::uint32_t parent = 0) {
        if (code_ != WM_OK) return;
        const wm_event event{tag, node, parent, flags, bytes(name), bytes(value)};
        code_ = sink_->put(sink_->ctx, &event);
    }

    void fact(std::string_view name, std::string_view value) { put(WM_OUT_FACT, name, value); }
    void fact(std::string_view name, std::uint64_t value) { put(WM_OUT_FACT, name, Decimal(value)); }
    void fact(std::string_view name, bool value) { put(WM_OUT_FACT, name, value ? "true" : "false"); }
    void fact(std::string_view name, const char* value) { put(WM_OUT_FACT, name, value); }
    void verdict(std::uint32_t flags) { put(WM_OUT_VERDICT, {}, {}, flags); }
    void frame(std::string_view name, std::string_view data, std::uint32_t flags) {
        put(WM_OUT_FRAME, name, data, flags);
    }
    void problem(std::string_view setting, std::string_view text) { put(WM_OUT_PROBLEM, setting, text); }

    Status status() const { return {code_}; }

  private:
    const wm_sink* sink_;
    wm_status code_ = WM_OK;
};

} // namespace wm::sdk
