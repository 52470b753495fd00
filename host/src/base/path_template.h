#pragma once
// A path in which one segment, or a part of it, is a name: "/v1beta/models/{model}:generate".
#include <optional>
#include <string_view>

namespace wm {

// A view of the text it was parsed from.
class PathTemplate {
  public:
    // Nothing: braces that name no one thing. Without braces it matches the path itself.
    static std::optional<PathTemplate> parse(std::string_view text) {
        PathTemplate out;
        const auto open = text.find('{'), close = text.find('}');
        out.before_ = text.substr(0, open);
        out.captures_ = open != text.npos;
        if (out.captures_ != (close != text.npos)) return std::nullopt;
        if (!out.captures_) return out;
        out.behind_ = text.substr(close < open ? open : close + 1);
        const auto name = text.substr(open + 1, close < open ? 0 : close - open - 1);
        const bool fits = !name.empty() && name.find_first_of("{/") == name.npos &&
                          out.behind_.find_first_of("{}") == text.npos && out.before_.starts_with('/');
        return fits ? std::optional(out) : std::nullopt;
    }

    bool captures() const { return captures_; }
    std::string_view before() const { return before_; } // the brace; all of it without one

    // What stands for the name, never empty and within one segment; empty for a template without one. Nothing: another
    // path.
    std::optional<std::string_view> match(std::string_view path) const {
        if (!captures_) return path == before_ ? std::optional(std::string_view()) : std::nullopt;
        if (path.size() <= before_.size() + behind_.size() || !path.starts_with(before_) || !path.ends_with(behind_))
            return std::nullopt;
        path.remove_prefix(before_.size());
        path.remove_suffix(behind_.size());
        return path.find('/') == path.npos ? std::optional(path) : std::nullopt;
    }

  private:
    std::string_view before_, behind_;
    bool captures_ = false;
};

} // namespace wm
