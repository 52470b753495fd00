#pragma once
#include "runtime/lack.h"
#include "runtime/waiter.h"
#include <Poco/Net/IPAddress.h>
#include <Poco/Net/SocketAddress.h>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace wm::runtime {

struct Resolved {
    Io status;
    std::vector<Poco::Net::SocketAddress> addresses; // at least one when ok, in the system's order of preference
    std::string failure;                             // for logs
    Lack lack = Lack::none;                          // of ours, that made it fail
};

// [any thread] Name lookups on threads of its own, remembered for 30 s; many who ask for one name share a lookup.
// Outlives its awaits; its destructor waits for lookups under way.
class Resolver {
  public:
    struct Found {
        std::vector<Poco::Net::IPAddress> addresses;
        std::string failure; // when there are none
        Lack lack = Lack::none;
    };
    using Lookup = std::function<Found(const std::string& host)>; // blocking; called from any of the threads

    static Found system_lookup(const std::string& host); // getaddrinfo

    explicit Resolver(const Clock& clock, unsigned threads = 1, Lookup lookup = system_lookup);
    ~Resolver();
    Resolver(const Resolver&) = delete;

    class Resolve;
    // -> Resolved. An address instead of a name is answered at once. `host` outlives the await.
    Resolve resolve(Loop& loop, Abort& abort, const std::string& host, std::uint16_t port, Millis timeout);

  private:
    static constexpr Millis remembered{30'000};
    static constexpr std::size_t max_names = 1024;
    struct Name;

    void work();
    void forget_old();
    Name& name(const std::string& host);

    const Clock& clock_;
    const Lookup lookup_;
    std::mutex mutex_; // all below
    std::condition_variable wake_;
    std::unordered_map<std::string, std::unique_ptr<Name>> names_;
    std::deque<std::string> wanted_;
    bool ending_ = false;
    std::vector<std::thread> threads_;
};

class [[nodiscard]] Resolver::Resolve final : public QueuedWaiter {
  public:
    Resolve(Resolver& r, Loop& loop, Abort& abort, const std::string& host, std::uint16_t port, Millis timeout)
        : QueuedWaiter(loop, abort, timeout, r.mutex_), resolver_(r), host_(host), port_(port) {}
    Resolved await_resume() { return {status_, std::move(addresses_), std::move(failure_), lack_}; }

  private:
    friend class Resolver;
    bool attempt() override;
    bool attach() override;
    void take(const Found& found);

    Resolver& resolver_;
    const std::string& host_;
    const std::uint16_t port_;
    std::vector<Poco::Net::SocketAddress> addresses_;
    std::string failure_;
    Lack lack_ = Lack::none;
};

inline Resolver::Resolve Resolver::resolve(Loop& loop, Abort& abort, const std::string& host, std::uint16_t port,
                                           Millis timeout) {
    return {*this, loop, abort, host, port, timeout};
}

} // namespace wm::runtime
