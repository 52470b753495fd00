// What a policy is given.
#include "manual_clock.h"
#include "scripts.h"

namespace wm::policy::test {
namespace {

// Classifies `failure` with a policy that fails with `expression` as its text.
std::string seen(const FailureView& failure, const std::string& expression) {
    Scripts scripts;
    scripts.put("failure/generic",
                "function classify(failure) local d, h = failure.document, failure.headers error('<' .. tostring(" +
                    expression + ") .. '>') end");
    Counters counters;
    ManualClock clock;
    Policies policies(scripts.load(), counters, clock);
    policies.classify("failure/generic", failure);
    const auto& problem = policies.last_problem();
    const auto start = problem.find('<'), end = problem.rfind('>');
    return start == problem.npos || end == problem.npos ? problem : problem.substr(start + 1, end - start - 1);
}

std::string in_document(std::string_view document, const std::string& expression) {
    FailureView failure;
    failure.document = document;
    return seen(failure, expression);
}

TEST(PolicyValues, a_failure) {
    const std::vector<PairView> headers{{"retry-after", "7"}, {"via", "one"}, {"via", "two"}};
    FailureView f;
    f.adapter = "adapter-id";
    f.protocol = "openai-chat";
    f.status = 429;
    f.headers = headers;
    f.transport = "eof";
    f.stage = "head";
    f.error_type = "t";
    f.error_code = "c";
    f.error_message = "m";
    f.retry_after_ms = 7000;
    f.attempt = 2;
    EXPECT_EQ(seen(f, "failure.adapter .. failure.protocol .. failure.status .. failure.transport .. failure.stage"),
              "adapter-idopenai-chat429eofhead");
    EXPECT_EQ(seen(f, "failure.error_type .. failure.error_code .. failure.error_message"), "tcm");
    EXPECT_EQ(seen(f, "failure.retry_after_ms + failure.attempt"), "7002");
    EXPECT_EQ(seen(f, "failure.names_state"), "false");
    f.names_state = true;
    EXPECT_EQ(seen(f, "failure.names_state"), "true");
    EXPECT_EQ(seen(f, "h['retry-after']"), "7");
    EXPECT_EQ(seen(f, "h.via"), "one, two");
    EXPECT_EQ(seen(f, "h['x-none']"), "nil");
    EXPECT_EQ(seen(f, "failure.headers == h"), "true");
    EXPECT_EQ(seen(f, "failure.unknown"), "nil");
    EXPECT_EQ(seen(f, "math.type(failure.status)"), "integer");
}

TEST(PolicyValues, what_is_absent) {
    EXPECT_EQ(seen({}, "failure.retry_after_ms"), "nil");
    EXPECT_EQ(seen({}, "d"), "nil");
    EXPECT_EQ(seen({}, "failure.transport == '' and failure.status"), "0");
}

TEST(PolicyValues, documents) {
    EXPECT_EQ(
        in_document(R"({"error":{"type":"x","code":null,"n":5,"f":1.5,"b":true,"l":[1,null,3]}})", "d.error.type"),
        "x");
    EXPECT_EQ(in_document(R"({"error":{"code":null}})", "d.error.code"), "nil");
    EXPECT_EQ(in_document(R"([1,null,3])", "tostring(d[1]) .. tostring(d[2]) .. tostring(d[3])"), "1nil3");
    EXPECT_EQ(in_document(R"({"n":5,"f":1.5,"b":true})", "math.type(d.n) .. math.type(d.f) .. tostring(d.b)"),
              "integerfloattrue");
    EXPECT_EQ(in_document(R"({"n":9223372036854775807})", "d.n == math.maxinteger"), "true");
    EXPECT_EQ(in_document(R"({"n":18446744073709551615})", "math.type(d.n)"), "float");
    EXPECT_EQ(in_document(R"({"a":1,"a":2})", "d.a"), "2");
    EXPECT_EQ(in_document(R"("text")", "d"), "text");
    EXPECT_EQ(in_document(R"({"a":"\u0000b"})", "#d.a"), "2");
    EXPECT_EQ(in_document("null", "d"), "nil");
    EXPECT_EQ(in_document("{\"a\":\"\xff\"}", "#d.a"), "1");
}

TEST(PolicyValues, documents_that_are_none) {
    for (const std::string document :
         {"", "{", "{]", "[1,2", R"({"a":1}x)", "nul", "{'a':1}", "[1e400]", "\xff", R"({"a":"\ud800"})"})
        EXPECT_EQ(in_document(document, "d"), "nil") << document;
    EXPECT_EQ(in_document(std::string(16'000, '[') + std::string(16'000, ']'), "d"), "nil");
    EXPECT_EQ(in_document(std::string(16'384, '['), "d"), "nil");
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }
std::string zeros(std::size_t count) {
    std::string list = "[0";
    for (std::size_t i = 1; i < count; ++i) list += ",0";
    return list + "]";
}

TEST(PolicyValues, bounds_of_a_document) {
    EXPECT_EQ(in_document(nested(32), "type(d)"), "table");
    EXPECT_EQ(in_document(nested(33), "d"), "nil");
    EXPECT_EQ(in_document(zeros(2047), "#d"), "2047");
    EXPECT_EQ(in_document(zeros(2048), "d"), "nil");
    const std::string fits = "\"" + std::string(16 * 1024 - 2, 'x') + "\"";
    EXPECT_EQ(in_document(fits, "#d"), "16382");
    EXPECT_EQ(in_document(fits + " ", "d"), "nil");
}

TEST(PolicyValues, long_texts_are_cut) {
    const std::string text(10'000, 'x');
    FailureView f;
    f.error_message = text;
    EXPECT_EQ(seen(f, "#failure.error_message"), "4096");
    const std::vector<PairView> headers(500, PairView{"name", text});
    f.headers = headers;
    EXPECT_EQ(seen(f, "#h.name"), "4096");
    const std::vector<PairView> shorter(500, PairView{"name", "1234567890"});
    f.headers = shorter;
    EXPECT_EQ(seen(f, "#h.name"), "1534"); // 128 of them
}

TEST(PolicyValues, a_request_and_its_candidates) {
    Scripts scripts;
    scripts.put("allocation/echo", R"(
function order(request, candidates)
    assert(request.served_model == "m" and request.protocol == "p" and request.principal == "u" and request.layer == "l")
    assert(request.stream == true and request.text_bytes == 5 and request.nothing == nil)
    assert(#candidates == 2)
    for i, c in ipairs(candidates) do
        assert(c.index == i and c.backend == "b" .. i and c.credential == "c" .. i and c.upstream_model == "u" .. i)
        assert(c.random == i / 4 and c.nothing == nil)
    end
    return { 2, 1 }, "echo"
end)");
    Counters counters;
    ManualClock clock;
    Policies policies(scripts.load(), counters, clock);
    const std::vector<Candidate> candidates{{"b1", "c1", "u1", 0.25}, {"b2", "c2", "u2", 0.5}};
    EXPECT_EQ(policies.order("allocation/echo", {"m", "p", "u", "l", true, 5}, candidates).reason, "echo")
        << policies.last_problem();
}

TEST(PolicyValues, text_functions) {
    EXPECT_EQ(value_of("contains('Subscription QUOTA exceeded', 'quota')"), "true");
    EXPECT_EQ(value_of("contains('aabaabaaa', 'AABAAA')"), "true");
    EXPECT_EQ(value_of("contains('abc', 'x', 'y', 'C')"), "true");
    EXPECT_EQ(value_of("contains('abc', 'abcd')"), "false");
    EXPECT_EQ(value_of("contains('abc', '')"), "true");
    EXPECT_EQ(value_of("contains(nil, 'x')"), "false");
    EXPECT_EQ(value_of("('a.b'):find('.')"), "2");
    EXPECT_EQ(value_of("('abab'):find('ab', 2)"), "3");
    EXPECT_EQ(value_of("('abab'):find('ab', -2)"), "3");
    EXPECT_EQ(value_of("('abc'):find('', 4)"), "4");
    EXPECT_EQ(value_of("('abc'):find('', 5)"), "nil");
    EXPECT_EQ(value_of("('abc'):find('z')"), "nil");
    EXPECT_EQ(value_of("('abc'):find('a', math.mininteger)"), "1");
    EXPECT_EQ(value_of("('ab'):rep(3, '-')"), "ab-ab-ab");
    EXPECT_EQ(value_of("#('x'):rep(65536)"), "65536");
    EXPECT_EQ(value_of("('x'):rep(-1) == ''"), "true");
    EXPECT_EQ(value_of("string.format('%s %5.1f%%', 'x', 2)"), "x   2.0%");
    EXPECT_EQ(value_of("table.concat({ 1, 2, 3 }, ',')"), "1,2,3");
    EXPECT_EQ(value_of("select('#', table.unpack({ 1, 2, 3 }))"), "3");
}

} // namespace
} // namespace wm::policy::test
