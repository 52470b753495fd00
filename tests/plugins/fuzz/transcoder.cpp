// One transcoder: requests, edits, frames and documents of arbitrary bytes end in a status, and an edited request is
// still one.
#include "target.h"

#include <watermaster/plugin.h>

#include <algorithm>
#include <dlfcn.h>
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
    if (facts != WM_OK)
        return;
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
        if (line.starts_with("data: "))
            line.erase(0, 6);
        const wm_frame frame{sizeof(wm_frame), WM_FRAME_MESSAGE, {}, {line.data(), line.size()}};
        failed = table().tap(tap, &frame, &nothing, nullptr) != WM_OK;
        at = end + 1;
    }
    if (!failed)
        table().tap_end(tap, nullptr, &nothing, nullptr);
    table().tap_close(tap);

    tap = table().tap_open(nullptr, &params, nullptr);
    const wm_frame document{sizeof(wm_frame), WM_FRAME_DOCUMENT, {}, {text.data(), text.size()}};
    table().tap(tap, &document, &nothing, nullptr);
    table().tap_close(tap);
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(wm::fuzz::text(data, size));
    as_request(input);
    as_answer(input);
    return 0;
}
