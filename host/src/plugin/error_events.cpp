#include "plugin/error_events.h"

#include "base/json_writer.h"
#include "base/text.h"
#include "plugin/json_value.h"
#include "plugin/views.h"

namespace wm::plugin {

namespace {

constexpr std::size_t max_text = 8 << 10; // of a provider's message; beyond it nobody reads

void append_bounded(std::string& out, std::string_view piece) {
    if (out.size() < max_text) out += piece.substr(0, max_text - out.size());
}

} // namespace

ErrorEvents::ErrorEvents(const ErrorReport& error) {
    if (error.http_status) status_ = std::to_string(error.http_status);
    all_.at = events_.data();
    events_[all_.count++] = {WM_EV_ERROR, 1, 0, 0, to_bytes(error.type), to_bytes(status_)};
    leaf(WM_EV_TEXT, {}, error.message);
    attribute(WM_ATTR_CODE, error.code, code_);
    attribute(WM_ATTR_PARAM, error.param, param_);
    attribute(WM_ATTR_REFUSED_BY, error.refused_by, refused_by_);
    leaf(WM_EV_END, {}, {});
}

void ErrorEvents::leaf(std::uint32_t tag, std::string_view name, std::string_view value) {
    events_[all_.count++] = {tag, 1, 0, 0, to_bytes(name), to_bytes(value)};
}

void ErrorEvents::attribute(std::string_view name, const std::string& text, std::string& raw) {
    if (text.empty()) return;
    append_json_string(raw, text);
    leaf(WM_EV_ATTR, name, raw);
}

bool ErrorReader::take(const wm_event& event, std::optional<ErrorReport>& into) {
    const auto name = to_view(event.name), value = to_view(event.value);
    if (event.tag == WM_EV_ERROR) {
        node_ = event.node;
        into.emplace();
        into->type = name;
        into->http_status = parse_number<int>(value).value_or(0);
        return true;
    }
    if (!node_ || event.node != node_ || !into) return false;
    if (event.tag == WM_EV_END) {
        node_ = 0;
    } else if (event.tag == WM_EV_TEXT) {
        append_bounded(into->message, value);
    } else if (event.tag == WM_EV_ATTR) {
        if (name == WM_ATTR_CODE) into->code = json_text(value);
        if (name == WM_ATTR_PARAM) into->param = json_text(value);
        if (name == WM_ATTR_REFUSED_BY) into->refused_by = json_text(value);
    }
    return true;
}

} // namespace wm::plugin
