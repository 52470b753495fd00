#include "request.hpp"
#include "tap.hpp"

#include <watermaster/plugin.hpp>
#include <watermaster/protocol/error_shapes.hpp>

namespace wm::anthropic_messages {

struct Transcoder {
    static constexpr const char* id = "anthropic-messages";
    static constexpr const char* facts_json = R"({
  "id": "anthropic-messages",
  "dialect": "anthropic",
  "operations": [
    {"id": "create", "method": "POST", "path": "/v1/messages", "kind": "inference", "framing": "sse"},
    {"id": "count_tokens", "method": "POST", "path": "/v1/messages/count_tokens", "kind": "local"}
  ],
  "routing_members": ["model", "stream"],
  "needs": []
})";

    static constexpr auto& facts = anthropic_messages::facts;
    static constexpr auto& rewrite = anthropic_messages::rewrite;
    using Tap = anthropic_messages::Tap;

    static sdk::Status write_error(const wm_events& error, sdk::Sink& out) {
        out.put(WM_OUT_BODY, {}, sdk::anthropic_error(sdk::read_error(error)));
        return out.status();
    }
};

} // namespace wm::anthropic_messages

WM_PLUGIN("0.1.0", wm::sdk::transcoder<wm::anthropic_messages::Transcoder>)
