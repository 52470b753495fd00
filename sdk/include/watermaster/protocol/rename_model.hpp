#pragma once
// The edit every native relay needs: another model name, all other bytes as they were.
#include "../json_write.hpp"
#include "../transcoder.hpp"
#include "request_facts.hpp"

namespace wm::sdk {

inline Status rename_model(const Request& request, const Rename& rename, Sink& out) {
    RoutingMembers routing;
    json::Scan scan(request.body);
    if (scan.kind() != json::Kind::object)
        return bad_input("body", "not a JSON object");
    scan.members([&](const json::Name& name) { routing.take(name, scan); });
    if (!scan.finish())
        return bad_json(scan);
    if (Status status = routing.check(); !status.ok())
        return status;
    out.put(WM_OUT_SPLICE, routing.model().raw, json::quote(rename.model));
    return out.status();
}

} // namespace wm::sdk
