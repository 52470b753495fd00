#include "explain/explain.h"

#include "exchange/asked.h"
#include "exchange/egress.h"
#include "exchange/final_answer.h"
#include "exchange/holder.h"
#include "exchange/identify.h"
#include "exchange/mounted.h"
#include "exchange/order.h"
#include "exchange/plan.h"
#include "exchange/route.h"
#include "exchange/understand.h"
#include "mount/admission.h"

#include <algorithm>
#include <set>

namespace wm::explain {

namespace {

using exchange::Code;
using exchange::EndpointKind;
using exchange::NoTarget;
using exchange::Refusal;

class Explaining {
  public:
    Explaining(const exchange::Generation& generation, const routing::Pins& pins, policy::Policies& policies,
               Random random, const Clock& clock, bool draining)
        : generation_(generation), pins_(pins), policies_(policies), random_(random), clock_(clock),
          draining_(draining) {
        out_.at_ms = clock.wall_ms();
        out_.generation = generation.number;
    }

    Explanation run(const Question& question) {
        exchange::Asked asked{head_};
        out_.refusal = ask(asked, question);
        out_.endpoint = asked.endpoint;
        out_.mount = asked.mount;
        if (asked.protocol) out_.protocol = asked.protocol->about().id;
        if (out_.identified) out_.principal = asked.principal;
        out_.stream = asked.facts.stream;
        if (asked.model) {
            out_.model = asked.model;
            out_.requested_model = asked.facts.model;
        }
        if (out_.refusal)
            out_.decision = Decision::refuse;
        else if (asked.mount)
            look_at_mount(*asked.mount, asked);
        else if (!asked.asks_for(EndpointKind::inference))
            out_.decision = Decision::local;
        else
            choose(asked);
        return std::move(out_);
    }

  private:
    const config::Settings& settings() const { return *generation_.settings; }

    // The steps of Exchange::run and Exchange::answer, up to the first target.
    std::optional<Refusal> ask(exchange::Asked& asked, const Question& question) {
        if (const auto refused = head_.parse(question.head, generation_.limits->head))
            return Refusal{
                .code = Code::bad_framing, .message = std::string(refused->reason), .status = refused->status};
        if (auto refused = exchange::route(generation_, asked)) return refused;
        if (auto refused = identify(asked, question)) return refused;
        const bool inference = asked.asks_for(EndpointKind::inference);
        if (asked.endpoint && !inference && !asked.asks_for(EndpointKind::count_tokens)) return std::nullopt;
        if (draining_) return exchange::draining();
        if (asked.mount && !asked.transcode) return std::nullopt;
        asked.body = question.body;
        if (const auto most = asked.max_body(settings()); asked.body.size() > most)
            return exchange::body_too_large(most);
        if (auto refused = exchange::understand(settings(), asked, clock_.wall_ms())) return refused;
        if (asked.mount) return std::nullopt;
        if (auto refused = exchange::plan(settings(), asked)) return refused;
        if (!inference) return std::nullopt;
        if (auto refused = exchange::guard(asked)) return refused;
        exchange::find_holder(pins_, settings(), asked);
        return std::nullopt;
    }

    std::optional<Refusal> identify(exchange::Asked& asked, const Question& question) {
        if (!question.client) {
            auto refused = exchange::identify(settings(), asked);
            out_.identified = !refused || refused->code != Code::unauthorized;
            return refused;
        }
        const auto& clients = settings().clients;
        const auto named = std::find_if(clients.begin(), clients.end(),
                                        [&](const auto& client) { return client.name == *question.client; });
        if (named == clients.end())
            return Refusal{.code = Code::unauthorized, .message = "no client has the name that 'client' gives"};
        out_.identified = true;
        return exchange::admit_principal(exchange::principal_of(settings(), head_, &*named, asked.urgent), asked);
    }

    // What admission to the mount would come to, without taking anything.
    void look_at_mount(const mount::Mount& mount, const exchange::Asked& asked) {
        if (asked.transcode) {
            out_.transcode = asked.transcode;
            auto tried = exchange::dry_run_on_mount(settings(), asked, clock_.wall_ms());
            out_.losses = std::move(tried.losses);
            if (tried.cannot) return refuse(exchange::untranslatable(*tried.cannot));
        }
        const auto prospect = mount::prospect(mount, head_.method(), asked.path);
        if (prospect.need) {
            out_.route = prospect.need->route;
            out_.limiters = mount.limits.limiters_of(prospect.need->part);
        }
        out_.breaker = mount.breaker->state();
        out_.decision = prospect.waits ? Decision::wait_at_gate : Decision::forward;
        mount::Outcome outcome;
        outcome.problem = prospect.problem;
        outcome.retry_after = prospect.retry_after;
        if (auto refusal = exchange::refusal_of(outcome)) refuse(std::move(*refusal));
    }

