#include "server.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace {

bool read_number(const char* text, int least, int most, int& value) {
    const char* end = text + std::strlen(text);
    const auto [stopped, error] = std::from_chars(text, end, value);
    return error == std::errc{} && stopped == end && value >= least && value <= most;
}

int usage() {
    std::fputs("usage: mock_provider [--port N] [--chunks N] [--delay-ms D]\n"
               "  --port      0 to 65535; 0, the default, takes a free one and prints it\n"
               "  --chunks    how many chunks the model mock-stream sends (50)\n"
               "  --delay-ms  how long it waits between them (20)\n",
               stderr);
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    wm::mock::Settings settings;
    int wanted = 0;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view name = argv[i];
        int* value = name == "--port" ? &wanted : name == "--chunks" ? &settings.chunks : &settings.delay_ms;
        if ((value == &settings.delay_ms && name != "--delay-ms") || i + 1 == argc ||
            !read_number(argv[i + 1], 0, value == &wanted ? 65535 : 1000000, *value)) {
            return usage();
        }
    }
    auto port = static_cast<std::uint16_t>(wanted);
    const int listener = wm::mock::listen_on(port);
    if (listener < 0) {
        std::fprintf(stderr, "mock_provider: cannot listen on 127.0.0.1:%d: %s; choose another --port\n", wanted,
                     std::strerror(errno));
        return 1;
    }
    std::printf("mock listening on 127.0.0.1:%u\n", static_cast<unsigned>(port));
    std::fflush(stdout);
    const int status = wm::mock::serve(listener, settings);
    ::close(listener);
    return status;
}
