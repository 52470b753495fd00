#include "explain/explain.h"

#include "../exchange/rig.h"
#include "exchange/final_answer.h"
#include "exchange/holder.h"
#include "exchange/walk.h"
#include "explain/show.h"

#include <gtest/gtest.h>

#include <set>

using namespace wm;
using namespace wm::exchange;
using explain::Decision;
using explain::Explanation;

namespace {

explain::Question question(std::string path, std::string body, std::string fields = {}) {
    return {"POST " + path + " HTTP/1.1\r\nHost: h\r\n" + fields + "Content-Length: " + std::to_string(body.size()) +
                "\r\n\r\n",
            body,
            {}};
}

// A rig, and what is explained of its state. The random state is the loop's, as it is now.
struct Explained : Rig {
    using Rig::Rig;

    Explanation ask(const explain::Question& asked, bool draining = false) {
        return explain::explain(x.generation(), site.pins, policies, worker.random, clock, draining, asked);
    }
    Explanation ask() { return ask(question("/v1/chat/completions", "m")); }
    std::string refused(const explain::Question& asked, bool draining = false) {
        const auto explanation = ask(asked, draining);
        return explanation.refusal ? std::string(about(explanation.refusal->code).name) : "";
    }

    // What every request continues from here on.
    void add_pin(std::string_view handle) { served->pins = {plugin::pin_of("response", handle)}; }

    policy::Counters counters;
    policy::Policies policies{library(), counters, clock};
};

TEST(Explain, RefusesWhereAnExchangeWould) {
    Explained rig(Layers{{0}});
    EXPECT_EQ(rig.refused(question("/v1/chat/completions", "m")), "");
    EXPECT_EQ(rig.refused(question("/v1/nothing", "m")), "not_found");
    EXPECT_EQ(rig.refused(question("/v1/models", "m")), "method_not_allowed");
    EXPECT_EQ(rig.refused(question("/v1/chat/completions", "M")), "model_not_found");
    EXPECT_EQ(rig.refused(question("/v1/chat/completions", "m", "Content-Encoding: br\r\n")), "unsupported_encoding");
    EXPECT_EQ(rig.refused(question("/v1/chat/completions", "m", "Connection: upgrade\r\nUpgrade: x\r\n")),
              "upgrade_required");
    EXPECT_EQ(rig.refused(question("/v1/chat/completions", "m", "Host: twice\r\n")), "bad_framing");
    EXPECT_EQ(rig.refused(question("/v1/chat/completions", "m"), true), "draining");
    rig.settings->server.max_inference_body = 3;
    EXPECT_EQ(rig.refused(question("/v1/chat/completions", "long")), "body_too_large");
}

TEST(Explain, OnlyWhoHoldsWhatIsContinued) {
    Explained rig(Layers{{0, 1}, {2}});
    rig.add_pin("p");
    EXPECT_FALSE(rig.ask().pinned); // not known to anybody
    const auto& held = rig.settings->models[0].layers[1].targets[0];
    const auto pin = plugin::pin_of("response", "p");
    rig.site.pins.learn("somebody-else", std::span(&pin, 1), holder_of(*rig.settings, held));
    EXPECT_FALSE(rig.ask().pinned);
    rig.site.pins.learn("anonymous", std::span(&pin, 1), holder_of(*rig.settings, held));
    const auto told = rig.ask();
    EXPECT_TRUE(told.pinned);
    EXPECT_EQ(told.decision, Decision::attempt);
    EXPECT_TRUE(told.layers[0].targets.empty());
    ASSERT_EQ(told.layers[1].targets.size(), 1u);
    EXPECT_EQ(told.layers[1].reason, "pinned");
    EXPECT_EQ(told.layers[1].targets[0].target, &held);
    const auto text = to_text(told, *rig.settings);
    EXPECT_NE(text.find("pinned    only targets are tried that hold what the request continues\n"), text.npos) << text;
    EXPECT_EQ(text.find("layer0"), text.npos) << text;
    EXPECT_NE(to_json(told, *rig.settings).find(R"("pinned":true)"), text.npos);

    auto pass = rig.circuits().admit(2);
    std::get<routing::Pass>(pass).fail(FailureClass::provider_transient, false, 7000);
    const auto refused = rig.ask();
    ASSERT_EQ(refused.decision, Decision::refuse);
    EXPECT_EQ(refused.refusal->retry_after_s, 7);
    EXPECT_NE(refused.refusal->message.find("holds what this request continues"), std::string::npos);
}

TEST(Explain, ByKeyAndByNameOfTheClient) {
    Explained rig(Layers{{0}});
    config::Client alice{.name = "alice", .tenant = "auth:team", .key_digests = {}};
    alice.key_digests.emplace_back();
    rig.settings->clients.push_back(alice);
    auto asked = question("/v1/chat/completions", "m");
    EXPECT_EQ(rig.refused(asked), "unauthorized");
    EXPECT_FALSE(rig.ask(asked).identified);
    asked.client = "bob";
    EXPECT_EQ(rig.refused(asked), "unauthorized");
    asked.client = "alice";
    const auto explanation = rig.ask(asked);
    EXPECT_EQ(explanation.decision, Decision::attempt);
    EXPECT_EQ(explanation.principal.tenant, "auth:team");
}

TEST(Explain, NamesNoModelThatIsNotServed) {
    Explained rig(Layers{{0}});
    EXPECT_EQ(rig.ask(question("/v1/chat/completions", "a secret")).requested_model, "");
}

// Any state of circuits and gates, and what the walk of an exchange makes of it.
struct Chance {
    explicit Chance(std::uint64_t seed) : random(seed) {}
    std::uint32_t below(std::uint32_t n) { return std::uint32_t(random.between(0, n - 1)); }

