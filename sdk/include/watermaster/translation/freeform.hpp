#pragma once
// Tools whose input is free text, where a protocol's tools take an object: the text is its one member, put in by the
// writer of a request and taken out again by the reader of its answer.
#include "../json_scan.hpp"
#include "../json_write.hpp"
#include "content.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace wm::sdk {

// What an upstream talk remembers of the tools it has wrapped.
class FreeformTools {
  public:
    void add(std::string_view name) { names_.emplace_back(name); }
    bool has(std::string_view name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }

  private:
    std::vector<std::string> names_;
};

inline constexpr std::string_view freeform_schema =
    R"({"type":"object","properties":{"input":{"type":"string"}},"required":["input"]})";

// The grammar cannot bind the model any more, but it can read it.
inline std::string freeform_description(const Tool& tool) {
    std::string out = tool.description;
    for (const Named& grammar : tool.grammars)
        out.append(out.empty() ? "" : "\n\n")
            .append("`input` is text of this grammar (")
            .append(grammar.name)
            .append("):\n")
            .append(grammar.value);
    return out;
}

inline std::string freeform_arguments(std::string_view text) {
    std::string out;
    json::Writer(out).text("input", text);
    return out;
}

// The text in what a model has given as arguments: `input`, or all of it where the model did not keep to the schema.
inline std::string freeform_text(std::string_view arguments) {
    json::Scan scan(arguments);
    scan.value();
    const json::Value input = scan.finish() ? json::member(arguments, "input") : json::Value{};
    return input.is_string() ? json::text(input.body()) : std::string(arguments);
}

} // namespace wm::sdk
