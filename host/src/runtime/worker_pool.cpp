#include "runtime/worker_pool.h"

namespace wm::runtime {

WorkerPool::WorkerPool(unsigned threads) {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

WorkerPool::~WorkerPool() {
    {
        std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    for (auto& t : threads_) t.join();
}

void WorkerPool::add(Job& job) {
    {
        std::lock_guard lock(mutex_);
        jobs_.append(job);
    }
    wake_.notify_one();
}

void WorkerPool::serve() {
    for (std::unique_lock lock(mutex_);;) {
        wake_.wait(lock, [this] { return ending_ || !jobs_.alone(); });
        if (jobs_.alone()) return;
        auto& job = static_cast<Job&>(*jobs_.next);
        job.unlink();
        lock.unlock();
        job.work();
        lock.lock();
    }
}

} // namespace wm::runtime
