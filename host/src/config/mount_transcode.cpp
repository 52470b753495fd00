#include "config/mount_transcode.h"

#include "base/text.h"
#include "config/mount_auth.h"
#include "config/suggest.h"
#include "config/switches.h"
#include "config/transcode_keys.h"

#include <algorithm>
#include <array>
#include <watermaster/translation/loss_keys.hpp>

namespace wm::config {
namespace {

struct Named {
    std::string_view name, protocol;
};
constexpr std::array<Named, 3> aliases{{
    {"responses", "openai-responses"},
    {"chat-completions", "openai-chat"},
    {"messages", "anthropic-messages"},
}};

struct Preset {
    std::string_view key, client, path, upstream, upstream_path;
};
constexpr std::array<Preset, 3> presets{{
    {"transcode_responses_chat", "responses", "/v1/responses", "chat-completions", "/v1/chat/completions"},
    {"transcode_messages_chat", "messages", "/v1/messages", "chat-completions", "/v1/chat/completions"},
    {"transcode_messages_responses", "messages", "/v1/messages", "responses", "/v1/responses"},
}};

constexpr std::string_view shape = "client-protocol@/client/path=upstream-protocol@/upstream/path";

struct Side {
    std::string_view protocol, path;
};

std::optional<Side> parse_side(std::string_view text) {
    const auto at = text.find('@');
    if (at == text.npos) return std::nullopt;
    const Side side{trim(text.substr(0, at)), trim(text.substr(at + 1))};
    const auto fits = [](char c) { return c > ' ' && c < 0x7f && c != '?' && c != '#' && c != '@' && c != '='; };
    if (side.protocol.empty() || !side.path.starts_with('/') || !std::all_of(side.path.begin(), side.path.end(), fits))
        return std::nullopt;
    return side;
}

class Transcoding {
  public:
    Transcoding(SectionReader& in, const plugin::Registry& plugins, const SecretSource& secrets, Mount& mount)
        : in_(in), plugins_(plugins), secrets_(secrets), mount_(mount), out_(mount.transcode) {}

    void run() {
        const auto given = [&] {
            const auto& all = in_.section().entries;
            return std::find_if(all.begin(), all.end(),
                                [](const IniEntry& entry) { return entry.key.starts_with("transcode_"); });
        }();
        read_routes();
        read_defaults();
        in_.size("transcode_max_request", out_.max_request, 1u << 10, 1u << 30);
        read_transcode_bounds(in_, out_.bounds);
        read_models();
        read_auth();
        if (!mapped_ && given != in_.section().entries.end())
            in_.bad(*given, {"no effect without a route", "transcode_route or a preset in this section", false});
    }

  private:
    const plugin::Transcoder* protocol_of(std::string_view name, const IniEntry& entry) {
        std::string_view id = name;
        for (const auto& alias : aliases)
            if (alias.name == name) id = alias.protocol;
        std::vector<std::string_view> able;
        for (const auto* one : plugins_.transcoders())
            if (one->about().translates) able.emplace_back(one->about().id);
        const auto* found = plugins_.transcoder(id);
        if (found && found->about().translates) return found;
        const std::string problem = found ? std::string(id) + " cannot be translated by its plugin"
                                          : "no transcoder for " + std::string(id) + did_you_mean(id, able);
        in_.bad(entry, {problem, "of those that are loaded and translate: " + joined(able)});
        return nullptr;
    }

    void add_route(const IniEntry& entry, const Side& client, const Side& upstream) {
        mapped_ = true;
        const auto* from = protocol_of(client.protocol, entry);
        const auto* to = protocol_of(upstream.protocol, entry);
        if (!from || !to) return;
        if (from == to) return in_.bad(entry, {"the same protocol on both sides", "no route, as it passes as it is"});
        const auto& all = out_.routes;
        if (std::any_of(all.begin(), all.end(), [&](const TranscodeRoute& one) { return one.path == client.path; }))
            return in_.bad(entry, {"POST " + std::string(client.path) + " is mapped twice", "one route for each path"});
        out_.routes.push_back({from, to, std::string(client.path), std::string(upstream.path)});
        if (from->about().id == "anthropic-messages" && to->about().id == "openai-responses") loose_tools_ = &entry;
    }

    void read_routes() {
        for (const auto& [text, entry] : in_.list("transcode_route")) {
            const auto middle = text.find('=');
            const auto client = parse_side(std::string_view(text).substr(0, middle));
            const auto upstream =
                middle == text.npos ? std::nullopt : parse_side(std::string_view(text).substr(middle + 1));
            mapped_ = true;
            if (client && upstream)
                add_route(*entry, *client, *upstream);
            else
                in_.bad(*entry, {"not a route", std::string(shape)});
        }
        for (const auto& preset : presets) {
            bool on = false;
            const auto* entry = in_.flag(preset.key, on);
            if (on) add_route(*entry, {preset.client, preset.path}, {preset.upstream, preset.upstream_path});
        }
    }

