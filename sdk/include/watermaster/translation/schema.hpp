#pragma once
// The schema of a tool's input, as providers insist on it.
#include "../json_scan.hpp"
#include "../json_value.hpp"

#include <string>
#include <string_view>

namespace wm::sdk {

// `schema` with the two members that providers refuse an object's schema without; all else keeps its bytes.
inline std::string object_schema(std::string_view schema) {
    if (schema.empty()) return R"({"type":"object","properties":{}})";
    std::string out(schema);
    const auto there = [&](std::string_view name) { return json::member(out, name).there(); };
    const auto empty = [&] { return json::Value{out, json::Kind::object}.empty(); };
    if (!there("type")) out.insert(out.find('{') + 1, empty() ? R"("type":"object")" : R"("type":"object",)");
    if (!there("properties")) out.insert(out.rfind('}'), R"(,"properties":{})");
    return out;
}

} // namespace wm::sdk
