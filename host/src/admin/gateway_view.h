#pragma once
#include "exchange/site.h"
#include "plugin/registry.h"

#include <functional>

namespace wm::admin {

// The gateway as seen from here. All of it outlives the admin listener and may be used on its thread.
struct GatewayView {
    const exchange::Site& site;
    const plugin::Registry& plugins;
    std::function<std::shared_ptr<const exchange::Generation>()> generation; // the latest
};

} // namespace wm::admin
