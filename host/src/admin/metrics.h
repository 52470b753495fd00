#pragma once
// /metrics, for Prometheus: what the loops have counted, and where gates, circuits and policies stand now.
#include "admin/gateway_view.h"
#include "admin/pages.h"

namespace wm::admin {

std::string metrics_document(const GatewayView& gateway);

class MetricsPages final : public Pages {
  public:
    explicit MetricsPages(GatewayView gateway) : gateway_(std::move(gateway)) {}

    std::optional<Answer> refused(const http::RequestHead& head) const override;
    Answer answer(const http::RequestHead& head, const std::string& body) override;

  private:
    const GatewayView gateway_;
};

} // namespace wm::admin