    // Each of these lists adds to its defaults, or withdraws from them.
    void read_defaults() {
        bool strict = false;
        in_.flag("transcode_strict_defaults", strict);
        if (strict) out_.approvals = translate::Approvals::strict();
        std::vector<std::string_view> keys;
        for (const auto& one : sdk::loss_keys) keys.push_back(one.key);
        for (const auto& [key, approved] : read_switches(in_, "transcode_allow_loss", "loss", keys)) {
            out_.approvals.set(key, approved);
            if (approved && !out_.approvals.request_may_lose(key))
                in_.bad("transcode_allow_loss", {key + " cannot be approved: the answer would be to another request",
                                                 "a mount without this route, or a served model with a native target"});
        }
        if (loose_tools_ && !out_.approvals.request_may_lose("tool_schema_strictness"))
            in_.bad(*loose_tools_,
                    {"tools of Messages do not say how strictly their schemas bind, as Responses want it",
                     "transcode_allow_loss = tool_schema_strictness in this section"});
        read_capabilities(in_, "transcode_chat_capability", plugins_,
                          strict ? CapabilityDefaults::none : CapabilityDefaults::of_mounts, out_.capabilities);

        constexpr std::string_view common = "beta";
        const auto judge = [&](std::string_view name, bool set) -> std::optional<Complaint> {
            const auto fits = [](char c) {
                return std::isalnum(static_cast<unsigned char>(c)) ||
                       std::string_view("-._~").find(c) != std::string_view::npos;
            };
            if (name.empty() || !std::all_of(name.begin(), name.end(), fits))
                return Complaint{"not a query member", "names as in api-version"};
            if (!set && name != common)
                return Complaint{std::string(name) + " is not forwarded anyway", "!" + std::string(common)};
            return std::nullopt;
        };
        auto query = read_switches(in_, "transcode_allow_client_query", judge);
        if (!strict) query.emplace(common, true);
        for (const auto& [name, forwarded] : query)
            if (forwarded) out_.query.push_back(name);
    }

    void read_models() {
        for (const auto& [text, entry] : in_.list("transcode_model")) {
            const auto middle = text.find('=');
            const auto client = trim(std::string_view(text).substr(0, middle));
            const auto upstream =
                middle == text.npos ? std::string_view() : trim(std::string_view(text).substr(middle + 1));
            if (client.empty() || upstream.empty())
                in_.bad(*entry, {"not a pair of models", "client-model=upstream-model"});
            else if (!out_.models.emplace(client, upstream).second)
                in_.bad(*entry, {std::string(client) + " is mapped twice", "each model once"});
        }
    }

    void read_auth() {
        auto& auth = out_.auth;
        const auto *mode_entry = in_.one("transcode_auth"), *header = in_.one("transcode_auth_header"),
                   *source = in_.one("transcode_auth_source"), *version = in_.one("transcode_anthropic_version");
        const auto mode = auth_mode_of(in_, "transcode_auth", "transcode_auth_header");
        const auto* chosen = mode_entry ? mode_entry : header;
        const auto from = source ? std::string_view(source->value) : std::string_view();
        if (mode != "none") {
            if (!source && chosen)
                return in_.bad(*chosen, {"a mode without a credential",
                                         "transcode_auth_source = env:NAME, file:PATH or inbound beside it", false});
            if (!source || from == "provider") {
                if (source && chosen)
                    return in_.bad(*chosen, {"beside transcode_auth_source = provider", "one of the two", false});
                if (source && mount_.auth.field.empty())
                    return in_.bad(*source, {"the mount has no credential", "auth_source in this section"});
                auth = mount_.auth;
            } else {
                out_.inbound = from == "inbound";
                const bool fine =
                    out_.inbound || in_.read("transcode_auth_source", auth.secret,
                                             [&](std::string_view text) { return parse_auth_source(text, secrets_); });
                if (!fine) return;
                if (const auto complaint = take_auth_mode(mode, mount_.upstream, auth))
                    return in_.bad(*chosen, *complaint);
            }
        }
        auth.strips = true;
        if (!version) return;
        if (auth.anthropic_version.empty())
            return in_.bad(*version, {"no effect with this authentication", "transcode_auth = x-api-key", false});
        in_.read("transcode_anthropic_version", auth.anthropic_version, parse_anthropic_version);
    }

    SectionReader& in_;
    const plugin::Registry& plugins_;
    const SecretSource& secrets_;
    Mount& mount_;
    MountTranscode& out_;
    bool mapped_ = false;                   // by a route, right or not
    const IniEntry* loose_tools_ = nullptr; // the route whose clients do not say how strict their tools are
};

} // namespace

void read_mount_transcode(SectionReader& in, const plugin::Registry& plugins, const SecretSource& secrets,
                          Mount& mount) {
    Transcoding(in, plugins, secrets, mount).run();
}

} // namespace wm::config
