#include "base/text.h"
#include "config/reading.h"
#include "config/suggest.h"
#include "plugin/registry.h"

#include <algorithm>
#include <tuple>

namespace wm::config {
namespace {

bool has(const std::vector<std::string>& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

class Models {
  public:
    explicit Models(Reading& reading) : reading_(reading), models_(reading.settings.models) {}

    void run() {
        const auto sections = reading_.of_kind("model");
        for (const auto* section : sections) read_model(*section);
        for (const auto* section : reading_.of_kind("layer")) read_layer(*section);
        for (std::size_t i = 0; i < sections.size(); ++i) {
            settle_protocols(*sections[i], models_[i]);
            gather_guarded(models_[i]);
        }
        reading_.settings.target_count = std::uint32_t(ids_.size());
    }

  private:
    void read_model(const IniSection& section) {
        SectionReader in(section, reading_.report);
        ServedModel model;
        model.name = section.names[0];
        if (const auto [first, fresh] = public_names_.emplace(model.name, section.line); !fresh)
            in.bad({"public name already taken",
                    "a name no other model or alias has; the first is on line " + std::to_string(first->second)});
        for (const auto& [alias, entry] : in.list("aliases")) {
            const auto [first, fresh] = public_names_.emplace(alias, entry->line);
            if (!fresh)
                in.bad(*entry,
                       {"public name " + alias + " already taken",
                        "a name no other model or alias has; the first is on line " + std::to_string(first->second)});
            else
                model.aliases.push_back(alias);
        }
        for (const auto& [protocol, entry] : in.list("protocols")) {
            if (has(model.protocols, protocol))
                in.bad(*entry, {protocol + " given twice", "each protocol once"});
            else if (!reading_.plugins.transcoder(protocol))
                in.bad(*entry, {"no transcoder for " + protocol + did_you_mean(protocol, loaded()),
                                "of those loaded: " + joined(loaded()) + ", or " +
                                    reading_.plugin_wanted("the plugin of " + protocol)});
            else
                model.protocols.push_back(protocol);
        }
        in.finish();
        models_.push_back(std::move(model));
    }

    std::vector<std::string_view> loaded() const {
        std::vector<std::string_view> out;
        for (const auto* transcoder : reading_.plugins.transcoders()) out.emplace_back(transcoder->about().id);
        return out;
    }

    void read_layer(const IniSection& section) {
        SectionReader in(section, reading_.report);
        Layer layer;
        layer.name = section.names[1];
        layer.strategy = "random";
        in.read("strategy", layer.strategy, parse_script_name);
        layer.strategy.insert(0, "allocation/");
        if (layer.strategy == queue_script)
            in.bad("strategy", {"orders who waits for a permit, and no targets", "an ordering, as random"});
        reading_.policies.add(layer.strategy, section, "strategy");
        std::map<std::uint32_t, unsigned> lines;
        const auto entries = in.all("target");
        for (const auto* entry : entries) {
            const auto target = read_target(in, *entry);
            if (!target) continue;
            if (const auto [first, fresh] = lines.emplace(target->id, entry->line); !fresh)
                in.bad(*entry, {"target given twice in this layer",
                                "once; the first is on line " + std::to_string(first->second)});
            else
                layer.targets.push_back(*target);
        }
        if (entries.empty())
            in.bad("target", {"missing", "one or more lines target = backend/credential upstream-model"});
        in.finish();

        const auto i = index_of(models_, section.names[0]);
        if (i < models_.size()) return models_[i].layers.push_back(std::move(layer));
        if (reading_.lost("model")) return;
        const auto names = names_of(models_);
        in.bad({"no model \"" + section.names[0] + "\"" + did_you_mean(section.names[0], names),
                "one of those configured: " + joined(names)});
    }

    template <class Named>
    std::optional<std::uint32_t> find(SectionReader& in, const IniEntry& entry, const std::vector<Named>& all,
                                      std::string_view name, std::string_view kind, const std::string& of = {}) {
        const auto i = index_of(all, name);
        if (i < all.size()) return std::uint32_t(i);
        if (reading_.lost(kind)) return std::nullopt;
        const auto names = names_of(all);
        in.bad(entry, {"no " + std::string(kind) + of + " " + std::string(name) + did_you_mean(name, names),
                       "one of those configured: " + joined(names)});
        return std::nullopt;
    }

    std::optional<Target> read_target(SectionReader& in, const IniEntry& entry) {
        const std::string_view text = entry.value;
        const auto space = text.find_first_of(" \t"), slash = text.find('/');
        if (space == text.npos || slash == text.npos || slash == 0 || slash + 1 >= space) {
            if (!reading_.lost("backend") && !reading_.lost("credential")) // else it may hold a name that was refused
                in.bad(entry, {"not a target", "backend/credential upstream-model"});
            return std::nullopt;
        }
        const auto& backends = reading_.settings.backends;
        const auto backend = find(in, entry, backends, text.substr(0, slash), "backend");
        if (!backend) return std::nullopt;
        const auto of = " of backend " + backends[*backend].name + " called";
        const auto credential = find(in, entry, backends[*backend].credentials,
                                     text.substr(slash + 1, space - slash - 1), "credential", of);
        const auto model = find(in, entry, backends[*backend].models, trim(text.substr(space)), "upstream-model", of);
        if (!credential || !model) return std::nullopt;
        Target target{*backend, *credential, *model, 0, {}};
        target.id = ids_.emplace(std::tuple(*backend, *credential, *model), std::uint32_t(ids_.size())).first->second;
        target.name = backends[*backend].name + "/" + backends[*backend].credentials[*credential].name + " " +
                      backends[*backend].models[*model].name;
        return target;
    }

    void gather_guarded(ServedModel& model) const {
        for (const auto& layer : model.layers)
            for (const auto& target : layer.targets)
                if (const auto& bound = reading_.settings.backends[target.backend].bound)
                    for (const auto& member : bound->about().guarded_members)
                        if (!has(model.guarded_members, member)) model.guarded_members.push_back(member);
    }

    const UpstreamModel& upstream(const Target& target) const {
        return reading_.settings.backends[target.backend].models[target.model];
    }

    // Every target serves every protocol of the model, natively or by translation: given ones are checked, else they
    // are all that can be.
    void settle_protocols(const IniSection& section, ServedModel& model) {
        const SectionReader in(section, reading_.report);
        if (model.layers.empty()) {
            if (reading_.lost("layer")) return;
            return in.bad({"model without layer", "a section [layer \"" + model.name + "\" \"…\"]"});
        }
        std::vector<const Target*> targets;
        for (const auto& layer : model.layers)
            for (const auto& target : layer.targets)
                if (!upstream(target).protocols.empty()) targets.push_back(&target);
        if (targets.empty()) return; // reported where the targets or their backends are
        const bool given = std::any_of(section.entries.begin(), section.entries.end(),
                                       [](const IniEntry& e) { return e.key == "protocols"; });
        given ? check_given(in, model, targets) : take_possible(in, model, targets);
    }

    bool translates(std::string_view protocol) const {
        const auto* transcoder = reading_.plugins.transcoder(protocol);
        return transcoder && transcoder->about().translates;
    }

    bool serves(const Target& target, std::string_view protocol) const {
        const auto& spoken = upstream(target).protocols;
        if (has(spoken, protocol)) return true;
        return translates(protocol) &&
               std::any_of(spoken.begin(), spoken.end(), [this](const auto& one) { return translates(one); });
    }

    void check_given(const SectionReader& in, const ServedModel& model, const std::vector<const Target*>& targets) {
        for (const auto& protocol : model.protocols) {
            std::vector<std::string_view> lacking;
            for (const auto* target : targets)
                if (!serves(*target, protocol)) lacking.push_back(target->name);
            if (!lacking.empty())
                in.bad("protocols",
                       {protocol + " is not spoken by target " + joined(lacking) + ", and cannot be translated for it",
                        "protocols that every target of the model speaks, or that translate into one it "
                        "speaks"});
        }
    }

    // Native ones first.
    void take_possible(const SectionReader& in, ServedModel& model, const std::vector<const Target*>& targets) {
        const auto take = [&](std::string_view protocol) {
            const auto can = [&](const Target* target) { return serves(*target, protocol); };
            if (!has(model.protocols, protocol) && std::all_of(targets.begin(), targets.end(), can))
                model.protocols.emplace_back(protocol);
        };
        for (const auto& protocol : upstream(*targets.front()).protocols)
            if (reading_.plugins.transcoder(protocol)) take(protocol);
        for (const auto protocol : loaded()) take(protocol);
        if (!model.protocols.empty()) return;
        std::string spoken;
        std::vector<std::string_view> absent;
        for (const auto* target : targets) {
            const auto& protocols = upstream(*target).protocols;
            for (const auto& protocol : protocols)
                if (!reading_.plugins.transcoder(protocol) &&
                    std::find(absent.begin(), absent.end(), protocol) == absent.end())
                    absent.emplace_back(protocol);
            spoken.append(spoken.empty() ? "" : "; ").append(target->name).append(" speaks ");
            spoken.append(joined(std::vector<std::string_view>(protocols.begin(), protocols.end())));
        }
        in.bad({"no protocol that every target speaks or can be translated for",
                "one in common, of those loaded: " + joined(loaded()) +
                    (absent.empty() ? "" : ", or " + reading_.plugin_wanted("the plugin of " + joined(absent))) +
                    "; got " + spoken});
    }

    Reading& reading_;
    std::vector<ServedModel>& models_;
    std::map<std::string, unsigned> public_names_; // to the line of the first
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> ids_;
};

} // namespace

void read_models(Reading& reading) { Models(reading).run(); }

} // namespace wm::config
