#include "exchange/read_request.h"

#include "exchange/understand.h"

namespace wm::exchange {

Refusal crowded() {
    return {.code = Code::bodies_crowded,
            .message = "the gateway holds too many large request bodies at the moment",
            .retry_after_s = 1};
}

runtime::Task<ReadEnd> read_request(Context& x) {
    const auto most = x.max_body(x.settings());
    const auto read = co_await x.connection.read_body(x.body, most, &x.held);
    switch (read) {
    case http::BodyRead::ok: break;
    case http::BodyRead::too_large: co_return ReadEnd{body_too_large(most)};
    case http::BodyRead::crowded: co_return ReadEnd{crowded()};
    case http::BodyRead::bad:
        co_return ReadEnd{Refusal{.code = Code::bad_framing, .message = std::string(x.connection.refusal().reason)}};
    case http::BodyRead::timed_out:
        co_return ReadEnd{Refusal{.code = Code::request_timeout, .message = "the request body did not arrive in time"}};
    case http::BodyRead::closed:
    case http::BodyRead::cancelled: co_return ReadEnd{std::nullopt, true};
    }
    const auto encoding = trim(x.head.find("content-encoding").value_or(""));
    const bool compressed =
        !encoding.empty() && !iequals(encoding, "identity"); // it may be a thousand times what was sent
    ReadEnd end;
    co_await x.work_on(compressed ? most : x.body.size(),
                       [&] { end.refusal = understand(x.settings(), x, x.wall_ms()); });
    if (!end.refusal && !x.held.hold(x.body.capacity())) end.refusal = crowded(); // it was compressed
    co_return end;
}

} // namespace wm::exchange
