#include "plugin/report.h"

#include <algorithm>
#include <cstring>

namespace wm::plugin {

std::string printable(std::string_view text, std::size_t max) {
    std::string out(text.substr(0, max));
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
    return out;
}

std::string printable(const char* text, std::size_t max) {
    return text ? printable(std::string_view(text, strnlen(text, max)), max) : "null";
}

PluginError failed(wm_status status, const wm_error& error, std::string_view who) {
    // The host's sinks stop a call only after noting a fault, which is reported instead; a plugin that refuses by
    // itself, or invents a status, is broken.
    const bool known = status == WM_BAD_INPUT || status == WM_UNSUPPORTED || status == WM_LIMIT;
    PluginError out;
    out.status = known ? status : WM_INTERNAL;
    out.where = printable(error.where, sizeof error.where);
    out.message = std::string(who) + ": ";
    const std::string said = printable(error.message, sizeof error.message);
    out.message += said.empty() ? "failed with status " + std::to_string(status) + " and said nothing" : said;
    return out;
}

PluginError misbehaved(std::string_view what, std::string_view who) {
    PluginError out;
    out.status = WM_INTERNAL;
    out.message = std::string(who) + (what == out_of_memory ? ": " : ": plugin misbehaving: ") + std::string(what);
    return out;
}

} // namespace wm::plugin
