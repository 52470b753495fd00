#pragma once
// Which header fields cross the gateway: two allow-lists. What is not named here goes nowhere.
#include "base/pair.h"
#include "http/head.h"

#include <string_view>
#include <vector>

namespace wm::exchange {

// Of a client's request, for an upstream that speaks `protocol`. Views into `head`.
std::vector<PairView> fields_for_upstream(const http::RequestHead& head, std::string_view protocol);

// Of an upstream's answer, for the client: content, rate limits, Retry-After, request ids; never set-cookie.
void append_fields_for_client(std::vector<PairView>& fields, const http::ResponseHead& head);

// The same without what describes a body that the client does not get.
std::vector<Pair> fields_beside_body(const http::ResponseHead& head);

// Lower-cased names without credentials, for a failure policy. `names` keeps the strings the views point into.
std::vector<PairView> fields_for_policy(const http::ResponseHead& head, std::vector<std::string>& names);

// Of an answer's Content-Type: without parameters, as spelled; empty: none.
bool is_event_stream(const http::ResponseHead& head);
std::string_view media_type(const http::ResponseHead& head);

// In place of what an answer was.
void describe_as_json(std::vector<PairView>& fields);

// Whether an answer's body has a Content-Encoding, and so cannot be read here.
bool is_encoded(const http::ResponseHead& head);

// Query members that carry a client's key, or could.
bool is_credential_member(std::string_view name);

} // namespace wm::exchange
