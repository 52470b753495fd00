#include "plugin/manifest.h"

#include <gtest/gtest.h>

namespace wm::plugin {
namespace {

const std::string good = "# comment\n; another\n\nid = acme\r\nkind=transcoder\n version = 1.2.3 \nabi = 1.0\n"
                         "licence = MIT # not a comment\nlibrary = acme.so\n";

TEST(Manifest, ReadsItsKeys) {
    const auto m = parse_manifest("plugin.ini", good);
    ASSERT_TRUE(m) << m.error();
    EXPECT_EQ(m->id, "acme");
    EXPECT_EQ(m->components, std::vector<std::string>{"acme"});
    EXPECT_EQ(m->kinds, std::vector<std::string>{"transcoder"});
    EXPECT_EQ(m->version, "1.2.3");
    EXPECT_EQ(m->licence, "MIT # not a comment");
    EXPECT_EQ(m->library, "acme.so");
    EXPECT_EQ(m->abi_major, 1);
    EXPECT_EQ(m->abi_minor, 0);
    EXPECT_TRUE(m->sha256.empty());
    EXPECT_TRUE(m->unknown.empty());
}

TEST(Manifest, ReadsListsDigestsAndUnknownKeys) {
    const std::string digest = std::string(32, 'A') + std::string(32, '0');
    const auto m = parse_manifest("plugin.ini", good + "components = a, b\nsha256 = " + digest + "\nshape = round\n");
    ASSERT_TRUE(m) << m.error();
    EXPECT_EQ(m->components, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(m->sha256, std::string(32, 'a') + std::string(32, '0'));
    EXPECT_EQ(m->unknown, std::vector<std::string>{"shape"});
}

TEST(Manifest, EveryRequiredKeyIsAskedFor) {
    for (const std::string key : {"id", "kind", "version", "abi", "licence", "library"}) {
        std::string text = good;
        text.replace(text.find(key), key.size(), "x");
        const auto m = parse_manifest("dir/plugin.ini", text);
        ASSERT_FALSE(m) << key;
        EXPECT_NE(m.error().find("dir/plugin.ini: key `" + key + "`: expected "), std::string::npos) << m.error();
        EXPECT_NE(m.error().find(", found nothing; add the key"), std::string::npos) << m.error();
    }
}

std::string refused(const std::string& text) {
    const auto m = parse_manifest("p", text);
    return m ? "" : m.error();
}

TEST(Manifest, RefusesWhatItCannotRead) {
    EXPECT_NE(refused(good + "nonsense\n").find("p:10: expected a line `key = value`, found `nonsense`"),
              std::string::npos);
    EXPECT_NE(refused(good + "id = b\n").find("p:10: expected each key once, found `id` again"), std::string::npos);
    EXPECT_NE(refused(good + "sha256 = 12\n").find("expected 64 hexadecimal digits, found `12`"), std::string::npos);
    const auto with = [](const std::string& from, const std::string& to) {
        std::string text = good;
        return text.replace(text.find(from), from.size(), to);
    };
    EXPECT_NE(refused(with("transcoder", "filter")).find("found `filter`"), std::string::npos);
    EXPECT_NE(refused(with("acme.so", "../acme.so")).find("a file name without a folder"), std::string::npos);
    for (const char* abi : {"1", "1.", ".0", "1.x", "99999.0", "1.0.0"})
        EXPECT_NE(refused(with("1.0\n", std::string(abi) + "\n")).find("major.minor"), std::string::npos) << abi;
}

} // namespace
} // namespace wm::plugin
