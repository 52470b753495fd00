#include "golden.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace wm::test {

namespace {

std::string words(std::uint32_t flags) {
    static constexpr std::pair<std::uint32_t, const char*> names[] = {
        {WM_FLAG_PREAMBLE, "preamble"}, {WM_FLAG_SEMANTIC, "semantic"}, {WM_FLAG_TERMINAL, "terminal"},
        {WM_FLAG_ERROR, "error"},       {WM_FLAG_WITHHOLD, "withhold"}, {WM_FLAG_IDLE, "idle"}};
    std::string out;
    for (const auto& [flag, name] : names)
        if (flags & flag) out += std::string(out.empty() ? "" : "+") + name;
    return out;
}

std::string line(const Outcome& outcome, const Capture& out) {
    if (outcome.status != WM_OK) return "status " + std::to_string(outcome.status) + " " + outcome.message;
    std::string text = words(out.verdict());
    for (const Event& e : out.events) {
        if (e.tag == WM_EV_USAGE) text += " " + e.name + "=" + e.value;
        if (e.tag == WM_EV_ERROR) text += " ERROR " + e.name + (e.value.empty() ? "" : " " + e.value);
        if (e.tag == WM_EV_TEXT) text += " \"" + e.value + "\"";
        if (e.tag == WM_EV_ATTR) text += " " + e.name + ":" + e.value;
        if (e.tag == WM_OUT_PIN) text += " PIN " + e.name + "=" + e.value;
    }
    return text;
}

} // namespace

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> golden_files(const std::string& protocol) {
    std::vector<std::string> files;
    for (const auto& file : std::filesystem::directory_iterator(std::string(WM_GOLDEN "/") + protocol)) {
        const std::string path = file.path().string();
        if (path.ends_with(".sse") || (path.ends_with(".json") && !path.ends_with(".request.json")))
            files.push_back(path);
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string account(const Transcoder& transcoder, const std::string& path) {
    const std::string text = read_file(path);
    Tap tap(transcoder, true);
    std::string lines;
    const auto add = [&lines](const Outcome& outcome, const Capture& out) { lines += line(outcome, out) + "\n"; };
    if (path.ends_with(".json")) {
        Capture out;
        const Outcome outcome = tap.document(text, out);
        add(outcome, out);
        return lines;
    }
    for (const auto& [name, data] : sdk::testing::sse_frames(text)) {
        Capture out;
        const Outcome outcome = tap.frame(name, data, out);
        add(outcome, out);
    }
    Capture out;
    const Outcome outcome = tap.end(nullptr, out);
    lines += "end: ";
    add(outcome, out);
    return lines;
}

} // namespace wm::test
