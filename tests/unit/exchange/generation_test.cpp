// What goes on from one generation to the next, and what begins anew.
#include "manual_clock.h"
#include "rig.h"

#include <gtest/gtest.h>

#include <functional>

namespace {

using namespace wm;
using namespace wm::exchange;

// Remembers under which names it was asked for circuits.
struct Remembering final : routing::CircuitStore {
    std::optional<routing::CircuitSnapshot> find(const std::string& circuit) const override {
        asked_for.push_back(circuit);
        return memory.find(circuit);
    }
    void save(const std::string& circuit, const routing::CircuitSnapshot& snapshot) noexcept override {
        memory.save(circuit, snapshot);
    }
    routing::MemoryCircuitStore memory;
    mutable std::vector<std::string> asked_for;
};

struct GenerationTest : testing::Test {
    using Change = std::function<void(config::Settings&)>;

    std::shared_ptr<const Generation> next(const Generation* before, const Change& change = {}) {
        auto settings = Rig::make_settings({{0, 1}}, {2, std::nullopt});
        for (auto& backend : settings->backends) backend.address = "https://" + backend.name + ".example";
        if (change) change(*settings);
        return std::make_shared<Generation>(settings, library, registry, store, clock, before);
    }
    static void open(const Generation& generation, std::uint32_t target) {
        auto admitted = generation.circuits.admit(target);
        std::get<routing::Pass>(admitted).fail(FailureClass::provider_transient, false, 1000);
    }
    static bool is_open(const Generation& generation, std::uint32_t target) {
        return generation.circuits.snapshot(target).mode == routing::CircuitMode::open;
    }

    ManualClock clock;
    plugin::Registry registry;
    Remembering store;
    std::shared_ptr<const policy::Library> library = Rig::library();
    std::shared_ptr<const Generation> first = next(nullptr);
};

TEST_F(GenerationTest, Counts) {
    EXPECT_EQ(first->number, 1u);
    EXPECT_EQ(next(first.get())->number, 2u);
}

TEST_F(GenerationTest, ACircuitStaysWithItsTargetWhateverItsIdIs) {
    open(*first, 0);
    const auto same = next(first.get(), [](config::Settings& settings) {
        std::swap(settings.models[0].layers[0].targets[0].id, settings.models[0].layers[0].targets[1].id);
    });
    EXPECT_TRUE(is_open(*same, 1));
    EXPECT_FALSE(is_open(*same, 0));
}

TEST_F(GenerationTest, AnotherAddressKeyOrAdapterIsAnotherTarget) {
    open(*first, 0);
    EXPECT_TRUE(is_open(*next(first.get()), 0));
    const Change changes[] = {[](auto& settings) { settings.backends[0].address = "https://elsewhere.example"; },
                              [](auto& settings) { settings.backends[0].credentials[0].api_key = Secret("y"); },
                              [](auto& settings) { settings.backends[0].adapter = "other"; }};
    for (const auto& change : changes) EXPECT_FALSE(is_open(*next(first.get(), change), 0));
}

TEST_F(GenerationTest, NoKeyIsWrittenDown) {
    const auto with_key =
        next(nullptr, [](auto& settings) { settings.backends[0].credentials[0].api_key = Secret("canary"); });
    EXPECT_FALSE(store.asked_for.empty());
    for (const auto& key : store.asked_for) EXPECT_EQ(key.find("canary"), key.npos) << key;
}

TEST_F(GenerationTest, AGateGoesOnByTheNameOfItsBackendAndTakesItsLimitWhenInEffect) {
    const auto permit = first->gates.of(0)->try_acquire();
    const auto second = next(first.get(), [](config::Settings& settings) { settings.backends[0].concurrency = 1; });
    EXPECT_EQ(second->gates.of(0), first->gates.of(0));
    EXPECT_TRUE(second->gates.of(0)->try_acquire()); // not in effect yet: there are two places
    second->resize_gates();
    EXPECT_FALSE(second->gates.of(0)->try_acquire());
}

TEST_F(GenerationTest, AGateWithoutALimitStillCounts) {
    const auto permit = first->gates.of(0)->try_acquire();
    const auto unbounded =
        next(first.get(), [](config::Settings& settings) { settings.backends[0].concurrency.reset(); });
    unbounded->resize_gates();
    std::vector<gate::Gate::Permit> held;
    for (int i = 0; i < 10; ++i) held.push_back(std::move(unbounded->gates.of(0)->try_acquire().value()));
    EXPECT_EQ(unbounded->gates.of(0)->state().in_flight, 11u);
    EXPECT_EQ(unbounded->gates.of(1), nullptr);
}

} // namespace
