#include "plugin/prepared_sink.h"

#include "base/characters.h"
#include "plugin/json_value.h"

#include <algorithm>

namespace wm::plugin {

namespace {

constexpr std::size_t head_budget = 256 << 10;

bool bodiless(std::string_view method) { return method == "HEAD" || method == "TRACE" || method == "CONNECT"; }

bool is_url(std::string_view s) {
    return !s.empty() && std::all_of(s.begin(), s.end(), [](unsigned char c) { return c > 0x20 && c < 0x7f; });
}

} // namespace

PreparedSink::PreparedSink(const AdapterFacts& about, std::size_t body_size)
    : Sink(head_budget + body_size), about_(about) {}

const char* PreparedSink::take(const wm_event& event) {
    const auto name = to_view(event.name), value = to_view(event.value);
    switch (event.tag) {
    case WM_OUT_METHOD:
        if (!is_token(value)) return "a METHOD that is no token";
        if (bodiless(value)) return "a METHOD whose answer has no body of its own";
        prepared.method = value;
        return nullptr;
    case WM_OUT_URL:
        if (!is_url(value)) return "a URL with bytes that do not belong into one";
        prepared.url = value;
        return nullptr;
    case WM_OUT_HEADER:
        if (!is_token(name) || !is_field_value(value)) return "a HEADER that would break the request's head";
        prepared.headers.push_back({std::string(name), std::string(value)});
        return nullptr;
    case WM_OUT_SECRET: {
        const bool in_query = name.starts_with('?');
        const auto where = name.substr(in_query ? 1 : 0);
        if (!is_token(where) || !is_field_value(value)) return "a SECRET that would break the request's head";
        prepared.secrets.push_back({in_query, std::string(where), std::string(value)});
        return nullptr;
    }
    case WM_OUT_AUTH: return take_auth(name, value);
    case WM_OUT_MEMBER:
        if (!value.empty() && !is_json_value(value)) return "a MEMBER whose value is not JSON";
        prepared.members.push_back({std::string(name), std::string(value)});
        return nullptr;
    case WM_OUT_FRAMING:
        if (const auto framing = framing::framing_of(value)) {
            prepared.framing = *framing;
            return nullptr;
        }
        return "a FRAMING this host does not have";
    default: return nullptr; // newer than this host
    }
}

const char* PreparedSink::take_auth(std::string_view name, std::string_view scheme) {
    if (name != "scheme") return nullptr;
    const bool declared = std::find(about_.auth.begin(), about_.auth.end(), scheme) != about_.auth.end();
    return declared ? nullptr : "an AUTH scheme that its facts do not declare";
}

const char* PreparedSink::missing() const {
    if (prepared.method.empty()) return "returned OK without a METHOD";
    return prepared.url.empty() ? "returned OK without a URL" : nullptr;
}

} // namespace wm::plugin
