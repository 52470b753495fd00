#include <watermaster/testing/adapter.hpp>

namespace wm::sdk::testing {

Backend::Backend(const Adapter& adapter, const TextPairs& settings) : adapter_(adapter) {
    const PairArray pairs(settings);
    const wm_pairs raw = pairs.raw();
    const wm_sink sink = problems.sink();
    Error error;
    bound_ = adapter.table().bind(adapter.self(), &raw, &sink, error.raw());
}

Backend::~Backend() {
    if (bound_) adapter_.table().unbind(bound_);
}

Capture Backend::prepare(const Attempt& attempt) const {
    Capture out;
    const Outcome outcome = prepare(attempt, out);
    if (!outcome.ok()) throw Broken("prepare: status " + std::to_string(outcome.status) + ", " + outcome.message);
    return out;
}

Outcome Backend::prepare(const Attempt& attempt, Capture& out) const {
    if (!bound_)
        throw Broken(
            "prepare: bind refused the settings: " +
            (problems.events.empty() ? "no PROBLEM" : problems.events[0].name + ": " + problems.events[0].value));
    const PairArray headers(attempt.headers), query(attempt.query);
    wm_call call{};
    call.size = sizeof call;
    call.flags = attempt.stream ? WM_CALL_STREAM : 0;
    call.now_ms = 1'748'000'999'123;
    call.attempt = attempt.number;
    call.protocol = bytes(attempt.protocol);
    call.operation = bytes(attempt.operation);
    call.model = bytes(attempt.model);
    call.handle = bytes(attempt.handle);
    call.exchange = bytes("x17");
    call.headers = headers.raw();
    call.query = query.raw();
    call.body = bytes(attempt.body);
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(adapter_.table().prepare(bound_, &call, &sink, error.raw()));
}

Outcome Backend::unframe(std::string_view name, std::string_view data, Capture& out, std::uint32_t kind) const {
    const wm_frame frame{sizeof(wm_frame), kind, bytes(name), bytes(data)};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(adapter_.table().unframe(bound_, &frame, &sink, error.raw()));
}

} // namespace wm::sdk::testing
