#pragma once
// Reasoning for protocols that know less of it than others do.
#include "../json_value.hpp"
#include "content.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wm::sdk {

// What a protocol with one text of reasoning shows of a block, as it streams: the text itself, else its summaries.
class ShownReasoning {
  public:
    // What a TEXT or SUMMARY adds, a view until the next call. Nothing: the block shows the other of the two.
    std::optional<std::string_view> take(const Event& e) {
        const bool summary = e.tag == WM_EV_SUMMARY;
        if (!begun_) {
            begun_ = true;
            summary_ = summary;
            index_ = e.name;
        }
        if (summary != summary_) return std::nullopt;
        if (!summary || index_ == e.name) return e.value;
        index_ = e.name;
        apart_.assign("\n\n").append(e.value);
        return apart_;
    }

  private:
    bool begun_ = false, summary_ = false;
    std::string index_, apart_;
};

// The same of a whole block.
inline std::string shown_reasoning(const Block& block) {
    if (!block.text.empty()) return block.text;
    std::string out;
    for (const Named& one : block.summaries) out.append(out.empty() ? "" : "\n\n").append(one.value);
    return out;
}

// The effort that a budget of reasoning tokens comes nearest to.
inline std::string_view effort_of(std::string_view budget) {
    const auto tokens = json::Value{budget, json::Kind::number}.count().value_or(0);
    return tokens < 1024 ? "minimal" : tokens < 4096 ? "low" : tokens < 16384 ? "medium" : "high";
}

} // namespace wm::sdk
