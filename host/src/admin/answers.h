#pragma once
// What each path of the admin listener answers. [the admin listener's thread]
#include "admin/gateway_view.h"
#include "http/head.h"

#include <array>
#include <optional>
#include <string>

namespace wm::admin {

struct Answer {
    int status = 200;
    std::string body;  // JSON
    std::string error; // the code of a refusal
    std::string allow; // methods, for 405
};

Answer refusal(int status, std::string code, std::string message);

class Answers {
  public:
    Answers(GatewayView gateway, std::optional<std::array<unsigned char, 32>> key_digest)
        : gateway_(std::move(gateway)), key_digest_(key_digest) {}

    std::optional<Answer> refused(const http::RequestHead& head) const; // before the body is read
    Answer answer(const http::RequestHead& head, const std::string& body);

  private:
    bool has_key(const http::RequestHead& head) const;
    Answer explain(const std::string& question);

    const GatewayView gateway_;
    const std::optional<std::array<unsigned char, 32>> key_digest_;
    policy::Counters counters_; // of explanations: the gateway's own tell of its requests alone
};

} // namespace wm::admin
