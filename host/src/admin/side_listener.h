#pragma once
#include "admin/pages.h"
#include "http/server_connection.h"

#include <Poco/Net/ServerSocket.h>

#include <memory>
#include <thread>

namespace wm::admin {

// A listener beside the clients': a thread with a loop of its own from start() to the destructor, which closes its
// connections. A busy gateway still answers there, and nothing there holds a request up.
class SideListener {
  public:
    // `socket` listens already.
    SideListener(Poco::Net::ServerSocket socket, std::unique_ptr<Pages> pages, const Clock& clock);
    ~SideListener();
    SideListener(const SideListener&) = delete;

    void start();

  private:
    runtime::Detached accept_all();
    runtime::Detached serve(Poco::Net::StreamSocket socket);
    runtime::Task<> answer_all(http::ServerConnection& connection, runtime::Abort& abort);

    runtime::Loop loop_;
    Poco::Net::ServerSocket socket_;
    const http::ServerLimits limits_; // the defaults: nothing here needs more
    const std::unique_ptr<Pages> pages_;
    http::HeldBytes held_;     // by the bodies of all its requests
    unsigned connections_ = 0; // on the loop's thread
    std::thread thread_;
};

} // namespace wm::admin
