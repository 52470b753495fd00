#pragma once
// A request on its way to the upstream: its head, then the body as the client sends it.
#include "mount/forward.h"

#include <string>

namespace wm::mount {

// What can be sent once more: the head, and the payload so far, while that is allowed to be kept.
struct Outgoing {
    std::string head;
    std::string kept;   // of the body: payload that was taken from the client
    bool keep = false;  // it may have to be sent again, and its whole body is small enough for that
    bool whole = false; // the client has sent all of it

    void forget() { // it will not go out again: the head holds a secret, the body may be a prompt
        std::string().swap(head);
        std::string().swap(kept);
        keep = false;
    }
};

class Upload {
  public:
    enum class Fault : unsigned char { none, client_gone, bad_body, slow_body };

    Upload(const Call& call, http::UpstreamConnection& upstream, Outgoing& outgoing, runtime::Abort& attempt);

    // Takes what the client has sent already. True: that was all, so that send_first() sends everything.
    bool take_ready();
    runtime::Task<> send_first(); // head and what is there
    runtime::Task<> run();        // send_first() and all that follows; fires `attempt` on a fault

    Fault fault() const { return fault_; }
    bool complete() const { return complete_; } // the upstream was sent all of it

  private:
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
    bool complete_ = false;
    Fault fault_ = Fault::none;
};

} // namespace wm::mount
