#pragma once
// What each path of the admin listener answers. [the admin listener's thread]
#include "admin/gateway_view.h"
#include "admin/pages.h"

#include <optional>
#include <string>

namespace wm::admin {

class Answers final : public Pages {
  public:
    Answers(GatewayView gateway, std::optional<config::KeyDigest> key_digest)
        : gateway_(std::move(gateway)), key_digest_(key_digest) {}

    std::optional<Answer> refused(const http::RequestHead& head) const override;
    bool takes_body(const http::RequestHead& head) const override;
    Answer answer(const http::RequestHead& head, const std::string& body) override;

  private:
    bool has_key(const http::RequestHead& head) const;
    Answer explain(const std::string& question);

    const GatewayView gateway_;
    const std::optional<config::KeyDigest> key_digest_;
    policy::Counters counters_; // of explanations: the gateway's own tell of its requests alone
};

} // namespace wm::admin
