#pragma once
#include "runtime/link.h"

namespace wm::runtime {

class Loop;

class AbortEntry : public Link {
  public:
    virtual void aborted() = 0; // already unlinked

  protected:
    AbortEntry() = default;
    ~AbortEntry() = default;
};

// Cancels whatever its owner awaits now and all it would await later; usually one for each connection or
// exchange. [loop thread] throughout. It also is what keeps Loop::run from returning: a loop that stops fires all
// its aborts and runs on until they are destroyed, so declare one in every top-level coroutine.
class Abort : private Link {
  public:
    explicit Abort(Loop& loop); // already fired if the loop is stopping
    void fire();                // safe anywhere on the loop's thread: those who wait are resumed later, by the loop
    bool fired() const { return fired_; }

    void add(AbortEntry& entry) { entries_.append(entry); } // for awaitables; leaves by itself

  private:
    friend class Loop;
    Link entries_;
    bool fired_ = false;
};

// While it lives, `inner` fires when `outer` does: a part that can also be cancelled alone.
class AbortLink final : private AbortEntry {
  public:
    AbortLink(Abort& outer, Abort& inner);

  private:
    void aborted() override { inner_.fire(); }
    Abort& inner_;
};

} // namespace wm::runtime
