#pragma once
// Handles that only the credential which issued them can use, on their way to PIN.
#include "../json_value.hpp"
#include "../sink.hpp"
#include "../translation/carrier.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace wm::sdk {

// `handle`: a JSON string; anything else is none.
inline void put_pin(Sink& out, std::string_view kind, const json::Value& handle) {
    if (!handle.is_string() || handle.empty()) return;
    if (handle.body().find('\\') == std::string_view::npos)
        out.put(WM_OUT_PIN, kind, handle.body()); // it may be long, and need not be copied
    else
        out.put(WM_OUT_PIN, kind, json::text(handle.body()));
}

// Reasoning that another protocol's provider sealed, in a member meant for a signature. A signature is no pin, nor is
// what Anthropic has redacted: every key may show it.
inline void put_carried_pin(Sink& out, std::string_view member) {
    if (const auto carried = uncarry(member); carried && carried->opaque && carried->format != "anthropic-messages")
        out.put(WM_OUT_PIN, WM_PIN_CARRIED, carried->value);
}

// The newest handles of one kind in a request. A conversation may hold hundreds; those its last answers made say where
// it was. Views into the body.
class NewestHandles {
  public:
    static constexpr std::size_t most = 4;

    void keep(const json::Value& handle) {
        if (handle.is_string() && !handle.empty()) kept_[count_++ % most] = handle;
    }
    template <class F>
    void each(F&& f) const { // from the oldest
        for (std::size_t i = count_ > most ? count_ - most : 0; i < count_; ++i) f(kept_[i % most]);
    }
    void put(Sink& out, std::string_view kind) const {
        each([&](const json::Value& handle) { put_pin(out, kind, handle); });
    }

  private:
    std::array<json::Value, most> kept_{};
    std::size_t count_ = 0;
};

} // namespace wm::sdk
