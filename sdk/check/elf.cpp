#include "elf.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>

namespace wm::check {

namespace {

constexpr unsigned char byte_order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

// A file that lies about its own tables must not make us read outside of it.
class Image {
  public:
    explicit Image(std::string bytes) : bytes_(std::move(bytes)) {}

    template <class T>
    std::optional<T> at(std::uint64_t offset) const {
        T out;
        if (offset > bytes_.size() || sizeof out > bytes_.size() - offset) return std::nullopt;
        std::memcpy(&out, bytes_.data() + offset, sizeof out);
        return out;
    }
    std::string text(std::uint64_t offset) const {
        if (offset >= bytes_.size()) return {};
        return std::string(bytes_.c_str() + offset);
    }

  private:
    std::string bytes_;
};

std::vector<std::string> defined(const Image& image, const Elf64_Shdr& symbols, const Elf64_Shdr& names) {
    std::vector<std::string> out;
    for (std::uint64_t i = 1; i < symbols.sh_size / sizeof(Elf64_Sym); ++i) {
        const auto symbol = image.at<Elf64_Sym>(symbols.sh_offset + i * sizeof(Elf64_Sym));
        if (!symbol) break;
        if (symbol->st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL)
            out.push_back(image.text(names.sh_offset + symbol->st_name));
    }
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

std::optional<std::vector<std::string>> exported_symbols(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const Image image(std::string{std::istreambuf_iterator<char>(in), {}});
    const auto head = image.at<Elf64_Ehdr>(0);
    if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_ident[EI_DATA] != byte_order)
        return std::nullopt;
    for (std::uint64_t i = 0; i < head->e_shnum; ++i) {
        const auto section = image.at<Elf64_Shdr>(head->e_shoff + i * head->e_shentsize);
        if (!section || section->sh_type != SHT_DYNSYM) continue;
        const auto names = image.at<Elf64_Shdr>(head->e_shoff + std::uint64_t(section->sh_link) * head->e_shentsize);
        return names ? std::optional(defined(image, *section, *names)) : std::nullopt;
    }
    return std::vector<std::string>{};
}

} // namespace wm::check
