#pragma once
// One client request from accept to settle. See exchange.cpp for its path.
#include "exchange/cancel.h"
#include "exchange/context.h"
#include "exchange/refusal.h"

namespace wm::exchange {

class Exchange {
  public:
    // All of them outlive the exchange; it lives on its worker's loop.
    Exchange(Worker& worker, http::ServerConnection& connection, runtime::Abort& abort, const http::RequestHead& head);
    ~Exchange(); // settles, if nothing else did
    Exchange(const Exchange&) = delete;

    runtime::Task<> run();

  private:
    runtime::Task<std::optional<Refusal>> answer();
    runtime::Task<std::optional<Refusal>> answer_from_targets();
    std::optional<Refusal> cancelled();
    void settle() noexcept;

    Cancel cancel_;
    Context x_;
    bool settled_ = false;
};

} // namespace wm::exchange
