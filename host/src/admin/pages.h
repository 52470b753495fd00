#pragma once
// What the paths of a side listener answer.
#include "http/head.h"

#include <optional>
#include <string>
#include <string_view>

namespace wm::admin {

struct Answer {
    int status = 200;
    std::string body;
    std::string_view type = "application/json";
    std::string error = {}; // the code of a refusal
    std::string allow = {}; // methods, for 405
};

Answer refusal(int status, std::string code, std::string message);

// Nothing, if the method is one that the path takes: "GET" stands for HEAD too. An empty one: there is no such path,
// and `try_instead` says which there are.
std::optional<Answer> refused(const http::RequestHead& head, std::string_view method, std::string_view try_instead);

// [the listener's thread]
class Pages {
  public:
    virtual ~Pages() = default;
    virtual std::optional<Answer> refused(const http::RequestHead& head) const = 0; // before the body is read
    virtual bool takes_body(const http::RequestHead&) const { return false; }       // else it is not read at all
    virtual Answer answer(const http::RequestHead& head, const std::string& body) = 0;
};

} // namespace wm::admin
