// Usage: replay PATH...: runs the target over each file (below each folder), and over mutations of it that are the
// same every time. A property that does not hold ends the process; the file is named, and the input that was made of it
// is kept as ./fuzz-failure.
#include "base/random.h"
#include "target.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

// Of each file: more where there are few, so that every target takes about as long.
std::size_t mutations(std::size_t files) { return std::clamp<std::size_t>(20'000 / files, 200, 2'000); }

const std::vector<std::uint8_t>* running = nullptr;

void keep_input(int) {
    if (std::FILE* file = std::fopen("fuzz-failure", "wb")) {
        std::fwrite(running->data(), 1, running->size(), file);
        std::fclose(file);
    }
}

void run(const std::string& input) {
    // An exact copy on the heap, so that a sanitizer sees one byte read too many.
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    running = &bytes;
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::string mutated(std::string input, const std::vector<std::string>& others, wm::Random& random) {
    for (auto changes = random.between(1, 4); changes > 0; --changes) {
        const auto at = std::size_t(random.between(0, std::int64_t(input.size())));
        constexpr std::string_view telling("\r\n\t :;,=0af%\0\x7f\x80\xff\"\\{}[]", 22);
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
            for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
                if (entry.is_regular_file()) files.push_back(entry.path());
            }
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
    std::signal(SIGABRT, keep_input);
    wm::Random random(7);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        std::fprintf(stderr, "%s\n", files[i].c_str());
        run(inputs[i]);
        for (std::size_t n = mutations(inputs.size()); n > 0; --n) run(mutated(inputs[i], inputs, random));
    }
}
