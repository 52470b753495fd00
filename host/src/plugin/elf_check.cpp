#include "plugin/elf_check.h"

#include "plugin/refusal.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <vector>

namespace wm::plugin {

namespace {

constexpr std::uint64_t farthest = std::uint64_t(1) << 40; // no sum of what is believed overflows

std::uint64_t end_of(std::uint64_t offset, std::uint64_t size) {
    return std::min(offset, farthest) + std::min(size, farthest);
}

// How long the file must be by its headers; nothing: they are no headers of a 64-bit library.
std::optional<std::uint64_t> promised(std::ifstream& in) {
    Elf64_Ehdr head;
    if (!in.read(reinterpret_cast<char*>(&head), sizeof head)) return std::nullopt;
    if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_phentsize != sizeof(Elf64_Phdr))
        return std::nullopt;
    const auto segments_end = end_of(head.e_phoff, std::uint64_t(head.e_phnum) * sizeof(Elf64_Phdr));
    // The sections' table is the last thing in a file as linkers write it.
    auto end = std::max(segments_end, end_of(head.e_shoff, std::uint64_t(head.e_shnum) * head.e_shentsize));
    std::vector<Elf64_Phdr> segments(head.e_phnum);
    in.seekg(static_cast<std::streamoff>(std::min<std::uint64_t>(head.e_phoff, farthest)));
    if (!in.read(reinterpret_cast<char*>(segments.data()), std::streamsize(segments.size() * sizeof(Elf64_Phdr))))
        return end; // which then is beyond the file's
    for (const auto& segment : segments) end = std::max(end, end_of(segment.p_offset, segment.p_filesz));
    return end;
}

} // namespace

std::optional<std::string> cut_short(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in)
        return refusal(file.string(), "a readable library", std::strerror(errno), "make it readable for this user");
    std::error_code error;
    const auto length = std::filesystem::file_size(file, error);
    const auto needed = promised(in);
    if (!needed)
        return refusal(file.string(), "a 64-bit ELF library", std::to_string(length) + " bytes of something else",
                       "install the library, or build it for this machine");
    if (error || length < *needed)
        return refusal(file.string(), "a complete library of " + std::to_string(*needed) + " bytes",
                       std::to_string(length) + " bytes", "its copy was cut short; copy it again");
    return std::nullopt;
}

} // namespace wm::plugin
