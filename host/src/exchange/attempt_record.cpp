#include "exchange/attempt_record.h"

#include "exchange/egress.h"

#include <Poco/Logger.h>

namespace wm::exchange {

void begin_record(Context& x, const Chosen& chosen, const plugin::Transcoder& egress) {
    const auto& backend = x.settings().backends[chosen.target->backend];
    x.selection_reason = chosen.reason;
    x.attempts.push_back({.sequence = std::uint32_t(x.attempts.size() + 1),
                          .backend = backend.name,
                          .credential = backend.credentials[chosen.target->credential].name,
                          .upstream_model = backend.models[chosen.target->model].name,
                          .protocol = egress.about().id,
                          .layer = chosen.layer->name,
                          .layer_index = chosen.layer_index,
                          .started_at_ms = x.wall_ms(),
                          .probe = chosen.pass && chosen.pass->probe()});
}

void note_suspended(const config::Target& target, FailureClass what, std::int64_t delay_ms) {
    static auto& log = Poco::Logger::get("circuits");
    const std::string_view look_at = what == FailureClass::provider_auth      ? "its api_key"
                                     : what == FailureClass::provider_billing ? "its balance"
                                                                              : "its model, address and plan";
    log.warning(target.name + " is suspended for " + std::to_string(delay_ms / 1000) + " s (" +
                std::string(to_string(what)) + "): look at " + std::string(look_at) +
                "; another key or address is tried at once after a reload");
}

void end_record(Context& x, const Outcome& outcome) {
    auto& record = x.attempts.back();
    record.total_ms = x.wall_ms() - record.started_at_ms;
    record.committed = x.committed;
    if (outcome.end == AttemptEnd::client_gone)
        record.failure = x.cut() ? FailureClass::local : FailureClass::client_cancelled;
    static auto& log = Poco::Logger::get("exchange");
    if (const auto losses = losses_of(x); !losses.empty() && log.information())
        log.information(x.id + ": " + x.protocol->about().id + " to " + record.protocol + " loses " + losses);
    if (!outcome.failure) return;
    const auto& failure = *outcome.failure;
    record.failure = failure.what;
    record.retry_after_ms = failure.hint_ms;
    if (log.information())
        log.information(x.id + ": " + x.attempts.back().backend + "/" + record.credential + " " +
                        record.upstream_model + " failed at " + std::string(to_string(failure.stage)) + ", status " +
                        std::to_string(record.status) + ": " + std::string(to_string(failure.what)) +
                        (failure.detail.empty() ? "" : " (" + failure.detail + ")"));
}

} // namespace wm::exchange
