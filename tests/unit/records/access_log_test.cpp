#include "records/access_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
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

TEST(AccessLog, WritesEverythingBeforeItGoes) {
    const auto file = std::filesystem::temp_directory_path() / ("wm-access-" + std::to_string(::getpid()));
    {
        AccessLog log(file.string());
        for (int i = 0; i < 1000; ++i) log.settled(sample());
        EXPECT_EQ(log.dropped(), 0u);
    }
    std::ifstream in(file);
    int lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    EXPECT_EQ(lines, 1000);
    std::filesystem::remove(file);
}

TEST(AccessLog, WhatDoesNotFitIsDroppedAndCounted) {
    const auto file = std::filesystem::temp_directory_path() / ("wm-access-full-" + std::to_string(::getpid()));
    {
        AccessLog log(file.string(), 10);
        log.settled(sample());
        EXPECT_EQ(log.dropped(), 1u);
    }
    EXPECT_EQ(std::filesystem::file_size(file), 0u);
    std::filesystem::remove(file);
}

TEST(AccessLog, AnUnwritableFileIsRefusedWithItsName) {
    try {
        AccessLog log("/nonexistent/access.log");
        FAIL();
    } catch (const std::runtime_error& e) {
        EXPECT_NE(std::string(e.what()).find("/nonexistent/access.log"), std::string::npos);
    }
}

} // namespace
