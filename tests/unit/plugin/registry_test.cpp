#include "plugin/registry.h"
#include "tables.h"

#include <gtest/gtest.h>

namespace wm::plugin::test {
namespace {

TEST(Registry, FindsWhatWasAdded) {
    FakeTranscoder transcoder;
    FakeAdapter adapter;
    {
        Registry registry;
        registry.add(make(transcoder));
        registry.add(make(adapter));
        EXPECT_EQ(registry.transcoder("fake")->about().id, "fake");
        EXPECT_EQ(registry.adapter("fake"), registry.adapters().at(0));
        EXPECT_EQ(registry.transcoders().size(), 1u);
        EXPECT_EQ(registry.adapter("other"), nullptr);
        EXPECT_EQ(registry.transcoder(""), nullptr);
    }
    EXPECT_EQ(transcoder.destroyed, 1);
    EXPECT_EQ(adapter.destroyed, 1);
}

TEST(Registry, RefusesAFolderThatIsNotThere) {
    Registry registry;
    const auto refusals = registry.load("/nonexistent/plugins");
    ASSERT_EQ(refusals.size(), 1u);
    EXPECT_NE(refusals[0].find("/nonexistent/plugins: expected the plugins folder, found No such file"),
              std::string::npos);
}

} // namespace
} // namespace wm::plugin::test
