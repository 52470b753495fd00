#include "exchange/attempt.h"
#include "exchange/fields.h"
#include "exchange/final_answer.h"
#include "exchange/refusal.h"
#include "exchange/relay.h"
#include "exchange/reply.h"
#include "exchange/stream_form.h"
#include "exchange/stream_side.h"
#include "exchange/unframe.h"

namespace wm::exchange {

namespace {

constexpr std::size_t max_held = 64u << 10; // of preamble, before it is sent anyway
constexpr Millis after_terminal{5'000};

enum class Reached : unsigned char {
    preamble, // nothing that counts
    semantic, // something to commit to
    terminal, // the last frame that counted completed the answer
};

class StreamRelay {
  public:
    StreamRelay(Context& x, const Upstream& up, Heartbeat* heartbeat)
        : x_(x), up_(up), heartbeat_(heartbeat), form_(form_of(x, up)),
          framer_(framing::make_framer(up.framing, form_.most)) {
        hold(!form_.events()); // a comment would break what is no event stream
    }
    ~StreamRelay() { hold(false); }
    StreamRelay(const StreamRelay&) = delete;

    runtime::Task<Outcome> run() {
        open();
        if (failure_) {
            if (iequals(media_type(up_.head), "application/json") && !is_encoded(up_.head)) co_await read_envelope();
            co_return Outcome{AttemptEnd::failed, std::move(failure_)};
        }
        for (auto piece = http::BodyPiece::more; piece == http::BodyPiece::more && !failure_;) {
            std::string bytes;
            // Once the answer is complete, its stream has little reason to stay open.
            const auto silence = reached_ == Reached::terminal ? std::min(after_terminal, up_.timeouts.stream_read)
                                                               : up_.timeouts.stream_read;
            piece = http::BodyPiece::timed_out;
            if (!up_.expired(x_.now()))
                piece = co_await up_.connection.read_some(bytes, up_.patience(x_.now(), silence));
            if (piece == http::BodyPiece::cancelled && !x_.cut()) co_return Outcome::gone();
            co_await take(bytes);
            if (piece != http::BodyPiece::more) co_await break_off(piece);
            if (piece == http::BodyPiece::end && !failure_ && x_.committed) upstream_done(x_, up_);
            const auto sent = co_await flush();
            if (sent != runtime::Io::ok) co_return Outcome::gone();
        }
        if (!x_.committed && x_.cut()) co_return Outcome::gone();
        if (!x_.committed) co_return Outcome{AttemptEnd::failed, std::move(failure_)};
        const auto finished = co_await x_.connection.finish();
        if (failure_ && x_.cut()) co_return Outcome::gone();
        if (failure_) co_return Outcome{AttemptEnd::broken_off, std::move(failure_)};
        if (finished != runtime::Io::ok) co_return Outcome::gone();
        co_return Outcome{};
    }

  private:
    bool semantic() const { return reached_ != Reached::preamble; }

    void hold(bool held) {
        if (heartbeat_) heartbeat_->hold(held);
    }

    // A provider that answers a stream with a document most often says why it cannot serve it.
    runtime::Task<> read_envelope() {
        const auto document = co_await read_error_document(x_, up_);
        if (auto report = error_in(x_, up_, document))
            *failure_ = error_under_success(Stage::body, up_.head.status(), std::move(report));
    }

    void open() {
        const int status = up_.head.status();
        if (form_.problem) return fail(failed_at(Stage::head, Transport::protocol, status, form_.problem));
        if (!form_.read()) return;
        auto side = open_stream_side(x_, up_);
        if (!side) return fail(failed_at(Stage::prepare, Transport::none, status, side.error().message));
        side_ = std::move(*side);
    }

    auto read(const framing::Frame& frame) {
        return x_.work_on(frame.data.size(), [this, &frame] { read_here(frame); });
    }

    void read_here(const framing::Frame& frame) { form_.passing == Passing::unframed ? unwrap(frame) : judge(frame); }

    // Cuts the new bytes into frames, judges each, and lays out what may go to the client.
    runtime::Task<> take(std::string_view bytes) {
        if (!form_.read()) {
            out_ += bytes;
            if (!bytes.empty()) reached_ = Reached::semantic;
            co_return;
        }
        framer_->feed(bytes);
        framing::Frame frame;
        while (!failure_ && framer_->next(frame)) {
            hold(!form_.events() || !frame.complete);
            co_await read(frame);
        }
        check_framing();
    }

    void unwrap(const framing::Frame& frame) {
        auto held = unframe(up_, frame);
        if (!held) return fail(unusable(Stage::stream, up_.head.status(), held.error(), "a malformed frame"));
        for (const auto& one : *held)
            if (!failure_) judge({.raw = {}, .name = one.name, .data = one.data});
    }

    void check_framing() {
        const auto problem = framer_->problem();
        if (problem.empty() || reached_ == Reached::terminal) return; // behind a complete answer it changes nothing
        fail(failed_at(Stage::stream, Transport::protocol, up_.head.status(),
                       "no " + std::string(framing::to_string(up_.framing)) + ": " + std::string(problem)));
    }

    void judge(const framing::Frame& frame) {
        auto report = side_->frame(frame, out_);
        if (!report) return fail(unusable(Stage::stream, up_.head.status(), report.error(), "a malformed frame"));
        book(x_, up_, *report);
        const auto verdict = report->verdict;
        if (verdict & plugin::Verdict::error) {
            auto failure = failed_at(Stage::stream, Transport::none, up_.head.status(), "an error in the stream");
            if (report->error) failure.report = std::move(*report->error);
            if ((x_.committed || semantic()) && !tells_key(frame, failure.report))
                closed_ = side_->pass_on(frame, out_); // the client gets the provider's own words
            return fail(std::move(failure));
        }
        if (verdict & plugin::Verdict::terminal)
            reached_ = Reached::terminal;
        else if (verdict & plugin::Verdict::semantic)
            reached_ = Reached::semantic; // it goes on after all, if it was complete
    }

    // As it stands there, or behind escapes that a tap has read.
    bool tells_key(const framing::Frame& frame, const plugin::ErrorReport& report) const {
        const std::string_view texts[] = {frame.raw,      frame.data,  report.type,
                                          report.message, report.code, report.param};
        return std::any_of(std::begin(texts), std::end(texts),
                           [&](auto text) { return exchange::tells_key(text, x_.settings()); });
    }

    void fail(AttemptFailure failure) {
        if (!failure_) failure_ = std::make_unique<AttemptFailure>(std::move(failure));
    }

    // The upstream's body is over, one way or another.
    runtime::Task<> break_off(http::BodyPiece piece) {
        if (form_.read() && !failure_) co_await read_rest(piece);
        if (failure_) {
            close();
            co_return;
        }
        // An answer that is complete by its protocol is complete, however the connection went down after it.
        const bool whole = form_.read() ? complete() : piece == http::BodyPiece::end;
        if (whole && (semantic() || x_.committed)) co_return;
        fail(failed_at(Stage::stream, transport_of(piece), up_.head.status(), "the stream ended before its end"));
        close();
    }

    // Behind a complete answer only bytes that pass as they are still matter; and what a broken connection left
    // unfinished is no malformed frame.
    runtime::Task<> read_rest(http::BodyPiece piece) {
        framing::Frame rest;
        if (framer_->finish(rest) && (reached_ != Reached::terminal || !rest.raw.empty())) co_await read(rest);
        check_framing();
        if (!failure_ || piece == http::BodyPiece::end) co_return;
        if (failure_->stage == Stage::stream && failure_->transport == Transport::protocol)
            *failure_ = failed_at(Stage::stream, transport_of(piece), up_.head.status(), "the stream ended in a frame");
    }

    bool complete() {
        const auto end = side_->end(out_);
        book(x_, up_, end);
        if (!semantic() && (end.verdict & plugin::Verdict::semantic)) reached_ = Reached::semantic;
        return end.verdict & plugin::Verdict::terminal;
    }

    // A failed stream that the client has seen part of ends with an error in its protocol.
    void close() {
        if (closed_ || !form_.read() || !(x_.committed || semantic())) return;
        closed_ = true;
        const auto& code = about(x_.cut() ? Code::draining : Code::upstream_failed);
        plugin::ErrorReport report{.type = std::string(code.type),
                                   .http_status = code.status,
                                   .message =
                                       x_.cut() ? "the gateway is shutting down" : "the provider's answer was cut off",
                                   .code = std::string(code.name),
                                   .param = {},
                                   .refused_by = "gateway"};
        const auto& said = failure_->report; // by the provider, whose own frame was not passed on
        side_->close(said.message.empty() ? report : scrubbed(said, x_.settings(), up_.bounds.error_message), out_);
    }

    // Sends what was laid out, once there is something to commit to.
    runtime::Task<runtime::Io> flush() {
        if (failure_ && !closed_) close();
        if (!x_.committed) {
            const bool enough = semantic() || out_.size() > max_held;
            if (!enough || (failure_ && !semantic())) co_return runtime::Io::ok;
            commit(x_, up_);
            std::vector<PairView> fields;
            append_fields_for_client(fields, up_.head);
            if (form_.events() && !is_event_stream(up_.head))
                std::erase_if(fields, [](const PairView& field) { return iequals(field.name, "content-type"); });
            if (!x_.connection.begun()) begin_stream(x_, up_.head.status(), fields);
            x_.connection.write_by(up_.last_write());
        }
        if (out_.empty()) co_return runtime::Io::ok;
        const auto sent = co_await x_.connection.send(out_);
        if (heartbeat_) heartbeat_->sent();
        std::string().swap(out_);
        co_return sent;
    }

    Context& x_;
    const Upstream& up_;
    Heartbeat* heartbeat_;
    const StreamForm form_;
    const std::unique_ptr<framing::Framer> framer_;
    std::unique_ptr<StreamSide> side_;
    std::string out_; // for the client, not sent yet: before commitment the preamble
    Reached reached_ = Reached::preamble;
    bool closed_ = false; // the client's stream has its end
    std::unique_ptr<AttemptFailure> failure_;
};

} // namespace

runtime::Task<Outcome> relay_stream(Context& x, const Upstream& up, Heartbeat* heartbeat) {
    StreamRelay relay(x, up, heartbeat);
    co_return co_await relay.run();
}

} // namespace wm::exchange
