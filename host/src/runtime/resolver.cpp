#include "runtime/resolver.h"
#include "runtime/ip_literal.h"
#include <cerrno>
#include <netdb.h>
#include <sys/socket.h>
#include <system_error>

namespace wm::runtime {

struct Resolver::Name {
    Found found;
    SteadyTime until{}; // when `found` is forgotten
    bool pending = false;
    Link waiting;
};

Resolver::Resolver(const Clock& clock, unsigned threads, Lookup lookup) : clock_(clock), lookup_(std::move(lookup)) {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Resolver::~Resolver() {
    {
        std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    for (auto& t : threads_) t.join();
}

void Resolver::work() {
    for (std::unique_lock lock(mutex_);;) {
        wake_.wait(lock, [this] { return ending_ || !wanted_.empty(); });
        if (ending_) return;
        const auto host = std::move(wanted_.front());
        wanted_.pop_front();
        lock.unlock();
        auto found = lookup_(host);
        lock.lock();
        auto& name = *names_.at(host);
        name.pending = false;
        name.found = std::move(found);
        name.until = clock_.now() + remembered; // before anybody is told, who might move the clock
        drain<QueuedWaiter::Place>(name.waiting, [&](QueuedWaiter::Place& p) {
            auto& waiter = static_cast<Resolve&>(p.owner);
            waiter.take(name.found);
            waiter.deliver();
        });
        if (name.found.addresses.empty()) names_.erase(host); // a failure is not remembered
    }
}

Resolver::Name& Resolver::name(const std::string& host) {
    if (names_.size() >= max_names && !names_.contains(host))
        std::erase_if(names_, [](const auto& n) { return !n.second->pending; }); // rare: simply start afresh
    auto& n = names_[host];
    if (!n) n = std::make_unique<Name>();
    return *n;
}

bool Resolver::Resolve::attempt() {
    if (const auto address = ip_literal(host_)) {
        addresses_.emplace_back(*address, port_);
        return true;
    }
    std::lock_guard lock(mutex_);
    const auto at = resolver_.names_.find(host_);
    if (at == resolver_.names_.end() || resolver_.clock_.now() >= at->second->until) return false;
    take(at->second->found);
    return true;
}

bool Resolver::Resolve::attach() {
    std::lock_guard lock(mutex_);
    auto& name = resolver_.name(host_);
    name.waiting.append(place_);
    if (name.pending) return true;
    name.pending = true;
    name.until = {};
    resolver_.wanted_.push_back(host_);
    resolver_.wake_.notify_one();
    return true;
}

void Resolver::Resolve::take(const Found& found) {
    for (const auto& address : found.addresses) addresses_.emplace_back(address, port_);
    failure_ = found.failure;
    lack_ = found.lack;
    if (addresses_.empty()) status_ = Io::failed;
}

Resolver::Found Resolver::system_lookup(const std::string& host) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* list = nullptr;
    const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &list);
    const auto system_error = errno;
    if (error == EAI_SYSTEM) return {{}, std::generic_category().message(system_error), lack_of(system_error)};
    if (error != 0) return {{}, ::gai_strerror(error), error == EAI_MEMORY ? Lack::other : Lack::none};
    Found found;
    for (const auto* a = list; a; a = a->ai_next) {
        if (a->ai_family == AF_INET) {
            found.addresses.emplace_back(&reinterpret_cast<const sockaddr_in*>(a->ai_addr)->sin_addr, sizeof(in_addr));
        } else if (a->ai_family == AF_INET6) {
            const auto* six = reinterpret_cast<const sockaddr_in6*>(a->ai_addr);
            found.addresses.emplace_back(&six->sin6_addr, sizeof(in6_addr), six->sin6_scope_id);
        }
    }
    ::freeaddrinfo(list);
    if (found.addresses.empty()) found.failure = "the name has no address";
    return found;
}

} // namespace wm::runtime
