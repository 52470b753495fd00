#include "input_schema.hpp"

#include <watermaster/json_scan.hpp>
#include <watermaster/json_write.hpp>

namespace wm::anthropic_messages {

using sdk::json::Name;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

bool is_choice(const Name& name) { return name.is("anyOf") || name.is("oneOf") || name.is("allOf"); }

// `"name":value` of an object, with commas between.
void append_members(std::string& out, std::string_view object) {
    Scan scan(object);
    scan.members([&](const Name& name) {
        out.append(out.empty() ? "" : ",").append("\"").append(name.body).append("\":").append(scan.value().raw);
    });
}

} // namespace

std::string without_choices(std::string_view schema, bool& joined) {
    std::string properties, others;
    Scan scan(schema);
    scan.members([&](const Name& name) {
        const Value value = scan.value();
        if (is_choice(name)) {
            joined = true;
            Scan branches(value.raw);
            branches.elements(
                [&] { append_members(properties, sdk::json::member(branches.value().raw, "properties").raw); });
        } else if (name.is("properties")) {
            append_members(properties, value.raw);
        } else {
            others.append(",\"").append(name.body).append("\":").append(value.raw);
        }
    });
    return joined ? "{\"properties\":{" + properties + "}" + others + "}" : std::string(schema);
}

} // namespace wm::anthropic_messages
