#include "plugin/json_value.h"

#include <watermaster/json_scan.hpp>

namespace wm::plugin {

namespace json = wm::sdk::json;

std::string json_text(std::string_view raw) {
    json::Scan scan(raw);
    const json::Value value = scan.value();
    if (!scan.finish() || !value.is_string()) return value.null() ? std::string() : std::string(raw);
    return json::text(value.body());
}

bool is_json_value(std::string_view raw) {
    json::Scan scan(raw);
    return scan.value().there() && scan.finish();
}

} // namespace wm::plugin
