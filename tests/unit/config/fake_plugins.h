#pragma once
// Adapters and transcoders that are nothing but their facts.
#include "plugin/registry.h"

// "url": endpoint or base_url, open catalogue, settings of each type.  "base": base_url only, anthropic-messages only.
// "own": own endpoint, closed catalogue of "small" (openai-chat) and "large" (all).  "picky": refuses to bind.
// "keyless": may go without a key. Also the three custom adapters by their real names.
void add_fake_plugins(wm::plugin::Registry& registry);
// The same, and the protocols translate, with the capabilities that the shipped ones declare.
void add_translating_plugins(wm::plugin::Registry& registry);

// The capabilities that are set.
struct FakeOptions final : wm::plugin::TalkOptions {
    std::vector<std::string> set;
};

class FakeBound final : public wm::plugin::BoundAdapter {
  public:
    FakeBound(const wm::plugin::AdapterFacts& facts, std::vector<wm::Pair> settings)
        : facts_(facts), settings_(std::move(settings)) {}
    const wm::plugin::AdapterFacts& about() const override { return facts_; }
    wm::plugin::Called<wm::plugin::Prepared> prepare(const wm::plugin::CallView&) const override {
        return wm::Failure{wm::plugin::PluginError{}};
    }
    wm::plugin::Called<wm::RateLimits> observe(const wm::plugin::ReplyView&) const override {
        return wm::Failure{wm::plugin::PluginError{}};
    }
    bool unframes() const override { return false; }
    wm::plugin::Called<std::vector<wm::plugin::OutFrame>> unframe(std::string_view, std::string_view,
                                                                  wm::framing::FrameKind, std::size_t) const override {
        return wm::Failure{wm::plugin::PluginError{}};
    }
    const std::vector<wm::Pair>& settings() const { return settings_; }

  private:
    const wm::plugin::AdapterFacts& facts_;
    std::vector<wm::Pair> settings_;
};
