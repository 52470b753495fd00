#include "exchange/plan.h"
#include "rig.h"

#include <gtest/gtest.h>

using namespace wm;
using namespace wm::exchange;

namespace {

struct Planned : testing::Test {
    Rig rig{Layers{{0}, {1}}};
    config::ServedModel& model = rig.settings->models.front();

    Planned() {
        model.aliases = {"other"};
        model.protocols = {"openai-chat"};
        rig.x.model = nullptr;
    }
    std::string refused(const std::optional<Refusal>& refusal) {
        return refusal ? std::string(about(refusal->code).name) + " " + refusal->param : "";
    }
};

TEST_F(Planned, ByNameAndByAlias) {
    for (const auto* name : {"m", "other"}) {
        rig.x.facts.model = name;
        EXPECT_EQ(refused(plan(*rig.settings, rig.x)), "");
        EXPECT_EQ(rig.x.model, &model);
    }
}

TEST_F(Planned, UnknownModelsAndProtocols) {
    rig.x.facts.model = "M";
    EXPECT_EQ(refused(plan(*rig.settings, rig.x)), "model_not_found model");
    rig.x.facts.model = "m";
    model.protocols = {"anthropic-messages"};
    EXPECT_EQ(refused(plan(*rig.settings, rig.x)), "unsupported_protocol model");
}

TEST_F(Planned, GuardedMembersOfWhicheverTarget) {
    model.guarded_members = {"route", "models"};
    rig.x.model = &model;
    const std::pair<const char*, const char*> rows[] = {
        {R"({"model":"m"})", ""},
        {R"({"model":"m","Models":[]})", "guarded_member models"},
        {R"({"rou\u0074e":1})", "guarded_member route"},
        {R"({"deep":{"route":1}})", ""},
        {R"({"model":"m")", "guarded_member route"}, // cannot be read to its end
    };
    for (const auto& [body, expected] : rows) {
        rig.x.body = body;
        EXPECT_EQ(refused(guard(rig.x)), expected) << body;
    }
}

} // namespace
