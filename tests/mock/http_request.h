// Framing of requests: enough of HTTP/1.1 for a gateway, a proxy and curl.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace wm::mock {

struct HttpRequest {
    std::string method;
    std::string path; // without the query
    std::string body;
    bool close = false; // the connection ends after the answer
};

enum class Parsed { complete, incomplete, broken };

// Reads one request from the front of `input`; `used` is how many bytes it took.
Parsed parse_request(std::string_view input, HttpRequest& request, std::size_t& used);

} // namespace wm::mock
