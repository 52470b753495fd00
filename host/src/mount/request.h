#pragma once
// What an upstream is sent for a client's request. Pure.
#include "base/result.h"
#include "http/head.h"
#include "mount/mounts.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wm::mount {

// What Allow says of a mount: it takes all methods but TRACE and CONNECT; these have a standard.
constexpr std::string_view methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

// The path behind the mount's prefix; for a request line it is never empty.
std::string_view path_behind(const Mount& mount, std::string_view path);

// Path and query for the upstream's request line. `path`: the request's, as mounts are matched by it. `withheld`:
// values of query members and fields that hold a key of one of the gateway's clients, as views into `head`; they go no
// further.
std::string target_for_upstream(const Mount& mount, const http::RequestHead& head, std::string_view path,
                                std::span<const std::string_view> withheld);

// The whole head, credential and all; what frames the body is the client's. The error is for a log and names no value.
Result<std::string, std::string> head_for_upstream(const Mount& mount, const http::RequestHead& head,
                                                   std::string_view path, std::span<const std::string_view> withheld);

// The head of a request that goes in another form: none of the client's fields go but those given, less what
// forward_headers strips and with what it names.
struct Converted {
    std::string_view target;       // path and query
    std::vector<PairView> fields;  // of the client's, as its protocol and the upstream's allow, and new ones
    const config::MountAuth& auth; // in place of the mount's own
    std::string_view credential;   // sent in its field; empty: none is
    std::size_t length = 0;        // of the body
};
Result<std::string, std::string> head_of_converted(const Mount& mount, const http::RequestHead& head,
                                                   std::span<const std::string_view> withheld, Converted converted);

// The client's own credential, without its scheme, from the first field that holds one which is not a key of the
// gateway's; empty: none.
std::string_view credential_of(const http::RequestHead& head, std::span<const std::string_view> withheld);

// The protocol that the client asks to switch to, if that may pass; else empty.
std::string_view upgrade_of(const http::RequestHead& head);

// How many hops more an OPTIONS request may go (RFC 9110, 7.6.2): where none is left it is answered here. Nothing: it
// does not say.
std::optional<std::uint64_t> hops_left(const http::RequestHead& head);

// Whether a field of the client's goes to the upstream. Connection fields are not asked for here.
bool goes_upstream(const Mount& mount, PairView field, std::span<const std::string_view> withheld);

} // namespace wm::mount
