#include "fake_plugins.h"

#include "plugin/talk.h"

using namespace wm::plugin;

namespace {

class FakeAdapter final : public Adapter {
  public:
    explicit FakeAdapter(AdapterFacts facts) : facts_(std::move(facts)) {}
    const AdapterFacts& about() const override { return facts_; }
    std::unique_ptr<BoundAdapter> bind(std::span<const wm::PairView> settings,
                                       std::vector<SettingProblem>& problems) const override {
        if (facts_.id == "picky") {
            problems.push_back({"base_url", "this host is not served"});
            return nullptr;
        }
        std::vector<wm::Pair> kept;
        for (const auto& setting : settings) kept.push_back({std::string(setting.name), std::string(setting.value)});
        return std::make_unique<FakeBound>(facts_, std::move(kept));
    }

  private:
    AdapterFacts facts_;
};

class FakeTranscoder final : public Transcoder {
  public:
    FakeTranscoder(std::string id, std::vector<Capability> capabilities) {
        facts_.id = std::move(id);
        facts_.translates = !capabilities.empty();
        facts_.capabilities = std::move(capabilities);
        facts_.operations = {{"create", "POST", "/v1/" + facts_.id, "inference"}};
    }
    const TranscoderFacts& about() const override { return facts_; }
    Called<RequestFacts> facts(const RequestView&) const override { return wm::Failure{PluginError{}}; }
    Called<std::string> rewrite(const RequestView&, std::string_view, bool) const override {
        return wm::Failure{PluginError{}};
    }
    Called<std::unique_ptr<Tap>> open_tap(const TalkParams&) const override { return wm::Failure{PluginError{}}; }
    Called<std::string> write_error(const ErrorReport&) const override { return wm::Failure{PluginError{}}; }
    std::unique_ptr<TalkOptions> bind(std::span<const wm::PairView> set, std::vector<SettingProblem>&) const override {
        auto options = std::make_unique<FakeOptions>();
        for (const auto& one : set)
            if (one.value == "true") options->set.emplace_back(one.name);
        return options;
    }
    Called<std::unique_ptr<Talk>> open_talk(TalkRole, const TalkParams&, const TalkOptions*) const override {
        return wm::Failure{PluginError{}};
    }

  private:
    TranscoderFacts facts_;
};

AdapterFacts speaking(std::string id, std::string endpoint, std::initializer_list<const char*> protocols) {
    AdapterFacts facts;
    facts.id = std::move(id);
    facts.endpoint = std::move(endpoint);
    facts.failure_policy = "generic";
    facts.auth = {"header"};
    for (const auto* protocol : protocols) facts.protocols.push_back({protocol, {}});
    return facts;
}

} // namespace

namespace {

void add_adapters(Registry& registry) {
    const auto add = [&](AdapterFacts facts) { registry.add(std::make_unique<FakeAdapter>(std::move(facts))); };
    auto url = speaking("url", "url", {"openai-chat", "anthropic-messages"});
    url.settings = {{"region", "string", "eu", "a region", false},
                    {"patience", "duration", "5s", "", false},
                    {"strict", "bool", "", "", false},
                    {"depth", "int", "", "", false},
                    {"room", "size", "", "", false},
                    {"site", "url", "", "", false}};
    url.guarded_members = {"models", "route"};
    add(url);
    auto base = speaking("base", "base", {"anthropic-messages"});
    base.protocols[0].operations = {{"create", "POST", "/v1/messages", ""}};
    add(base);
    auto own = speaking("own", "own", {"openai-chat", "openai-responses"});
    own.models_open = false;
    own.models = {{"small", {"openai-chat"}, 0}, {"large", {}, 0}};
    own.failure_policy = "own-rules";
    own.guarded_members = {"route", "fallbacks"};
    own.settings = {{"account", "string", "", "an account number", true}};
    add(own);
    add(speaking("picky", "url", {"openai-chat"}));
    auto keyless = speaking("keyless", "url", {"openai-chat"});
    keyless.auth = {"header", "none"};
    add(keyless);
    auto chat = speaking("custom-chat-completions", "url", {"openai-chat"});
    chat.protocols[0].operations = {{"create", "POST", "/v1/chat/completions", ""}};
    add(chat);
    add(speaking("custom-responses", "url", {"openai-responses"}));
    add(speaking("custom-anthropic", "url", {"anthropic-messages"}));
}

} // namespace

void add_fake_plugins(Registry& registry) {
    add_adapters(registry);
    for (const auto* id : {"openai-chat", "openai-responses", "anthropic-messages"})
        registry.add(std::make_unique<FakeTranscoder>(id, std::vector<Capability>()));
}

void add_translating_plugins(Registry& registry) {
    add_adapters(registry);
    const auto add = [&](const char* id, std::vector<Capability> capabilities) {
        registry.add(std::make_unique<FakeTranscoder>(id, std::move(capabilities)));
    };
    add("openai-chat", {{"developer_role", "", false, false},
                        {"image_input", "", true, false},
                        {"parallel_tool_calls", "", true, true},
                        {"reasoning_effort", "", true, false}});
    add("openai-responses", {{"system_anywhere", "", true, true}});
    add("anthropic-messages",
        {{"provider_reasoning_thinking", "", false, true}, {"system_anywhere", "", false, false}});
}
