#pragma once
// A mount's route whose requests are asked for in another protocol: by the same translation as served models, with the
// mount's own terms.
#include "exchange/context.h"
#include "exchange/read_request.h"
#include "mount/conversion.h"

#include <span>

namespace wm::exchange {

struct Upstream;

class MountedTranslation final : public mount::Conversion {
  public:
    // Both outlive it. `withheld`: see mount/request.h.
    MountedTranslation(Context& x, std::span<const std::string_view> withheld);

    // Reads the client's request and writes the upstream's, or 413, 415, 400.
    runtime::Task<ReadEnd> prepare();

    bool streams() const override { return x_.facts.stream; }
    std::string take_request() override { return std::move(request_); }
    runtime::Task<mount::Outcome> relay(http::UpstreamConnection& upstream, mount::BegunAnswer answer,
                                        SteadyTime deadline) override;

    // Of an outcome that is `untold`.
    Refusal untold() const;

  private:
    std::optional<Refusal> translate();
    Result<std::string, std::string> head(std::string_view query, std::size_t length) const;
    runtime::Task<mount::Outcome> relay_refusal(const Upstream& up, mount::BegunAnswer answer);
    mount::Outcome outcome_of(const Outcome& outcome);

    Context& x_;
    const std::span<const std::string_view> withheld_;
    const config::TranscodeRoute& route_;
    const config::MountTranscode& terms_;
    const config::Timeouts timeouts_;
    std::string request_, model_;
    std::string lost_; // the member of an answer whose loss is not approved
};

} // namespace wm::exchange
