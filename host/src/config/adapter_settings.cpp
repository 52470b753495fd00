#include "config/adapter_settings.h"

#include "config/address.h"

#include <limits>
#include <optional>

namespace wm::config {
namespace {

using plugin::AdapterFacts;
using plugin::SettingFact;

template <class T, class F>
Value<std::string> mapped(Value<T> value, F&& f) {
    if (!value) return Failure{value.error()};
    return std::string(f(*value));
}

Value<std::string> normalised(const SettingFact& fact, std::string_view text) {
    constexpr auto most = std::uint64_t(std::numeric_limits<std::int64_t>::max());
    const auto digits = [](auto n) { return std::to_string(n); };
    if (fact.type == "bool") return mapped(parse_bool(text), [](bool b) { return b ? "true" : "false"; });
    if (fact.type == "int") return mapped(parse_integer(text, 0, most), digits);
    if (fact.type == "size") return mapped(parse_size(text, 0, most), digits);
    if (fact.type == "duration")
        return mapped(parse_duration(text, Millis(0)), [&](Millis d) { return digits(d.count()); });
    if (fact.type == "url") return parse_url(text, UrlUse::complete);
    if (text.empty()) return Failure{Complaint{"empty", fact.help.empty() ? "a value" : fact.help}};
    return std::string(text);
}

class Binding {
  public:
    Binding(SectionReader& in, const plugin::Adapter& adapter) : in_(in), adapter_(adapter), facts_(adapter.about()) {}

    std::shared_ptr<const plugin::BoundAdapter> run() {
        read_address();
        for (const auto& fact : facts_.settings)
            if (fact.name != "endpoint" && fact.name != "base_url") read_setting(fact);
        if (!fine_) return nullptr;
        std::vector<PairView> views;
        for (const auto& [name, value] : settings_) views.push_back({name, value});
        std::vector<plugin::SettingProblem> problems;
        std::shared_ptr<const plugin::BoundAdapter> bound = adapter_.bind(views, problems);
        for (const auto& problem : problems) refuse(problem.key, {problem.problem, "", false});
        if (!bound && problems.empty())
            refuse("adapter", {"adapter " + facts_.id + " refused its settings and did not say why", ""});
        return fine_ ? bound : nullptr;
    }

  private:
    void refuse(std::string_view key, const Complaint& complaint) {
        fine_ = false;
        key.empty() ? in_.bad(complaint) : in_.bad(key, complaint);
    }

    // Reads an address key; true if it is in the section, right or not.
    bool read_url(std::string_view key, UrlUse use) {
        const auto* entry = in_.one(key);
        if (!entry) return false;
        auto url = parse_url(entry->value, use);
        const auto other = url ? other_use(*url, use) : std::optional<Complaint>();
        if (!url)
            refuse(key, url.error());
        else if (other)
            refuse(key, *other);
        else
            settings_.push_back({std::string(key), std::move(*url)});
        return true;
    }

    // What says that `url` was meant for the other key: it ends as a path of the adapter's operations does, or where
    // one begins.
    std::optional<Complaint> other_use(std::string_view url, UrlUse use) const {
        while (url.ends_with('/')) url.remove_suffix(1);
        for (const auto& protocol : facts_.protocols)
            for (const auto& operation : protocol.operations) {
                const std::string_view path = operation.path;
                const auto first = path.find('/', 1); // the end of its first segment, as /v1
                if (first == path.npos) continue;
                const std::string rest(path.substr(first));
                if (use == UrlUse::base && url.ends_with(rest))
                    return Complaint{"a complete URL, to which the adapter would add " + operation.path,
                                     facts_.endpoint == "url"
                                         ? "endpoint = for a complete URL, or here the URL without " + rest
                                         : "the URL without " + rest};
                if (use == UrlUse::complete && url.ends_with(path.substr(0, first)))
                    return Complaint{"a base URL, to which nothing would be added",
                                     "base_url = for it, or here the complete URL, with " + rest};
            }
        return std::nullopt;
    }

    void read_address() {
        const bool own = facts_.endpoint == "own", url = facts_.endpoint == "url";
        const auto forbid = [&](std::string_view key, const std::string& why) {
            if (in_.one(key)) refuse(key, {why, "this key left out", false});
        };
        const auto name = "adapter " + facts_.id;
        if (own) {
            forbid("base_url", name + " knows its own endpoint");
            forbid("endpoint", name + " knows its own endpoint");
            return;
        }
        const bool base_url = read_url("base_url", UrlUse::base);
        if (!url) {
            forbid("endpoint", name + " takes base_url");
            if (!base_url) refuse("base_url", {"missing", "the provider's base URL, as in https://api.example.com/v1"});
            return;
        }
        const bool endpoint = read_url("endpoint", UrlUse::complete);
        if (base_url && endpoint)
            refuse("endpoint", {"given beside base_url", "exactly one of endpoint and base_url", false});
        if (!base_url && !endpoint)
            refuse("base_url",
                   {"missing",
                    "exactly one of base_url (as in https://api.example.com/v1) and endpoint (a complete URL)"});
    }

    void read_setting(const SettingFact& fact) {
        const auto* entry = in_.one(fact.name);
        if (!entry && fact.required) return refuse(fact.name, {"missing", fact.help.empty() ? "a value" : fact.help});
        if (!entry && fact.fallback.empty()) return;
        auto value = normalised(fact, entry ? entry->value : fact.fallback);
        if (value)
            settings_.push_back({fact.name, std::move(*value)});
        else if (entry)
            refuse(fact.name, value.error());
        else
            refuse(fact.name, {"adapter " + facts_.id + " declares the default " + fact.fallback + ", which is " +
                                   value.error().problem,
                               value.error().expected});
    }

    SectionReader& in_;
    const plugin::Adapter& adapter_;
    const AdapterFacts& facts_;
    std::vector<Pair> settings_;
    bool fine_ = true;
};

} // namespace

std::shared_ptr<const plugin::BoundAdapter> bind_adapter(SectionReader& in, const plugin::Adapter& adapter) {
    return Binding(in, adapter).run();
}

} // namespace wm::config
