#pragma once
// Which credential holds what a request continues: a stored response, a file, sealed reasoning. A bounded map from pins
// to holders, learnt from answers and forgotten by age and by use; it never has a handle itself, only keyed digests.
//
// A pin is its principal's: another's finds nothing, is steered nowhere and confirms nothing, whatever it guesses.
// Where room is wanting, the principal with the most pins loses its oldest: nobody's answers push out what others hold
// less of.
//
// Threads: any; each call holds a short lock. The map outlives generations: a holder is a name, not an index.
#include "base/clock.h"
#include "base/digest.h"

#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>

namespace wm::routing {

struct PinLimits {
    std::size_t most = 131'072; // 0: nothing is remembered
    Millis age{2'592'000'000};  // since it was last learnt
};

class Pins {
  public:
    explicit Pins(const Clock& clock, PinLimits limits = {}) : clock_(clock), limits_(limits) {}
    Pins(const Pins&) = delete;

    void limit(PinLimits limits);

    // `holder` has these from now on; who held one before no longer does.
    void learn(std::string_view principal, std::span<const Digest> pins, const Digest& holder);

    // Nobody is known to hold these: the holder did not know them.
    void forget(std::string_view principal, std::span<const Digest> pins);

    // The holder of the last one that is known. Changes nothing: what is only looked at grows old all the same.
    std::optional<Digest> holder_of(std::string_view principal, std::span<const Digest> pins) const;

    std::size_t size() const;

  private:
    struct Entry {
        Digest pin, holder;
        SteadyTime learnt;
    };
    using Entries = std::list<Entry>; // the newest first
    using Owners = std::map<Digest, Entries>;
    struct Place {
        Owners::iterator owner;
        Entries::iterator entry;
    };
    void learn_one(Owners::iterator owner, const Digest& pin, const Digest& holder);
    void keep_to_limit(std::size_t by); // dropping that many at most
    void drop_aged(Owners::iterator owner, std::size_t by);
    void drop_oldest(Owners::iterator owner);
    // Every change of how many entries an owner has goes through here; without any it is gone.
    template <class Change>
    void resize(Owners::iterator owner, Change change);

    const Clock& clock_;
    mutable std::mutex mutex_; // of all that follows
    PinLimits limits_;
    Owners owners_;
    std::set<std::pair<std::size_t, Digest>> by_size_; // of owners_
    std::unordered_map<Digest, Place, DigestHash> by_pin_;
    Digest last_aged_; // the owner that was looked through last for what is too old
};

} // namespace wm::routing
