#include "exchange/egress.h"

#include "exchange/context.h"
#include "exchange/principal.h"
#include "exchange/query.h"

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

namespace {

struct Terms {
    const plugin::Transcoder& egress;
    std::string_view model; // as the upstream knows it
    std::uint64_t max_output;
    const config::Capabilities& can;
    translate::Approvals approvals;
    std::vector<PairView> query; // of the client's, which is left behind
};

DryRun try_out(const Asked& asked, const Terms& terms, std::int64_t now_ms) {
    plugin::TalkParams params{.exchange = "dry-run",
                              .operation = asked.operation()->id,
                              .model = asked.facts.model,
                              .now_ms = now_ms,
                              .stream = asked.facts.stream};
    auto translation =
        translate::Translation::open({*asked.protocol, terms.can.of(*asked.protocol)}, params, terms.approvals);
    if (!translation) return {"", {}};
    params.model = terms.model;
    params.operation = inference_of(terms.egress).id;
    const auto limit = needed_limit(terms.egress, terms.max_output, asked.facts);
    const auto request = (*translation)->request(asked.body, {terms.egress, terms.can.of(terms.egress)}, params, limit);
    DryRun out;
    if (!request)
        out.cannot = request.error().where;
    else
        out.cannot = lose_query(**translation, terms.query);
    out.losses = (*translation)->losses().all();
    return out;
}

} // namespace

DryRun dry_run(const Asked& asked, const config::UpstreamModel& model, const plugin::Transcoder& egress,
               std::int64_t now_ms) {
    return try_out(asked,
                   {.egress = egress,
                    .model = model.name,
                    .max_output = model.max_output,
                    .can = model.capabilities,
                    .approvals = translate::Approvals::of_served_models(),
                    .query = http::split_query(asked.query)},
                   now_ms);
}

DryRun dry_run_on_mount(const config::Settings& settings, const Asked& asked, std::int64_t now_ms) {
    const auto& mount = asked.mount->settings;
    const auto withheld = meant_for_the_gateway(settings, asked.head);
    return try_out(asked,
                   {.egress = *asked.transcode->upstream,
                    .model = mount.transcode.model(asked.facts.model),
                    .max_output = 0,
                    .can = mount.transcode.capabilities,
                    .approvals = mount.transcode.approvals,
                    .query = query_of_translated(asked.head, mount, withheld).left},
                   now_ms);
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
