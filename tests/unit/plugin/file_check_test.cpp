#include "plugin/file_check.h"

#include <gtest/gtest.h>

namespace wm::plugin {
namespace {

TEST(FileCheck, TrustsRootAndTheProcessUser) {
    EXPECT_TRUE(trusted_owner(0, 1000));
    EXPECT_TRUE(trusted_owner(1000, 1000));
    EXPECT_FALSE(trusted_owner(1001, 1000));
    EXPECT_FALSE(trusted_owner(1001, 0));
}

TEST(FileCheck, TrustsFilesThatOthersCannotWrite) {
    EXPECT_TRUE(trusted_mode(0100755));
    EXPECT_TRUE(trusted_mode(0100600));
    EXPECT_FALSE(trusted_mode(0100775));
    EXPECT_FALSE(trusted_mode(0100757));
}

} // namespace
} // namespace wm::plugin
