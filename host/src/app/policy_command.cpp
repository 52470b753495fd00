#include "app/policy_command.h"

#include "policy/bench.h"
#include "policy/renewal.h"
#include "policy/spec.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>

namespace wm::app {

namespace {

namespace fs = std::filesystem;

struct Usage : std::runtime_error {
    using runtime_error::runtime_error;
};

std::vector<fs::path> lua_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ".lua") files.push_back(at->path());
    std::sort(files.begin(), files.end());
    return files;
}

bool is_table(const fs::path& file) { return file.parent_path().filename() == "spec"; }

fs::path existing(const std::string& argument) {
    std::error_code ignored;
    auto file = fs::absolute(argument).lexically_normal();
    if (!fs::is_regular_file(file, ignored))
        throw Usage(argument + ": no such file; expected a script or a case table");
    return file;
}

template <class T>
std::vector<T> some(std::vector<T> found, const fs::path& folder) {
    if (found.empty())
        throw Usage(folder.string() + ": none found; expected a folder of policies, as --policies DIR, or a FILE");
    return found;
}

// Where the policies that go with `file` are looked for.
std::vector<fs::path> folders_of(const fs::path& file, const fs::path& folder) {
    return {file.parent_path().parent_path(), folder};
}

policy::Script script_of(const fs::path& file) {
    const auto kind = file.parent_path().filename().string();
    if (kind != "allocation" && kind != "failure")
        throw Usage(file.string() + ": expected a script of a folder allocation/ or failure/, found one of " + kind +
                    "/");
    return {kind + "/" + file.stem().string(), file.string(), {}, file.parent_path().parent_path()};
}

std::vector<policy::Script> scripts(const std::vector<std::string>& arguments, const fs::path& folder) {
    std::vector<policy::Script> out;
    for (const auto& argument : arguments) out.push_back(script_of(existing(argument)));
    if (arguments.empty())
        for (const auto* kind : {"allocation", "failure"})
            for (const auto& file : lua_files(folder / kind)) out.push_back(script_of(file));
    return some(std::move(out), folder);
}

std::vector<fs::path> tables(const std::vector<std::string>& arguments, const fs::path& folder) {
    if (arguments.empty()) return some(lua_files(folder / "spec"), folder);
    std::vector<fs::path> out;
    for (const auto& argument : arguments) {
        const auto file = existing(argument);
        const auto table = is_table(file) ? file : script_of(file).spec();
        if (!fs::exists(table)) throw Usage(argument + ": has no cases; expected them in " + table.string());
        out.push_back(table);
    }
    return out;
}

int test(const std::vector<std::string>& arguments, const fs::path& folder) {
    std::size_t cases = 0, failures = 0;
    const auto files = tables(arguments, folder);
    for (const auto& file : files) {
        const auto report = policy::run_spec(folders_of(file, folder), file);
        std::cout << file.string() << ": " << report.cases << (report.cases == 1 ? " case" : " cases");
        if (report.failures.empty())
            std::cout << ", all hold\n";
        else
            std::cout << ", " << report.failures.size() << " failed\n";
        for (const auto& failure : report.failures) {
            if (failure.name.empty())
                std::cout << "  " << failure.found << '\n';
            else
                std::cout << "  " << failure.where << ": " << failure.name << "\n    expected  " << failure.expected
                          << "\n    found     " << failure.found << '\n';
        }
        cases += report.cases;
        failures += report.failures.size();
    }
    std::cout << files.size() << (files.size() == 1 ? " table, " : " tables, ") << cases << " cases, " << failures
              << " failed\n";
    return failures == 0 ? 0 : 1;
}

// The script as a gateway would take it, with what it falls back to.
policy::Renewal judged(const policy::Script& script, const fs::path& folder) {
    return policy::renew(std::vector{script.folder, folder}, policy::with_fallback({script.name}));
}

bool say_refused(const policy::Renewal& renewal) {
    for (const auto& refused : renewal.refused)
        std::cout << refused.policy << ": refused (" << to_string(refused.fault) << ")\n  " << refused.text << '\n';
    return !renewal.refused.empty();
}

int check(const std::vector<std::string>& arguments, const fs::path& folder) {
    bool faults = false;
    for (const auto& script : scripts(arguments, folder)) {
        if (say_refused(judged(script, folder)))
            faults = true;
        else
            std::cout << script.name << ": holds"
                      << (fs::exists(script.spec()) ? "" : " (probes only: it has no cases of its own)") << '\n';
    }
    return faults ? 1 : 0;
}

int bench(const std::vector<std::string>& arguments, const fs::path& folder) {
    bool faults = false;
    std::printf("%-36s %10s %10s %21s %21s\n", "", "us a call", "", "instructions", "bytes allocated");
    std::printf("%-36s %10s %10s %10s %10s %10s %10s\n", "policy", "median", "99 %", "median", "most", "median",
                "most");
    for (const auto& script : scripts(arguments, folder)) {
        const auto renewal = judged(script, folder);
        std::fflush(stdout);
        if (say_refused(renewal)) {
            faults = true;
            continue;
        }
        const auto result = policy::bench(renewal.library, *renewal.library->find(script.name), Millis(300));
        std::printf("%-36s %10.2f %10.2f %10lld %10lld %10zu %10zu\n", script.name.c_str(), result.median_us,
                    result.p99_us, static_cast<long long>(result.instructions),
                    static_cast<long long>(result.most_instructions), result.bytes, result.most_bytes);
    }
    return faults ? 1 : 0;
}

} // namespace

int policy_command(const std::vector<std::string>& arguments, const fs::path& folder) {
    try {
        const std::string what = arguments.empty() ? "" : arguments.front();
        const std::vector<std::string> files(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
        if (what == "test") return test(files, folder);
        if (what == "check") return check(files, folder);
        if (what == "bench") return bench(files, folder);
        throw Usage("expected watermaster policy test|check|bench [FILE...] [--policies DIR], found '" + what + "'");
    } catch (const Usage& usage) {
        std::cerr << "watermaster policy: " << usage.what() << '\n';
        return 2;
    }
}

} // namespace wm::app
