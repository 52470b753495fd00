#include "config/transcode_keys.h"

#include "config/switches.h"

#include <algorithm>

namespace wm::config {
namespace {

bool by_default(const plugin::Capability& capability, CapabilityDefaults defaults) {
    switch (defaults) {
    case CapabilityDefaults::of_served_models: return capability.by_default;
    case CapabilityDefaults::of_mounts: return capability.on_mounts;
    case CapabilityDefaults::none: break;
    }
    return false;
}

} // namespace

void read_capabilities(SectionReader& in, std::string_view key, const plugin::Registry& plugins,
                       CapabilityDefaults defaults, Capabilities& out) {
    std::vector<std::string_view> names;
    for (const auto* transcoder : plugins.transcoders())
        for (const auto& one : transcoder->about().capabilities)
            if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
    const auto given = read_switches(in, key, "capability", names);
    for (const auto* transcoder : plugins.transcoders()) {
        if (!transcoder->about().translates) continue;
        std::vector<PairView> settings;
        for (const auto& one : transcoder->about().capabilities) {
            const auto set = given.find(one.name);
            const bool on = set == given.end() ? by_default(one, defaults) : set->second;
            settings.push_back({one.name, on ? "true" : "false"});
        }
        std::vector<plugin::SettingProblem> problems;
        if (auto bound = transcoder->bind(settings, problems)) out.add(*transcoder, std::move(bound));
        for (const auto& problem : problems)
            in.bad(key, {"transcoder " + transcoder->about().id + ": " + problem.key + ": " + problem.problem, ""});
    }
}

void read_transcode_bounds(SectionReader& in, TranscodeBounds& bounds) {
    // No smaller than what ends a stream in any protocol, with the longest error message and every byte of it escaped.
    constexpr std::uint64_t most = 1u << 30, longest_message = 4u << 10, least = 32u << 10;
    in.size("transcode_max_response", bounds.response, least, most);
    const auto* frame = in.size("transcode_max_frame", bounds.frame, least, most);
    const auto* batch = in.size("transcode_max_batch", bounds.batch, least, most);
    in.size("transcode_max_held", bounds.held, least, most);
    in.size("transcode_max_error_message", bounds.error_message, 64, longest_message);
    if (bounds.batch >= bounds.frame) return;
    if (batch)
        in.bad(*batch, {"smaller than one frame", "at least transcode_max_frame, which is " + size_text(bounds.frame)});
    else if (frame)
        in.bad(*frame, {"larger than a batch", "at most transcode_max_batch, which is " + size_text(bounds.batch)});
}

} // namespace wm::config
