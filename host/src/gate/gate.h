#pragma once
// A limit on how many do something at once, as a whole and in parts of it, shared by all loops. Those who have to wait
// are parked coroutines in one queue; queue.h says who goes next.
#include "gate/queue.h"
#include "runtime/notice.h"
#include "runtime/waiter.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wm::gate {

// What a permit is for. A permit for a part counts in the part and in the whole.
using Part = unsigned;
inline constexpr Part whole = 0;

struct Wait {
    Part part = whole;
    std::optional<unsigned> depth = {}; // how many may wait at once, of all parts together
    Ticket ticket = {};
    std::string_view route = {}; // what is asked for, for those who look on; outlives the wait
};

// [any thread] Outlives its permits and awaits; its clock outlives it.
class Gate {
  public:
    Gate(unsigned limit, const Clock& clock) : clock_(clock), parts_{{.limit = limit}} {} // 0: none

    Part part(std::string_view name, unsigned limit); // the one of that name; made with the limit if there is none

    // One place behind the gate, given back when it is destroyed or released, once, on any thread.
    class Permit {
      public:
        Permit() = default;
        Permit(Permit&& other) noexcept
            : gate_(std::exchange(other.gate_, nullptr)), part_(other.part_), held_(other.held_) {}
        Permit& operator=(Permit&& other) noexcept {
            if (this == &other) return *this;
            release();
            gate_ = std::exchange(other.gate_, nullptr), part_ = other.part_, held_ = other.held_;
            return *this;
        }
        ~Permit() { release(); }
        explicit operator bool() const { return gate_ != nullptr; }
        void release() {
            if (gate_) std::exchange(gate_, nullptr)->give_back(part_, held_);
        }
        void hold(); // from now on nobody uses it, but nobody gets it either

      private:
        friend class Gate;
        Permit(Gate& gate, Part part) : gate_(&gate), part_(part) {}
        Gate* gate_ = nullptr;
        Part part_ = whole;
        bool held_ = false;
    };

    struct Choice {
        Gate* gate;
        Wait wait;
    };
    class Entry; // who waits at one gate or several, for whichever has a permit first
    class Acquire;
    struct Granted {
        runtime::Io status;     // ok, timed_out or cancelled; failed: too many wait already, at every gate
        Permit permit;          // when ok; none: the notice was raised
        std::size_t choice = 0; // whose it is
    };
    Acquire acquire(runtime::Loop& loop, runtime::Abort& abort, Millis timeout, const Wait& wait = {}); // -> Granted
    static Acquire acquire_any(runtime::Loop& loop, runtime::Abort& abort, Millis timeout,
                               std::vector<Choice> choices); // -> Granted
    std::optional<Permit> try_acquire(Part part = whole);
    bool has_room(Part part = whole) const; // try_acquire() would give one
    // All at once, so that a limit may move from one part to another; a smaller one takes effect as permits come back.
    struct Size {
        Part part = whole;
        unsigned limit = 0;
    };
    void resize(std::span<const Size> sizes);
    void resize(unsigned limit, Part part = whole) {
        const Size one{part, limit};
        resize({&one, 1});
    }
    // Keeps one permit out of use, never the last one, until then; later calls put it off. False: it is kept already.
    bool withhold(Part part, SteadyTime until);
    std::optional<Millis> restore(Part part, bool at_once = false); // if it is time; else how long it is until then

    struct State {
        std::string name; // of a part
        unsigned limit = 0;
        unsigned in_flight = 0; // permits in use
        unsigned held = 0;      // permits that nobody uses and nobody gets
        bool withheld = false;  // one permit is out of use
        unsigned waiting = 0;
        std::uint64_t waits = 0; // how many have had to wait so far

        bool used() const { return in_flight + held + waiting > 0; }
    };
    State state() const;              // of the whole and of one moment; all who wait for any part of it
    std::vector<State> parts() const; // without the whole
    unsigned waiting() const;         // of all parts

    struct Waiter {
        std::string principal; // whose turn is used
        std::string route;
        unsigned priority_class = 0;
        Millis waited{0};
    };
    // Those who go next, if every part had permits and nobody else came: at most so many.
    std::vector<Waiter> first(std::size_t most) const;
    std::vector<LineState> lines() const; // all who wait, by route

  private:
    struct Count {
        std::string name = {};
        unsigned limit = 0, in_flight = 0, held = 0;
        std::optional<SteadyTime> withheld_until = {};
        std::uint64_t waits = 0;

