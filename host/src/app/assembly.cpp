#include "app/assembly.h"

#include "policy/renewal.h"

#include <cstdlib>

namespace wm::app {

Result<Assembly, config::Problems> assemble(const std::filesystem::path& file, const config::Overrides& overrides,
                                            plugin::Registry& registry) {
    const auto preamble = config::load_preamble(file, overrides);
    if (!preamble) return Failure{preamble.error()};
    auto refused = registry.load(preamble->plugins);
    if (!refused.empty()) return Failure{std::move(refused)};
    auto settings = config::load(file, registry, overrides);
    if (!settings) return Failure{std::move(settings.error())};
    const std::filesystem::path folders[] = {preamble->policies};
    auto policies = policy::renew(folders, (*settings)->policy_names);
    if (policies.library) return Assembly{*settings, std::move(policies.library)};
    config::Problems problems;
    for (const auto& one : policies.refused) problems.push_back("policy " + one.policy + ": " + one.text);
    return Failure{std::move(problems)};
}

Result<std::filesystem::path, std::string> configuration_file(const std::string& option) {
    using std::filesystem::path;
    if (!option.empty()) return path(option);
    if (const char* named = std::getenv("WATERMASTER_CONFIG"); named && *named) return path(named);
    constexpr const char *here = "watermaster.ini", *packaged = "/etc/watermaster/watermaster.ini";
    std::error_code ignored;
    for (const auto* file : {here, packaged})
        if (std::filesystem::exists(file, ignored)) return path(file);
    return Failure{std::string("no configuration: neither ./") + here + " nor " + packaged +
                   " is there; name one with --config FILE or WATERMASTER_CONFIG"};
}

} // namespace wm::app
