// Every way to be refused, each with a plugin or a file that triggers it.
#include "plugin/registry.h"
#include "plugin_folder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <unistd.h>

namespace fs = std::filesystem;
using wm::plugin::Registry;

namespace {

// The only refusal of a folder, or an empty text.
std::string refusal_of(const PluginFolder& folder) {
    Registry registry;
    const auto refusals = registry.load(folder.path());
    EXPECT_LE(refusals.size(), 1u);
    if (refusals.empty()) return "";
    EXPECT_TRUE(registry.transcoders().empty());
    return refusals[0];
}

void expect_parts(const std::string& refusal, const std::vector<std::string>& parts) {
    for (const auto& part : parts) EXPECT_NE(refusal.find(part), std::string::npos) << part << "\nin: " << refusal;
    EXPECT_NE(refusal.find("; "), std::string::npos) << "no remedy in: " << refusal;
}

struct Bad {
    const char *name, *expected, *found;
};

class BadPlugin : public testing::TestWithParam<Bad> {};

TEST_P(BadPlugin, IsRefusedWithItsReason) {
    PluginFolder folder;
    const auto library = folder.install(GetParam().name);
    expect_parts(refusal_of(folder), {library.string() + ": ", std::string("expected ") + GetParam().expected,
                                      std::string(", found ") + GetParam().found});
}

INSTANTIATE_TEST_SUITE_P(
    Every, BadPlugin,
    testing::Values(
        Bad{"entry-size", "a size of at least 32 bytes", "16 bytes"},
        Bad{"entry-size-absurd", "a size of at least 32 bytes", "2147483647 bytes"}, Bad{"major", "ABI 1", "ABI 2.0"},
        Bad{"symbol", "the exported data symbol wm_plugin_entry_v1", "no such symbol"},
        Bad{"undefined", "a shared object that loads", ""},
        Bad{"stride-small", "a stride of at least 56 bytes", "8 bytes"},
        Bad{"stride-odd", "a stride of at least 56 bytes and a multiple of 8", "60 bytes"},
        Bad{"null-version", "the plugin's version", "null"},
        Bad{"other-version", "version `1.0` as its manifest says", "`2.0`"},
        Bad{"no-components", "1 to 64 components", "0"}, Bad{"too-many-components", "1 to 64 components", "65"},
        Bad{"null-components", "1 to 64 components", "null"},
        Bad{"component-size", "a size of 56 to 56 bytes", "40 bytes"}, Bad{"null-interface", "an interface_id", "null"},
        Bad{"null-id", "an id of 1 to 64", "null"}, Bad{"odd-id", "an id of 1 to 64", "`Bad Id`"},
        Bad{"null-facts", "facts_json", "null"}, Bad{"null-create", "the functions `create` and `destroy`", "null"},
        Bad{"null-destroy", "the functions `create` and `destroy`", "null"}, Bad{"null-table", "a table", "null"},
        Bad{"table-size", "a size of at least 80 bytes", "24 bytes"},
        Bad{"missing-function", "the function `tap_end`", "null"},
        Bad{"half-translation", "`bind` and `open` null together or set together", "only `open` set"},
        Bad{"half-bind", "`bind` and `unbind` null together or set together", "only `bind` set"},
        Bad{"facts-no-json", "a JSON object", "Missing a name for object member"},
        Bad{"facts-no-id", "a string that is not empty", "nothing"},
        Bad{"facts-no-operations", "an array that is not empty", "an empty array"},
        Bad{"facts-other-id", "`bad` as the component says", "`worse`"},
        Bad{"failing-create", "create to succeed", "null: the moon is full"}),
    [](const auto& bad) {
        std::string name = bad.param.name;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(GoodPlugin, Loads) {
    PluginFolder folder;
    folder.install("good");
    Registry registry;
    EXPECT_EQ(registry.load(folder.path()), std::vector<std::string>{});
    ASSERT_TRUE(registry.transcoder("bad"));
    EXPECT_FALSE(registry.transcoder("bad")->about().translates);
    EXPECT_EQ(registry.notes(), std::vector<std::string>{"plugin says: hello?"});
}

TEST(GoodPlugin, LoadsBesideABadOneAndWhatIsNoPlugin) {
    PluginFolder folder;
    folder.install("good", "", "b-good");
    folder.install("major", "", "a-major");
    folder.write("CMakeFiles/rules.txt", "no plugin");
    folder.write("README", "no plugin");
    Registry registry;
    const auto refusals = registry.load(folder.path());
    ASSERT_EQ(refusals.size(), 1u);
    EXPECT_NE(refusals[0].find("a-major/major.so"), std::string::npos);
    EXPECT_TRUE(registry.transcoder("bad"));
}

TEST(Refusal, OfTheSameIdTwice) {
    PluginFolder folder;
    folder.install("good", "", "a");
    folder.install("good", "", "b");
    Registry registry;
    const auto refusals = registry.load(folder.path());
    ASSERT_EQ(refusals.size(), 1u);
    expect_parts(refusals[0], {(folder.path() / "b").string(), "expected one transcoder `bad`", "another plugin's"});
    EXPECT_EQ(registry.transcoders().size(), 1u);
}

TEST(Refusal, OfAManifestForAnotherComponent) {
    PluginFolder folder;
    const auto library = folder.install("good", "components = other\n");
    expect_parts(refusal_of(folder), {library.string(), "expected an id its manifest names", "found `bad`"});
}

TEST(Refusal, OfAManifestThatNamesMoreThanThereIs) {
    PluginFolder folder;
    const auto library = folder.install("good", "components = bad, other\n");
    expect_parts(refusal_of(folder), {library.string(), "expected a component `other`", "found none"});
}

TEST(Refusal, OfAManifestForAnotherKind) {
    PluginFolder folder;
    folder.install("good");
    std::string manifest = manifest_of("good.so");
    folder.write("p/plugin.ini", manifest.replace(manifest.find("transcoder"), 10, "adapter"));
    expect_parts(refusal_of(folder), {"expected a kind its manifest names", "found `transcoder`"});
}

TEST(Refusal, OfAManifestForAnotherAbi) {
    for (const auto& [abi, part] : {std::pair{"2.0", "plugin.ini: key `abi`: expected ABI 1, found 2.0"},
                                    std::pair{"1.3", "expected ABI 1.3 as its manifest says, found ABI 1.0"}}) {
        PluginFolder folder;
        folder.install("good");
        std::string manifest = manifest_of("good.so");
        folder.write("p/plugin.ini", manifest.replace(manifest.find("abi = 1.0"), 9, std::string("abi = ") + abi));
        expect_parts(refusal_of(folder), {part});
    }
}

TEST(Refusal, OfALibraryThatOthersMayWrite) {
    for (const unsigned mode : {0664u, 0646u}) {
        PluginFolder folder;
        const auto library = folder.install("good");
        fs::permissions(library, fs::perms(mode));
        expect_parts(refusal_of(folder), {library.string(), "expected a file that group and others cannot write",
                                          mode == 0664u ? "found mode 0664" : "found mode 0646", "chmod go-w"});
    }
}

// Only root can give a file away.
TEST(Refusal, OfALibraryOfSomebodyElse) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root, to make a file another's";
    PluginFolder folder;
    const auto library = folder.install("good");
    ASSERT_EQ(chown(library.c_str(), 65534, 65534), 0);
    expect_parts(refusal_of(folder), {library.string(), "expected owner root or uid 0", "found uid 65534", "chown"});
}

TEST(Refusal, OfAnotherDigestThanTheManifests) {
    PluginFolder folder;
    const auto library = folder.install("good", "sha256 = " + std::string(64, '0') + "\n");
    const std::string refusal = refusal_of(folder);
    expect_parts(refusal, {library.string(), "expected SHA-256 " + std::string(64, '0'), "one package"});

    // What it found is the right one.
    const std::string found = refusal.substr(refusal.find("found ") + 6, 64);
    PluginFolder right;
    right.install("good", "sha256 = " + found + "\n");
    EXPECT_EQ(refusal_of(right), "");
}

TEST(Refusal, OfALibraryWithoutAManifest) {
    PluginFolder folder;
    folder.install("good");
    fs::remove(folder.path() / "p/plugin.ini");
    expect_parts(refusal_of(folder), {(folder.path() / "p/plugin.ini").string(), "expected a plugin's manifest"});
}

TEST(Refusal, OfAManifestWithoutALibrary) {
    PluginFolder folder;
    const auto library = folder.install("good");
    fs::remove(library);
    expect_parts(refusal_of(folder), {library.string(), "found No such file or directory", "key `library`"});
}

TEST(Refusal, OfWhatIsNoLibrary) {
    PluginFolder folder;
    folder.write("p/plugin.ini", manifest_of("text.so"));
    folder.write("p/text.so", "not an ELF file");
    fs::permissions(folder.path() / "p/text.so", fs::perms(0644));
    expect_parts(refusal_of(folder), {"text.so: expected a 64-bit ELF library, found 15 bytes"});

    PluginFolder other;
    other.write("p/plugin.ini", manifest_of("folder.so"));
    fs::create_directories(other.path() / "p/folder.so");
    expect_parts(refusal_of(other), {"folder.so: expected a regular file"});
}

TEST(Note, OfAManifestKeyNobodyKnows) {
    PluginFolder folder;
    folder.install("good", "sha265 = 12\n");
    Registry registry;
    EXPECT_TRUE(registry.load(folder.path()).empty());
    EXPECT_NE(registry.notes().back().find("plugin.ini: key `sha265` is unknown to this host"), std::string::npos);
}

} // namespace
