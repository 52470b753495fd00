#include "samples.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace wm::check {

namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> files_of(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> out;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        out.push_back(at->path());
    if (error) throw std::runtime_error("--samples " + folder.string() + ": " + error.message());
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

Samples read_samples(const std::vector<fs::path>& folders) {
    Samples out;
    out.requests.push_back({built_in, R"({"model":"m","stream":true,"max_tokens":9,"input":"Hi",)"
                                      R"("messages":[{"role":"user","content":"Hi \u00e9 \ud83d\ude42"}]})"});
    out.requests.push_back(
        {built_in, R"({"max_output_tokens":5,"tools":[{"name":"t"}],"model":"another","input":[]})"});
    out.streams.push_back(
        {built_in, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                   "\"message\":\"m\"}}\n\n: comment\n\ndata: {}\n\nevent: chunk\ndata: {\"bytes\":\"e30=\"}\n\n"
                   "data: [DONE]\n\n"});
    out.documents.push_back({built_in, R"({"error":{"message":"m","type":"t","code":null,"param":["x",1e-3,true]}})"});
    for (const auto& folder : folders)
        for (const auto& file : files_of(folder)) {
            const std::string name = file.filename().string();
            if (name.ends_with(".request.json"))
                out.requests.push_back({name, content(file)});
            else if (name.ends_with(".sse"))
                out.streams.push_back({name, content(file)});
            else if (name.ends_with(".json"))
                out.documents.push_back({name, content(file)});
        }
    return out;
}

} // namespace wm::check
