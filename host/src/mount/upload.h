#pragma once
// A request on its way to the upstream: its head, then the body as the client sends it.
#include "mount/forward.h"

#include <string>

namespace wm::mount {

// A request to be sent, perhaps more than once: the head, and its body's payload as far as it was taken from the
// client.
class Outgoing {
  public:
    // Up to `most` bytes of the body are kept for a further sending, and counted in `held`, which outlives this.
    // `patience`: with the client, for the whole body.
    Outgoing(std::string head, std::uint64_t most, SteadyTime::duration patience, http::HeldBytes::Share& held)
        : head_(std::move(head)), held_(held), most_(most), patience_(patience) {}

    // A request that was made here, head and body in one.
    static Outgoing complete(std::string request, http::HeldBytes::Share& held) {
        Outgoing outgoing(std::move(request), 0, Millis(0), held);
        outgoing.whole_ = true;
        return outgoing;
    }

    std::string_view head() const { return head_; }
    std::string_view kept() const { return kept_; }
    bool repeatable() const { return !head_.empty(); }

    void add(std::string_view payload, bool last);
    SteadyTime::duration patience() const { return patience_; } // what is left of it
    void waited(SteadyTime::duration time) { patience_ -= time; }
    bool whole() const { return whole_; } // the client has sent all of it
    void send_once() { once_ = true; }    // whatever its size
    void sent() {                         // its head has gone out
        if (once_) forget();
    }
    void forget(); // it will not go out again: the head holds a secret, the body may be a prompt

  private:
    std::string head_, kept_;
    http::HeldBytes::Share& held_;
    const std::uint64_t most_;
    SteadyTime::duration patience_;
    bool whole_ = false, once_ = false;
};

class Upload {
  public:
    enum class Fault : unsigned char { none, client_gone, bad_body, slow_body };

    Upload(const Call& call, http::UpstreamConnection& upstream, Outgoing& outgoing, runtime::Abort& attempt);

    // Takes what the client has sent already. True: that was all, so that send_first() sends everything.
    bool take_ready();
    std::size_t ready() const { return bytes_.size(); } // bytes that send_first() sends
    runtime::Task<> send_first();                       // head and what is there
    runtime::Task<> run();                              // send_first() and all that follows; fires `attempt` on a fault

    Fault fault() const { return fault_; }
    bool complete() const { return complete_; } // the upstream was sent all of it
    void answered() { answered_ = true; }       // its answer has begun: from now on that alone bounds the silence

  private:
    runtime::Task<http::BodyPiece> read(std::string& payload);
    void take(std::string_view payload, bool last); // the next of the body
    void frame(std::string_view payload, bool last);
    runtime::Task<> send(bool last);
    void fail(Fault fault);

    const Call& call_;
    http::UpstreamConnection& upstream_;
    Outgoing& outgoing_;
    runtime::Abort& attempt_;
    const bool chunked_;
    std::string bytes_;    // framed, to be sent next
    bool refused_ = false; // the upstream takes no more; it may have answered
    bool complete_ = false, answered_ = false;
    Fault fault_ = Fault::none;
};

} // namespace wm::mount
