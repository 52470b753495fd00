#include "framing/sse.h"

#include <algorithm>
#include <utility>

namespace wm::framing {

void SseFramer::feed(std::string_view bytes) {
    drop_used();
    buffer_.append(bytes);
}

// A stream waits for its next event most of its life, and holds no memory of the last one meanwhile.
void SseFramer::drop_used() {
    if (held() == 0)
        std::string().swap(buffer_);
    else
        buffer_.erase(0, start_);
    at_ -= start_;
    no_cr_ -= std::min(no_cr_, start_);
    no_lf_ -= std::min(no_lf_, start_);
    start_ = 0;
}

SseFramer::Line SseFramer::next_line(std::string_view& line) {
    if (after_cr_) {
        if (at_ == buffer_.size()) return Line::none;
        after_cr_ = false;
        if (buffer_[at_] == '\n') ++at_;
    }
    // Both searches remember how far they came, so that no stream makes us read a byte often.
    no_lf_ = std::min(buffer_.find('\n', std::max(no_lf_, at_)), buffer_.size());
    const auto from = std::max(no_cr_, at_);
    const auto before_lf = std::string_view(buffer_).substr(0, no_lf_);
    no_cr_ = std::min(before_lf.find('\r', from), no_lf_);
    const auto end = no_cr_;
    if (end == buffer_.size()) return Line::none;

    line = std::string_view(buffer_).substr(at_, end - at_);
    at_ = end + 1;
    if (buffer_[end] == '\r') {
        after_cr_ = at_ == buffer_.size();
        if (!after_cr_ && buffer_[at_] == '\n') ++at_;
    }
    if (first_ && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    first_ = false;
    if (mid_line_) {
        mid_line_ = false;
        return Line::text;
    }
    return line.empty() ? Line::blank : Line::text;
}

bool SseFramer::next(Frame& event) {
    event = {};
    if (given_) {
        given_ = has_data_ = content_ = false;
        name_.clear();
        std::string().swap(data_);
    }
    std::string_view line;
    while (!oversized_) {
        const auto found = next_line(line);
        if (found == Line::text) read_line(line);
        const bool ends = found == Line::blank && content_;
        oversized_ = (ends ? at_ : buffer_.size()) - start_ > max_event_ && (ends || found == Line::none);
        if (ends) {
            event.raw = take_raw(at_);
            given_ = true;
            event.oversized = std::exchange(oversized_, false);
            event.comment_only = !has_data_;
            if (!event.oversized) event.name = name_, event.data = data_;
            return true;
        }
        if (found == Line::none && !oversized_) {
            if (held() == 0) drop_used();
            return false;
        }
    }
    return pass_on(event);
}

// Lines are still told apart, to see where the event ends, but nothing of them is kept.
bool SseFramer::pass_on(Frame& event) {
    event.oversized = true;
    std::string_view line;
    for (;;) {
        switch (next_line(line)) {
        case Line::text: content_ = true; break;
        case Line::blank:
            if (!content_) break;
            event.raw = take_raw(at_);
            oversized_ = false;
            given_ = true;
            return true;
        case Line::none:
            if (held() == 0) return false;
            if (at_ < buffer_.size()) mid_line_ = content_ = true;
            at_ = buffer_.size();
            event.raw = take_raw(at_);
            event.complete = false;
            return true;
        }
    }
}

void SseFramer::read_line(std::string_view line) {
    content_ = true;
    const auto colon = line.find(':');
    const auto field = line.substr(0, colon);
    auto value = colon == line.npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "data") {
        if (has_data_) data_ += '\n';
        has_data_ = true;
        data_ += value;
    } else if (field == "event")
        name_ = value;
}

std::string_view SseFramer::take_raw(std::size_t end) {
    const auto raw = std::string_view(buffer_).substr(start_, end - start_);
    start_ = end;
    return raw;
}

bool SseFramer::finish(Frame& event) {
    event = {};
    if (held() == 0) return false;
    auto rest = std::string_view(buffer_).substr(at_);
    if (first_ && rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    first_ = false;
    if (!rest.empty()) read_line(rest);
    at_ = buffer_.size();
    event = {take_raw(at_), name_, data_, !has_data_, false, false};
    given_ = true;
    return true;
}

void append_sse(std::string& out, std::string_view name, std::string_view data) {
    if (!name.empty()) out.append("event: ").append(name.substr(0, name.find_first_of("\r\n"))).append("\n");
    for (bool more = true; more;) {
        const auto end = data.find_first_of("\r\n");
        out.append("data: ").append(data.substr(0, end)).append("\n");
        more = end != data.npos;
        if (more) data.remove_prefix(end + (data.substr(end).starts_with("\r\n") ? 2 : 1));
    }
    out += '\n';
}

} // namespace wm::framing
