#include "harness.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <map>

namespace wm::test {

namespace {

std::string_view view(const wm_bytes& b) { return b.size ? std::string_view(b.data, b.size) : std::string_view(); }

std::vector<wm_pair> raw_pairs(const Pairs& pairs) {
    std::vector<wm_pair> out;
    for (const auto& [name, value] : pairs)
        out.push_back({bytes(name), bytes(value)});
    return out;
}

wm_pairs pointing_at(const std::vector<wm_pair>& pairs) {
    return {pairs.data(), static_cast<std::uint32_t>(pairs.size()), 0};
}

struct Error {
    Error() { raw.size = sizeof raw; }
    Outcome outcome(wm_status status) const { return {status, raw.where, raw.message}; }
    wm_error raw{};
};

} // namespace

std::chrono::nanoseconds cpu_time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

wm_bytes bytes(std::string_view s) { return {s.data(), s.size()}; }

wm_event event(std::uint32_t tag, std::string_view name, std::string_view value, std::uint32_t node) {
    return {tag, node, 0, 0, bytes(name), bytes(value)};
}

std::vector<wm_event> error_tree(std::string_view type, std::string_view status, std::string_view message,
                                 std::string_view raw_code, std::string_view raw_param) {
    std::vector<wm_event> tree{event(WM_EV_ERROR, type, status), event(WM_EV_TEXT, {}, message)};
    if (!raw_code.empty())
        tree.push_back(event(WM_EV_ATTR, WM_ATTR_CODE, raw_code));
    if (!raw_param.empty())
        tree.push_back(event(WM_EV_ATTR, WM_ATTR_PARAM, raw_param));
    tree.push_back(event(WM_EV_END));
    return tree;
}

wm_sink Capture::sink() { return {sizeof(wm_sink), 0, this, put}; }

wm_status Capture::put(void* ctx, const wm_event* e) WM_NOEXCEPT {
    auto& self = *static_cast<Capture*>(ctx);
    if (self.events.size() >= self.refuse_after)
        return WM_REFUSED;
    Event event{e->tag, e->node, e->flags, std::string(view(e->name)), std::string(view(e->value))};
    if (e->tag == WM_OUT_SPLICE)
        event.at = static_cast<std::size_t>(e->name.data - self.input_.data());
    self.events.push_back(std::move(event));
    return WM_OK;
}

std::string Capture::value(std::uint32_t tag, std::string_view name) const {
    std::string found = "-";
    for (const Event& e : events)
        if (e.tag == tag && e.name == name)
            found = e.value;
    return found;
}

std::uint32_t Capture::verdict() const {
    std::uint32_t flags = 0;
    int count = 0;
    for (const Event& e : events) {
        if (e.tag != WM_OUT_VERDICT)
            continue;
        flags = e.flags;
        ++count;
    }
    EXPECT_EQ(count, 1) << "verdicts";
    return flags;
}

const wm_plugin_entry& entry(const std::string& plugin) {
    static std::map<std::string, const wm_plugin_entry*> loaded;
    const wm_plugin_entry*& found = loaded[plugin];
    if (!found) {
        void* library =
            dlopen((std::string(WM_PLUGINS "/") + plugin + "/" + plugin + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            std::fprintf(stderr, "%s\n", dlerror());
            std::abort();
        }
        found = static_cast<const wm_plugin_entry*>(dlsym(library, WM_PLUGIN_ENTRY_SYMBOL));
    }
    return *found;
}

const wm_component& component(const std::string& plugin, std::string_view id) {
    const wm_plugin_entry& e = entry(plugin);
    for (std::uint32_t i = 0; i < e.count; ++i)
        if (e.components[i].id == id)
            return e.components[i];
    std::abort();
}

Transcoder::Transcoder(const std::string& plugin)
    : component_(&component(plugin, plugin)), table_(static_cast<const wm_transcoder*>(component_->table)),
      self_(component_->create(nullptr, nullptr)) {}
Transcoder::~Transcoder() { component_->destroy(self_); }

Outcome Transcoder::facts(std::string_view body, Capture& out, std::uint32_t want, const Pairs& headers) const {
    const auto raw = raw_pairs(headers);
    wm_request request{};
    request.size = sizeof request;
    request.headers = pointing_at(raw);
    request.body = bytes(body);
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_->facts(self_, &request, want, &sink, &error.raw));
}

Outcome Transcoder::rewrite(std::string_view body, std::string_view model, bool ask_usage, Capture& out) const {
    wm_request request{};
    request.size = sizeof request;
    request.body = bytes(body);
    const wm_rename rename{sizeof(wm_rename), ask_usage ? WM_RENAME_ASK_USAGE : 0u, bytes(model)};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_->rewrite(self_, &request, &rename, &sink, &error.raw));
}

