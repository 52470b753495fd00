#pragma once
// How a call went, and the barrier that lets nothing be thrown across the boundary.
#include "bytes.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string_view>

namespace wm::sdk {

// `where` (a member path) and `message` are literals or live as long as the plugin: a status is never built from input,
// so no byte of a request can reach an error text by accident.
struct [[nodiscard]] Status {
    wm_status code = WM_OK;
    std::string_view where{}, message{};
    std::uint64_t offset = 0;

    bool ok() const { return code == WM_OK; }
};

inline Status bad_input(std::string_view where, std::string_view message, std::uint64_t offset = 0) {
    return {WM_BAD_INPUT, where, message, offset};
}
inline Status unsupported(std::string_view where, std::string_view message) {
    return {WM_UNSUPPORTED, where, message, 0};
}

namespace detail {

template <std::size_t N>
void copy_text(char (&to)[N], std::string_view from) {
    const std::size_t n = std::min(from.size(), N - 1);
    if (n) std::memcpy(to, from.data(), n);
    to[n] = '\0';
}

} // namespace detail

// Fills what the caller's wm_error has room for; `error` may be null.
inline wm_status report(const Status& status, wm_error* error) noexcept {
    if (status.ok() || !error || error->size < sizeof(wm_error)) return status.code;
    error->offset = status.offset;
    detail::copy_text(error->where, status.where);
    detail::copy_text(error->message, status.message);
    return status.code;
}

// Runs `body`, which returns a Status; what it throws becomes WM_INTERNAL.
template <class F>
wm_status guarded(wm_error* error, F&& body) noexcept {
    try {
        return report(body(), error);
    } catch (const std::bad_alloc&) {
        return report({WM_INTERNAL, {}, "out of memory"}, error);
    } catch (...) {
        return report({WM_INTERNAL, {}, "unexpected exception"}, error);
    }
}

// The same for functions that return a handle: null when `body` throws or fails.
template <class T, class F>
T* guarded_handle(wm_error* error, F&& body) noexcept {
    T* made = nullptr;
    const wm_status code = guarded(error, [&]() -> Status {
        made = body();
        return {};
    });
    return code == WM_OK ? made : nullptr;
}

} // namespace wm::sdk
