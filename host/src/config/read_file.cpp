#include "config/read_file.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace wm::config {
namespace {

struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

Failure<std::string> system_says() { return Failure{std::generic_category().message(errno)}; }

} // namespace

Result<FileText, std::string> read_file(const std::filesystem::path& file, std::size_t max_bytes) {
    const Descriptor in{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    if (in.fd < 0) return system_says();
    struct stat about {};
    if (::fstat(in.fd, &about) != 0) return system_says();
    FileText out;
    out.readable_by_others = (about.st_mode & (S_IRGRP | S_IROTH)) != 0;
    std::array<char, 16384> block;
    while (true) {
        const auto n = ::read(in.fd, block.data(), block.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return system_says();
        if (n == 0) return out;
        out.text.append(block.data(), std::size_t(n));
        if (out.text.size() > max_bytes) return Failure{"longer than " + std::to_string(max_bytes) + " bytes"};
    }
}

} // namespace wm::config
