#pragma once
// What is asked: all that is known of a request before anything is done for it. The steps that find it out, in their
// order, are route, identify, understand, plan, guard (plan.h) and find_holder (holder.h), the others each in the file
// of its name; each is pure, fills in its part or says what is refused, and is taken by exchanges and explanations
// alike.
#include "exchange/endpoints.h"
#include "exchange/principal.h"
#include "mount/mounts.h"

#include <optional>
#include <string>

namespace wm::exchange {

struct Asked {
    const http::RequestHead& head;

    std::string_view path = head.path(); // route: of the request, without a prefix that asks for a priority
    bool urgent = false;                 // route: that prefix was there
    const Endpoint* endpoint = nullptr;  // route: null under a mount
    std::string handle;                  // route: what the endpoint's path captured
    const mount::Mount* mount = nullptr; // route: null at an endpoint
    const config::TranscodeRoute* transcode = nullptr; // route: of a mount's path that is translated
    const plugin::Transcoder* protocol = nullptr; // route: of the endpoint, or whose error shape an unknown path gets
    Principal principal;                          // identify
    std::string body;                             // read: decoded; freed at commitment
    std::vector<PairView> fields;                 // understand: of the head, those a protocol may see
    std::string query;                            // understand: without credentials
    plugin::RequestFacts facts;                   // understand
    const config::ServedModel* model = nullptr;   // plan
    std::optional<Digest> holder;                 // find_holder: of what the request continues; only it is asked,
    bool or_natively = false;                     // find_holder: or who speaks the client's protocol, and does without

    // What is asked of a protocol; null: of none.
    const plugin::Operation* operation() const {
        if (transcode) return &inference_of(*transcode->client);
        return endpoint ? endpoint->operation : nullptr;
    }
    std::uint64_t max_body(const config::Settings& settings) const {
        return transcode ? mount->settings.transcode.max_request : settings.server.max_inference_body;
    }
    bool asks_for(EndpointKind kind) const { return endpoint && endpoint->kind == kind; }
    plugin::RequestView request(std::int64_t now_ms) const { // for the transcoder of the operation
        return {.method = head.method(),
                .path = path,
                .query = query,
                .headers = fields,
                .operation = operation()->id,
                .handle = handle,
                .body = body,
                .now_ms = now_ms};
    }
};

} // namespace wm::exchange
