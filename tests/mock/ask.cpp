#include "ask.h"

#include <cstddef>

namespace wm::mock {
namespace {

// Not a JSON reader: it skips from string to string (a benchmark's requests are mostly one long string), counts depth,
// and takes strings as they stand, escapes and all. The names it looks for have none.
class Scanner {
  public:
    explicit Scanner(std::string_view body) : body_(body) {}

    std::optional<Ask> run() {
        skip_space();
        if (at_ == body_.size() || body_[at_] != '{') {
            return std::nullopt;
        }
        while (at_ < body_.size()) {
            const char c = body_[at_++];
            if (c == '"') {
                const std::optional<std::string_view> text = string();
                if (!text) {
                    return std::nullopt;
                }
                skip_space();
                if (at_ < body_.size() && body_[at_] == ':') {
                    key(*text);
                } else {
                    value(*text);
                }
            } else if (c == '{' || c == '[') {
                ++depth_;
            } else if (c == '}' || c == ']') {
                --depth_;
            } else if (c == 't' && body_.substr(at_).starts_with("rue")) {
                yes();
            }
        }
        return depth_ == 0 ? std::optional(ask_) : std::nullopt;
    }

  private:
    void skip_space() {
        while (at_ < body_.size() &&
               (body_[at_] == ' ' || body_[at_] == '\n' || body_[at_] == '\r' || body_[at_] == '\t')) {
            ++at_;
        }
    }

    std::optional<std::string_view> string() {
        const std::size_t begin = at_;
        for (;;) {
            const std::size_t quote = body_.find('"', at_);
            if (quote == std::string_view::npos) {
                return std::nullopt;
            }
            std::size_t slashes = 0;
            while (quote - slashes > begin && body_[quote - slashes - 1] == '\\') {
                ++slashes;
            }
            at_ = quote + 1;
            if (slashes % 2 == 0) {
                return body_.substr(begin, quote - begin);
            }
        }
    }

    void key(std::string_view text) {
        key_ = text;
        if (depth_ == 1) {
            top_ = text;
        }
    }

    void value(std::string_view text) {
        if (depth_ == 1 && top_ == "model") {
            ask_.model = text;
        } else if (top_ == "tools" && key_ == "name") {
            offered(text);
        } else if (depth_ >= 3 && (top_ == "messages" || top_ == "input")) {
            ask_.tool_answered |= (key_ == "role" && text == "tool") ||
                                  (key_ == "type" && (text == "function_call_output" || text == "tool_result"));
        }
    }

    void offered(std::string_view tool) {
        if (ask_.tool.empty()) {
            ask_.tool = tool;
        }
        if (ask_.shell.empty() && (tool == "exec_command" || tool == "bash")) {
            ask_.shell = tool;
        }
    }

    void yes() {
        if (depth_ == 1 && top_ == "stream") {
            ask_.stream = true;
        } else if (depth_ == 2 && top_ == "stream_options" && key_ == "include_usage") {
            ask_.include_usage = true;
        }
    }

    std::string_view body_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::string_view top_;
    std::string_view key_;
    Ask ask_;
};

} // namespace

std::optional<Ask> read_ask(std::string_view body) { return Scanner(body).run(); }

} // namespace wm::mock
