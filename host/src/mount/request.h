#pragma once
// What an upstream is sent for a client's request. Pure.
#include "base/result.h"
#include "http/head.h"
#include "mount/mounts.h"

#include <span>
#include <string>
#include <string_view>

namespace wm::mount {

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

// The protocol that the client asks to switch to, if that may pass; else empty.
std::string_view upgrade_of(const http::RequestHead& head);

// Whether a field of the client's goes to the upstream. Connection fields are not asked for here.
bool goes_upstream(const Mount& mount, PairView field, std::span<const std::string_view> withheld);

} // namespace wm::mount
