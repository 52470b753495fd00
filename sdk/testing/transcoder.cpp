#include <watermaster/testing/transcoder.hpp>

namespace wm::sdk::testing {

Outcome Transcoder::facts(std::string_view body, Capture& out, std::uint32_t want, const TextPairs& headers) const {
    const PairArray pairs(headers);
    wm_request request{};
    request.size = sizeof request;
    request.headers = pairs.raw();
    request.body = bytes(body);
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table().facts(self(), &request, want, &sink, error.raw()));
}

Outcome Transcoder::rewrite(std::string_view body, std::string_view model, bool ask_usage, Capture& out) const {
    wm_request request{};
    request.size = sizeof request;
    request.body = bytes(body);
    const wm_rename rename{sizeof(wm_rename), ask_usage ? WM_RENAME_ASK_USAGE : 0u, bytes(model)};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table().rewrite(self(), &request, &rename, &sink, error.raw()));
}

std::string Transcoder::rewritten(std::string_view body, std::string_view model, bool ask_usage) const {
    Capture out(body);
    const Outcome outcome = rewrite(body, model, ask_usage, out);
    return outcome.ok() ? out.spliced(body) : "[" + outcome.where + ": " + outcome.message + "]";
}

Outcome Transcoder::write_error(const std::vector<wm_event>& tree, Capture& out) const {
    const wm_events events{tree.data(), static_cast<std::uint32_t>(tree.size()), 0};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table().write_error(self(), &events, &sink, error.raw()));
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
    Error error;
    tap_ = table_.tap_open(of.self(), &params, error.raw());
    if (!tap_) throw Broken("tap_open failed: " + error.outcome(WM_INTERNAL).message);
}

Outcome Tap::frame(std::string_view name, std::string_view data, Capture& out, std::uint32_t kind) {
    const wm_frame frame{sizeof(wm_frame), kind, bytes(name), bytes(data)};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_.tap(tap_, &frame, &sink, error.raw()));
}

Outcome Tap::end(const std::vector<wm_event>* tree, Capture& out) {
    wm_events events{};
    if (tree) events = {tree->data(), static_cast<std::uint32_t>(tree->size()), 0};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_.tap_end(tap_, tree ? &events : nullptr, &sink, error.raw()));
}

std::uint32_t Tap::judge(std::string_view data, std::string_view name) {
    Capture out;
    const Outcome outcome = frame(name, data, out);
    if (!outcome.ok())
        throw Broken("tap: status " + std::to_string(outcome.status) + ", " + outcome.message + ", for " +
                     std::string(data));
    return out.verdict();
}

} // namespace wm::sdk::testing
