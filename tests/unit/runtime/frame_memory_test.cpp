#include "runtime/frame_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace wm::runtime {
namespace {

TEST(FrameMemoryTest, EverySizeIsWritableWholeAndAligned) {
    std::vector<std::pair<void*, std::size_t>> taken;
    for (std::size_t size = 1; size < 9000; size += 61) {
        void* frame = take_frame(size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(frame) % alignof(std::max_align_t), 0u) << size;
        std::memset(frame, int(size & 0xff), size);
        taken.emplace_back(frame, size);
    }
    for (const auto& [frame, size] : taken) {
        const auto* bytes = static_cast<const unsigned char*>(frame);
        ASSERT_EQ(bytes[0], size & 0xff) << "two frames overlap";
        ASSERT_EQ(bytes[size - 1], size & 0xff) << "two frames overlap";
        give_frame(frame, size);
    }
}

TEST(FrameMemoryTest, NoFrameIsGivenOutTwice) {
    for (int round = 0; round < 3; ++round) {
        std::set<void*> held;
        for (int i = 0; i < 500; ++i) ASSERT_TRUE(held.insert(take_frame(300)).second);
        for (auto* frame : held) give_frame(frame, 300);
    }
}

TEST(FrameMemoryTest, AnotherThreadMayGiveBackAndEnd) {
    std::vector<void*> frames;
    for (int i = 0; i < 100; ++i) frames.push_back(take_frame(200));
    std::thread([&] {
        for (auto* frame : frames) give_frame(frame, 200);
        frames.assign(1, take_frame(200));
    }).join(); // what that thread kept went with it; what it took did not
    std::memset(frames[0], 1, 200);
    give_frame(frames[0], 200);
}

} // namespace
} // namespace wm::runtime
