#pragma once
// The running gateway: one loop per core, each with its listener's socket, its upstream connections and its policies.
#include "admin/side_listener.h"
#include "app/assembly.h"
#include "app/listener.h"
#include "records/access_log.h"

#include <list>
#include <mutex>
#include <optional>
#include <thread>

namespace wm::app {

class Gateway {
  public:
    // Listens at once; serves from start() on. Throws std::runtime_error when it cannot.
    Gateway(Assembly assembly, const plugin::Registry& plugins, const Clock& clock);
    ~Gateway(); // stops
    Gateway(const Gateway&) = delete;

    void start();
    // Makes a generation of these and hands it to every loop: once this returns, each new request begins with it.
    // `tls`: certificates for new connections, null for those in use.
    // [the thread that starts and drains; after start] Throws std::runtime_error and changes nothing if a policy cannot
    // be loaded once more, or the access log not be opened.
    std::shared_ptr<const exchange::Generation> publish(Assembly assembly, Poco::Net::Context::Ptr tls = nullptr);
    std::shared_ptr<const exchange::Generation> generation() const; // the latest [any thread]
    // Readiness turns 503, new work is refused, running exchanges may finish within the drain timeout. Then they are
    // cut off: a stream ends with an error in its protocol, who has no answer yet gets 503.
    void drain();
    exchange::Site& site() { return site_; }
    const std::string& url() const { return listener_.url; }
    const std::string& admin_url() const { return admin_listener_.url; }     // empty: there is no admin listener
    const std::string& metrics_url() const { return metrics_listener_.url; } // likewise

  private:
    struct Lane;
    std::shared_ptr<exchange::LoopGeneration> on_one_loop(const std::shared_ptr<const exchange::Generation>& shared);
    bool idle_within(Millis time) const; // whether all exchanges ended in time
    void stop();

    const plugin::Registry& plugins_;
    exchange::Site site_;
    records::AccessLog* access_log_; // among the site's sinks
    mutable std::mutex mutex_;       // generation_
    std::shared_ptr<const exchange::Generation> generation_;
    Listener listener_, admin_listener_, metrics_listener_;
    std::list<Lane> lanes_;
    std::list<admin::SideListener> side_listeners_; // end before the lanes that they look at
};

} // namespace wm::app
