#include "exchange/read_request.h"

#include "exchange/decode.h"

namespace wm::exchange {

namespace {

ReadEnd refuse(Code code, std::string message, std::string param = {}) {
    return {Refusal{.code = code, .message = std::move(message), .param = std::move(param)}, false};
}

std::string too_large(const Context& x) {
    return "the request body is too large; at most " + std::to_string(x.settings().server.max_inference_body) + " bytes are accepted";
}

Refusal crowded() {
    return {.code = Code::bodies_crowded, .message = "the gateway holds too many large request bodies at the moment", .retry_after_s = 1};
}

// Decodes and reads the facts; pure work, on whichever thread.
std::optional<Refusal> understand(Context& x, std::string_view encoding) {
    switch (decode_body(encoding, x.body, x.settings().server.max_inference_body)) {
    case Decoded::ok: break;
    case Decoded::too_large: return Refusal{.code = Code::body_too_large, .message = too_large(x)};
    case Decoded::broken: return Refusal{.code = Code::invalid_body, .message = "the request body is not valid in its Content-Encoding"};
    case Decoded::unsupported:
        return Refusal{.code = Code::unsupported_encoding, .message = "unsupported Content-Encoding; use gzip, deflate or identity"};
    }
    if (x.endpoint->kind == EndpointKind::count_tokens) return std::nullopt; // counted as it is, not routed
    auto facts = x.protocol->facts(x.request());
    if (!facts) {
        const auto& where = facts.error().where;
        return Refusal{.code = where == "model" ? Code::invalid_model : Code::invalid_body,
                       .message = where.empty() ? "the request body is not a valid JSON object of this protocol"
                                                : "the request is not valid at '" + where + "'",
                       .param = where};
    }
    x.facts = std::move(*facts);
    return std::nullopt;
}

} // namespace

runtime::Task<ReadEnd> read_request(Context& x) {
    const auto read = co_await x.connection.read_body(x.body, x.settings().server.max_inference_body, &x.held);
    switch (read) {
    case http::BodyRead::ok: break;
    case http::BodyRead::too_large: co_return refuse(Code::body_too_large, too_large(x));
    case http::BodyRead::crowded: co_return ReadEnd{crowded(), false};
    case http::BodyRead::bad: co_return refuse(Code::bad_framing, std::string(x.connection.refusal().reason));
    case http::BodyRead::timed_out: co_return refuse(Code::request_timeout, "the request body did not arrive in time");
    case http::BodyRead::closed:
    case http::BodyRead::cancelled: co_return ReadEnd{std::nullopt, true};
    }
    const auto encoding = x.head.find("content-encoding").value_or("");
    ReadEnd end;
    const auto work = [&] { end.refusal = understand(x, encoding); };
    // A compressed body may be a thousand times what was sent.
    const bool large = x.body.size() > large_body || (!trim(encoding).empty() && !iequals(trim(encoding), "identity"));
    if (large) co_await x.site().pool.run(x.worker.loop, x.abort, work);
    else work();
    if (!end.refusal && !x.held.hold(x.body.capacity())) end.refusal = crowded(); // it was compressed
    co_return end;
}

} // namespace wm::exchange
