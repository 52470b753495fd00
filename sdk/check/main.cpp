// watermaster-plugin-check FILE: tries a built plugin in ways the network will, each case in a process of its own.
#include "cases.h"
#include "child.h"

#include <charconv>
#include <cstdio>
#include <optional>
#include <stdexcept>

namespace {

using namespace wm::check;

constexpr const char* usage =
    "watermaster-plugin-check [--samples=DIR]... [--set=NAME=VALUE]... [--case=NAME]... [--seconds=N] FILE\n"
    "\n"
    "Tries a plugin's library, with its plugin.ini beside it. Each case runs in a process of its own; a crash, a hang\n"
    "or an exit of the plugin is a finding. Exit status: 0 no finding, 1 findings, 2 wrong usage.\n"
    "\n"
    "  --samples=DIR      requests (*.request.json), streams (*.sse) and whole answers (*.json) of the protocol\n"
    "  --set=NAME=VALUE   a setting that an adapter is bound with\n"
    "  --case=NAME        this case only\n"
    "  --seconds=N        how long a case may take, 60 unless given\n"
    "\n"
    "Cases:\n";

struct Options {
    std::string file;
    std::vector<std::filesystem::path> samples;
    wm::sdk::testing::TextPairs settings;
    std::vector<std::string> cases;
    std::chrono::seconds limit{60};
};

struct Usage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void take_option(Options& options, std::string_view name, std::string_view value) {
    if (name == "--samples") {
        options.samples.emplace_back(value);
    } else if (name == "--set") {
        const auto equals = value.find('=');
        if (equals == value.npos) throw Usage("--set: expected NAME=VALUE, found " + std::string(value));
        options.settings.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    } else if (name == "--case") {
        options.cases.emplace_back(value);
    } else if (name == "--seconds") {
        int seconds = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
        if (error != std::errc() || end != value.data() + value.size() || seconds < 1)
            throw Usage("--seconds: expected a whole number from 1, found " + std::string(value));
        options.limit = std::chrono::seconds(seconds);
    } else {
        throw Usage("expected one of the options below, found " + std::string(name));
    }
}

Options read_options(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (!word.starts_with("--")) {
            if (!options.file.empty()) throw Usage("expected one FILE, found a second: " + std::string(word));
            options.file = word;
            continue;
        }
        const auto equals = word.find('=');
        if (equals != word.npos)
            take_option(options, word.substr(0, equals), word.substr(equals + 1));
        else if (++i < argc)
            take_option(options, word, argv[i]);
        else
            throw Usage(std::string(word) + ": expected a value");
    }
    if (options.file.empty()) throw Usage("expected a FILE");
    for (const auto& name : options.cases)
        if (std::none_of(cases().begin(), cases().end(), [&](const Case& one) { return one.name == name; }))
            throw Usage("--case: expected one of the cases below, found " + name);
    return options;
}

void print_usage(FILE* to) {
    std::fputs(usage, to);
    for (const Case& one : cases()) std::fprintf(to, "  %-12s %s\n", one.name, one.promise);
}

bool chosen(const Options& options, const Case& one) {
    return options.cases.empty() ||
           std::find(options.cases.begin(), options.cases.end(), one.name) != options.cases.end();
}

int run(const Options& options) {
    const Subject subject{std::filesystem::absolute(options.file).lexically_normal(), read_samples(options.samples),
                          options.settings};
    std::size_t ran = 0, found = 0;
    bool usable = true;
    for (const Case& one : cases()) {
        if (!chosen(options, one)) continue;
        if (!usable) {
            std::printf("%-12s not run\n", one.name);
            continue;
        }
        const auto findings = run_in_child(one.name, options.limit, [&](Trial& trial) { one.run(trial, subject); });
        std::printf("%-12s %s\n", one.name, findings.empty() ? "ok" : "FOUND");
        for (const auto& finding : findings) std::printf("  %s\n", finding.c_str());
        std::fflush(stdout);
        ++ran;
        found += findings.size();
        usable = findings.empty() || !one.decides;
    }
    std::printf("%s: %zu cases, %zu %s\n", options.file.c_str(), ran, found, found == 1 ? "finding" : "findings");
    return found ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--help") {
        print_usage(stdout);
        return 0;
    }
    try {
        return run(read_options(argc, argv));
    } catch (const Usage& problem) {
        std::fprintf(stderr, "watermaster-plugin-check: %s\n\n", problem.what());
        print_usage(stderr);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "watermaster-plugin-check: %s\n", problem.what());
    }
    return 2;
}
