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

std::filesystem::path configuration_file(const std::string& option) {
    if (!option.empty()) return option;
    if (const char* named = std::getenv("WATERMASTER_CONFIG"); named && *named) return named;
    std::error_code ignored;
    if (std::filesystem::exists("watermaster.ini", ignored)) return "watermaster.ini";
    return "/etc/watermaster/watermaster.ini";
}

} // namespace wm::app
