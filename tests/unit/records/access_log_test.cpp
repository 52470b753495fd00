#include "records/access_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace wm;
using namespace wm::records;

namespace {

std::string to_json(const ExchangeRecord& record) {
    std::string line;
    append_json(line, record);
    return line;
}

ExchangeRecord sample() {
    ExchangeRecord r;
    r.id = "x1";
    r.protocol = "openai-chat";
    r.requested_model = "a \"quoted\" model\n";
    r.status = 200;
    r.usage.output = 7;
    r.attempts.push_back({.sequence = 1,
                          .backend = "b",
                          .credential = "k",
                          .upstream_model = "m",
                          .protocol = "openai-chat",
                          .layer = "first",
                          .status = 500,
                          .failure = FailureClass::provider_transient});
    return r;
}

TEST(AccessLog, ALineIsOneJsonObjectWithEscapedText) {
    const auto line = to_json(sample());
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_NE(line.find(R"("requested_model":"a \"quoted\" model\u000a")"), line.npos);
    EXPECT_NE(line.find(R"("error_class":"provider_transient")"), line.npos);
    EXPECT_NE(line.find(R"("usage":{"output":7})"), line.npos) << line;
}

TEST(AccessLog, UnknownUsageIsAbsentNotZero) {
    auto r = sample();
    r.usage = {};
    EXPECT_EQ(to_json(r).find("usage"), std::string::npos);
}

struct AccessLogFile : testing::Test {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("wm-access-" + std::to_string(::getpid()));
    const std::filesystem::path file = folder / "log";

    AccessLogFile() { std::filesystem::create_directory(folder); }
    ~AccessLogFile() override { std::filesystem::remove_all(folder); }

    static AccessLog::File opened(const std::filesystem::path& name) { return std::move(*AccessLog::open(name)); }

    static int lines(const std::filesystem::path& of) {
        std::ifstream in(of);
        int count = 0;
        for (std::string line; std::getline(in, line);) ++count;
        return count;
    }
};

TEST_F(AccessLogFile, WritesEverythingBeforeItGoes) {
    {
        AccessLog log(opened(file));
        for (int i = 0; i < 1000; ++i) log.settled(sample());
        EXPECT_EQ(log.dropped(), 0u);
    }
    EXPECT_EQ(lines(file), 1000);
}

TEST_F(AccessLogFile, WhatDoesNotFitIsDroppedAndCounted) {
    {
        AccessLog log(opened(file), 10);
        log.settled(sample());
        EXPECT_EQ(log.dropped(), 1u);
    }
    EXPECT_EQ(lines(file), 0);
}

TEST_F(AccessLogFile, WhatTheDiskDoesNotTakeIsCounted) {
    std::uint64_t dropped = 0;
    {
        AccessLog log(opened("/dev/full"));
        log.settled(sample());
        while ((dropped = log.dropped()) == 0) std::this_thread::yield();
        log.go_on_in(opened(file)); // and it goes on
        log.settled(sample());
    }
    EXPECT_EQ(dropped, 1u);
    EXPECT_EQ(lines(file), 1);
}

TEST_F(AccessLogFile, GoesOnInAnotherFileAndLosesNothing) {
    const auto before = folder / "before";
    {
        AccessLog log(opened(file));
        log.settled(sample());
        std::filesystem::rename(file, before); // as logrotate does
        log.go_on_in(opened(file));
        log.settled(sample());
    }
    EXPECT_EQ(lines(before) + lines(file), 2);
    EXPECT_GE(lines(file), 1);
}

TEST_F(AccessLogFile, WithoutAFileNothingIsWrittenOrDropped) {
    {
        AccessLog log({});
        log.settled(sample());
        log.go_on_in(opened(file));
        log.settled(sample());
        log.go_on_in({});
        log.settled(sample());
        EXPECT_EQ(log.dropped(), 0u);
    }
    EXPECT_LE(lines(file), 1);
}

TEST(AccessLog, AFileThatCannotBeOpenedIsToldByItsName) {
    const auto file = AccessLog::open("/nonexistent/access.log");
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().find("/nonexistent/access.log"), std::string::npos);
}

} // namespace
