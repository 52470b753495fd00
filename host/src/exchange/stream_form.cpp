#include "exchange/stream_form.h"

#include "exchange/fields.h"
#include "framing/sse.h"

namespace wm::exchange {

namespace {

using framing::Framing;

// Streams of other framings that a client may understand, although its protocol has events: passed on unread.
bool is_other_stream(std::string_view type) {
    return iequals(type, "application/x-ndjson") || iequals(type, "application/vnd.amazon.eventstream") ||
           iequals(type, "text/plain");
}

// Does it come as its adapter said? Only some framings have a media type of their own.
bool comes_as(const http::ResponseHead& head, Framing framing) {
    const auto type = framing::media_type_of(framing);
    return !is_encoded(head) && (type.empty() ? !is_event_stream(head) : iequals(media_type(head), type));
}

Passing passing_of(const Upstream& up, bool native) {
    if (!comes_as(up.head, up.framing)) return Passing::bytes;
    if (unframes(up)) return Passing::unframed;
    return native && up.framing == Framing::raw ? Passing::raw : Passing::frames;
}

} // namespace

StreamForm form_of(const Context& x, const Upstream& up) {
    const bool native = !translated(x, up);
    StreamForm form{.passing = passing_of(up, native)};
    const bool as_it_is = native && up.framing == Framing::sse && !unframes(up); // no byte of it changes
    form.most = as_it_is                          ? framing::SseFramer::most
                : up.framing == Framing::document ? up.bounds.response
                                                  : up.bounds.frame;
    const bool whole = native && up.framing == Framing::document;
    const bool unread = as_it_is && (is_encoded(up.head) || is_other_stream(media_type(up.head)));
    if (x.connection.begun() && !form.events())
        form.problem = "not an event stream, which the client was promised";
    else if (whole || (!form.read() && !unread))
        form.problem = "a stream was asked for, and the answer is none";
    return form;
}

} // namespace wm::exchange
