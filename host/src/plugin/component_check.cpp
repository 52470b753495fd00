#include "plugin/component_check.h"

#include "plugin/facts_json.h"
#include "plugin/layout.h"
#include "plugin/refusal.h"

#include <algorithm>
#include <cstring>

namespace wm::plugin {

namespace {

constexpr std::size_t max_id = 64;
constexpr std::size_t max_facts = 256 << 10;
constexpr const char* rebuild = "build the plugin with the SDK's current helpers";

bool is_id(const char* text) {
    const std::size_t length = strnlen(text, max_id + 1);
    return length && length <= max_id && std::all_of(text, text + length, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
           });
}

std::optional<std::string> size_problem(const std::string& where, std::uint32_t size, std::uint32_t least) {
    if (size >= least && size <= max_table_bytes) return std::nullopt;
    return refusal(where + ": table", "a size of at least " + std::to_string(least) + " bytes",
                   std::to_string(size) + " bytes", "set size to the sizeof of the interface's table");
}

struct Function {
    const char* name;
    bool there;
};

std::optional<std::string> missing_function(const std::string& where, std::initializer_list<Function> functions) {
    for (const auto& function : functions)
        if (!function.there)
            return refusal(where + ": table", std::string("the function `") + function.name + "`", "null",
                           "set it; this interface requires it");
    return std::nullopt;
}

// Null together, or set together.
std::optional<std::string> half_set(const std::string& where, std::initializer_list<Function> functions) {
    const Function* first = functions.begin();
    for (const auto& function : functions)
        if (function.there != first->there)
            return refusal(where + ": table",
                           std::string("`") + first->name + "` and `" + function.name +
                               "` null together or set together",
                           std::string("only `") + (function.there ? function.name : first->name) + "` set",
                           "set all of them or none");
    return std::nullopt;
}

#define WM_FUNCTION(T, f)                                                                                              \
    Function { #f, bool(WM_HAS(table, T, f)) }

std::optional<std::string> adapter_problem(const std::string& where, const wm_adapter* table) {
    if (auto problem = size_problem(where, table->size, adapter_bytes)) return problem;
    return missing_function(
        where, {WM_FUNCTION(wm_adapter, bind), WM_FUNCTION(wm_adapter, unbind), WM_FUNCTION(wm_adapter, prepare)});
}

std::optional<std::string> transcoder_problem(const std::string& where, const wm_transcoder* table) {
    using T = wm_transcoder;
    if (auto problem = size_problem(where, table->size, transcoder_bytes)) return problem;
    if (auto problem = missing_function(
            where, {WM_FUNCTION(T, facts), WM_FUNCTION(T, rewrite), WM_FUNCTION(T, write_error),
                    WM_FUNCTION(T, tap_open), WM_FUNCTION(T, tap), WM_FUNCTION(T, tap_end), WM_FUNCTION(T, tap_close)}))
        return problem;
    return half_set(where, {WM_FUNCTION(T, bind), WM_FUNCTION(T, unbind), WM_FUNCTION(T, open), WM_FUNCTION(T, read),
                            WM_FUNCTION(T, read_end), WM_FUNCTION(T, write_begin), WM_FUNCTION(T, write),
                            WM_FUNCTION(T, write_end), WM_FUNCTION(T, close)});
}

bool translates(const wm_transcoder* table) { return WM_HAS(table, wm_transcoder, open); }

#undef WM_FUNCTION

template <class Facts>
Result<Judged, std::string> with_facts(const std::string& where, const wm_component& component,
                                       Result<Facts, std::string> facts) {
    if (!facts) return Failure{where + ": " + facts.error()};
    if (facts->id != component.id)
        return Failure{refusal(where + ": facts: member `id`", ticked(component.id) + " as the component says",
                               ticked(facts->id), rebuild)};
    return Judged{&component, std::move(*facts)};
}

} // namespace

std::optional<std::string> component_problem(const std::string& where, const wm_component& component,
                                             std::uint32_t stride) {
    if (component.size < component_bytes || component.size > stride)
        return refusal(where,
                       "a size of " + std::to_string(component_bytes) + " to " + std::to_string(stride) +
                           " bytes, the stride",
                       std::to_string(component.size) + " bytes", "set size to sizeof(wm_component)");
    if (!component.interface_id) return refusal(where, "an interface_id", "null", rebuild);
    if (!component.id || !is_id(component.id))
        return refusal(where, "an id of 1 to 64 of a-z 0-9 - _ .",
                       component.id ? ticked({component.id, strnlen(component.id, max_id + 1)}) : "null", rebuild);
    if (!component.facts_json) return refusal(where, "facts_json", "null", rebuild);
    if (!component.create || !component.destroy)
        return refusal(where, "the functions `create` and `destroy`", "null", rebuild);
    if (!component.table) return refusal(where, "a table", "null", rebuild);
    return std::nullopt;
}

std::string_view kind_of(const wm_component& component) {
    if (std::strcmp(component.interface_id, WM_ADAPTER_1) == 0) return "adapter";
    if (std::strcmp(component.interface_id, WM_TRANSCODER_1) == 0) return "transcoder";
    return {};
}

Result<Judged, std::string> judge_component(const std::string& where, const wm_component& component) {
    const std::string_view json(component.facts_json, strnlen(component.facts_json, max_facts + 1));
    if (json.size() > max_facts)
        return Failure{refusal(where + ": facts", "at most 256 KiB", "more", "say less in the plugin's facts")};
    if (kind_of(component) == "adapter") {
        if (auto problem = adapter_problem(where, static_cast<const wm_adapter*>(component.table)))
            return Failure{*problem};
        return with_facts(where, component, parse_adapter_facts(json));
    }
    const auto* table = static_cast<const wm_transcoder*>(component.table);
    if (auto problem = transcoder_problem(where, table)) return Failure{*problem};
    auto facts = parse_transcoder_facts(json);
    if (facts) facts->translates = translates(table);
    return with_facts(where, component, std::move(facts));
}

} // namespace wm::plugin
