#pragma once
#include "runtime/waiter.h"
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace wm::runtime {

// [any thread] Threads for work that would hold a loop up. Outlives its awaits.
class WorkerPool {
  public:
    explicit WorkerPool(unsigned threads);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;

    template <class F>
    class Run;
    // -> void. f runs on a thread of the pool, always, and must not throw; the coroutine goes on afterwards on its
    // loop. It cannot be abandoned, as f refers to its frame: an abort shows at the next await.
    template <class F>
    Run<F> run(Loop& loop, Abort& abort, F f) {
        return {*this, loop, abort, std::move(f)};
    }

  private:
    struct Job : Link {
        virtual void work() = 0; // delivers the waiter at the end, which may destroy the job

      protected:
        Job() = default;
        ~Job() = default;
    };
    void add(Job& job);
    void serve();

    std::mutex mutex_; // jobs_, ending_
    std::condition_variable wake_;
    Link jobs_;
    bool ending_ = false;
    std::vector<std::thread> threads_;
};

template <class F>
class [[nodiscard]] WorkerPool::Run final : public Waiter, private Job {
  public:
    Run(WorkerPool& pool, Loop& loop, Abort& abort, F f)
        : Waiter(loop, abort, forever), pool_(pool), f_(std::move(f)) {}
    bool await_ready() const { return false; } // runs even for an aborted coroutine: its result is relied on
    void await_resume() const {}

  private:
    bool attach() override { return pool_.add(*this), true; }
    bool detach() override { return false; }
    void work() override {
        f_();
        deliver();
    }
    WorkerPool& pool_;
    F f_;
};

} // namespace wm::runtime
