// A failing policy is heard of once a minute and cause, and what it was asked about is not.
#include "scripts.h"

#include <Poco/Channel.h>
#include <Poco/Logger.h>
#include <Poco/Message.h>

namespace wm::policy::test {
namespace {

class Kept : public Poco::Channel {
  public:
    void log(const Poco::Message& message) override { lines.push_back(message.getText()); }
    std::vector<std::string> lines;
};

class PolicyLog : public testing::Test {
  protected:
    PolicyLog() : kept_(new Kept) { Poco::Logger::get("policy").setChannel(kept_); }
    ~PolicyLog() override { Poco::Logger::get("policy").setChannel(nullptr); }
    const std::vector<std::string>& lines() const { return kept_->lines; }

  private:
    Poco::AutoPtr<Kept> kept_;
};

TEST_F(PolicyLog, once_per_cause_and_minute) {
    Patient p("if request.text_bytes == 0 then local x = nil + 1 end while true do end");
    const auto fail = [&](bool loop) {
        p.policies->order("allocation/patient", {.stream = true, .text_bytes = loop ? 1u : 0u}, p.candidates);
    };
    for (int i = 0; i < 10; ++i) fail(false);
    ASSERT_EQ(lines().size(), 1u);
    EXPECT_NE(lines()[0].find("allocation/patient.lua:3: "), std::string::npos) << lines()[0];
    fail(true);
    fail(true);
    ASSERT_EQ(lines().size(), 2u);
    EXPECT_NE(lines()[1].find("instruction"), std::string::npos) << lines()[1];
    p.clock.advance(Millis(60'000));
    fail(false);
    fail(false);
    EXPECT_EQ(lines().size(), 3u);
    EXPECT_EQ(p.counters.errors, 12u);
    EXPECT_EQ(p.counters.instructions, 2u);
}

TEST_F(PolicyLog, no_request_data) {
    for (const char* code :
         {"error(request.served_model)", "return error(request.served_model)", "error({ request.served_model })",
          "assert(false, request.served_model)", "local x = request.served_model + 1",
          "local x = #request.served_model < request.served_model", "local t = nil; t[request.served_model] = 1",
          "request.served_model()", "string.format('%d', request.served_model)", "string.format(request.served_model)",
          "local f = _ENV[request.served_model]; f()", "return { 1, 2 }, request.served_model .. ' '",
          "_ENV[request.served_model] = 1"}) {
        Patient p(code);
        p.policies->order("allocation/patient", {.served_model = "%ycanary:5", .stream = true}, p.candidates);
        EXPECT_EQ(failed_calls(p.counters), 1u) << code;
    }
    ASSERT_EQ(lines().size(), 13u);
    for (const auto& line : lines()) {
        EXPECT_EQ(line.find("canary"), std::string::npos) << line;
        EXPECT_NE(line.find("allocation/patient"), std::string::npos) << line;
    }
}

TEST_F(PolicyLog, the_place_of_a_raised_error) {
    Patient p("\n\nerror('text')");
    p.sick();
    ASSERT_EQ(lines().size(), 1u);
    EXPECT_NE(lines()[0].find("allocation/patient.lua:5: the script raised an error"), std::string::npos) << lines()[0];
}

} // namespace
} // namespace wm::policy::test
