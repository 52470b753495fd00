#pragma once
// Who goes next among those who wait: the first class that has anyone, in it the principals turn by turn, each as often
// as its weight says, and for a principal whoever came first. All of them stand in one queue, each in the lane of what
// it waits for; a lane that nobody can leave is passed over. Adding, leaving and finding the next cost O(log n), and a
// step for each lane.
#include "base/clock.h"
#include "gate/lines.h"
#include "runtime/link.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wm::gate {

// Where a request stands while it waits. The default is one order of arrival for all.
struct Ticket {
    static constexpr unsigned classes = 3;

    unsigned priority_class = 1;         // 0 goes first; what is beyond the last is the last
    std::string_view principal = {};     // whose turn is used; outlives the wait
    unsigned weight = 1;                 // turns beside a principal's of weight 1
    std::optional<Millis> promote_after; // whenever it has waited so long, it rises a class
};

namespace detail {

// Virtual time, in parts of a turn, and the order of becoming active among equals.
using Turn = std::pair<std::uint64_t, std::uint64_t>;
struct Class;

struct Flow { // the waiting of one principal in one class
    Class* home = nullptr;
    std::map<unsigned, runtime::Link> waiting; // by lane
    unsigned size = 0;
    Turn turn{0, 0}; // the flow with the least goes next; going moves it on by 1/weight
};

struct Class {
    std::map<std::string, Flow, std::less<>> flows;
    std::map<unsigned, std::map<Turn, Flow*>> active; // by lane: those with someone waiting in it
    unsigned size = 0;
    std::uint64_t now = 0; // the turn of whoever went last
};

} // namespace detail

// Not safe across threads: the gate's mutex guards it. Who may go by several lanes has a place in each, the first of
// which counts; they enter together, with one ticket, and leave together.
class Queue {
  public:
    using Promotions = std::multimap<SteadyTime, runtime::Link*>;

    struct Standing { // what the queue knows of one place; lives beside it
        Ticket ticket;
        unsigned lane = 0;
        bool counts = true;          // false: a further place of one who waits
        std::string_view route = {}; // for those who look on; outlives the wait
        std::uint64_t arrival = 0;   // in its class
        Lines::Place line = {};
        detail::Flow* flow = nullptr;
        std::optional<Promotions::iterator> promotion;
    };
    using StandingOf = Standing& (*)(runtime::Link& place);

    explicit Queue(StandingOf standing_of) : standing_of_(standing_of) {}

    void add(runtime::Link& place, SteadyTime now);                 // by the ticket and the lane of its standing
    void leave(runtime::Link& place);                               // unlinks it
    void count_instead(runtime::Link& place, runtime::Link& other); // of the same who waits, before the one leaves
    // The next of those in one of these lanes; null: nobody waits there. Its principal's turn is used only if it goes.
    runtime::Link* next(SteadyTime now, std::span<const unsigned> lanes);
    void go(runtime::Link& next);

    // Who goes next, if every lane were open and nobody else came: at most so many.
    std::vector<const Standing*> first(std::size_t most) const;
    const Lines& lines() const { return lines_; } // by route

    unsigned size() const { return size_; } // who waits, however many places they have
    unsigned size(unsigned lane) const { return lane < in_lane_.size() ? in_lane_[lane] : 0; }

  private:
    unsigned class_of(const Standing& standing) const { return unsigned(standing.flow->home - classes_.data()); }
    void enter(runtime::Link& place, Standing& standing, unsigned index);
    void leave_flow(Standing& standing);
    void promote(SteadyTime now);
    runtime::Link& first_of(detail::Flow& flow, std::span<const unsigned> lanes) const;
    std::deque<const Standing*> first_of(const detail::Flow& flow, std::size_t most) const;

    const StandingOf standing_of_;
    std::array<detail::Class, Ticket::classes> classes_;
    Promotions promotions_;
    std::uint64_t activations_ = 0;
    std::uint64_t arrivals_ = 0;
    std::vector<unsigned> in_lane_; // how many wait in each
    Lines lines_;
    unsigned size_ = 0;
};

} // namespace wm::gate
