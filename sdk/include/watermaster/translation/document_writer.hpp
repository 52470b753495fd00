#pragma once
// What writers of whole answers share: the events of an answer sorted, each choice given when it is complete.
#include "collector.hpp"
#include "losses.hpp"
#include "tally.hpp"

namespace wm::sdk {

// Head: bool take(const Event&) for the leaves of RESPONSE.
template <class Head>
class DocumentWriterBase {
  public:
    virtual ~DocumentWriterBase() = default;

    Status write(const Event& event, Sink& out) {
        if (error_.take(event) || head_.take(event)) return {};
        if (event.tag == WM_EV_USAGE) {
            usage_.take(event);
        } else if (event.tag == WM_EV_LOSS) {
            losses_.loss(out, event.name, event.value);
        } else {
            const auto done = collector_.take(event);
            if (done == Collector::Done::choice)
                choice(collector_.choice, out);
            else if (done == Collector::Done::unknown)
                losses_.loss(out, WM_LOSS_UNKNOWN_EVENT, {});
        }
        return out.status();
    }

  protected:
    virtual void choice(const Choice& choice, Sink& out) = 0;

    Head head_;
    UsageTally usage_;
    ErrorTree error_;
    Losses losses_;

  private:
    Collector collector_;
};

} // namespace wm::sdk
