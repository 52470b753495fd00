#pragma once
// The running gateway: one loop per core, each with its listener's socket, its upstream connections and its policies.
#include "app/assembly.h"
#include "app/listener.h"

#include <list>
#include <thread>

namespace wm::app {

class Gateway {
  public:
    // Listens at once; serves from start() on. Throws std::runtime_error when it cannot.
    Gateway(Assembly assembly, const plugin::Registry& plugins, const Clock& clock);
    ~Gateway(); // stops
    Gateway(const Gateway&) = delete;

    void start();
    // Readiness turns 503, new work is refused, running exchanges may finish within the drain timeout; then all is cut.
    void drain();
    const std::string& url() const { return listener_.url; }

  private:
    struct Lane;
    void stop();

    exchange::Site site_;
    Listener listener_;
    std::list<Lane> lanes_;
};

} // namespace wm::app
