#include "admin/answers.h"

#include "admin/state.h"
#include "base/text.h"
#include "explain/show.h"
#include "http/bearer.h"

#include <Poco/Net/IPAddress.h>

namespace wm::admin {

namespace {

constexpr std::string_view state_path = "/state", explain_path = "/explain";

// The method a path takes; empty: there is no such path.
std::string_view method_of(std::string_view path) {
    if (path == explain_path) return "POST";
    return path == "/healthz" || path.starts_with(state_path) ? "GET" : "";
}

// A name could be any web site's, which a browser has been told is here.
bool is_this_machine(std::string_view host) {
    auto name = host.substr(0, host.rfind(':'));
    if (host.ends_with(']') || host.find(':') == host.npos) name = host;
    if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
    Poco::Net::IPAddress ignored;
    return iequals(name, "localhost") || Poco::Net::IPAddress::tryParse(std::string(name), ignored);
}

} // namespace

std::optional<Answer> Answers::refused(const http::RequestHead& head) const {
    if (key_digest_ && !has_key(head))
        return refusal(401, "unauthorized",
                       "expected the header Authorization: Bearer with the key of [server] admin_key");
    if (!key_digest_ && !is_this_machine(head.host()))
        return refusal(403, "forbidden", "without an admin_key, Host must be an IP address or localhost");
    return admin::refused(head, method_of(head.path()), "/healthz, /state or /explain");
}

bool Answers::takes_body(const http::RequestHead& head) const { return head.path() == explain_path; }

Answer Answers::answer(const http::RequestHead& head, const std::string& body) {
    const auto path = head.path();
    if (path == "/healthz") return {.status = 200, .body = health_document(gateway_)};
    if (path == explain_path) return explain(body);
    auto part = path.substr(state_path.size());
    const bool inside = part.starts_with('/');
    if (inside) part.remove_prefix(1);
    auto document = inside == part.empty() ? std::nullopt : state_document(gateway_, part);
    if (!document) return refusal(404, "not_found", "there is no such part of the state; GET /state shows all of them");
    return {.status = 200, .body = std::move(*document)};
}

Answer Answers::explain(const std::string& text) {
    const auto question = explain::read_question(text);
    if (!question) return refusal(400, "invalid_body", question.error());
    const auto generation = gateway_.generation();
    policy::Policies policies(generation->library, counters_, gateway_.site.clock);
    const auto explanation = explain::explain(*generation, gateway_.site.pins, policies, Random(random_seed()),
                                              gateway_.site.clock, gateway_.site.draining, *question);
    return {.status = 200, .body = to_json(explanation, *generation->settings)};
}

bool Answers::has_key(const http::RequestHead& head) const {
    bool known = false;
    head.for_each("authorization", [&](std::string_view value) {
        if (const auto key = http::bearer_of(value))
            known = known || config::same(config::digest_of_key(*key), *key_digest_);
    });
    return known;
}

} // namespace wm::admin
