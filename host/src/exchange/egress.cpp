#include "exchange/egress.h"

#include "exchange/context.h"

#include <algorithm>
#include <limits>

namespace wm::exchange {

std::vector<const plugin::Transcoder*> egress_choices(const Endpoints& endpoints, const plugin::Transcoder& client,
                                                      const config::UpstreamModel& model) {
    const auto& spoken = model.protocols;
    std::vector<const plugin::Transcoder*> choices;
    if (std::find(spoken.begin(), spoken.end(), client.about().id) == spoken.end())
        for (const auto& protocol : spoken)
            if (const auto* one = endpoints.transcoder(protocol); one && one->about().translates)
                choices.push_back(one);
    if (choices.empty()) choices.push_back(&client); // native, or what the configuration does not let happen
    return choices;
}

DryRun dry_run(const Asked& asked, const config::UpstreamModel& model, const plugin::Transcoder& egress,
               std::int64_t now_ms) {
    const plugin::TalkParams params{.exchange = "dry-run",
                                    .operation = asked.operation()->id,
                                    .model = model.name,
                                    .now_ms = now_ms,
                                    .stream = asked.facts.stream};
    const auto& can = model.capabilities;
    auto translation = translate::Translation::open({*asked.protocol, can.of(*asked.protocol)}, params);
    if (!translation) return {"", {}};
    const auto limit = needed_limit(egress, model.max_output, asked.facts);
    const auto request = (*translation)->request(asked.body, {egress, can.of(egress)}, params, limit);
    DryRun out{std::nullopt, (*translation)->losses().all()};
    if (!request) out.cannot = request.error().where;
    return out;
}

const plugin::Transcoder& least_loss(const std::vector<const plugin::Transcoder*>& choices, const Asked& asked,
                                     const config::UpstreamModel& model, std::int64_t now_ms) {
    const auto* best = choices.front();
    if (choices.size() == 1) return *best;
    auto least = std::numeric_limits<std::ptrdiff_t>::max();
    for (const auto* one : choices) {
        const auto tried = dry_run(asked, model, *one, now_ms);
        if (tried.cannot) continue;
        const auto lost = std::count_if(tried.losses.begin(), tried.losses.end(),
                                        [](const translate::Loss& loss) { return !loss.note; });
        if (lost < least) least = lost, best = one;
    }
    return *best;
}

std::optional<std::uint64_t> needed_limit(const plugin::Transcoder& egress, std::uint64_t most,
                                          const plugin::RequestFacts& facts) {
    constexpr std::uint64_t fallback = 4096; // what every model can
    const auto& needs = egress.about().needs;
    if (facts.max_output || std::find(needs.begin(), needs.end(), "max_output_tokens") == needs.end())
        return std::nullopt;
    return most ? most : fallback;
}

std::string losses_of(const Context& x) { return x.translation ? x.translation->losses().text() : std::string(); }

} // namespace wm::exchange