        bool free() const { return limit == 0 || in_flight + held < limit - (withheld_until && limit > 1 ? 1 : 0); }
    };
    bool free(Part part) const { return parts_[whole].free() && parts_[part].free(); }
    template <class Change>
    void change(Part part, Change&& change); // of the part and of the whole
    State state_of(const Count& count, unsigned waiting) const;
    Permit grant(Part part);
    void give_back(Part part, bool held);
    void hold(Part part);
    struct Place;
    struct Stand;
    void serve();             // mutex held
    void leave(Stand& stand); // mutex held: takes all its places out of the queue
    static Queue::Standing& standing_of(runtime::Link& place);

    const Clock& clock_;
    mutable std::mutex mutex_; // all below
    std::vector<Count> parts_; // the first is the whole; a part's number is its lane in the queue
    Queue queue_{standing_of};
    std::vector<unsigned> open_; // serve()'s
};

struct Gate::Place : runtime::Link {
    Place(Stand& s, Part p) : stand(s), part(p) {}
    Stand& stand;
    const Part part;
    Queue::Standing standing;
};

struct Gate::Stand { // all its places at one gate, whose mutex guards them
    Stand(Entry& e, Gate& g) : entry(e), gate(g) {}
    Entry& entry;
    Gate& gate;
    std::list<Place> places; // in the queue, or left

    Place& place_for(Part part);
    Place* first(const Place* but = nullptr); // that is in the queue
};

// One who waits, in the same places however often its owner looks elsewhere meanwhile. Several gates may want to serve
// it at once: whoever claims it first has decided whose permit it gets. [loop thread] but for what the gates do.
class Gate::Entry {
  public:
    Entry() = default;
    explicit Entry(std::vector<Choice> choices) : choices_(std::move(choices)) {}
    Entry(const Entry&) = delete;
    ~Entry() { leave(); }

    // What it waits for from now on. Places that it has for these it keeps, others it gives up, new ones it takes when
    // it waits. What the tickets and routes refer to outlives the entry.
    void choose(std::vector<Choice> choices);

    // Until a permit is there, or `changes` is no more what it was when it was `seen`: then it may wait again.
    Acquire acquire(runtime::Loop& loop, runtime::Abort& abort, Millis timeout, runtime::Notice& changes,
                    std::uint64_t seen); // -> Granted

  private:
    friend class Gate;
    enum class State : unsigned char { idle, awaited, claimed };
    enum class Entered : unsigned char { waiting, full, claimed };
    bool pass(State from, State to) { return state_.compare_exchange_strong(from, to); }
    bool claim() { return state_.exchange(State::claimed) != State::claimed; }
    bool claimed() const { return state_ == State::claimed; }
    bool chosen(const Place& place) const;
    bool try_acquire();
    Entered enter();
    Entered enter(Stand& stand);
    Granted take(); // what it was claimed for
    void leave();

    std::vector<Choice> choices_;
    std::list<Stand> stands_; // one for each gate it ever stood at
    std::atomic<State> state_ = State::idle;
    Acquire* waiting_ = nullptr; // while it is awaited
    // Set by who claimed it. Should the coroutine go away without looking at it, the permit goes back by itself.
    Permit permit_;
};

// An entry's wait for a permit.
class [[nodiscard]] Gate::Acquire final : public runtime::Waiter, private runtime::Notice::Listener {
  public:
    Acquire(runtime::Loop& loop, runtime::Abort& abort, Millis timeout, std::vector<Choice> choices)
        : Waiter(loop, abort, timeout), own_(std::in_place, std::move(choices)), entry_(*own_) {}
    Acquire(runtime::Loop& loop, runtime::Abort& abort, Millis timeout, Entry& entry, runtime::Notice& changes,
            std::uint64_t seen)
        : Waiter(loop, abort, timeout), entry_(entry), changes_(&changes), seen_(seen) {}
    Granted await_resume();

  private:
    friend class Gate;
    using State = Entry::State;
    bool attempt() override { return entry_.try_acquire(); }
    bool attach() override;
    bool detach() override;
    void raised() override {
        if (entry_.pass(State::awaited, State::idle)) deliver();
    }

    std::optional<Entry> own_;
    Entry& entry_;
    runtime::Notice* const changes_ = nullptr;
    const std::uint64_t seen_ = 0;
};

inline Gate::Acquire Gate::Entry::acquire(runtime::Loop& loop, runtime::Abort& abort, Millis timeout,
                                          runtime::Notice& changes, std::uint64_t seen) {
    return {loop, abort, timeout, *this, changes, seen};
}
inline Gate::Acquire Gate::acquire_any(runtime::Loop& loop, runtime::Abort& abort, Millis timeout,
                                       std::vector<Choice> choices) {
    return {loop, abort, timeout, std::move(choices)};
}
inline Gate::Acquire Gate::acquire(runtime::Loop& loop, runtime::Abort& abort, Millis timeout, const Wait& wait) {
    return acquire_any(loop, abort, timeout, {{this, wait}});
}

} // namespace wm::gate
