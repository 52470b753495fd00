#include "rig.h"

namespace wm::http::testing {

namespace {

struct Await { // gcc 12 wants the operand of co_await to be of a concrete type
    Awaited& awaited;
    bool await_ready() const { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) { return awaited.await_suspend(caller); }
    void await_resume() { awaited.await_resume(); }
};

runtime::Detached run(std::unique_ptr<Awaited> awaited) { co_await Await{*awaited}; }

} // namespace

void drive(std::unique_ptr<Awaited> awaited) { run(std::move(awaited)); }

} // namespace wm::http::testing
