#include "config/reading.h"

#include "base/text.h"
#include "config/suggest.h"

#include <algorithm>

namespace wm::config {
namespace {

struct Kind {
    std::string_view name;
    std::size_t names; // how many quoted names follow
    std::string_view shape;
};

constexpr Kind kinds[] = {
    {"server", 0, "[server]"},
    {"backend", 1, "[backend \"name\"]"},
    {"credential", 2, "[credential \"backend\" \"name\"]"},
    {"upstream-model", 2, "[upstream-model \"backend\" \"model\"]"},
    {"model", 1, "[model \"name\"]"},
    {"layer", 2, "[layer \"model\" \"name\"]"},
    {"mount", 1, "[mount \"name\"]"},
    {"client", 1, "[client \"name\"]"},
};

bool named_well(const IniSection& section, const Kind& kind, Report& report) {
    const auto bad = [&](std::string problem, std::string expected) {
        report.add(section, Complaint{std::move(problem), std::move(expected)});
        return false;
    };
    if (section.names.size() != kind.names) return bad("wrong number of names", std::string(kind.shape));
    for (std::size_t i = 0; i < section.names.size(); ++i) {
        const auto& name = section.names[i];
        if (trim(name).empty()) return bad("blank name", std::string(kind.shape));
        if (trim(name).size() != name.size())
            return bad("name with spaces around it", "\"" + std::string(trim(name)) + "\"");
        // `target = backend/credential model` must stay readable in one way.
        const bool in_target = kind.name == "backend" || kind.name == "credential";
        if (in_target && name.find_first_of("/ \t") != name.npos)
            return bad("name with a slash or a space", "a name that a target can be written with");
    }
    return true;
}

} // namespace

std::vector<const IniSection*> judge_sections(const IniDocument& document, Report& report) {
    std::vector<std::string_view> known;
    for (const auto& kind : kinds) known.push_back(kind.name);
    std::map<std::string, unsigned> seen;
    std::vector<const IniSection*> out;
    for (const auto& section : document.sections) {
        const auto* kind =
            std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& k) { return k.name == section.kind; });
        if (kind == std::end(kinds)) {
            report.add(section,
                       Complaint{"unknown section" + did_you_mean(section.kind, known), "one of " + joined(known)});
            continue;
        }
        if (!named_well(section, *kind, report)) continue;
        const auto [first, fresh] = seen.emplace(section.title(), section.line);
        if (fresh)
            out.push_back(&section);
        else
            report.add(section,
                       Complaint{"section given twice", "once; the first is on line " + std::to_string(first->second)});
    }
    return out;
}

std::vector<const IniSection*> Reading::of_kind(std::string_view kind) const {
    std::vector<const IniSection*> out;
    std::copy_if(sections.begin(), sections.end(), std::back_inserter(out),
                 [&](const IniSection* s) { return s->kind == kind; });
    return out;
}

std::array<const IniEntry*, 2> read_queue_order(SectionReader& in, QueueOrder& order) {
    const auto* queue_order = in.read("queue_order", order.fifo, [](std::string_view text) -> Value<bool> {
        if (text != "fair" && text != "fifo") return Failure{Complaint{"not an order of waiting", "fair or fifo"}};
        return text == "fifo";
    });
    Millis promote_after{};
    const auto* promotion = in.duration("queue_promote_after", promote_after);
    if (promotion) order.promote_after = promote_after;
    return {queue_order, promotion};
}

void PolicyNeeds::add(std::string name, const IniSection& section, std::string_view key) {
    const auto same = [&](const Need& need) { return need.name == name; };
    if (std::none_of(needs_.begin(), needs_.end(), same))
        needs_.push_back({std::move(name), std::string(key), &section});
}

std::vector<std::string> PolicyNeeds::names() const {
    std::vector<std::string> out;
    for (const auto& need : needs_) out.push_back(need.name);
    return out;
}

void PolicyNeeds::check(const std::filesystem::path& folder, Report& report) const {
    for (const auto& need : needs_) {
        const auto script = folder / (need.name + ".lua");
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(script, ignored))
            SectionReader(*need.section, report).bad(need.key, {"no such policy", "the script " + script.string()});
    }
}

} // namespace wm::config
