// One transcoder: requests, edits, frames and documents of arbitrary bytes end in a status, and an edited request is
// still one. What it reads as events it can write again: a document that is one, frames that are of a stream.
#include "target.h"

#include <watermaster/json_scan.hpp>
#include <watermaster/plugin.h>
#include <watermaster/testing/sse.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

using wm::fuzz::require;

namespace {

const wm_transcoder& table() {
    static const wm_transcoder* const found = [] {
        void* library = dlopen(WM_PLUGIN_FILE, RTLD_NOW | RTLD_LOCAL);
        require(library, "the plugin can be loaded");
        const auto* entry = static_cast<const wm_plugin_entry*>(dlsym(library, WM_PLUGIN_ENTRY_SYMBOL));
        return static_cast<const wm_transcoder*>(entry->components[0].table);
    }();
    return *found;
}

struct Edits {
    const std::string& body;
    std::string out;
    std::size_t done = 0;
};

wm_status ignore(void*, const wm_event*) WM_NOEXCEPT { return WM_OK; }

wm_status apply(void* ctx, const wm_event* e) WM_NOEXCEPT {
    auto& edits = *static_cast<Edits*>(ctx);
    const auto at = static_cast<std::size_t>(e->name.data - edits.body.data());
    require(at >= edits.done && at + e->name.size <= edits.body.size(), "splices are views of the body, in its order");
    edits.out.append(edits.body, edits.done, at - edits.done).append(e->value.data, e->value.size);
    edits.done = at + e->name.size;
    return WM_OK;
}

void as_request(const std::string& body) {
    const wm_sink nothing{sizeof(wm_sink), 0, nullptr, ignore};
    wm_request request{};
    request.size = sizeof request;
    request.body = {body.data(), body.size()};
    const wm_status facts = table().facts(nullptr, &request, WM_WANT_PROMPT, &nothing, nullptr);

    Edits edits{body, {}};
    const wm_sink sink{sizeof(wm_sink), 0, &edits, apply};
    const wm_rename rename{sizeof(wm_rename), WM_RENAME_ASK_USAGE, {"up", 2}};
    require(table().rewrite(nullptr, &request, &rename, &sink, nullptr) == facts, "facts and rewrite judge alike");
    if (facts != WM_OK) return;
    edits.out.append(body, edits.done);
    request.body = {edits.out.data(), edits.out.size()};
    require(table().facts(nullptr, &request, 0, &nothing, nullptr) == WM_OK, "an edited request is still one");
}

void as_answer(const std::string& text) {
    const wm_sink nothing{sizeof(wm_sink), 0, nullptr, ignore};
    wm_params params{};
    params.size = sizeof params;
    wm_tap* tap = table().tap_open(nullptr, &params, nullptr);
    require(tap, "a tap can be opened");
    bool failed = false;
    for (std::size_t at = 0; at < text.size() && !failed;) { // a frame per line
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string line(text, at, end - at);
        if (line.starts_with("data: ")) line.erase(0, 6);
        const wm_frame frame{sizeof(wm_frame), WM_FRAME_MESSAGE, {}, {line.data(), line.size()}};
        failed = table().tap(tap, &frame, &nothing, nullptr) != WM_OK;
        at = end + 1;
    }
    if (!failed) table().tap_end(tap, nullptr, &nothing, nullptr);
    table().tap_close(tap);

    tap = table().tap_open(nullptr, &params, nullptr);
    const wm_frame document{sizeof(wm_frame), WM_FRAME_DOCUMENT, {}, {text.data(), text.size()}};
    table().tap(tap, &document, &nothing, nullptr);
    table().tap_close(tap);
}

// Events go from one talk into the other as they come; what is written is checked to be JSON.
struct Join {
    wm_talk* to;
    std::string body;
    std::string frames;
};

wm_status written(void* ctx, const wm_event* e) WM_NOEXCEPT {
    auto& join = *static_cast<Join*>(ctx);
    if (e->tag == WM_OUT_BODY) join.body.append(e->value.data, e->value.size);
    if (e->tag != WM_OUT_FRAME) return WM_OK;
    const std::string_view data(e->value.data, e->value.size);
    join.frames.append(e->name.data, e->name.size).append("\n").append(data).append("\n");
    wm::sdk::json::Scan scan(data);
    scan.value();
    require(data == "[DONE]" || scan.finish(), "frames hold JSON");
    return WM_OK;
}

wm_status pass(void* ctx, const wm_event* e) WM_NOEXCEPT {
    const wm_sink out{sizeof(wm_sink), 0, ctx, written};
    return table().write(static_cast<Join*>(ctx)->to, e, &out, nullptr);
}

void end(Join& join, wm_status so_far) {
    const wm_sink out{sizeof(wm_sink), 0, &join, written};
    if (so_far != WM_OK || table().write_end(join.to, &out, nullptr) != WM_OK || join.body.empty()) return;
    wm::sdk::json::Scan scan(join.body);
    scan.value();
    require(scan.finish(), "a document is JSON");
}

struct Close {
    void operator()(wm_talk* talk) const { table().close(talk); }
};
using Talk = std::unique_ptr<wm_talk, Close>;

Talk open_talk(std::uint32_t role) {
    const wm_sink nothing{sizeof(wm_sink), 0, nullptr, ignore};
    const wm_pairs none{};
    static void* const bound = table().bind(nullptr, &none, &nothing, nullptr);
    wm_params params{};
    params.size = sizeof params;
    params.max_held = 1 << 16;
    params.role = role;
    Talk talk(table().open(bound, &params, nullptr));
    require(talk != nullptr, "a talk can be opened");
    return talk;
}

// Both sides of one translation.
struct Talks {
    Talk client = open_talk(WM_ROLE_CLIENT), upstream = open_talk(WM_ROLE_UPSTREAM);
};

void as_translation(const std::string& text) {
    Talks talks;
    const wm_frame document{sizeof(wm_frame), WM_FRAME_DOCUMENT, {}, {text.data(), text.size()}};

    Join join{talks.upstream.get(), {}, {}};
    wm_sink sink{sizeof(wm_sink), 0, &join, pass};
    require(table().write_begin(talks.upstream.get(), WM_MODE_DOCUMENT, nullptr) == WM_OK, "a request can be begun");
    end(join, table().read(talks.client.get(), &document, &sink, nullptr));

    join = {talks.client.get(), {}, {}};
    require(table().write_begin(talks.client.get(), WM_MODE_STREAM, nullptr) == WM_OK, "a stream can be begun");
    wm_status status = WM_OK;
    for (std::size_t at = 0; at < text.size() && status == WM_OK;) { // a frame per line
        const std::size_t line_end = std::min(text.find('\n', at), text.size());
        std::string line(text, at, line_end - at);
        if (line.starts_with("data: ")) line.erase(0, 6);
        const wm_frame frame{sizeof(wm_frame), WM_FRAME_MESSAGE, {}, {line.data(), line.size()}};
        status = table().read(talks.upstream.get(), &frame, &sink, nullptr);
        at = line_end + 1;
    }
    if (status == WM_OK) end(join, table().read_end(talks.upstream.get(), &sink, nullptr));

    talks.upstream = open_talk(WM_ROLE_UPSTREAM);
    join = {talks.client.get(), {}, {}};
    require(table().write_begin(talks.client.get(), WM_MODE_DOCUMENT, nullptr) == WM_OK, "a document can be begun");
    status = table().read(talks.upstream.get(), &document, &sink, nullptr);
    if (status == WM_OK) status = table().read_end(talks.upstream.get(), &sink, nullptr);
    end(join, status);
}

// What the client is sent for a stream that comes in two pieces, and how it ended.
std::string as_stream(std::string_view first, std::string_view second) {
    const Talks talks;
    require(table().write_begin(talks.client.get(), WM_MODE_STREAM, nullptr) == WM_OK, "a stream can be begun");
    Join join{talks.client.get(), {}, {}};
    const wm_sink sink{sizeof(wm_sink), 0, &join, pass};
    wm_status status = WM_OK;
    wm::sdk::testing::SseFrames framer;
    for (const std::string_view piece : {first, second})
        for (const auto& [name, data] : framer.feed(piece)) {
            const wm_frame frame{
                sizeof(wm_frame), WM_FRAME_MESSAGE, {name.data(), name.size()}, {data.data(), data.size()}};
            if (status == WM_OK) status = table().read(talks.upstream.get(), &frame, &sink, nullptr);
        }
    if (status == WM_OK) status = table().read_end(talks.upstream.get(), &sink, nullptr);
    end(join, status);
    return join.frames + std::to_string(status);
}

// However its bytes are cut, a stream becomes the same.
void as_split(const std::string& text) {
    if (text.empty()) return;
    const std::string_view bytes(text);
    const std::size_t at = std::hash<std::string_view>()(bytes) % bytes.size();
    require(as_stream(bytes, {}) == as_stream(bytes.substr(0, at), bytes.substr(at)), "a cut changes nothing");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(wm::fuzz::text(data, size));
    as_request(input);
    as_answer(input);
    if (!WM_HAS(&table(), wm_transcoder, open)) return 0;
    as_translation(input);
    as_split(input);
    return 0;
}
