#pragma once
#include "admin/answers.h"
#include "runtime/loop.h"

#include <Poco/Net/ServerSocket.h>

#include <atomic>
#include <thread>

namespace wm::admin {

// The admin listener: a thread with a loop of its own from start() to the destructor, which closes its connections.
class Admin {
  public:
    // `socket` listens already.
    Admin(Poco::Net::ServerSocket socket, GatewayView gateway, std::optional<std::array<unsigned char, 32>> key_digest,
          const Clock& clock);
    ~Admin();
    Admin(const Admin&) = delete;

    void start();

  private:
    runtime::Detached accept_all();
    runtime::Detached serve(Poco::Net::StreamSocket socket);
    runtime::Task<> answer_all(http::ServerConnection& connection, runtime::Abort& abort);

    runtime::Loop loop_;
    Poco::Net::ServerSocket socket_;
    const http::ServerLimits limits_; // the defaults: nothing here needs more
    Answers answers_;
    unsigned connections_ = 0; // on the loop's thread
    std::thread thread_;
};

} // namespace wm::admin
