#include "config/key_digest.h"
#include "config/secret_value.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

using namespace wm::config;
namespace fs = std::filesystem;

namespace {

struct Secrets : testing::Test {
    fs::path folder;
    void SetUp() override {
        auto pattern = (fs::temp_directory_path() / "wm-secret-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder = pattern;
    }
    void TearDown() override { fs::remove_all(folder); }
    void file(const char* name, std::string_view text) { std::ofstream(folder / name, std::ios::binary) << text; }
    Value<wm::Secret> parse(std::string_view text, bool exposed = false) {
        return parse_secret(text, {folder, exposed});
    }
    std::string problem(std::string_view text, bool exposed = false) {
        const auto value = parse(text, exposed);
        if (value) return "";
        EXPECT_FALSE(value.error().show_value);
        return value.error().problem;
    }
};

} // namespace

TEST_F(Secrets, come_from_variables_files_and_the_line_itself) {
    setenv("WM_TEST_SECRET", "from-env", 1);
    file("key", "from-file\n");
    file("crlf", "from-crlf\r\n");
    EXPECT_EQ(parse("env:WM_TEST_SECRET")->reveal(), "from-env");
    EXPECT_EQ(parse("file:key")->reveal(), "from-file");
    EXPECT_EQ(parse("file:crlf")->reveal(), "from-crlf");
    EXPECT_EQ(parse("file:" + (folder / "key").string())->reveal(), "from-file");
    EXPECT_EQ(parse("sk-literal")->reveal(), "sk-literal");
    EXPECT_EQ(parse("public:demo", true)->reveal(), "demo");
    EXPECT_TRUE(parse("public:demo", true)->published());
    EXPECT_EQ(parse("file:key", true)->reveal(), "from-file");
}

TEST_F(Secrets, are_refused_by_name_and_never_by_value) {
    unsetenv("WM_TEST_UNSET");
    setenv("WM_TEST_EMPTY", "", 1);
    setenv("WM_TEST_ODD", "canary\x01", 1);
    file("empty", "\n");
    file("lines", "canary\ncanary\n");
    file("large", std::string(20'000, 'c'));
    const auto in = [&](const char* name) { return "secret file " + (folder / name).string(); };
    EXPECT_EQ(problem("env:WM_TEST_UNSET"), "environment variable WM_TEST_UNSET is not set");
    EXPECT_EQ(problem("env:WM_TEST_EMPTY"), "environment variable WM_TEST_EMPTY is empty");
    EXPECT_EQ(problem("env:WM_TEST_ODD"), "environment variable WM_TEST_ODD is not usable as a key");
    EXPECT_EQ(problem("env:"), "no variable name after env:");
    EXPECT_EQ(problem("env:sk-canary"), "no variable name after env:");
    EXPECT_EQ(problem("file:"), "no path after file:");
    EXPECT_EQ(problem("file:none"), in("none") + " cannot be read: No such file or directory");
    EXPECT_EQ(problem("file:empty"), in("empty") + " is empty");
    EXPECT_EQ(problem("file:lines"), in("lines") + " is not usable as a key");
    EXPECT_EQ(problem("file:large"), in("large") + " cannot be read: longer than 16384 bytes");
    EXPECT_EQ(problem("${UNSET}"), "variables are not expanded");
    EXPECT_EQ(problem(""), "the key is empty");
    EXPECT_EQ(problem("public:"), "the key after public: is empty");
    EXPECT_EQ(problem("\"sk-canary\""), "the key is in quotes");
    EXPECT_EQ(problem("'sk-canary'"), "the key is in quotes");
    EXPECT_EQ(problem("public:\"canary\""), "the key after public: is in quotes");
    EXPECT_EQ(problem("\"env:WM_TEST_UNSET\""), "the key is in quotes");
    EXPECT_EQ(problem("sk-canary # the main key"), "the key holds a space");
    EXPECT_EQ(problem("public:canary\t; demo"), "the key after public: holds a space");
    EXPECT_EQ(parse("sk-\"can'ary")->reveal(), "sk-\"can'ary");
    EXPECT_EQ(problem("sk-canary", true), "a literal secret in a file that group or others may read");
}

TEST(Digest, is_sha256) {
    const auto digest = digest_of_key("abc");
    EXPECT_EQ(digest[0], 0xba);
    EXPECT_EQ(digest[1], 0x78);
    EXPECT_EQ(digest[31], 0xad);
    EXPECT_TRUE(same(digest, digest_of_key("abc")));
    EXPECT_FALSE(same(digest, digest_of_key("abd")));
}
