#include "exchange/holder.h"
#include "rig.h"

#include <gtest/gtest.h>

using namespace wm;
using namespace wm::exchange;

namespace {

struct Held : testing::Test {
    Rig rig{Layers{{0}, {1}}};
    const Digest pin = plugin::pin_of("response", "resp_1");

    const config::Target& target(std::size_t layer) const { return rig.settings->models[0].layers[layer].targets[0]; }
    Digest of(std::size_t layer) const { return holder_of(*rig.settings, target(layer)); }
    void learn(std::string_view principal, const Digest& holder) {
        rig.site.pins.learn(principal, std::span(&pin, 1), holder);
    }
    std::optional<Digest> found() {
        rig.x.holder.reset();
        rig.x.or_natively = false;
        find_holder(rig.site.pins, *rig.settings, rig.x);
        return rig.x.holder;
    }
};

TEST_F(Held, ByTheCredentialOrByAllOfItsScope) {
    EXPECT_NE(of(0), of(1));
    rig.settings->backends[0].credentials[0].state_scope = "org";
    EXPECT_NE(of(0), of(1));
    rig.settings->backends[1].credentials[0].state_scope = "org";
    EXPECT_EQ(of(0), of(1));
    rig.settings->backends[1].credentials[0].state_scope = "other";
    EXPECT_NE(of(0), of(1));
}

TEST_F(Held, ASpellingOfNamesIsNoOtherCredential) {
    auto& backends = rig.settings->backends;
    backends[0].name = "a/b", backends[0].credentials[0].name = "c";
    backends[1].name = "a", backends[1].credentials[0].name = "b/c";
    EXPECT_NE(of(0), of(1));
}

TEST_F(Held, IsFoundForThePrincipalAlone) {
    EXPECT_EQ(found(), std::nullopt);
    rig.x.facts.pins = {pin};
    EXPECT_EQ(found(), std::nullopt);
    learn("somebody-else", of(1));
    EXPECT_EQ(found(), std::nullopt);
    learn("anonymous", of(1));
    EXPECT_EQ(found(), of(1));
    rig.x.facts.pins = {pin, plugin::pin_of("response", "unknown")};
    EXPECT_EQ(found(), of(1));
}

TEST_F(Held, WhatIsCarriedIsNotNeededNatively) {
    rig.x.facts.carried = {pin};
    rig.settings->backends[1].models[0].protocols = {"openai-responses"};
    learn("anonymous", of(1));
    EXPECT_EQ(found(), of(1));
    EXPECT_TRUE(can_continue(*rig.settings, rig.x, target(1)));
    EXPECT_TRUE(can_continue(*rig.settings, rig.x, target(0)));
    rig.settings->backends[0].models[0].protocols = {"openai-responses"};
    EXPECT_FALSE(can_continue(*rig.settings, rig.x, target(0)));
    rig.settings->backends[0].models[0].protocols = {"openai-chat"};
    rig.x.facts.pins = {pin};
    EXPECT_EQ(found(), of(1));
    EXPECT_FALSE(can_continue(*rig.settings, rig.x, target(0)));
}

TEST_F(Held, ByNobodyWhoServesTheModelChangesNothing) {
    rig.x.facts.pins = {pin};
    learn("anonymous", digest_of({"credential", "gone", "k"}));
    EXPECT_EQ(found(), std::nullopt);
}

} // namespace