std::string Transcoder::rewritten(std::string_view body, std::string_view model, bool ask_usage) const {
    Capture out(body);
    const Outcome outcome = rewrite(body, model, ask_usage, out);
    if (outcome.status != WM_OK)
        return "[" + outcome.where + ": " + outcome.message + "]";
    std::string result(body);
    std::size_t last = body.size();
    for (auto e = out.events.rbegin(); e != out.events.rend(); ++e) { // from the end, so that offsets hold
        EXPECT_LE(e->at + e->name.size(), last) << "splices in the order of the body";
        last = e->at;
        result.replace(e->at, e->name.size(), e->value);
    }
    return result;
}

Outcome Transcoder::write_error(const std::vector<wm_event>& tree, Capture& out) const {
    const wm_events events{tree.data(), static_cast<std::uint32_t>(tree.size()), 0};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_->write_error(self_, &events, &sink, &error.raw));
}

Tap::Tap(const Transcoder& of, bool usage_by_gateway) : table_(of.table()) {
    wm_params params{};
    params.size = sizeof params;
    params.role = WM_ROLE_UPSTREAM;
    params.now_ms = 1'748'000'999'123;
    params.exchange = bytes("x17");
    params.operation = bytes("create");
    params.model = bytes("upstream-model");
    params.flags = WM_PARAMS_STREAM | (usage_by_gateway ? WM_PARAMS_USAGE_BY_GATEWAY : 0u);
    tap_ = table_.tap_open(of.self(), &params, nullptr);
}
Tap::~Tap() { table_.tap_close(tap_); }

Outcome Tap::frame(std::string_view name, std::string_view data, Capture& out, std::uint32_t kind) {
    const wm_frame frame{sizeof(wm_frame), kind, bytes(name), bytes(data)};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_.tap(tap_, &frame, &sink, &error.raw));
}

Outcome Tap::end(const std::vector<wm_event>* tree, Capture& out) {
    wm_events events{};
    if (tree)
        events = {tree->data(), static_cast<std::uint32_t>(tree->size()), 0};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_.tap_end(tap_, tree ? &events : nullptr, &sink, &error.raw));
}

std::uint32_t Tap::judge(std::string_view data, std::string_view name) {
    Capture out;
    EXPECT_EQ(frame(name, data, out).status, WM_OK) << data;
    return out.verdict();
}

Adapter::Adapter(const std::string& plugin, const std::string& id)
    : component_(&component(plugin, id)), table_(static_cast<const wm_adapter*>(component_->table)),
      self_(component_->create(nullptr, nullptr)) {}
Adapter::~Adapter() { component_->destroy(self_); }

void* Adapter::bind(const Pairs& settings, Capture& problems) const {
    const auto raw = raw_pairs(settings);
    const wm_pairs pairs = pointing_at(raw);
    const wm_sink sink = problems.sink();
    return table_->bind(self_, &pairs, &sink, nullptr);
}

Outcome Adapter::prepare(void* bound, bool stream, const Pairs& headers, Capture& out,
                         std::string_view operation) const {
    const auto raw = raw_pairs(headers);
    wm_call call{};
    call.size = sizeof call;
    call.flags = stream ? WM_CALL_STREAM : 0;
    call.attempt = 1;
    call.operation = bytes(operation);
    call.headers = pointing_at(raw);
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_->prepare(bound, &call, &sink, &error.raw));
}

} // namespace wm::test
