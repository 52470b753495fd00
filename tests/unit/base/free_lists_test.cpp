#include "base/free_lists.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

namespace wm {
namespace {

using Lists = FreeLists<16, 256, 1024>;

TEST(FreeLists, HoldSizesUpToTheLargest) {
    EXPECT_FALSE(Lists::holds(0));
    EXPECT_FALSE(Lists::holds(257));
    if (!freed_memory_is_kept) GTEST_SKIP() << "under a sanitizer they hold nothing";
    EXPECT_TRUE(Lists::holds(1));
    EXPECT_TRUE(Lists::holds(256));
    EXPECT_TRUE(Lists::same_list(1, 16));
    EXPECT_FALSE(Lists::same_list(16, 17));
    EXPECT_FALSE(Lists::same_list(256, 257));
}

TEST(FreeLists, GiveEachBlockToOneAtATime) {
    Lists lists;
    for (int round = 0; round < 3; ++round) {
        std::set<void*> held;
        for (int i = 0; i < 100; ++i) { // more than are kept
            void* block = lists.take(48);
            ASSERT_NE(block, nullptr);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignof(std::max_align_t), 0u);
            std::memset(block, 0xa5, 48);
            ASSERT_TRUE(held.insert(block).second);
        }
        for (auto* block : held) lists.give(block, 48);
    }
}

TEST(FreeLists, GiveTheOneThatCameBackLastFirst) {
    Lists lists;
    void *first = lists.take(32), *second = lists.take(20); // the same list
    lists.give(first, 32);
    lists.give(second, 20);
    EXPECT_EQ(lists.take(17), second);
    EXPECT_EQ(lists.take(32), first);
    lists.give(first, 32);
    lists.give(second, 32);
}

} // namespace
} // namespace wm
