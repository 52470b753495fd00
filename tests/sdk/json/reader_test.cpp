#include <watermaster/json_reader.hpp>

#include <gtest/gtest.h>

namespace {

using namespace wm::sdk::json;

struct Recorder {
    std::string seen;
    void null() { seen += "null "; }
    void boolean(bool b) { seen += b ? "true " : "false "; }
    void number(std::string_view raw) { seen.append("#").append(raw) += ' '; }
    void string(std::string_view s) { seen.append("'").append(s).append("' "); }
    void begin_object() { seen += "{ "; }
    void name(std::string_view s) { seen.append(s).append(": "); }
    void end_object() { seen += "} "; }
    void begin_array() { seen += "[ "; }
    void end_array() { seen += "] "; }
};

std::string events(std::string_view text) {
    Recorder recorder;
    const Fault fault = read(text, recorder);
    return fault == Fault::none ? recorder.seen : fault == Fault::depth ? "depth" : recorder.seen + "syntax";
}

TEST(Reader, TellsEverythingInOrder) {
    EXPECT_EQ(events(R"({"a":[1,-2.50e+3,"x\"y"],"b":{"c":null,"d":true},"e":{},"f":[],"g":[{"h":false}]})"),
              "{ a: [ #1 #-2.50e+3 'x\"y' ] b: { c: null d: true } e: { } f: [ ] g: [ { h: false } ] } ");
    EXPECT_EQ(events(" 7 "), "#7 ");
    EXPECT_EQ(events("\"s\""), "'s' ");
    EXPECT_EQ(events("[[\"a\",{\"b\":\"c\"},\"d\"],\"e\"]"), "[ [ 'a' { b: 'c' } 'd' ] 'e' ] ");
}

TEST(Reader, KeepsDigitsAndDecodesNames) {
    EXPECT_EQ(events("123456789012345678901234567890.10"), "#123456789012345678901234567890.10 ");
    EXPECT_EQ(events(R"({"\u0061\n":"\ud83d\ude42\ud83d"})"), "{ a\n: '\xF0\x9F\x99\x82\xEF\xBF\xBD' } ");
}

TEST(Reader, TellsNothingOfWhatIsNotJson) {
    for (const char* text : {"", "{\"a\":1", "[1,2,]", "{\"a\":1}x"}) EXPECT_EQ(events(text), "syntax");
    EXPECT_EQ(events(std::string(max_depth + 1, '[')), "depth");
    EXPECT_EQ(events(std::string(1 << 20, '[')), "depth");
}

} // namespace
