#include "mount/queue_comments.h"

#include "base/text.h"
#include "mount/conversion.h"

#include <algorithm>

namespace wm::mount {

namespace {

constexpr std::string_view event_stream = "text/event-stream";

// The part before the parameters.
std::string_view media_type(std::string_view value) { return trim(value.substr(0, value.find(';'))); }

// "q=0" is a refusal; a wildcard selects nothing in particular.
bool selects_events(const http::RequestHead& head) {
    bool selected = false;
    head.for_each("accept", [&](std::string_view list) {
        for_each_element(list, [&](std::string_view one) {
            const auto parameters = one.substr(std::min(one.find(';'), one.size()));
            const auto q = parameters.find("q=");
            const bool refused =
                q != parameters.npos && parameters.substr(q + 2).find_first_of("123456789") == parameters.npos;
            selected = selected || (iequals(media_type(one), event_stream) && !refused);
        });
    });
    return selected;
}

// Who waits for 100 Continue would take the early answer for a refusal and not send the body; the others have no
// stream.
bool can_be_told(const http::RequestHead& head) {
    return head.minor_version() >= 1 && !head.expects_continue() && !head.is_head() && head.upgrade().empty();
}

} // namespace

QueueComments::QueueComments(const Call& call) : call_(call), since_(call.loop.clock().now()) {
    const auto interval = call.mount.limits.settings().queue_comments;
    if (interval == Millis(0) || !can_be_told(call.head) || !selects_events(call.head)) return;
    if (call.conversion && !call.conversion->streams()) return;
    // Not here: whether the request will wait, or be refused because too many do, shows in this turn.
    timer_.emplace(call.loop, Millis(1), [this, interval] { begin(interval); });
}

void QueueComments::begin(Millis interval) {
    static constexpr PairView fields[] = {
        {"Content-Type", event_stream}, {"Cache-Control", "no-cache, no-transform"}, {"X-Accel-Buffering", "no"}};
    call_.client.begin(200, fields, std::nullopt);
    say();
    timer_.emplace(call_.loop, interval, [this] { say(); });
}

void QueueComments::say() {
    const auto waited = std::chrono::duration_cast<std::chrono::seconds>(call_.loop.clock().now() - since_);
    call_.client.post(": queue-wait elapsed=" + std::to_string(waited.count()) + "\n\n");
}

bool goes_on_with_comments(const http::ResponseHead& answer) {
    const auto coding = answer.find("content-encoding");
    return answer.status() == 200 && iequals(media_type(answer.find("content-type").value_or("")), event_stream) &&
           (!coding || iequals(*coding, "identity"));
}

std::string_view failure_comment(Problem problem) {
    return problem == Problem::queue_timeout ? ": queue-wait failed: timeout\n\n" : ": queue-wait failed: upstream\n\n";
}

} // namespace wm::mount
