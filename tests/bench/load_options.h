#pragma once
#include <string>

namespace wm::bench {

struct LoadOptions {
    int port = 0;
    int streams = 0;
    int seconds = 60; // at most, for all of it
    std::string model;
};

// False, after a message, if the arguments are not as expected.
bool read_options(int argc, char** argv, LoadOptions& options);

} // namespace wm::bench
