#pragma once
// Coroutine types. Task<T>: lazily started, awaited by exactly one other coroutine, which owns its frame.
// Detached: a top-level coroutine that starts at once and owns itself; it has to catch what it calls.
// A suspended coroutine is never destroyed from outside: fire its Abort and let it unwind.
#include "runtime/frame_memory.h"

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace wm::runtime {

template <class T = void>
class Task;

namespace detail {

struct ResumeContinuation {
    bool await_ready() noexcept { return false; }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
        return h.promise().continuation;
    }
    void await_resume() noexcept {}
};

struct PromiseBase {
    static void* operator new(std::size_t size) { return take_frame(size); }
    static void operator delete(void* frame, std::size_t size) noexcept { give_frame(frame, size); }

    std::coroutine_handle<> continuation;
    std::exception_ptr error; // bugs and allocation failures pass through to the awaiter
    std::suspend_always initial_suspend() noexcept { return {}; }
    ResumeContinuation final_suspend() noexcept { return {}; }
    void unhandled_exception() noexcept { error = std::current_exception(); }
};

template <class T>
struct Promise : PromiseBase {
    std::optional<T> value;
    Task<T> get_return_object();
    template <class U>
    void return_value(U&& u) {
        value.emplace(std::forward<U>(u));
    }
    T take() {
        if (error) std::rethrow_exception(error);
        return std::move(*value);
    }
};

template <>
struct Promise<void> : PromiseBase {
    Task<void> get_return_object();
    void return_void() {}
    void take() {
        if (error) std::rethrow_exception(error);
    }
};

} // namespace detail

template <class T>
class [[nodiscard]] Task {
  public:
    using promise_type = detail::Promise<T>;
    explicit Task(std::coroutine_handle<promise_type> h) : handle_(h) {}
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&&) = delete;
    ~Task() {
        if (handle_) handle_.destroy();
    }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
        handle_.promise().continuation = caller;
        return handle_;
    }
    T await_resume() { return handle_.promise().take(); }

  private:
    std::coroutine_handle<promise_type> handle_;
};

template <class T>
Task<T> detail::Promise<T>::get_return_object() {
    return Task<T>(std::coroutine_handle<Promise>::from_promise(*this));
}
inline Task<void> detail::Promise<void>::get_return_object() {
    return Task<void>(std::coroutine_handle<Promise>::from_promise(*this));
}

struct Detached {
    struct promise_type {
        Detached get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
};

} // namespace wm::runtime
