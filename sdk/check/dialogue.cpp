#include "dialogue.h"

namespace wm::check {

using sdk::testing::Capture;
using sdk::testing::Event;
using sdk::testing::Outcome;
using sdk::testing::Talk;

Dialogue::Dialogue(const sdk::testing::Translator& translator, bool stream, Fence* fence,
                   const std::function<void(const Outcome&)>& judge)
    : client_(translator, WM_ROLE_CLIENT, stream), upstream_(translator, WM_ROLE_UPSTREAM, stream), stream_(stream),
      fence_(fence), judge_(judge) {}

bool Dialogue::took(const Outcome& outcome, const Capture& out) {
    judge_(outcome);
    account_ += lines_of(outcome, out);
    return outcome.ok();
}

bool Dialogue::pass_on(Talk& to, const std::vector<Event>& events) {
    for (const Event& event : events) {
        Capture out;
        if (!took(to.write(event, out), out)) return false;
    }
    return true;
}

bool Dialogue::ask(std::string_view request) {
    Capture events, ended, written;
    const auto body = fence_ ? fence_->hold(request) : request;
    if (!took(client_.read({}, body, WM_FRAME_DOCUMENT, events), events) || !took(client_.read_end(ended), ended))
        return false;
    if (!took(upstream_.write_begin(WM_MODE_DOCUMENT), Capture()) || !pass_on(upstream_, events.events) ||
        !pass_on(upstream_, ended.events) || !took(upstream_.write_end(written), written))
        return false;
    return took(client_.write_begin(stream_ ? WM_MODE_STREAM : WM_MODE_DOCUMENT), Capture());
}

bool Dialogue::frame(std::string_view name, std::string_view data, std::uint32_t kind) {
    Capture events;
    return took(upstream_.read(name, fence_ ? fence_->hold(data) : data, kind, events), events) &&
           pass_on(client_, events.events);
}

bool Dialogue::end() {
    Capture events, written;
    return took(upstream_.read_end(events), events) && pass_on(client_, events.events) &&
           took(client_.write_end(written), written);
}

} // namespace wm::check
