#pragma once
#include "plugin/calls.h"
#include "plugin/talk.h"

// A protocol that only says what it serves; a request's body is the name of the model it asks for.
class FakeTranscoder final : public wm::plugin::Transcoder {
  public:
    explicit FakeTranscoder(wm::plugin::TranscoderFacts facts) : facts_(std::move(facts)) {}
    const wm::plugin::TranscoderFacts& about() const override { return facts_; }
    wm::plugin::Called<wm::plugin::RequestFacts> facts(const wm::plugin::RequestView& request) const override {
        wm::plugin::RequestFacts facts;
        facts.model = request.body;
        facts.pins = pins;
        return facts;
    }
    wm::plugin::PinList pins; // of every request

    wm::plugin::Called<std::string> rewrite(const wm::plugin::RequestView&, std::string_view, bool) const override {
        return none();
    }
    wm::plugin::Called<std::unique_ptr<wm::plugin::Tap>> open_tap(const wm::plugin::TalkParams&) const override {
        return none();
    }
    wm::plugin::Called<std::string> write_error(const wm::plugin::ErrorReport&) const override { return none(); }
    std::unique_ptr<wm::plugin::TalkOptions> bind(std::span<const wm::PairView>,
                                                  std::vector<wm::plugin::SettingProblem>&) const override {
        return nullptr;
    }
    wm::plugin::Called<std::unique_ptr<wm::plugin::Talk>> open_talk(wm::plugin::TalkRole, const wm::plugin::TalkParams&,
                                                                    const wm::plugin::TalkOptions*) const override {
        return none();
    }

  private:
    static wm::Failure<wm::plugin::PluginError> none() { return {wm::plugin::PluginError{-3, "", ""}}; }
    wm::plugin::TranscoderFacts facts_;
};