    Layers layers() {
        Layers all(1 + below(3));
        for (auto& layer : all) {
            for (std::uint32_t target = 0; target < targets; ++target)
                if (below(2)) layer.push_back(target);
            if (layer.empty()) layer.push_back(below(targets));
        }
        return all;
    }
    std::vector<std::optional<unsigned>> limits() {
        std::vector<std::optional<unsigned>> all(targets);
        for (auto& limit : all)
            if (below(2)) limit = 1;
        return all;
    }

    static constexpr std::uint32_t targets = 4;
    Random random;
};

runtime::Detached walk_once(Walk& walk, std::optional<std::variant<Chosen, NoTarget>>& answer) {
    answer.emplace(co_await walk.next());
}

void same_story(std::uint64_t seed) {
    Chance chance(seed);
    Explained rig(chance.layers(), chance.limits());
    std::vector<routing::Pass> probes;
    std::vector<gate::Gate::Permit> permits;
    rig.settings->server.route_probe_wait = Millis(chance.below(2) * 1000);
    std::set<std::uint32_t> used;
    for (const auto& layer : rig.settings->models.front().layers)
        for (const auto& target : layer.targets) used.insert(target.id);
    for (const auto target : used) {
        if (auto& backend = rig.settings->backends[target]; backend.concurrency) {
            if (chance.below(2)) permits.push_back(std::move(*rig.gate(target).try_acquire()));
            if (chance.below(2)) backend.queue_depth = 0;
        }
        const auto fate = chance.below(4); // closed, open, due for a probe, being probed
        if (fate == 0) continue;
        auto pass = rig.circuits().admit(target);
        std::get<routing::Pass>(pass).fail(FailureClass::provider_transient, false,
                                           fate == 1 ? 5000 + 1000 * target : 0);
        if (fate == 3) probes.push_back(std::get<routing::Pass>(rig.circuits().admit(target)));
    }
    const auto version = rig.circuits().changes().version();
    const auto told = rig.ask();
    EXPECT_EQ(rig.circuits().changes().version(), version);
    EXPECT_EQ(rig.counters.calls, told.layers.size()); // its own, not the gateway's
    EXPECT_EQ(rig.site.policy_counters.calls, 0u);

    Walk walk(rig.x);
    std::optional<std::variant<Chosen, NoTarget>> done;
    walk_once(walk, done);
    rig.turn();
    const unsigned waiting = rig.x.generation().gates.waiting();
    const auto* chosen = done ? std::get_if<Chosen>(&*done) : nullptr;
    const auto* none = done ? std::get_if<NoTarget>(&*done) : nullptr;
    switch (told.decision) {
    case Decision::attempt:
        ASSERT_TRUE(chosen);
        EXPECT_EQ(chosen->target, told.layers[told.layer].targets[told.target].target);
        EXPECT_EQ(chosen->reason, told.layers[told.layer].reason);
        break;
    case Decision::wait_at_gate:
        EXPECT_FALSE(done);
        EXPECT_EQ(rig.gate(told.layers[told.layer].targets[told.target].target->backend).waiting(), 1u);
        break;
    case Decision::wait_for_probe:
        EXPECT_FALSE(done);
        EXPECT_EQ(waiting, 0u);
        break;
    case Decision::refuse: {
        ASSERT_TRUE(none);
        const auto refusal = no_target(*rig.settings, rig.clock.wall_ms(), *none);
        EXPECT_EQ(about(refusal.code).name, about(told.refusal->code).name);
        EXPECT_EQ(refusal.retry_after_s, told.refusal->retry_after_s);
        break;
    }
    default: ADD_FAILURE() << "not an answer for a served model";
    }
    rig.abort.fire();
    rig.turn();
}

TEST(Explain, TellsWhatTheExchangeDoes) {
    for (std::uint64_t seed = 1; seed <= 400 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        same_story(seed);
    }
}

} // namespace
