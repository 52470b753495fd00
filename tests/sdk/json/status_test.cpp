#include <watermaster/sink.hpp>
#include <watermaster/status.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

using namespace wm::sdk;

wm_error fresh() {
    wm_error error{};
    error.size = sizeof error;
    return error;
}

TEST(Barrier, TurnsExceptionsIntoStatus) {
    wm_error error = fresh();
    EXPECT_EQ(guarded(&error, []() -> Status { throw std::bad_alloc(); }), WM_INTERNAL);
    EXPECT_STREQ(error.message, "out of memory");
    EXPECT_EQ(guarded(&error, []() -> Status { throw std::runtime_error("bytes of a request"); }), WM_INTERNAL);
    EXPECT_STREQ(error.message, "unexpected exception"); // what() may hold anything
    EXPECT_EQ(guarded(nullptr, []() -> Status { throw 1; }), WM_INTERNAL);
    EXPECT_EQ(guarded_handle<int>(&error, []() -> int* { throw std::bad_alloc(); }), nullptr);
}

TEST(Barrier, FillsAndTruncatesTheError) {
    wm_error error = fresh();
    static const std::string where(500, 'w'), message(500, 'm');
    EXPECT_EQ(guarded(&error, [] { return bad_input(where, message, 17); }), WM_BAD_INPUT);
    EXPECT_EQ(std::string(error.where), where.substr(0, sizeof error.where - 1));
    EXPECT_EQ(std::string(error.message), message.substr(0, sizeof error.message - 1));
    EXPECT_EQ(error.offset, 17u);
    wm_error small{}; // an older caller's
    small.size = 8;
    EXPECT_EQ(guarded(&small, [] { return bad_input("x", "y"); }), WM_BAD_INPUT);
    EXPECT_STREQ(small.message, "");
}

TEST(Sink, StopsAtTheFirstRefusal) {
    int puts = 0;
    const wm_sink raw{sizeof(wm_sink), 0, &puts, [](void* ctx, const wm_event*) WM_NOEXCEPT -> wm_status {
                          return ++*static_cast<int*>(ctx) == 2 ? WM_LIMIT : WM_OK;
                      }};
    Sink sink(&raw);
    sink.fact("a", true);
    EXPECT_EQ(sink.status().code, WM_OK);
    sink.fact("b", std::uint64_t{18446744073709551615u});
    sink.fact("c", "x");
    EXPECT_EQ(sink.status().code, WM_LIMIT);
    EXPECT_EQ(puts, 2);
}

} // namespace
