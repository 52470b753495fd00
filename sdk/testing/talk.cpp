#include <watermaster/testing/talk.hpp>

namespace wm::sdk::testing {

Translator::Translator(const Transcoder& transcoder, const TextPairs& options) : transcoder_(transcoder) {
    if (!transcoder.translates()) throw Broken("the transcoder has no translation");
    const PairArray pairs(options);
    const wm_pairs raw = pairs.raw();
    const wm_sink sink = problems.sink();
    Error error;
    bound_ = table().bind(transcoder.self(), &raw, &sink, error.raw());
}

Translator::~Translator() {
    if (bound_) table().unbind(bound_);
}

Talk::Talk(const Translator& of, std::uint32_t role, bool stream) : table_(of.table()) {
    if (!of.bound()) throw Broken("bind refused the options");
    wm_params params{};
    params.size = sizeof params;
    params.role = role;
    params.now_ms = 1'748'000'999'123;
    params.exchange = bytes("x17");
    params.operation = bytes("create");
    params.model = bytes(role == WM_ROLE_CLIENT ? "served-model" : "upstream-model");
    params.flags = stream ? WM_PARAMS_STREAM : 0;
    params.attempt = 1;
    Error error;
    talk_ = table_.open(of.get(), &params, error.raw());
    if (!talk_) throw Broken("open failed: " + error.outcome(WM_INTERNAL).message);
}

Outcome Talk::read(std::string_view name, std::string_view data, std::uint32_t kind, Capture& out) {
    const wm_frame frame{sizeof(wm_frame), kind, bytes(name), bytes(data)};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_.read(talk_, &frame, &sink, error.raw()));
}

Outcome Talk::read_end(Capture& out) {
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_.read_end(talk_, &sink, error.raw()));
}

Outcome Talk::write_begin(std::uint32_t mode) {
    Error error;
    return error.outcome(table_.write_begin(talk_, mode, error.raw()));
}

Outcome Talk::write(const Event& event, Capture& out) {
    const wm_event raw{event.tag, event.node, event.parent, event.flags, bytes(event.name), bytes(event.value)};
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_.write(talk_, &raw, &sink, error.raw()));
}

Outcome Talk::write_end(Capture& out) {
    const wm_sink sink = out.sink();
    Error error;
    return error.outcome(table_.write_end(talk_, &sink, error.raw()));
}

} // namespace wm::sdk::testing
