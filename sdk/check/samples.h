#pragma once
// What a plugin is fed: requests and answers of its protocol.
#include <filesystem>
#include <string>
#include <vector>

namespace wm::check {

struct Sample {
    std::string name; // a file's, or `built-in`
    std::string text;
};

struct Samples {
    std::vector<Sample> requests;  // *.request.json: each must be understood
    std::vector<Sample> streams;   // *.sse
    std::vector<Sample> documents; // other *.json

    const std::string& question() const { return requests.back().text; } // the plugin's own, if there is one
};

// Those of the folders, and a few built-in ones that fit no protocol in particular. Throws std::runtime_error naming a
// folder that cannot be read.
Samples read_samples(const std::vector<std::filesystem::path>& folders);

constexpr const char* built_in = "built-in";

} // namespace wm::check
