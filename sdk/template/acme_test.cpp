// acme_test FILE: the adapter, driven as the host drives it. Any test framework will do; this needs none.
#include <watermaster/testing/adapter.hpp>

#include <cstdio>

using namespace wm::sdk::testing;

static int failures = 0;

static void expect(const std::string& what, const std::string& expected, const std::string& found) {
    if (found == expected) return;
    std::fprintf(stderr, "%s: expected `%s`, found `%s`\n", what.c_str(), expected.c_str(), found.c_str());
    ++failures;
}

int main(int, char** argv) {
    const PluginFile file(argv[1]);
    const Adapter acme(file);

    const Backend backend(acme, {{"base_url", "https://acme.example/"}});
    const Capture call = backend.prepare({.stream = true});
    expect("URL", "https://acme.example/v1/chat/completions", call.value(WM_OUT_URL));
    expect("credential", "Bearer ", call.value(WM_OUT_SECRET, "authorization"));
    expect("framing", "sse", call.value(WM_OUT_FRAMING));

    const Backend misconfigured(acme, {{"base_url", "acme"}});
    expect("problem with", "base_url", misconfigured.problems.events.at(0).name);
    return failures ? 1 : 0;
}
