#pragma once
// A context with everything real but the clock, the protocol and the network: for steps that wait.
#include "exchange/context.h"
#include "fake_transcoder.h"
#include "manual_clock.h"

#include <Poco/Net/ServerSocket.h>
#include <Poco/Net/StreamSocket.h>

using Layers = std::vector<std::vector<std::uint32_t>>;

struct Rig {
    // Each layer is a list of target ids; every target has a backend of its own.
    explicit Rig(Layers layers, std::vector<std::optional<unsigned>> concurrency = {})
        : settings(make_settings(std::move(layers), std::move(concurrency))), site(1, clock),
          worker(site, loop, generation()), abort(loop), client(connected()),
          stream(loop, abort, accepting.acceptConnection(), wm::runtime::Stream::Start::accepted),
          connection(loop, abort, stream, *worker.generation->shared->limits),
          x{{head}, worker, connection, abort, worker.generation, "wmx_test", clock.now()} {
        x.protocol = &protocol;
        x.model = &settings->models.front();
    }

    Rig(const Rig&) = delete;

    void turn() {
        for (int i = 0; i < 4; ++i) loop.run_once(wm::Millis(0));
    }
    void pass(wm::Millis time) {
        clock.advance(time);
        turn();
    }

    static std::shared_ptr<wm::config::Settings> make_settings(Layers layers,
                                                               std::vector<std::optional<unsigned>> concurrency);
    static std::shared_ptr<const wm::policy::Library> library();
    std::shared_ptr<wm::exchange::LoopGeneration> generation() {
        if (registry.transcoders().empty()) {
            auto made = std::make_unique<FakeTranscoder>(wm::plugin::TranscoderFacts{
                .id = "openai-chat",
                .operations = {
                    {.id = "create", .method = "POST", .path = "/v1/chat/completions", .kind = "inference"}}});
            served = made.get();
            registry.add(std::move(made));
        }
        const auto shared =
            std::make_shared<wm::exchange::Generation>(settings, library(), registry, *site.circuit_store, clock);
        return std::make_shared<wm::exchange::LoopGeneration>(shared, site.policy_counters, clock);
    }
    const wm::routing::Circuits& circuits() { return x.circuits(); }
    wm::gate::Gate& gate(std::size_t backend) { return *x.generation().gates.of(backend); }
    Poco::Net::StreamSocket connected();

    wm::ManualClock clock;
    wm::plugin::Registry registry;
    FakeTranscoder* served = nullptr; // the registry's
    std::shared_ptr<wm::config::Settings> settings;
    FakeTranscoder protocol{wm::plugin::TranscoderFacts{.id = "openai-chat"}};
    wm::runtime::Loop loop{clock};
    wm::exchange::Site site;
    wm::exchange::Worker worker;
    wm::runtime::Abort abort;
    Poco::Net::ServerSocket accepting;
    Poco::Net::StreamSocket client;
    wm::runtime::Stream stream;
    wm::http::ServerConnection connection;
    wm::http::RequestHead head;
    wm::exchange::Context x;
};