    TargetView look(const config::Target& target, const exchange::Asked& asked) const {
        const auto& backend = settings().backends[target.backend];
        TargetView view;
        view.target = &target;
        translate(view, backend.models[target.model], asked);
        view.circuit = generation_.circuits.snapshot(target.id);
        view.blocked = generation_.circuits.blocked(target.id);
        if (const auto* place = generation_.gates.place_of(target)) {
            view.limiters = generation_.gates.limiters_of(target);
            view.room = place->gate->has_room(place->part);
            view.queue_full = !view.room && backend.queue_depth && place->gate->waiting() >= *backend.queue_depth;
        }
        return view;
    }

    // A dry run of the request's translation, if it needs one.
    void translate(TargetView& view, const config::UpstreamModel& model, const exchange::Asked& asked) const {
        const auto& egress = exchange::least_loss(
            exchange::egress_choices(generation_.endpoints, *asked.protocol, model), asked, model, clock_.wall_ms());
        view.protocol = egress.about().id;
        view.native = &egress == asked.protocol;
        if (view.native) return;
        auto tried = exchange::dry_run(asked, model, egress, clock_.wall_ms());
        view.cannot = std::move(tried.cannot);
        view.losses = std::move(tried.losses);
    }

    // What Walk::next would come to, without taking anything.
    void choose(const exchange::Asked& asked) {
        out_.pinned = exchange::only_holder_continues(settings(), asked);
        std::set<std::uint32_t> seen;
        for (const auto& layer : asked.model->layers) {
            auto order = exchange::order_targets(settings(), layer, asked, policies_, random_);
            LayerView view{&layer, std::move(order.reason), order.from_policy, {}};
            for (const auto i : order.order) {
                view.targets.push_back(look(layer.targets[i], asked));
                view.targets.back().earlier = !seen.insert(layer.targets[i].id).second;
            }
            out_.layers.push_back(std::move(view));
        }
        NoTarget none{.pinned = out_.pinned};
        bool probing = false;
        for (std::size_t i = 0; i < out_.layers.size(); ++i) {
            if (choose_in(i)) return;
            for (const auto& view : out_.layers[i].targets) {
                if (!view.blocked) continue;
                probing = probing || view.blocked->probing;
                const auto due = view.blocked->next_probe_at_ms;
                none.next_probe_at_ms = std::min(none.next_probe_at_ms.value_or(due), due);
            }
        }
        if (probing && settings().server.route_probe_wait > Millis(0)) {
            out_.decision = Decision::wait_for_probe;
            return;
        }
        none.probe_awaited = probing;
        refuse_for(none);
    }

    // A target that cannot be asked fails as soon as there is room, and the next one is tried.
    bool choose_in(std::size_t layer) {
        const auto& targets = out_.layers[layer].targets;
        const auto first = [&](auto&& fits) {
            return std::size_t(
                std::find_if(targets.begin(), targets.end(),
                             [&](const TargetView& view) { return !view.blocked && !view.earlier && fits(view); }) -
                targets.begin());
        };
        const auto decide = [&](Decision decision, std::size_t target) {
            out_.decision = decision;
            out_.layer = layer;
            out_.target = target;
            return true;
        };
        const auto free = first([](const TargetView& view) { return view.room && !view.cannot; });
        if (free < targets.size()) return decide(Decision::attempt, free);
        for (const auto& view : targets)
            if (!view.blocked && !view.earlier && view.room) cannot_ = view.cannot;
        const auto fit = first([](const TargetView& view) { return !view.room && !view.queue_full && !view.cannot; });
        if (fit < targets.size()) return decide(Decision::wait_at_gate, fit);
        const auto full = first([](const TargetView& view) { return !view.room && !view.queue_full; });
        if (full < targets.size()) return decide(Decision::wait_at_gate, full);
        if (first([](const TargetView& view) { return !view.room; }) == targets.size()) return false;
        refuse_for({.why = NoTarget::Why::queue_full});
        return true;
    }

    // What failed before stands, if anything did.
    void refuse_for(const NoTarget& none) {
        if (cannot_) return refuse(exchange::untranslatable(*cannot_));
        refuse(exchange::no_target(settings(), clock_.wall_ms(), none));
    }

    void refuse(Refusal refusal) {
        out_.decision = Decision::refuse;
        out_.refusal = std::move(refusal);
    }

    const exchange::Generation& generation_;
    const routing::Pins& pins_;
    policy::Policies& policies_;
    Random random_;
    const Clock& clock_;
    const bool draining_;
    http::RequestHead head_;
    std::optional<std::string> cannot_; // the last target that was tried in vain
    Explanation out_;
};

} // namespace

Explanation explain(const exchange::Generation& generation, const routing::Pins& pins, policy::Policies& policies,
                    Random random, const Clock& clock, bool draining, const Question& question) {
    return Explaining(generation, pins, policies, random, clock, draining).run(question);
}

} // namespace wm::explain
