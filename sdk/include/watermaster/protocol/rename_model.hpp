#pragma once
// The edit every native relay needs: another model name, all other bytes as they were.
#include "../json_write.hpp"
#include "../transcoder.hpp"
#include "request_facts.hpp"

namespace wm::sdk {

inline Status rename_model(const Request& request, const Rename& rename, Sink& out) {
    RoutingMembers routing;
    const Status status = walk_request(request.body, routing, [](const json::Name&, json::Scan&) {});
    if (!status.ok()) return status;
    out.put(WM_OUT_SPLICE, routing.model().raw, json::quote(rename.model));
    return out.status();
}

} // namespace wm::sdk
