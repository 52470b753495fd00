#include "exchange/principal.h"

#include "http/bearer.h"
#include "http/url.h"

#include <algorithm>
#include <utility>

namespace wm::exchange {

namespace {

// Every client's every key is compared, whatever was found before: the time taken tells nothing.
const config::Client* owner_of(const config::Settings& settings, std::string_view key) {
    const auto digest = config::digest_of_key(key);
    const config::Client* owner = nullptr;
    for (const auto& client : settings.clients)
        for (const auto& known : client.key_digests)
            if (config::same(known, digest)) owner = &client;
    return owner;
}

// What the request asks for, never above what its client may; a word that is none asks for nothing.
config::Priority priority_of(const http::RequestHead& head, config::Priority own, config::Priority most) {
    const auto asked = head.find("x-middleman-priority");
    if (!asked) return own;
    const auto word = trim(*asked);
    for (const auto priority : config::priorities)
        if (iequals(word, to_string(priority))) return std::min(priority, most);
    return own;
}

// f(key, value) for every place of a request that a client's key may stand in; `value` is where it stands in the head.
template <class F>
void for_each_key(const http::RequestHead& head, F&& f) {
    const auto plain = [&](std::string_view value) { f(value, value); };
    head.for_each("x-watermaster-key", plain);
    head.for_each("authorization", [&](std::string_view value) {
        if (const auto key = http::bearer_of(value)) f(*key, value);
    });
    for (const auto* name : {"x-api-key", "api-key", "x-goog-api-key"}) head.for_each(name, plain);
    for (const auto& member : http::split_query(head.query()))
        if (member.name == "key")
            if (const auto key = http::percent_decode(member.value)) f(*key, member.value);
}

} // namespace

std::optional<Principal> find_principal(const config::Settings& settings, const http::RequestHead& head, bool urgent) {
    if (settings.clients.empty()) return principal_of(settings, head, nullptr, urgent);
    const config::Client* client = nullptr;
    for_each_key(head, [&](std::string_view key, std::string_view) {
        if (!client && !key.empty()) client = owner_of(settings, key);
    });
    if (!client) return std::nullopt;
    return principal_of(settings, head, client, urgent);
}

Principal principal_of(const config::Settings& settings, const http::RequestHead& head, const config::Client* client,
                       bool urgent) {
    auto principal = client ? Principal{client->name, client->tenant, client->priority} : Principal{};
    const auto most = client ? client->max_priority : config::Priority::high;
    if (urgent)
        principal.priority = most;
    else if (settings.server.priority_header)
        principal.priority = priority_of(head, principal.priority, most);
    return principal;
}

std::vector<std::string_view> meant_for_the_gateway(const config::Settings& settings, const http::RequestHead& head) {
    std::vector<std::string_view> values;
    if (settings.server.priority_header)
        head.for_each("x-middleman-priority", [&](std::string_view value) { values.push_back(value); });
    if (settings.clients.empty()) return values;
    for_each_key(head, [&](std::string_view key, std::string_view value) {
        if (!key.empty() && owner_of(settings, key)) values.push_back(value);
    });
    return values;
}

} // namespace wm::exchange
