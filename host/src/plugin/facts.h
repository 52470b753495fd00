#pragma once
// What a plugin's components say of themselves, read from their facts JSON before any call, immutable afterwards.
#include "framing/framing.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wm::plugin {

// One operation of a protocol: which request it is and how the answer is framed.
struct Operation {
    std::string id;     // "create", "count_tokens", ...
    std::string method; // "POST"
    std::string path;   // a transcoder's: path the gateway serves, "/v1/chat/completions", with at most one `{name}`
                        // (base/path_template.h); an adapter's: upstream path
    std::string kind;   // transcoder: "inference" (routed) or "local" (answered by the host)
    framing::Framing framing = framing::Framing::sse; // of a streamed answer; an adapter's may be another for a call
};

struct SettingFact {
    std::string name;
    std::string type;     // "string", "bool", "int", "duration", "size", "url"
    std::string fallback; // default, as text; empty: none
    std::string help;
    bool required = false;
};

// How a protocol is spoken by an adapter.
struct AdapterProtocol {
    std::string id; // "openai-chat"
    std::vector<Operation> operations;
};

struct CatalogueModel {
    std::string name;
    std::vector<std::string> protocols;
    std::uint64_t max_output = 0; // 0: unknown
};

struct AdapterFacts {
    std::string id;
    // "own": configuring one is an error; "base": base_url; "url": exactly one of endpoint, base_url
    std::string endpoint;
    std::vector<std::string> hosts; // authorities an "own" adapter may address
    std::vector<AdapterProtocol> protocols;
    bool models_open = true; // false: only the catalogue's models may be configured
    std::vector<CatalogueModel> models;
    std::vector<std::string> auth;            // host auth schemes it may name: "header", "query", "none"
    std::vector<std::string> guarded_members; // lower case
    bool ask_usage = true;
    std::string failure_policy;    // "generic"
    std::string rate_limit_family; // "openai", "anthropic", ""
    std::vector<SettingFact> settings;

    // Of a streamed answer, as its operation says.
    framing::Framing framing(std::string_view protocol, std::string_view operation) const {
        for (const auto& p : protocols)
            for (const auto& one : p.operations)
                if (p.id == protocol && one.id == operation) return one.framing;
        return framing::Framing::sse;
    }
};

// What an upstream of a protocol may be able to do, or a client may be shown, beyond the least.
struct Capability {
    std::string name, help;
    bool by_default = false; // on served models
    bool on_mounts = false;
};

// What the vocabulary has a word for and the protocol another name.
struct Spelling {
    std::string word, member; // paths, dots between
};

struct TranscoderFacts {
    std::string id; // the protocol
    std::vector<Operation> operations;
    std::vector<std::string> needs;
    std::vector<Capability> capabilities;
    std::vector<Spelling> spellings;
    bool translates = false; // all translation functions are there
};

} // namespace wm::plugin
