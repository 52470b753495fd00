#include "plugin/elf_check.h"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace wm::plugin {
namespace {

namespace fs = std::filesystem;

struct ElfCheck : testing::Test {
    const fs::path folder = fs::temp_directory_path() / ("wm-elf-" + std::to_string(::getpid()));
    const fs::path whole = fs::canonical("/proc/self/exe");
    const fs::path copy = folder / "copy.so";

    ElfCheck() { fs::create_directory(folder); }
    ~ElfCheck() override { fs::remove_all(folder); }

    std::string problem(std::uintmax_t length) const {
        fs::resize_file(copy, length);
        return cut_short(copy).value_or("");
    }
};

TEST_F(ElfCheck, AWholeLibraryPasses) { EXPECT_EQ(cut_short(whole), std::nullopt); }

TEST_F(ElfCheck, AnyShorterOneDoesNot) {
    const auto length = fs::file_size(whole);
    for (const auto cut : {length - 1, length / 2, length / 16, std::uintmax_t(4096), std::uintmax_t(100)}) {
        fs::copy_file(whole, copy, fs::copy_options::overwrite_existing);
        EXPECT_NE(problem(cut).find("expected a complete library of " + std::to_string(length) + " bytes"),
                  std::string::npos)
            << cut << ": " << problem(cut);
    }
    EXPECT_NE(problem(10).find("expected a 64-bit ELF library"), std::string::npos);
    EXPECT_NE(problem(0).find("expected a 64-bit ELF library"), std::string::npos);
}

TEST_F(ElfCheck, HeadersThatPromiseTheMoonAreNotBelieved) {
    fs::copy_file(whole, copy);
    std::fstream(copy, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(40)
        .write("\xff\xff\xff\xff\xff\xff\xff\xff", 8); // e_shoff
    EXPECT_NE(cut_short(copy), std::nullopt);
}

TEST_F(ElfCheck, OtherFilesAreNone) {
    std::ofstream(copy) << std::string(5000, 'x');
    EXPECT_NE(cut_short(copy).value_or("").find("expected a 64-bit ELF library"), std::string::npos);
    EXPECT_NE(cut_short(folder / "none").value_or("").find("No such file"), std::string::npos);
}

} // namespace
} // namespace wm::plugin
