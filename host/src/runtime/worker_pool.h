#pragma once
#include "runtime/waiter.h"
#include <condition_variable>
#include <exception>
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
    // -> void. f runs on a thread of the pool, whatever has been aborted; the coroutine goes on afterwards on its loop,
    // with what f has thrown. It cannot be abandoned, as f refers to its frame: an abort shows at the next await.
    // Work that is not `heavy` is done at once, by the caller.
    template <class F>
    Run<F> run(Loop& loop, Abort& abort, F f, bool heavy = true) {
        return {*this, loop, abort, std::move(f), heavy};
    }

  private:
    struct Job : Link {
        virtual void work() = 0; // throws nothing; delivers the waiter at the end, which may destroy the job

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
    Run(WorkerPool& pool, Loop& loop, Abort& abort, F f, bool heavy)
        : Waiter(loop, abort, forever), pool_(pool), f_(std::move(f)), heavy_(heavy) {}
    bool await_ready() { // never by an abort: the result is relied on
        if (!heavy_) f_();
        return !heavy_;
    }
    void await_resume() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

  private:
    bool attach() override { return pool_.add(*this), true; }
    bool detach() override { return false; }
    void work() override {
        try {
            f_();
        } catch (...) { // out of memory: it costs who asked for the work, and not the process
            thrown_ = std::current_exception();
        }
        deliver();
    }
    WorkerPool& pool_;
    F f_;
    const bool heavy_;
    std::exception_ptr thrown_;
};

} // namespace wm::runtime
