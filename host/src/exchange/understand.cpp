#include "exchange/understand.h"

#include "exchange/decode.h"
#include "exchange/fields.h"
#include "http/url.h"

#include <watermaster/json_scan.hpp>

namespace wm::exchange {

namespace {

namespace json = sdk::json;

// Of a body that its protocol refused, at `where` if that is not empty: none of its content, only its shape.
std::string what_is_wrong(std::string_view body, const std::string& where) {
    json::Scan scan(body);
    std::size_t given = 0;
    const bool object = scan.kind() == json::Kind::object;
    if (object)
        scan.members([&](const json::Name& name) {
            given += name.is(where) ? 1 : 0;
            scan.value();
        });
    else
        scan.value();
    if (!scan.finish()) return "the request body is not valid JSON, at byte " + std::to_string(scan.offset());
    if (!object) return "the request body is not a JSON object";
    if (where.empty()) return "the request body is not a valid JSON object of this protocol";
    if (given > 1) return "'" + where + "' is given twice";
    const bool top = where.find_first_of(".[") == where.npos;
    return top && given == 0 ? "'" + where + "' is missing" : "the request is not valid at '" + where + "'";
}

} // namespace

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
                       .message = what_is_wrong(asked.body, where),
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
