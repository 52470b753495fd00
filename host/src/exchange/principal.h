#pragma once
// Who asks, by the keys of a request. A credential that identified a client goes no further: nothing of it is on the
// lists of fields.h.
#include "config/settings.h"
#include "http/head.h"

#include <optional>
#include <string_view>
#include <vector>

namespace wm::exchange {

struct Principal {
    std::string_view name = "anonymous", tenant = "anonymous"; // views into the settings
    config::Priority priority = config::Priority::medium;      // of this request
};

// `urgent`: the path asks for the priority high, which goes before what a field asks for. Nothing: clients are
// configured, and no key of the request is one of theirs.
std::optional<Principal> find_principal(const config::Settings& settings, const http::RequestHead& head,
                                        bool urgent = false);

// The principal of a request by this client; null: by nobody in particular.
Principal principal_of(const config::Settings& settings, const http::RequestHead& head, const config::Client* client,
                       bool urgent = false);

// The values of the request's fields and query members that hold a key of one of the clients, or a priority, as views
// into `head`: they go no further.
std::vector<std::string_view> meant_for_the_gateway(const config::Settings& settings, const http::RequestHead& head);

} // namespace wm::exchange
