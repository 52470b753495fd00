#pragma once
// Which of its tools a request lets the model call. CHOOSE comes before the tools, and what is not sent cannot be
// chosen: providers refuse that.
#include "../words.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace wm::sdk {

class ToolChoice {
  public:
    void take(std::string_view how, std::string_view tool) { // a CHOOSE
        if (how == WM_CHOOSE_ALLOWED) {
            allowed_.emplace_back(tool);
        } else {
            how_ = how;
            tool_ = tool;
        }
    }
    void sent(std::string_view name, bool custom = false) { sent_.insert_or_assign(std::string(name), custom); }
    void sent_unnamed() { unnamed_ = true; } // run by the provider: nobody else knows what it is called by

    // Once all tools are sent. False: some of the choice is lost, and the rest allows no tool that it did not.
    bool settle() {
        if (sent_.empty() && !unnamed_) { // without tools, auto and none mean the same, and neither may be said
            const bool kept = allowed_.empty() && (how_.empty() || how_ == WM_CHOOSE_AUTO || how_ == WM_CHOOSE_NONE);
            how_.clear();
            allowed_.clear();
            return kept;
        }
        if (how_ == WM_CHOOSE_TOOL && !there(tool_)) {
            how_ = WM_CHOOSE_NONE;
            return false;
        }
        const std::size_t lost = std::erase_if(allowed_, [&](const std::string& one) { return !there(one); });
        if (lost && allowed_.empty()) how_ = WM_CHOOSE_NONE;
        return lost == 0;
    }

    std::string_view how() const { return how_; } // WM_CHOOSE_; empty: there is nothing to say
    std::string_view tool() const { return tool_; }
    const std::vector<std::string>& allowed() const { return allowed_; } // empty: all of them
    bool custom(std::string_view name) const {
        const auto found = sent_.find(name);
        return found != sent_.end() && found->second;
    }

  private:
    bool there(std::string_view name) const { return unnamed_ || sent_.find(name) != sent_.end(); }

    std::string how_, tool_;
    std::vector<std::string> allowed_;
    std::map<std::string, bool, std::less<>> sent_; // is it custom?
    bool unnamed_ = false;
};

} // namespace wm::sdk
