#pragma once
// The configuration as immutable, validated values. Made once by config::load; shared by all threads.
// Indexes point into the vectors of the same Settings.
#include "base/clock.h"
#include "base/secret.h"
#include "config/key_digest.h"
#include "config/mount_settings.h"
#include "config/protection.h"
#include "config/queue_order.h"
#include "plugin/calls.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wm::config {

struct Timeouts {
    Millis connect{10'000};      // upstream_connect
    Millis read{90'000};         // upstream_read: silence of a plain answer
    Millis stream_read{300'000}; // upstream_stream_read: silence of a stream
    Millis total{7'200'000};     // upstream_total: one attempt, from send to end
    Millis heartbeat{15'000};    // downstream_sse_heartbeat
};

// What one side of TLS shows: PEM files, that belong together.
struct TlsIdentity {
    std::filesystem::path certificate, key; // the certificate, then its chain; the key without a passphrase
};

struct Server {
    std::string listen = "127.0.0.1:8080"; // host:port; port 0: chosen by the system and said in the log
    std::optional<TlsIdentity> tls;
    std::string admin_listen;                  // as listen; empty: no admin listener
    std::optional<KeyDigest> admin_key_digest; // none: whoever reaches it may ask
    std::string metrics_listen;                // as listen; empty: no metrics listener
    unsigned loops = 0;                        // 0: one per core
    unsigned workers = 2;                      // threads of the pool
    std::uint64_t max_inference_body = 32u << 20;
    std::uint64_t max_body_memory = 1u << 30; // of all requests together
    std::uint64_t max_head = 64u << 10;
    unsigned max_fields = 100;
    unsigned max_connections = 16384;
    Millis idle_timeout{75'000}; // a kept connection without a request
    Millis head_timeout{10'000}; // total, from its first byte
    Millis body_timeout{30'000}; // between reads
    Millis body_total{300'000};
    Millis write_timeout{60'000};
    Millis route_probe_wait{5'000};
    Millis drain_timeout{30'000};
    std::filesystem::path plugins, policies; // folders
    std::string log = "information";         // Poco level
    std::string access_log = "-";            // a file, "-" for standard output, empty for none
    bool allow_anonymous = false;
    bool health_endpoints = true;
    bool priority_header = true;    // a request may ask for its priority
    bool prio_prefix = false;       // a first path segment `prio` asks for high
    unsigned max_pins = 131'072;    // remembered of what answers made; 0: none
    Millis pin_age{2'592'000'000};  // since it was last seen to hold
    std::filesystem::path data_dir; // where state is kept; empty: nothing is kept on disk
    Timeouts timeouts;              // what each backend starts from
    TranscodeBounds transcode;      // of served models; what each mount starts from
};

struct Credential {
    std::string name;
    Secret api_key;
    std::optional<unsigned> concurrency; // of its requests; beside its backend's
    std::string state_scope = {};        // whose stored state it shares; empty: its own alone
};

struct UpstreamModel {
    std::string name;
    std::vector<std::string> protocols; // natively spoken, never empty
    std::uint64_t max_output = 0;       // tokens; 0: not known
    Capabilities capabilities;
};

struct Backend {
    std::string name, adapter;
    std::string address;                               // endpoint or base_url as configured; empty: the adapter's own
    std::shared_ptr<const plugin::BoundAdapter> bound; // never null
    std::string failure_policy;                        // the script: "failure/generic"
    std::string state_scope;                           // of its credentials that name none
    std::vector<Credential> credentials;
    std::vector<UpstreamModel> models;
    Timeouts timeouts;
    bool tls_verify = true;
    std::filesystem::path tls_ca_file;       // empty: the system's
    std::optional<TlsIdentity> tls_identity; // shown to an upstream that asks for one
    std::optional<unsigned> concurrency;     // of all its requests together
    Millis queue_timeout{300'000};
    std::optional<unsigned> queue_depth;
    QueueOrder queue_order;
    Holds holds{.release_cooldown = Millis(0), .cancel_cooldown = Millis(0), .failure_hold = Millis(0)};

    bool limited() const { // it, or any of its credentials
        return concurrency || std::any_of(credentials.begin(), credentials.end(),
                                          [](const Credential& one) { return bool(one.concurrency); });
    }
};

struct Target {
    std::uint32_t backend = 0, credential = 0, model = 0;
    std::uint32_t id = 0; // dense, the same for the same (backend, credential, model) wherever it stands
    std::string name;     // "backend/credential model"
};

struct Layer {
    std::string name;
    std::string strategy; // the script: "allocation/random"; dashes of the file are underscores here
    std::vector<Target> targets;
};

struct ServedModel {
    std::string name;
    std::vector<std::string> aliases, protocols;
    std::vector<Layer> layers;
    std::vector<std::string> guarded_members; // of all its targets' adapters: in no request for it
};

enum class Priority : unsigned char { low, medium, high };
inline constexpr std::array priorities{Priority::low, Priority::medium, Priority::high};

constexpr std::string_view to_string(Priority priority) {
    constexpr std::array<std::string_view, 3> words{"low", "medium", "high"};
    return words[std::size_t(priority)];
}

struct Client {
    std::string name, tenant; // tenant: canonical, "auth:NAME"
    std::vector<KeyDigest> key_digests;
    Priority priority = Priority::medium, max_priority = Priority::high;
};

struct Settings {
    std::filesystem::path file;
    Server server;
    std::vector<Backend> backends;
    std::vector<ServedModel> models;
    std::vector<Mount> mounts; // either one at the root, or prefixes that do not overlap
    std::vector<Client> clients;
    std::uint32_t target_count = 0;
    std::vector<std::string> policy_names; // every script the settings need, as Library::load takes them

    const ServedModel* find_model(std::string_view name_or_alias) const;
    std::vector<const Target*> targets() const; // by id: each once, in however many layers it stands
};

// One line each, complete: "file:line: [section] key: problem; expected …; got …".
using Problems = std::vector<std::string>;

} // namespace wm::config
