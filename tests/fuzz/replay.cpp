// Usage: replay PATH...: runs the target over each file (of each directory), and over mutations of it that are the
// same every time. A crash or a property that does not hold ends the process; the input is named first.
#include "base/random.h"
#include "target.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int mutations = 2000; // of each file

void run(const std::string& input) {
    // An exact copy on the heap, so that a sanitizer sees one byte read too many.
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::string mutated(std::string input, const std::vector<std::string>& others, wm::Random& random) {
    for (auto changes = random.between(1, 4); changes > 0; --changes) {
        const auto at = std::size_t(random.between(0, std::int64_t(input.size())));
        constexpr std::string_view telling("\r\n\t :;,=0af%\0\x7f\x80\xff", 16);
        switch (random.between(0, 4)) {
        case 0: input.insert(at, 1, telling[std::size_t(random.between(0, std::int64_t(telling.size()) - 1))]); break;
        case 1: input.erase(at, std::size_t(random.between(1, 8))); break;
        case 2: input.insert(at, input.substr(at / 2, std::size_t(random.between(1, 16)))); break;
        case 3:
            if (at < input.size()) input[at] = char(random.next());
            break;
        default: {
            const auto& other = others[std::size_t(random.between(0, std::int64_t(others.size()) - 1))];
            input = input.substr(0, at) + other.substr(std::min(at, other.size()));
        }
        }
    }
    return input;
}

} // namespace

int main(int argc, char** argv) {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (int i = 1; i < argc; ++i)
        if (fs::is_directory(argv[i]))
            for (const auto& entry : fs::directory_iterator(argv[i])) files.push_back(entry.path());
        else
            files.emplace_back(argv[i]);
    std::sort(files.begin(), files.end());
    std::vector<std::string> inputs;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        if (!in) {
            std::fprintf(stderr, "%s: cannot be read\n", file.c_str());
            return 1;
        }
        inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    if (inputs.empty()) {
        std::fprintf(stderr, "no input: give files or directories of a corpus\n");
        return 2;
    }
    wm::Random random(7);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::fprintf(stderr, "%s\n", files[i].c_str());
        run(inputs[i]);
        for (int n = 0; n < mutations; ++n) run(mutated(inputs[i], inputs, random));
    }
}
