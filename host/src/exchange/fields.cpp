#include "exchange/fields.h"

#include "base/credential_field.h"
#include "http/hop_by_hop.h"

#include <algorithm>
#include <array>

namespace wm::exchange {

namespace {

struct Allowed {
    std::string_view name;
    std::string_view protocols; // a prefix; empty: every protocol
    bool singleton;             // several lines would be understood differently by different readers: the first goes
};

constexpr std::array<Allowed, 13> to_upstream{{
    {"anthropic-version", "anthropic-", true},
    {"anthropic-beta", "anthropic-", false},
    {"openai-beta", "openai-", false},
    {"idempotency-key", "", true},
    {"traceparent", "", true},
    {"tracestate", "", false},
    {"user-agent", "", true},
    {"x-claude-code-session-id", "", true},
    {"session_id", "", true},
    {"session-id", "", true},
    {"x-session-id", "", true},
    {"conversation_id", "", true},
    {"x-client-request-id", "", true},
}};

constexpr std::array<std::string_view, 10> to_client{
    "content-type", "content-encoding", "retry-after",    "retry-after-ms",       "x-should-retry",
    "request-id",   "x-request-id",     "openai-version", "openai-processing-ms", "content-language"};

constexpr std::array<std::string_view, 3> to_client_families{"x-ratelimit-", "anthropic-ratelimit-", "ratelimit"};

} // namespace

std::vector<PairView> fields_for_upstream(const http::RequestHead& head, std::string_view protocol) {
    std::vector<PairView> fields;
    const http::HopByHop hop(head);
    for (const auto& field : head.fields())
        for (const auto& allowed : to_upstream) {
            if (!iequals(field.name, allowed.name) || !protocol.starts_with(allowed.protocols) || hop(field.name))
                continue;
            const bool again =
                std::any_of(fields.begin(), fields.end(), [&](auto& f) { return iequals(f.name, field.name); });
            if (!again || !allowed.singleton) fields.push_back({allowed.name, field.value});
        }
    return fields;
}

void append_fields_for_client(std::vector<PairView>& fields, const http::ResponseHead& head) {
    const http::HopByHop hop(head);
    for (const auto& field : head.fields()) {
        const bool named =
            std::any_of(to_client.begin(), to_client.end(), [&](auto n) { return iequals(n, field.name); });
        const bool family = std::any_of(to_client_families.begin(), to_client_families.end(),
                                        [&](auto prefix) { return ibegins(field.name, prefix); });
        if ((named || family) && !hop(field.name)) fields.push_back(field);
    }
}

std::vector<Pair> fields_beside_body(const http::ResponseHead& head) {
    std::vector<PairView> passed;
    append_fields_for_client(passed, head);
    std::vector<Pair> fields;
    for (const auto& field : passed)
        if (!iequals(field.name, "content-type") && !iequals(field.name, "content-encoding"))
            fields.push_back({std::string(field.name), std::string(field.value)});
    return fields;
}

std::vector<PairView> fields_for_policy(const http::ResponseHead& head, std::vector<std::string>& names) {
    std::vector<PairView> fields;
    names.reserve(head.fields().size()); // the views below must not move
    for (const auto& field : head.fields()) {
        if (is_credential_field(field.name)) continue;
        names.push_back(lowered(field.name));
        fields.push_back({names.back(), field.value});
    }
    return fields;
}

std::string_view media_type(const http::ResponseHead& head) {
    const auto type = head.find("content-type");
    return type ? trim(type->substr(0, type->find(';'))) : std::string_view();
}

bool is_event_stream(const http::ResponseHead& head) { return iequals(media_type(head), "text/event-stream"); }

void describe_as_json(std::vector<PairView>& fields) {
    std::erase_if(fields, [](const PairView& field) { return iequals(field.name, "content-type"); });
    fields.push_back({"Content-Type", "application/json"});
}

bool is_encoded(const http::ResponseHead& head) {
    const auto coding = head.find("content-encoding");
    return coding && !coding->empty() && !iequals(*coding, "identity");
}

bool is_credential_member(std::string_view name) {
    constexpr std::array<std::string_view, 4> names{"key", "api_key", "api-key", "access_token"};
    return std::any_of(names.begin(), names.end(), [&](auto n) { return iequals(n, name); });
}

} // namespace wm::exchange
