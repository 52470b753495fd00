#include "exchange/egress.h"
#include "plugin/talk.h"
#include "plugin/views.h"

#include <gtest/gtest.h>

#include <watermaster/plugin.h>

using namespace wm;
using namespace wm::exchange;

namespace {

// Reads any request, and written to loses what it is told to.
class Lossy final : public plugin::Transcoder {
  public:
    Lossy(std::string id, std::vector<const char*> losses) : losses_(std::move(losses)) {
        facts_.id = std::move(id);
        facts_.translates = true;
        facts_.operations = {{"create", "POST", "/" + facts_.id, "inference"}};
    }
    const plugin::TranscoderFacts& about() const override { return facts_; }
    plugin::Called<plugin::RequestFacts> facts(const plugin::RequestView&) const override { return none(); }
    plugin::Called<std::string> rewrite(const plugin::RequestView&, std::string_view, bool) const override {
        return none();
    }
    plugin::Called<std::unique_ptr<plugin::Tap>> open_tap(const plugin::TalkParams&) const override { return none(); }
    plugin::Called<std::string> write_error(const plugin::ErrorReport&) const override { return none(); }
    std::unique_ptr<plugin::TalkOptions> bind(std::span<const PairView>,
                                              std::vector<plugin::SettingProblem>&) const override {
        return nullptr;
    }
    plugin::Called<std::unique_ptr<plugin::Talk>> open_talk(plugin::TalkRole, const plugin::TalkParams&,
                                                            const plugin::TalkOptions*) const override {
        return std::unique_ptr<plugin::Talk>(std::make_unique<LossyTalk>(losses_));
    }
    void needs_a_limit() { facts_.needs = {"max_output_tokens"}; }

  private:
    struct LossyTalk final : plugin::Talk {
        explicit LossyTalk(const std::vector<const char*>& the_losses) : losses(the_losses) {}
        plugin::Fault read(std::string_view, std::string_view, wm::framing::FrameKind,
                           plugin::EventTaker& out) override {
            return put(out, {WM_EV_REQUEST, 1, 0, 0, {}, {}});
        }
        plugin::Fault write(const wm_event&, plugin::EventTaker& out) override {
            for (const auto* key : losses)
                if (auto fault = put(out, {key == std::string_view("note") ? WM_EV_NOTE : WM_EV_LOSS, 0, 0, 0,
                                           plugin::to_bytes(key), plugin::to_bytes("member")}))
                    return fault;
            return std::nullopt;
        }
        plugin::Fault read_end(plugin::EventTaker&) override { return std::nullopt; }
        plugin::Fault write_begin(plugin::TalkMode) override { return std::nullopt; }
        plugin::Fault write_end(plugin::EventTaker&) override { return std::nullopt; }
        static plugin::Fault put(plugin::EventTaker& out, const wm_event& event) {
            return out.take(event) ? plugin::Fault() : plugin::PluginError{plugin::refused, "", "stopped"};
        }
        const std::vector<const char*>& losses;
    };

    static Failure<plugin::PluginError> none() { return {plugin::PluginError{plugin::unsupported, "", ""}}; }
    plugin::TranscoderFacts facts_;
    const std::vector<const char*> losses_;
};

struct Egress : testing::Test {
    Lossy client{"client", {}}, noted{"noted", {"note", "note"}}, one{"one", {"sampling"}},
        two{"two", {"media", "author"}}, cannot{"cannot", {"choices"}};
    const Endpoints endpoints{{&client, &noted, &one, &two, &cannot}, true, false};
    http::RequestHead head;
    Asked asked{.head = head};
    config::UpstreamModel model;

    std::string chosen(std::vector<std::string> protocols) {
        asked.protocol = &client;
        asked.endpoint = endpoints.find("POST", "/client").endpoint;
        model.protocols = std::move(protocols);
        return least_loss(egress_choices(endpoints, client, model), asked, model, 0).about().id;
    }
};

TEST_F(Egress, IsNativeWhereItCanBe) { EXPECT_EQ(chosen({"noted", "client"}), "client"); }

TEST_F(Egress, IsWhatLosesLeast) {
    EXPECT_EQ(chosen({"two", "one"}), "one");
    EXPECT_EQ(chosen({"two", "one", "noted"}), "noted"); // a note is no loss
    EXPECT_EQ(chosen({"cannot", "two"}), "two");
}

TEST_F(Egress, IsTheFirstOfEquals) {
    EXPECT_EQ(chosen({"two"}), "two");
    EXPECT_EQ(chosen({"cannot"}), "cannot"); // whose refusal the client gets
    Lossy other{"other", {"author"}};
    const Endpoints both{{&client, &one, &other}, true, false};
    model.protocols = {"other", "one"};
    asked.protocol = &client;
    asked.endpoint = both.find("POST", "/client").endpoint;
    EXPECT_EQ(least_loss(egress_choices(both, client, model), asked, model, 0).about().id, "other");
}

TEST_F(Egress, ALimitIsAskedForWhereItIsNeeded) {
    plugin::RequestFacts facts;
    EXPECT_FALSE(needed_limit(one, 100, facts));
    one.needs_a_limit();
    EXPECT_EQ(needed_limit(one, 100, facts), 100u);
    EXPECT_EQ(needed_limit(one, 0, facts), 4096u);
    facts.max_output = 7;
    EXPECT_FALSE(needed_limit(one, 100, facts));
}

} // namespace
