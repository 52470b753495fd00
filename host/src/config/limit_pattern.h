#pragma once
// `limit = METHOD /path[:N][@group]`, or `METHOD /path:unlimited`: which requests of a mount are bounded.
#include "config/queue_order.h"
#include "config/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wm::config {

struct LimitPattern {
    std::string route;                 // method and path, as written
    std::string method;                // compared without case
    std::vector<std::string> segments; // the path's last ones, lower case; they end at '/' and at ':'
    std::optional<unsigned> size;      // a limiter of its own, or of its group
    std::string group;
    bool unlimited = false;
};

struct LimitPool {
    std::string name; // stays the same over reloads: "" for the mount's own, "@group", or the pattern that has it alone
    unsigned size = 0;
};

struct Limit {
    LimitPattern pattern;
    std::size_t pool = 0; // unless it is unlimited
};

struct MountLimits {
    std::vector<LimitPool> pools{{"", 4}}; // the first is the mount's own, `concurrency`
    std::vector<Limit> patterns;           // the first that matches decides
    bool all = false;                      // limit_all: what matches none uses the mount's own pool
    unsigned global = 0;                   // of all requests together; 0: unbounded
    Millis queue_timeout{30'000};          // all waits together; 0: unbounded
    unsigned queue_depth = 0;              // how many may wait; 0: unbounded
    Millis queue_comments{0};              // how often a waiting streaming client is told so; 0: not
    QueueOrder queue_order;
};

Value<LimitPattern> parse_limit(std::string_view text);

// Without any `limit` of the mount's own.
inline constexpr std::string_view default_limits[] = {
    "POST /chat/completions",
    "POST /completions",
    "POST /responses",
    "POST /messages",
    "POST /embeddings",
    "POST /rerank",
    "POST /images/generations",
    "POST /images/edits",
    "POST /images/variations",
    "POST /audio/speech",
    "POST /audio/transcriptions",
    "POST /audio/translations",
    "POST /generateContent",
    "POST /streamGenerateContent",
    "POST /embedContent",
    "POST /batchEmbedContents",
    "POST /rawPredict",
    "POST /streamRawPredict",
    "POST /invoke",
    "POST /invoke-with-response-stream",
    "POST /converse",
    "POST /converse-stream",
    "POST /api/chat",
    "POST /api/generate",
};

} // namespace wm::config
