#pragma once
// [mount "name"]: a path prefix under which one upstream is reverse-proxied.
#include "base/clock.h"
#include "base/secret.h"
#include "config/limit_pattern.h"
#include "config/protection.h"
#include "config/retry_rules.h"
#include "config/transcode_settings.h"
#include "translate/approvals.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace wm::config {

// How a mount's upstream learns who asks.
struct MountAuth {
    bool strips = false;       // the client's credentials go no further
    std::string field, prefix; // what is attached: "Authorization" and "Bearer "; no field: nothing is
    Secret secret;
    std::string anthropic_version; // sent beside it; empty: not
};

// Fields and query members that cross, or do not, unlike the default. Names are lower case; one of a field may end in
// '*', which stands for any rest.
struct MountFields {
    bool cookies = true;
    std::vector<std::string> forwarded, stripped;
    std::vector<std::string> query_stripped;
};

// One of a mount's paths, whose requests are asked for in another protocol.
struct TranscodeRoute {
    const plugin::Transcoder *client, *upstream; // never null; both translate
    std::string path, upstream_path; // behind the prefix, and behind the upstream's URL; both begin with a slash
};

struct MountTranscode {
    std::vector<TranscodeRoute> routes; // of different paths; the method is POST
    translate::Approvals approvals = translate::Approvals::of_mounts();
    Capabilities capabilities;
    std::vector<std::string> query;                         // members of the client's that go to the upstream
    std::map<std::string, std::string, std::less<>> models; // the client's name to the upstream's; others keep theirs
    MountAuth auth;
    bool inbound = false; // what is attached is the client's own credential
    std::uint64_t max_request = 10u << 20;
    TranscodeBounds bounds;

    std::string_view model(std::string_view asked) const { // as the upstream knows it
        const auto mapped = models.find(asked);
        return mapped == models.end() ? asked : std::string_view(mapped->second);
    }
};

struct Mount {
    std::string name;
    std::string prefix;   // "/anthropic"; empty: the root
    std::string upstream; // base URL, without a slash at its end
    bool tls_verify = true;
    std::filesystem::path tls_ca_file; // empty: the system's
    Millis connect{10'000};            // upstream_connect
    Millis silence{300'000};           // upstream_read: before the answer, within it, after an upgrade
    Millis total{7'200'000};           // upstream_total: one exchange, unless it is upgraded
    MountAuth auth;
    MountFields fields;
    MountLimits limits;
    Holds holds;
    Breaker breaker;
    RetryRules retry;
    bool keep_alives = true; // not upstream_disable_keep_alives: connections serve again
    MountTranscode transcode;
};

} // namespace wm::config
