// Replays files (or all files below folders), as they are and mutated from a fixed seed.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(const std::string& input) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

// One small change: a byte, a piece cut out, a piece doubled, or a token put in.
std::string mutated(std::string s, std::minstd_rand& random) {
    static constexpr const char* tokens[] = {"\"",   "\\",      "{",   "}",           "[",    "]",    ",",          ":",
                                             "null", "\\ud83d", "1e9", "{\"model\":", "\xff", "\n\n", "\"error\":{"};
    const std::size_t at = s.empty() ? 0 : random() % s.size(), length = random() % 16;
    switch (random() % 4) {
    case 0:
        if (!s.empty())
            s[at] = static_cast<char>(random());
        break;
    case 1:
        s.erase(at, length);
        break;
    case 2:
        s.insert(at, s.substr(at, length));
        break;
    default:
        s.insert(at, tokens[random() % std::size(tokens)]);
    }
    return s;
}

std::string read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> inputs;
    for (int i = 1; i < argc; ++i) {
        if (!std::filesystem::is_directory(argv[i])) {
            inputs.push_back(read(argv[i]));
            continue;
        }
        for (const auto& file : std::filesystem::recursive_directory_iterator(argv[i]))
            if (file.is_regular_file())
                inputs.push_back(read(file.path()));
    }
    if (inputs.empty()) {
        std::fprintf(stderr, "no inputs: name files or folders\n");
        return 2;
    }
    std::minstd_rand random(20240613);
    for (const std::string& input : inputs) {
        run(input);
        std::string changed = input;
        for (int i = 0; i < 300; ++i) {
            changed = i % 10 == 0 ? mutated(input, random) : mutated(changed, random);
            run(changed);
        }
    }
    std::printf("%zu inputs, each with 300 mutations\n", inputs.size());
    return 0;
}
