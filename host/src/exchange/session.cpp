#include "exchange/session.h"

#include "exchange/exchange.h"
#include "exchange/reply.h"

namespace wm::exchange {

namespace {

// Broken framing: who asks and for what is not known, so the answer has the first protocol's shape and is not booked.
runtime::Task<> refuse_framing(Worker& worker, http::ServerConnection& connection, const http::Refusal& refusal) {
    const auto& code = about(refusal.status == 408 ? Code::request_timeout : Code::bad_framing);
    std::string body;
    if (const auto* protocol = worker.generation->shared->endpoints.nearest({}))
        if (auto written = protocol->write_error({.type = std::string(code.type),
                                                  .http_status = refusal.status,
                                                  .message = std::string(refusal.reason),
                                                  .code = std::string(code.name),
                                                  .param = {},
                                                  .refused_by = "gateway"}))
            body = std::move(*written);
    const PairView fields[] = {{"Content-Type", "application/json"}, {"X-Watermaster-Error", code.name}};
    connection.close_after_response();
    co_await connection.respond(refusal.status, fields, body);
}

} // namespace

runtime::Task<> serve_connection(Worker& worker, runtime::Stream& stream, runtime::Abort& abort) {
    const auto limits = worker.generation->shared->limits;
    http::ServerConnection connection(worker.loop, abort, stream, *limits);
    http::RequestHead head;
    for (;;) {
        const auto arrival = co_await connection.next(head);
        if (arrival == http::Arrival::closed || arrival == http::Arrival::cancelled) co_return;
        if (arrival == http::Arrival::refused) {
            co_await refuse_framing(worker, connection, connection.refusal());
        } else {
            if (worker.site.draining) connection.close_after_response();
            Exchange exchange(worker, connection, abort, head);
            co_await exchange.run();
        }
        if (abort.fired()) co_return;
        const bool again = co_await connection.keep();
        if (!again) co_return;
    }
}

} // namespace wm::exchange
