#pragma once
// How many wait by route, and since when: for those who look on. Joining and leaving cost O(log routes).
#include "base/clock.h"
#include "runtime/link.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wm::gate {

struct LineState {
    std::string route;
    unsigned waiting = 0;
    SteadyTime since{}; // of who has waited longest
};

// Not safe across threads: the gate's mutex guards it.
class Lines {
  public:
    struct Place : runtime::Link {
        SteadyTime since{};
    };

    void join(std::string_view route, Place& place, SteadyTime now) {
        auto found = lines_.find(route);
        if (found == lines_.end()) found = lines_.try_emplace(std::string(route)).first;
        place.since = now;
        found->second.places.append(place);
        ++found->second.waiting;
    }
    void leave(std::string_view route, Place& place) {
        const auto found = lines_.find(route);
        place.unlink();
        if (--found->second.waiting == 0) lines_.erase(found); // what clients no longer ask for holds no memory
    }
    void replace(Place& place, Place& by) {
        by.since = place.since;
        place.append(by); // before it
        place.unlink();
    }
    std::vector<LineState> states() const {
        std::vector<LineState> out;
        for (const auto& [route, line] : lines_)
            out.push_back({route, line.waiting, static_cast<const Place&>(*line.places.next).since});
        return out;
    }

  private:
    struct Line {
        runtime::Link places; // by arrival
        unsigned waiting = 0;
    };
    std::map<std::string, Line, std::less<>> lines_;
};

} // namespace wm::gate
