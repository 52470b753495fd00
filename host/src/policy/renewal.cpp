#include "policy/renewal.h"

#include "policy/self_test.h"

#include <algorithm>

namespace wm::policy {
namespace {

// `accepted` so far: a policy that declines is answered for by the generic one, which is judged first.
std::optional<Refusal> judge(const std::vector<Script>& accepted, const Script& script) {
    if (auto refused = prove(script)) return refused;
    auto scripts = accepted;
    scripts.push_back(script);
    return self_test(std::make_shared<const Library>(std::move(scripts)), script);
}

} // namespace

Renewal renew(std::span<const std::filesystem::path> folders, std::span<const std::string> names,
              const Library* before) {
    Renewal renewal;
    std::vector<Script> accepted;
    bool whole = true;
    const auto known = [&](const std::string& name) {
        return std::any_of(accepted.begin(), accepted.end(), [&](const Script& s) { return s.name == name; });
    };
    for (const auto& name : names) {
        if (known(name)) continue;
        const auto* old = before ? before->find(name) : nullptr;
        Script script;
        auto refused = read_script(folders, name, script);
        const bool same = !refused && old && old->source == script.source;
        if (!refused && !same) refused = judge(accepted, script);
        if (!refused) {
            if (!same) renewal.changed.push_back(name);
            accepted.push_back(std::move(script));
            continue;
        }
        renewal.refused.push_back(std::move(*refused));
        if (old)
            accepted.push_back(*old);
        else
            whole = false;
    }
    if (whole) renewal.library = std::make_shared<const Library>(std::move(accepted));
    return renewal;
}

void RenewalCounters::count(const Renewal& renewal) {
    accepted += renewal.changed.size();
    for (const auto& refused : renewal.refused) switch (refused.fault) {
        case Fault::unreadable: ++unreadable; break;
        case Fault::syntax: ++syntax; break;
        case Fault::load: ++load; break;
        case Fault::limits: ++limits; break;
        case Fault::self_test: ++self_test; break;
        }
}

std::vector<std::filesystem::path> files_of(std::span<const std::filesystem::path> folders,
                                            std::span<const std::string> names) {
    std::vector<std::filesystem::path> files;
    for (const auto& name : names)
        for (const auto& folder : folders) {
            files.push_back(folder / (name + ".lua"));
            files.push_back(Script{name, {}, {}, folder}.spec());
        }
    return files;
}

} // namespace wm::policy
