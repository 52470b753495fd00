#pragma once
// A task that runs beside the coroutine that started it, on the same loop. [loop thread]
#include "runtime/loop.h"
#include "runtime/task.h"

#include <coroutine>
#include <exception>

namespace wm::runtime {

// Whoever starts a task joins it before this object goes; to end it early, fire what the task awaits with. What the
// task throws comes out of join().
class Beside final : private Runnable {
  public:
    explicit Beside(Loop& loop) : loop_(loop) {}
    Beside(const Beside&) = delete;

    void start(Task<> task); // once; runs at once, up to its first wait
    bool running() const { return running_; }

    class Join {
      public:
        explicit Join(Beside& beside) : beside_(beside) {}
        bool await_ready() const { return !beside_.running_; }
        void await_suspend(std::coroutine_handle<> joiner) { beside_.joiner_ = joiner; }
        void await_resume() {
            if (beside_.error_) std::rethrow_exception(std::exchange(beside_.error_, nullptr));
        }

      private:
        Beside& beside_;
    };
    Join join() { return Join(*this); }

  private:
    static Detached drive(Beside& self, Task<> task);
    void run() override { joiner_.resume(); }

    Loop& loop_;
    std::coroutine_handle<> joiner_;
    std::exception_ptr error_;
    bool running_ = false;
};

} // namespace wm::runtime
