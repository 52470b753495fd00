#include "framing/json_array.h"

namespace wm::framing {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_scalar_end(char c) { return is_space(c) || c == ',' || c == ']'; }

} // namespace

bool JsonArrayFramer::next(Frame& frame) {
    while (problem_.empty()) {
        if (!inside_ && !between()) return false;
        const auto bytes = pending_.view();
        for (; read_ < bytes.size(); ++read_) {
            // A number or word ends before what follows it, everything else with its last byte.
            const bool before = depth_ == 0 && !string_ && read_ > 0 && is_scalar_end(bytes[read_]);
            if (!before && !element_ends(bytes[read_])) continue;
            const auto size = read_ + (before ? 0 : 1);
            if (size > max_frame_) break;
            inside_ = false;
            read_ = 0;
            expects_ = Expects::comma;
            frame = {};
            frame.data = pending_.use(size);
            return true;
        }
        if (pending_.size() > max_frame_) problem_ = "an element above the bound of a frame";
        return false;
    }
    return false;
}

// Up to the first byte of the next element.
bool JsonArrayFramer::between() {
    for (;;) {
        const auto bytes = pending_.view();
        if (bytes.empty()) return false;
        const char c = bytes.front();
        const bool ends = c == ']' && (expects_ == Expects::first || expects_ == Expects::comma);
        if (is_space(c)) {
            pending_.use(1);
        } else if (ends) {
            expects_ = Expects::nothing;
            pending_.use(1);
        } else if (expects_ == Expects::array && c == '[') {
            expects_ = Expects::first;
            pending_.use(1);
        } else if (expects_ == Expects::comma && c == ',') {
            expects_ = Expects::element;
            pending_.use(1);
        } else if ((expects_ == Expects::first || expects_ == Expects::element) && c != ',' && c != ']') {
            inside_ = true;
            return true;
        } else {
            problem_ = expects_ == Expects::array     ? "not a JSON array"
                       : expects_ == Expects::nothing ? "bytes behind the end of the array"
                       : expects_ == Expects::comma   ? "elements of the array without a comma between them"
                                                      : "an element of the array is missing";
            return false;
        }
    }
}

// Is `c` the last byte of a string, an object or an array?
bool JsonArrayFramer::element_ends(char c) {
    if (string_) {
        if (escaped_)
            escaped_ = false;
        else if (c == '\\')
            escaped_ = true;
        else if (c == '"')
            string_ = false;
        return !string_ && depth_ == 0;
    }
    if (c == '"') string_ = true;
    if (c == '{' || c == '[') ++depth_;
    if ((c == '}' || c == ']') && depth_ > 0) return --depth_ == 0;
    return false;
}

bool JsonArrayFramer::finish(Frame&) {
    if (problem_.empty() && inside_) problem_ = "the stream ended inside an element of the array";
    return false;
}

} // namespace wm::framing
