#include <watermaster/testing/capture.hpp>

namespace wm::sdk::testing {

std::vector<wm_event> error_tree(std::string_view type, std::string_view status, std::string_view message,
                                 std::string_view raw_code, std::string_view raw_param) {
    std::vector<wm_event> tree{event(WM_EV_ERROR, type, status), event(WM_EV_TEXT, {}, message)};
    if (!raw_code.empty()) tree.push_back(event(WM_EV_ATTR, WM_ATTR_CODE, raw_code));
    if (!raw_param.empty()) tree.push_back(event(WM_EV_ATTR, WM_ATTR_PARAM, raw_param));
    tree.push_back(event(WM_EV_END));
    return tree;
}

wm_status Capture::put(void* ctx, const wm_event* event) WM_NOEXCEPT {
    auto& self = *static_cast<Capture*>(ctx);
    if (self.events.size() >= self.refuse_after) {
        ++self.put_after_refusal;
        return WM_REFUSED;
    }
    Event copy{event->tag,
               event->node,
               event->parent,
               event->flags,
               std::string(view(event->name)),
               std::string(view(event->value))};
    if (event->tag == WM_OUT_SPLICE) copy.at = static_cast<std::size_t>(event->name.data - self.input_.data());
    self.events.push_back(std::move(copy));
    return WM_OK;
}

std::string Capture::value(std::uint32_t tag, std::string_view name) const {
    std::string found = "-";
    for (const Event& one : events)
        if (one.tag == tag && one.name == name) found = one.value;
    return found;
}

std::uint32_t Capture::verdict() const {
    std::uint32_t flags = 0;
    int count = 0;
    for (const Event& one : events) {
        if (one.tag != WM_OUT_VERDICT) continue;
        flags = one.flags;
        ++count;
    }
    if (count != 1) throw Broken("expected one VERDICT, found " + std::to_string(count));
    return flags;
}

std::string Capture::spliced(std::string_view body) const {
    std::string out;
    std::size_t done = 0;
    for (const Event& one : events) {
        if (one.tag != WM_OUT_SPLICE) continue;
        if (one.at < done || one.at > body.size() || one.name.size() > body.size() - one.at)
            throw Broken("expected SPLICEs to be views of the body in its order, found one at " +
                         std::to_string(one.at));
        out.append(body.substr(done, one.at - done)).append(one.value);
        done = one.at + one.name.size();
    }
    return out.append(body.substr(done));
}

} // namespace wm::sdk::testing
