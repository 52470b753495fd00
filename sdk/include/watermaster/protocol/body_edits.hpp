#pragma once
// Edits of a request that leave every other byte as it was, put as SPLICEs in the order of the body.
#include "../sink.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace wm::sdk {

class BodyEdits {
  public:
    // `where`: a view into the body. Edits may not overlap.
    void replace(std::string_view where, std::string with) { edits_.push_back({where, std::move(with)}); }
    void cut(std::string_view where) { replace(where, {}); }

    void put(Sink& out) {
        std::sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) {
            return std::less<const char*>()(a.where.data(), b.where.data());
        });
        for (const Edit& edit : edits_) out.put(WM_OUT_SPLICE, edit.where, edit.with);
    }

  private:
    struct Edit {
        std::string_view where;
        std::string with;
    };
    std::vector<Edit> edits_;
};

// What to cut out of an array so that some of its elements are gone, with their commas.
class ListCuts {
  public:
    // Each element in its order.
    void element(std::string_view raw, bool gone) {
        if (gone) {
            if (!hole_) hole_ = kept_ ? kept_ : raw.data();
            end_ = raw.data() + raw.size();
            return;
        }
        if (hole_) close(kept_ ? end_ : raw.data()); // the first that stays takes no comma with it
        kept_ = raw.data() + raw.size();
    }
    bool any() const { return hole_ || !cuts_.empty(); }
    bool all() const { return hole_ && !kept_; }

    void put(BodyEdits& edits) {
        if (hole_) close(end_);
        for (const std::string_view cut : cuts_) edits.cut(cut);
    }

  private:
    void close(const char* end) {
        cuts_.emplace_back(hole_, static_cast<std::size_t>(end - hole_));
        hole_ = nullptr;
    }

    std::vector<std::string_view> cuts_;
    const char *kept_ = nullptr, *hole_ = nullptr, *end_ = nullptr; // ends of the last that stays, and of the last gone
};

} // namespace wm::sdk
