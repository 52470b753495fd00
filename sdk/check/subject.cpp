#include "subject.h"

namespace wm::check {

using sdk::testing::Attempt;
using sdk::testing::TextPairs;

namespace {

plugin::JudgedPlugin judged(Trial& trial, const std::filesystem::path& file) {
    std::vector<std::string> notes;
    auto plugin = plugin::judge_plugin(file.parent_path(), notes);
    if (!plugin) {
        trial.find_text(plugin.error());
        throw Enough{};
    }
    return std::move(*plugin);
}

bool has(const TextPairs& pairs, std::string_view name) {
    for (const auto& [key, value] : pairs)
        if (key == name) return true;
    return false;
}

bool declares(const plugin::AdapterFacts& facts, std::string_view name) {
    for (const auto& setting : facts.settings)
        if (setting.name == name) return true;
    return false;
}

std::string some_value(const std::string& type) {
    if (type == "bool") return "true";
    if (type == "url") return "https://provider.example";
    return type == "string" ? "check" : "1";
}

} // namespace

Opened::Opened(Trial& trial, const Subject& subject)
    : trial_(trial), judged_(judged(trial, subject.file)), raw_(subject.file.string()) {}

plugin::Components Opened::components() {
    auto made = plugin::create_components(judged_, *host_.raw());
    if (!made) {
        trial_.find_text(made.error());
        throw Enough{};
    }
    return std::move(*made);
}

void Opened::each_transcoder(
    const std::function<void(const sdk::testing::Transcoder&, const std::string& id)>& f) const {
    for (const auto& [component, facts] : judged_.components)
        if (std::holds_alternative<plugin::TranscoderFacts>(facts))
            f(sdk::testing::Transcoder(raw_, component->id), component->id);
}

void Opened::each_adapter(
    const std::function<void(const sdk::testing::Adapter&, const plugin::AdapterFacts& facts)>& f) const {
    for (const auto& [component, facts] : judged_.components)
        if (const auto* about = std::get_if<plugin::AdapterFacts>(&facts))
            f(sdk::testing::Adapter(raw_, component->id), *about);
}

TextPairs settings_for(const plugin::AdapterFacts& facts, const TextPairs& given) {
    TextPairs out;
    if (facts.endpoint != "own") {
        for (const auto& pair : given)
            if (pair.first == "base_url" || pair.first == "endpoint") out.push_back(pair);
        if (out.empty()) out.emplace_back("base_url", "https://provider.example/v1");
    }
    for (const auto& pair : given)
        if (declares(facts, pair.first)) out.push_back(pair);
    for (const auto& setting : facts.settings)
        if (setting.required && !has(out, setting.name)) out.emplace_back(setting.name, some_value(setting.type));
    return out;
}

std::vector<Attempt> attempts_for(const plugin::AdapterFacts& facts, const std::string& body) {
    std::vector<Attempt> out;
    for (const auto& protocol : facts.protocols)
        for (const auto& operation : protocol.operations)
            for (const bool stream : {false, true}) {
                Attempt one{.stream = stream, .operation = operation.id, .protocol = protocol.id, .body = body};
                one.headers = {{"user-agent", "check"}, {"x-trace", "{credential}"}};
                one.query = {{"beta", "true"}, {"flag", ""}};
                out.push_back(std::move(one));
            }
    return out;
}

} // namespace wm::check
