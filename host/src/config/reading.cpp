#include "config/reading.h"

#include "base/no_provider.h"
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

// The policies of a kind that a section may name, from the folder of that kind.
std::vector<std::string> choices(const std::filesystem::path& folder) {
    std::vector<std::string> out;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const auto name = at->path().stem().string(), script = folder.filename().string() + "/" + name;
        if (at->path().extension() == ".lua" && script != queue_script && script != schedules_script)
            out.push_back(name);
    }
    std::sort(out.begin(), out.end());
    return out;
}

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
        const bool in_target = kind.name == "backend" || (kind.name == "credential" && i == 1);
        if (in_target && name.find_first_of("/ \t") != name.npos)
            return bad("name with a slash or a space", "a name that a target can be written with");
    }
    return true;
}

} // namespace

Sections judge_sections(const IniDocument& document, Report& report) {
    std::vector<std::string_view> known;
    for (const auto& kind : kinds) known.push_back(kind.name);
    std::map<std::string, unsigned> seen;
    Sections out;
    out.any_lost = document.header_lost;
    for (const auto& section : document.sections) {
        const auto* kind =
            std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& k) { return k.name == section.kind; });
        if (kind == std::end(kinds)) {
            report.add(section,
                       Complaint{"unknown section" + did_you_mean(section.kind, known), "one of " + joined(known)});
            out.lost_kinds.emplace(nearest(section.kind, known));
            continue;
        }
        if (!named_well(section, *kind, report)) {
            out.lost_kinds.insert(section.kind);
            continue;
        }
        const auto [first, fresh] = seen.emplace(section.title(), section.line);
        if (fresh)
            out.fine.push_back(&section);
        else
            report.add(section,
                       Complaint{"section given twice", "once; the first is on line " + std::to_string(first->second)});
    }
    return out;
}

std::string Reading::plugin_wanted(std::string_view which) const {
    return std::string(which) + " in " + settings.server.plugins.string() + ", a folder with plugin.ini";
}

std::vector<const IniSection*> Reading::of_kind(std::string_view kind) const {
    std::vector<const IniSection*> out;
    std::copy_if(sections.fine.begin(), sections.fine.end(), std::back_inserter(out),
                 [&](const IniSection* s) { return s->kind == kind; });
    return out;
}

void check_provider_name(const SectionReader& in, const std::vector<const IniSection*>& others) {
    const auto& name = in.section().names[0];
    if (name == no_provider) in.bad({"the name under which the gateway counts its own refusals", "another name"});
    for (const auto* other : others)
        if (other->names[0] == name)
            in.bad({"the name of " + other->title() + " too, on line " + std::to_string(other->line),
                    "a name of its own: metrics and logs tell them by it"});
}

std::array<const IniEntry*, 2> read_queue_order(SectionReader& in, QueueOrder& order) {
    const auto* queue_order = in.read("queue_order", order.fifo, [](std::string_view text) -> Value<bool> {
        constexpr std::array<std::string_view, 2> orders{"fair", "fifo"};
        if (text != "fair" && text != "fifo")
            return Failure{Complaint{"not an order of waiting" + did_you_mean(text, orders), "fair or fifo"}};
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
        if (std::filesystem::is_regular_file(script, ignored)) continue;
        const bool chosen = need.key == "strategy" || need.key == "failure_policy"; // else the gateway needs just this
        const auto found = chosen ? choices(script.parent_path()) : std::vector<std::string>();
        const std::vector<std::string_view> there(found.begin(), found.end());
        const auto name = std::string_view(need.name).substr(need.name.find('/') + 1);
        SectionReader(*need.section, report)
            .bad(need.key, {"no such policy" + did_you_mean(name, there),
                            "the script " + script.string() +
                                (chosen ? ", or one of those there: " + joined(there) : std::string())});
    }
}

} // namespace wm::config
