#pragma once
// What is known of one exchange so far: what is asked, and what became of it. Each step adds its part; settle reads it.
#include "exchange/asked.h"
#include "exchange/outcome.h"
#include "exchange/site.h"
#include "exchange/walk.h"
#include "translate/translation.h"

#include <optional>
#include <string>

namespace wm::exchange {

class Heartbeat;

constexpr std::size_t large_body = 256u << 10; // bytes: what takes longer to read than a loop's others should wait

struct Context : Asked {
    Worker& worker;
    http::ServerConnection& connection;
    runtime::Abort& abort;                        // of all that runs for it, see cancel.h
    const std::shared_ptr<LoopGeneration> pinned; // what it began with and ends with, whatever is reloaded meanwhile

    std::string id;
    SteadyTime started;
    bool wants_metadata = false;

    http::HeldBytes::Share held{worker.site.bodies, pinned->shared->settings->server.max_body_memory}; // by its body
    std::unique_ptr<translate::Translation> translation; // attempt: from the first that is asked in another protocol

    bool committed = false;                // the first semantic byte was sent: no other target from here on
    std::string error_code;                // of the gateway's own refusal
    bool limited = false, aborted = false; // as in its record
    std::optional<FailureClass> failure;
    bool exhausted = false; // no target was left
    std::string selection_reason;
    std::optional<SteadyTime> first_byte;
    Millis waited{0}; // at gates and for probes
    plugin::Usage usage;
    std::vector<records::AttemptRecord> attempts;

    Site& site() const { return worker.site; }
    const Generation& generation() const { return *pinned->shared; }
    const config::Settings& settings() const { return *generation().settings; }
    const routing::Circuits& circuits() const { return generation().circuits; }
    const BackendGates& gates() const { return generation().gates; }
    policy::Policies& policies() const { return pinned->policies; }
    SteadyTime now() const { return worker.loop.clock().now(); }
    std::int64_t wall_ms() const { return worker.loop.clock().wall_ms(); }
    bool streaming() const { return facts.stream; }
    bool cut() const { return abort.fired() && !connection.aborted(); } // by a drain's end: the client is still there
    // -> void. Work that reads `bytes` of a body or a document, a large one on the pool. Until it is done the exchange
    // is lent to it.
    template <class F>
    auto work_on(std::size_t bytes, F work) {
        return Lent<F>{.loan = Loan(lent),
                       .run = site().pool.run(worker.loop, abort, std::move(work), bytes > large_body)};
    }
    plugin::RequestView request() const { return Asked::request(wall_ms()); }

    // By work on the pool: a timer of this exchange reads and writes nothing here meanwhile, but for its connection.
    unsigned lent = 0;

    class Loan {
      public:
        explicit Loan(unsigned& count) : count_(count) { ++count_; }
        ~Loan() { --count_; }
        Loan(const Loan&) = delete;

      private:
        unsigned& count_;
    };
    template <class F>
    struct [[nodiscard]] Lent {
        Loan loan;
        runtime::WorkerPool::Run<F> run;
        bool await_ready() { return run.await_ready(); }
        bool await_suspend(std::coroutine_handle<> waiting) { return run.await_suspend(waiting); }
        void await_resume() const { run.await_resume(); }
    };
};

} // namespace wm::exchange
