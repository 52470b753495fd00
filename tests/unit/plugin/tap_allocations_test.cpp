#include "tables.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
std::atomic<std::size_t> largest{SIZE_MAX}; // that there is memory for
} // namespace

// How often this program allocates with new. A sanitizer has operators of its own, so this is a program of its own.
void* operator new(std::size_t size) {
    ++allocations;
    if (size <= largest)
        if (void* p = std::malloc(size ? size : 1)) return p;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace wm::plugin::test {
namespace {

TEST(TapAllocations, AFrameCostsNone) {
    FakeTranscoder fake;
    fake.tap = [](const wm_frame&, const wm_sink* sink, wm_error*) {
        put(sink, WM_EV_USAGE, "output", "4");
        return put(sink, WM_OUT_VERDICT, "", "", WM_FLAG_SEMANTIC);
    };
    const auto transcoder = make(fake);
    auto opened = transcoder->open_tap({});
    ASSERT_TRUE(opened);
    const auto tap = std::move(*opened);
    ASSERT_TRUE(tap->frame("", "{}", framing::FrameKind::message));
    const long before = allocations;
    std::uint64_t output = 0;
    for (int i = 0; i < 1000; ++i)
        output += tap->frame("", "{}", framing::FrameKind::message)->usage.output.value_or(0);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_EQ(output, 4000u);
}

TEST(SinkAllocations, OneThatFailsEndsTheCallAndNothingElse) {
    FakeTranscoder fake;
    const std::string document(600 << 10, 'x');
    wm_status told = WM_OK;
    fake.write_error = [&](const wm_events&, const wm_sink* sink, wm_error*) {
        return told = put(sink, WM_OUT_BODY, "", document);
    };
    const auto transcoder = make(fake);
    largest = 64 << 10;
    const auto written = transcoder->write_error({});
    largest = SIZE_MAX;
    EXPECT_EQ(told, WM_REFUSED);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message, "transcoder fake: write_error: out of memory");
    EXPECT_TRUE(transcoder->write_error({}));
}

} // namespace
} // namespace wm::plugin::test
