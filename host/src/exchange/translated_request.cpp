#include "exchange/translated_request.h"

#include "exchange/attempt.h"
#include "exchange/egress.h"
#include "exchange/query.h"
#include "exchange/relay.h"

namespace wm::exchange {

namespace {

Failure<AttemptFailure> failed(std::string detail) {
    return Failure{failed_at(Stage::prepare, Transport::none, 0, "translation: " + std::move(detail))};
}

// Another target may still take it.
Failure<AttemptFailure> clients_fault(std::string where, std::string detail) {
    auto failure = failed(std::move(detail));
    failure.error.what = FailureClass::client_request;
    failure.error.fall_back = true;
    failure.error.report.param = std::move(where);
    return failure;
}

} // namespace

Result<std::string, AttemptFailure> translate_request(Context& x, const Mapping& mapping) {
    auto params = talk_params(x, x.facts.model, mapping.retries);
    params.max_held = mapping.bounds.held;
    params.ask_usage = mapping.ask_usage;
    const auto& can = mapping.capabilities;
    auto opened = translate::Translation::open({*x.protocol, can.of(*x.protocol)}, params, mapping.approvals);
    params.model = mapping.model;
    params.operation = inference_of(mapping.upstream).id;
    if (!opened) return failed(opened.error().message);
    x.translation = std::move(*opened);
    auto body = x.translation->request(x.body, {mapping.upstream, can.of(mapping.upstream)}, params,
                                       needed_limit(mapping.upstream, mapping.max_output, x.facts));
    if (!body && body.error().client_fault)
        return clients_fault(std::move(body.error().where), std::move(body.error().message));
    if (!body) return failed(std::move(body.error().message));
    if (auto member = lose_query(*x.translation, mapping.query))
        return clients_fault(std::move(*member), "loss of client_query is not approved");
    return std::move(*body);
}

} // namespace wm::exchange
