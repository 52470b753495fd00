// A secret shows up in no message, wherever in the file it was put by mistake.
#include "config_folder.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace {

constexpr std::string_view canary = "canary7f3a";

void expect_silent(const ConfigFolder& folder, const std::string& text, bool open = false) {
    for (const auto& problem : folder.problems(text, open))
        EXPECT_EQ(problem.find(canary), std::string::npos) << problem << "\n" << text;
}

} // namespace

TEST(Canary, no_secret_key_shows_its_value) {
    const ConfigFolder folder;
    folder.write_file("odd", "canary7f3a\ncanary7f3a");
    setenv("WM_TEST_CANARY", "canary7f3a\t", 1);
    const std::string c(canary);
    const std::vector<std::string> values = {
        c, "$" + c, "${" + c + "}", "env:" + c + "-x", "public: " + c, "file:odd", "env:WM_TEST_CANARY", "\xff" + c};
    for (const auto& value : values) {
        for (const bool open : {false, true}) {
            const auto start = parts({server_part, backend_part, model_part});
            expect_silent(
                folder, start + "[credential \"go\" \"l\"]\napi_key = " + value + "\napi_key = " + value + "\n", open);
            expect_silent(folder,
                          start + "[client \"a\"]\nkey = " + value + "\nkey = " + value +
                              "\n[client \"b\"]\nkey = " + value + "\n",
                          open);
        }
    }
}

TEST(Canary, a_key_where_no_key_belongs) {
    const ConfigFolder folder;
    const std::string c(canary);
    // Each section given an api_key it does not have, a misspelt one, and the bare secret on a line.
    const auto sections = {"[server]",
                           "[backend \"go\"]",
                           "[credential \"go\" \"k\"]",
                           "[upstream-model \"go\" \"m\"]",
                           "[model \"chat\"]",
                           "[layer \"chat\" \"first\"]",
                           "[client \"a\"]",
                           "[nonsense]"};
    const auto base = parts({server_part, backend_part, model_part, "[client \"a\"]\nkey = public:x\n"});
    for (const std::string section : sections) {
        for (const auto& line :
             {"apikey = " + c, "api-key = " + c, "sk-" + c, c + "==", c + "=", "password = " + c, "secret_ms = " + c}) {
            auto text = base;
            const auto at = text.find(section);
            at == text.npos ? text += section + "\n" + line + "\n" : text.insert(at + section.size() + 1, line + "\n");
            ASSERT_FALSE(folder.problems(text).empty()) << text;
            expect_silent(folder, text);
        }
    }
}

TEST(Canary, a_key_inside_a_url) {
    const ConfigFolder folder;
    const std::string c(canary);
    for (const auto& url :
         {"https://u:" + c + "@up", "u:" + c + "@up", "up?key=" + c, "https://up?key=" + c + "#x", "ftp://up/?k=" + c})
        for (const std::string adapter : {"url", "base", "own", "picky"})
            for (const std::string key : {"base_url", "endpoint", "site"})
                expect_silent(
                    folder, parts({server_part, "[backend \"go\"]\nadapter = ", adapter, "\n", key, " = ", url, "\n"}));
}
