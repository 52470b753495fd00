#include "exchange/understand.h"

#include "exchange/decode.h"
#include "exchange/fields.h"
#include "http/url.h"

namespace wm::exchange {

std::optional<Refusal> understand(const config::Settings& settings, Asked& asked, std::int64_t now_ms) {
    switch (decode_body(asked.head.find("content-encoding").value_or(""), asked.body, asked.max_body(settings))) {
    case Decoded::ok: break;
    case Decoded::too_large: return body_too_large(asked.max_body(settings));
    case Decoded::broken:
        return Refusal{.code = Code::invalid_body, .message = "the request body is not valid in its Content-Encoding"};
    case Decoded::unsupported:
        return Refusal{.code = Code::unsupported_encoding,
                       .message = "unsupported Content-Encoding; use gzip, deflate or identity"};
    }
    asked.fields = fields_for_upstream(asked.head, asked.protocol->about().id);
    asked.query = http::query_without(asked.head.query(),
                                      [](std::string_view name, PairView) { return is_credential_member(name); });
    auto facts = asked.protocol->facts(asked.request(now_ms));
    if (!facts) {
        const auto& where = facts.error().where;
        return Refusal{.code = where == "model" ? Code::invalid_model : Code::invalid_body,
                       .message = where.empty() ? "the request body is not a valid JSON object of this protocol"
                                                : "the request is not valid at '" + where + "'",
                       .param = where};
    }
    asked.facts = std::move(*facts);
    return std::nullopt;
}

Refusal body_too_large(std::uint64_t most) {
    return {.code = Code::body_too_large,
            .message = "the request body is too large; at most " + std::to_string(most) + " bytes are accepted"};
}

} // namespace wm::exchange
