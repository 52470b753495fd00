#include "exchange/mounted_translation.h"

#include "exchange/attempt.h"
#include "exchange/egress.h"
#include "exchange/fields.h"
#include "exchange/final_answer.h"
#include "exchange/query.h"
#include "exchange/relay.h"
#include "exchange/reply.h"
#include "exchange/translated_request.h"
#include "mount/request.h"

#include <Poco/Logger.h>

#include <algorithm>

namespace wm::exchange {

namespace {

config::Timeouts timeouts_of(const config::Mount& mount, const config::Server& server) {
    auto timeouts = server.timeouts;
    timeouts.connect = mount.connect;
    timeouts.read = timeouts.stream_read = mount.silence;
    timeouts.total = mount.total;
    return timeouts;
}

mount::Outcome failed(mount::Problem problem, std::string detail) {
    mount::Outcome outcome;
    outcome.end = mount::End::failed;
    outcome.problem = problem;
    outcome.detail = std::move(detail);
    return outcome;
}

} // namespace

MountedTranslation::MountedTranslation(Context& x, std::span<const std::string_view> withheld)
    : x_(x), withheld_(withheld), route_(*x.transcode), terms_(x.mount->settings.transcode),
      timeouts_(timeouts_of(x.mount->settings, x.settings().server)) {}

runtime::Task<ReadEnd> MountedTranslation::prepare() {
    auto read = co_await read_request(x_);
    if (read.refusal || read.client_gone) co_return read;
    model_ = terms_.model(x_.facts.model);
    ReadEnd prepared;
    co_await x_.work_on(x_.body.size(), [&] { prepared.refusal = translate(); });
    std::string().swap(x_.body);
    if (prepared.refusal || !x_.held.hold(request_.capacity())) std::string().swap(request_);
    if (!prepared.refusal && request_.empty()) prepared.refusal = crowded();
    co_return prepared;
}

std::optional<Refusal> MountedTranslation::translate() {
    const auto query = query_of_translated(x_.head, x_.mount->settings, withheld_);
    auto body = translate_request(x_, {.upstream = *route_.upstream,
                                       .capabilities = terms_.capabilities,
                                       .approvals = terms_.approvals,
                                       .bounds = terms_.bounds,
                                       .model = model_,
                                       .query = query.left});
    if (!body) {
        static auto& log = Poco::Logger::get("exchange");
        if (log.information()) log.information(x_.id + ": " + body.error().detail);
        if (body.error().what == FailureClass::client_request) return untranslatable(body.error().report.param);
        return Refusal{.code = Code::internal, .message = "the request could not be translated"};
    }
    auto head = this->head(query.kept, body->size());
    if (!head) return Refusal{.code = Code::internal, .message = head.error()};
    request_ = std::move(*head);
    request_ += *body;
    return std::nullopt;
}

Result<std::string, std::string> MountedTranslation::head(std::string_view query, std::size_t length) const {
    auto target = x_.mount->base + route_.upstream_path;
    if (!query.empty()) target.append("?").append(query);
    auto fields = fields_for_upstream(x_.head, route_.upstream->about().id);
    fields.push_back({"Content-Type", "application/json"});
    fields.push_back({"Accept", x_.facts.stream ? "text/event-stream" : "application/json"});
    fields.push_back({"Accept-Encoding", "identity"});
    return mount::head_of_converted(
        *x_.mount, x_.head, withheld_,
        {.target = target,
         .fields = std::move(fields),
         .auth = terms_.auth,
         .credential = terms_.inbound ? mount::credential_of(x_.head, withheld_) : terms_.auth.secret.reveal(),
         .length = length});
}

runtime::Task<mount::Outcome> MountedTranslation::relay(http::UpstreamConnection& upstream, mount::BegunAnswer answer,
                                                        SteadyTime deadline) {
    x_.held.release();
    const Upstream up{.timeouts = timeouts_,
                      .bounds = terms_.bounds,
                      .protocol = *route_.upstream,
                      .model = model_,
                      .retries = 0,
                      .asked_usage = false,
                      .adapter = nullptr,
                      .framing = framing::Framing::sse,
                      .connection = upstream,
                      .lease = nullptr,
                      .head = answer.head,
                      .deadline = deadline,
                      .chosen = nullptr};
    if (answer.head.status() / 100 != 2) {
        auto refusal = relay_refusal(up, std::move(answer));
        co_return co_await refusal;
    }
    auto relayed = x_.facts.stream ? relay_stream(x_, up, nullptr) : relay_translated_document(x_, up);
    const auto outcome = co_await relayed;
    static auto& log = Poco::Logger::get("exchange");
    if (const auto losses = losses_of(x_); !losses.empty() && log.information())
        log.information(x_.id + ": " + x_.protocol->about().id + " to " + route_.upstream->about().id + " loses " +
                        losses);
    co_return outcome_of(outcome);
}

// The upstream's own words and status, in the client's protocol.
runtime::Task<mount::Outcome> MountedTranslation::relay_refusal(const Upstream& up, mount::BegunAnswer answer) {
    const bool over = answer.last != http::BodyPiece::more;
    const auto document = co_await read_error_document(x_, up, std::move(answer.read), over);
    mount::Outcome outcome;
    if (document.client_gone) {
        outcome.end = mount::End::client_gone;
        co_return outcome;
    }
    auto report = scrubbed(error_in(x_, up, document).value_or(plugin::ErrorReport()), x_.settings(),
                           terms_.bounds.error_message);
    report.http_status = up.head.status();
    if (report.message.empty()) report.message = "the upstream refused the request";
    report.refused_by = "provider";
    co_await answer_error(x_, up.head.status(), report, fields_beside_body(up.head));
    co_return outcome;
}

mount::Outcome MountedTranslation::outcome_of(const Outcome& outcome) {
    mount::Outcome out;
    switch (outcome.end) {
    case AttemptEnd::answered: return out;
    case AttemptEnd::client_gone: out.end = mount::End::client_gone; return out;
    case AttemptEnd::broken_off:
        out.end = mount::End::broken_off;
        out.detail = outcome.failure->detail;
        return out;
    case AttemptEnd::failed: break;
    }
    const auto& failure = *outcome.failure;
    if (failure.stage != Stage::prepare) return failed(mount::Problem::bad_answer, failure.detail);
    lost_ = failure.report.param;
    return failed(mount::Problem::untold, failure.detail);
}

Refusal MountedTranslation::untold() const {
    const std::string at = lost_.empty() ? "" : " at '" + lost_ + "'";
    return {.code = Code::untranslatable,
            .message = "the upstream's answer cannot be told in this protocol" + at,
            .param = lost_,
            .status = 502};
}

} // namespace wm::exchange
