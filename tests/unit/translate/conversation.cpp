#include "conversation.h"

#include "framing/sse.h"
#include "plugin/registry.h"
#include "translated_answer.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace wm::test {

namespace {

const plugin::Registry& registry() {
    static const plugin::Registry* const loaded = [] {
        auto* made = new plugin::Registry; // kept: plugins are never unloaded
        for (const auto& problem : made->load(WM_PLUGINS)) std::fprintf(stderr, "%s\n", problem.c_str());
        return made;
    }();
    return *loaded;
}

plugin::TalkParams params(bool stream) { return talk_params("x17", stream); }

std::string words(std::uint32_t flags) {
    static constexpr std::pair<std::uint32_t, const char*> names[] = {{plugin::preamble, "preamble"},
                                                                      {plugin::semantic, "semantic"},
                                                                      {plugin::terminal, "terminal"},
                                                                      {plugin::error, "error"},
                                                                      {plugin::idle, "idle"}};
    std::string out;
    for (const auto& [flag, name] : names)
        if (flags & flag) out += std::string(out.empty() ? "" : "+") + name;
    return out;
}

} // namespace

const plugin::Transcoder& transcoder(std::string_view protocol) {
    const auto* found = registry().transcoder(protocol);
    if (!found) std::abort();
    return *found;
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string frames(const std::vector<std::string_view>& pieces) {
    std::string out;
    framing::SseFramer framer;
    framing::Frame event;
    const auto add = [&] {
        if (!event.comment_only) out.append(event.name).append(": ").append(event.data).append("\n");
    };
    for (const auto piece : pieces) {
        framer.feed(piece);
        while (framer.next(event)) add();
    }
    if (framer.finish(event)) add();
    return out;
}

Conversation::Conversation(std::string_view client, std::string_view upstream) : upstream_(transcoder(upstream)) {
    auto opened = translate::Translation::open(transcoder(client), params(false));
    if (!opened) std::abort();
    translation_ = std::move(*opened);
}

std::string Conversation::request(std::string_view body, bool stream) {
    auto out = translation_->request(body, upstream_, params(stream), std::nullopt);
    if (out) return std::move(*out);
    return "[" + out.error().where + "] " + out.error().message;
}

bool Conversation::take(plugin::Called<translate::Progress> progress) {
    if (!progress) {
        failure_ = "failed: " + progress.error().message;
        return false;
    }
    flags_ |= progress->verdict;
    usage_.merge(progress->usage);
    if (!progress->error) return true;
    const auto& error = *progress->error;
    failure_ = "error " + error.type + " " + std::to_string(error.http_status) + " \"" + error.message + "\"" +
               (error.code.empty() ? "" : " code " + error.code);
    return false;
}

// As the host does it: a failure closes the client's stream in its protocol.
void Conversation::close(const translate::Translation::Give& give) {
    (void)translation_->close({.type = "api",
                               .http_status = 502,
                               .message = "the provider's answer was cut off",
                               .code = "upstream_failed",
                               .param = {},
                               .refused_by = "gateway"},
                              give);
}

std::string Conversation::document(std::string_view answer) {
    std::string out;
    failure_.clear();
    usage_ = {};
    flags_ = 0;
    const translate::Translation::Give give = [&](std::string_view, std::string_view data) { out += data; };
    pass_document(*translation_, answer, give, [&](auto progress) { return take(std::move(progress)); });
    return out;
}

std::string Conversation::stream(const std::vector<std::string_view>& pieces) {
    std::string out;
    failure_.clear();
    usage_ = {};
    flags_ = 0;
    const translate::Translation::Give give = [&](std::string_view name, std::string_view data) {
        framing::append_sse(out, name, data);
    };
    PassedStream passed(*translation_, give, [&](auto progress) { return take(std::move(progress)); });
    for (const auto piece : pieces) passed.feed(piece);
    if (!passed.finish()) close(give);
    return out;
}

std::string Conversation::remarks() const {
    std::string out;
    for (const auto& loss : translation_->losses().all())
        out += std::string(loss.note ? ": note " : ": loss ") + loss.key + " " + loss.path + "\n";
    const auto count = [&](const char* name, const std::optional<std::uint64_t>& n) {
        if (n)
            out += std::string(out.ends_with("\n") || out.empty() ? ": usage" : "") + " " + name + "=" +
                   std::to_string(*n);
    };
    count("input", usage_.input);
    count("cached", usage_.input_cached);
    count("cache_write", usage_.input_cache_write);
    count("output", usage_.output);
    count("reasoning", usage_.output_reasoning);
    if (usage_.input || usage_.output) out += "\n";
    if (flags_) out += ": " + words(flags_) + "\n";
    if (!failure_.empty()) out += ": " + failure_ + "\n";
    return out;
}

} // namespace wm::test
