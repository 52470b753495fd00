#include "load_options.h"

#include <charconv>
#include <cstdio>
#include <string_view>

namespace wm::bench {

bool read_options(int argc, char** argv, LoadOptions& options) {
    bool good = argc % 2 == 1;
    for (int i = 1; good && i < argc; i += 2) {
        const std::string_view name = argv[i];
        const std::string_view text = argv[i + 1];
        if (name == "--model") {
            options.model = text;
            continue;
        }
        int* value = name == "--port"      ? &options.port
                     : name == "--streams" ? &options.streams
                     : name == "--seconds" ? &options.seconds
                                           : nullptr;
        if (value != nullptr) {
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
            good = error == std::errc{} && end == text.data() + text.size() && *value > 0;
        } else {
            good = false;
        }
    }
    good = good && options.port > 0 && options.port < 65536 && options.streams > 0 && !options.model.empty();
    if (!good) {
        std::fputs("usage: sse_load --port N --model NAME --streams N [--seconds N]\n", stderr);
    }
    return good;
}

} // namespace wm::bench
