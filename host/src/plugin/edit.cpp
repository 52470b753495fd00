#include "plugin/edit.h"

#include "base/json_writer.h"

#include <optional>
#include <vector>
#include <watermaster/json_scan.hpp>

namespace wm::plugin {

namespace {

namespace json = wm::sdk::json;

struct Member {
    std::size_t begin, value, end; // of the name's quote, of the value, past the value
    std::size_t edit;              // which of the edits, or none
};
constexpr std::size_t none = static_cast<std::size_t>(-1);

// The last edit of this name.
std::size_t edit_of(const json::Name& name, std::span<const Pair> edits) {
    const std::string text = json::text(name.body);
    for (std::size_t i = edits.size(); i-- > 0;)
        if (edits[i].name == text) return i;
    return none;
}

std::optional<std::vector<Member>> members_of(std::string_view body, std::span<const Pair> edits) {
    std::vector<Member> out;
    json::Scan scan(body);
    scan.members([&](const json::Name& name) {
        const auto begin = static_cast<std::size_t>(name.body.data() - body.data()) - 1;
        const auto raw = scan.value().raw;
        if (scan.failed()) return;
        const auto value = static_cast<std::size_t>(raw.data() - body.data());
        out.push_back({begin, value, value + raw.size(), edit_of(name, edits)});
    });
    if (!scan.finish()) return std::nullopt;
    return out;
}

} // namespace

std::string apply_members(std::string_view body, std::span<const Pair> edits) {
    const auto members = members_of(body, edits);
    if (!members) return std::string(body);

    std::string out;
    out.reserve(body.size() + 64);
    std::vector<bool> done(edits.size(), false);
    const std::size_t first = body.find('{') + 1;
    bool empty = true;        // nothing kept so far
    std::size_t from = first; // where the bytes before the next member begin: its comma and its white space
    out += body.substr(0, first);
    for (const Member& member : *members) {
        const bool edited = member.edit != none;
        const bool kept = !edited || (!edits[member.edit].value.empty() && !done[member.edit]);
        if (kept) {
            // Where everything before was removed, so is the comma.
            const auto gap = body.substr(from, member.begin - from);
            const auto comma = gap.find(',');
            out += empty && comma != gap.npos ? gap.substr(comma + 1) : gap;
            out += body.substr(member.begin, (edited ? member.value : member.end) - member.begin);
            if (edited) out += edits[member.edit].value;
            empty = false;
        }
        if (edited) done[member.edit] = true;
        from = member.end;
    }
    for (std::size_t i = 0; i < edits.size(); ++i) {
        bool later = false; // another edit of the same name overrules this one
        for (std::size_t j = i + 1; j < edits.size(); ++j) later = later || edits[j].name == edits[i].name;
        if (later || done[i] || edits[i].value.empty()) continue;
        if (!empty) out += ',';
        append_json_string(out, edits[i].name);
        out += ':';
        out += edits[i].value;
        empty = false;
    }
    out += body.substr(from);
    return out;
}

} // namespace wm::plugin
