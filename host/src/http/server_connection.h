#pragma once
// One client connection: requests come in order, each is answered before the next is read.
#include "base/clock.h"
#include "http/body.h"
#include "http/head.h"
#include "http/held_bytes.h"
#include "runtime/loop.h"
#include "runtime/stream.h"
#include "runtime/task.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wm::http {

using runtime::Io;
using runtime::Task;

struct ServerLimits {
    Limits head;
    Millis idle_timeout{75'000};      // between an answer and the first byte of the next request
    Millis head_timeout{10'000};      // from that byte to the end of the head, in total; and before the first request
    Millis body_read_timeout{30'000}; // between two reads of a body
    Millis body_timeout{300'000};     // a body in total
    Millis write_timeout{60'000};     // one write
    std::size_t drain_bytes = 64 * 1024; // of an unread body, to keep its connection
    Millis drain_timeout{1'000};
    std::size_t linger_bytes = 16 * 1024 * 1024; // read and dropped, so that a refused client sees its answer
    Millis linger_timeout{2'000};
};

enum class Arrival : unsigned char {
    request,
    closed,    // the client left, or was idle too long: nothing is to be sent
    refused,   // broken framing or a head that took too long: answer refusal(), then close (keep() will say so)
    cancelled, // by the Abort
};

enum class BodyRead : unsigned char {
    ok,
    too_large,
    crowded, // the share could not hold more: all bodies together are too large
    bad,
    timed_out,
    closed,
    cancelled,
};

// Belongs to its loop's thread. One coroutine uses it at a time; only begin(), post() and the questions may be called
// while that one is parked, and read_some() may run in a second one. Loop, Abort, Stream and limits outlive it. It
// never reads while an exchange runs, except for the body: a client that sends faster than it is answered is held back
// by its own socket.
class ServerConnection {
  public:
    ServerConnection(runtime::Loop& loop, runtime::Abort& abort, runtime::Stream& stream, const ServerLimits& limits);
    ServerConnection(const ServerConnection&) = delete;

    // The next request; `head` is valid until next() is called with it again.
    Task<Arrival> next(RequestHead& head);
    Refusal refusal() const { return refusal_; } // after Arrival::refused, and BodyRead::bad or timed_out

    // The whole body. `too_large` is known at once where a length was declared; then nothing was read. A client that
    // expects 100 Continue gets it only here, when the body will really be read. With a share, that holds the memory of
    // `out`; both outlive the await.
    Task<BodyRead> read_body(std::string& out, std::uint64_t max_bytes, HeldBytes::Share* share = nullptr);

    // The body in pieces, as it comes: appends what has come, at once, and waits (until `abort` fires) only if nothing
    // has. It may run beside the answer, in another coroutine. more: bytes were appended. end: the body is over; the
    // last bytes may have been appended with it. bad: refusal() says why. A client that expects 100 Continue waits for
    // the caller's interim().
    Task<BodyPiece> read_some(std::string& out, Millis timeout, runtime::Abort& abort);
    BodyPiece read_ready(std::string& out);                 // without waiting: more may also mean that nothing has come
    std::string_view trailers() const { return trailers_; } // of a body read so, once it is over; see trailer_fields()

    // An interim answer (1xx, not 101) before the answer. Nothing is sent to an HTTP/1.0 client.
    Task<Io> interim(int status, std::span<const PairView> fields);

    // The answer 101, with `fields` and `Connection: Upgrade`. From here read_some() gives whatever the client sends
    // until it ends its side, send() sends as it is, end_sending() ends our side, and finish() the exchange.
    Task<Io> switch_protocols(std::span<const PairView> fields);
    void end_sending() { stream_.shutdown_send(); }

    // A whole answer in one write. Content-Length, Connection and Transfer-Encoding are this class's business: left
    // out of `fields` if they are there, as is a field that is no token or has control characters. Date is added if it
    // is missing. For HEAD only the length of the body is sent; for 204 and 304 nothing of it. `body` outlives the
    // await.
    Task<Io> respond(int status, std::span<const PairView> fields, std::string_view body);

    // An answer in pieces: begin, any number of send, finish. With a length, exactly that many bytes must follow.
    // Without one, HTTP/1.1 gets chunks and HTTP/1.0 an end by close. begin() only prepares the head, so a timer may
    // call it: it leaves with the first bytes of the body, or with flush(). False: an answer has begun already.
    bool begin(int status, std::span<const PairView> fields, std::optional<std::uint64_t> content_length);
    Task<Io> flush();
    Task<Io> send(std::string_view bytes);                                                // an empty piece only flushes
    Task<Io> finish(std::string_view last = {}, std::span<const PairView> trailers = {}); // those go with chunks only
    // What the client has not taken of this answer by then is cut, however it reads.
    void write_by(SteadyTime deadline) { write_by_ = deadline; }
    void abandon(); // the client will see a truncated answer: nothing more is written, the connection closes

    // Sends `bytes` as a piece (and the head, if it still waits) without waiting. For heartbeats, from a timer, while
    // the coroutine is parked elsewhere. False: nothing was sent (no streaming answer has begun, one is being written,
    // or the client does not read).
    bool post(std::string_view bytes);

    bool aborted() const { return abort_.fired(); }
    bool begun() const { return state_ != State::idle; }         // some of an answer is committed to this request
    int status() const { return status_; }                       // of this answer; 0: none has begun
    std::uint64_t body_bytes_sent() const { return body_sent_; } // of this answer, without framing
    std::uint64_t body_bytes_received() const { return body_received_; } // of this request

    // After an answer: may next() be called? Reads a small rest of the request's body to make it so. If not, it has
    // ended the sending side and dropped what the client still sent, within bounds, so that a refused client can read
    // its answer; destroy the connection then.
    Task<bool> keep();
    void close_after_response() { close_ = true; } // said with Connection: close, if the head is not written yet

    // While watched, the Abort fires when the client leaves, whatever the coroutine is parked in.
    void watch_client(bool on);

  private:
    enum class State : unsigned char { idle, streaming, finishing, finished, broken };
    enum class Coding : unsigned char { none, length, chunked, until_close };

    SteadyTime now() const { return clock_.now(); }
    Arrival refuse(Refusal refusal);
    bool will_close() const;
    void write_interim(int status, std::span<const PairView> fields); // without its empty line
    void write_head(int status, std::span<const PairView> fields, std::optional<std::uint64_t> length, bool chunked);
    bool append_piece(std::string& out, std::string_view bytes);
    Task<Io> write_out(std::string_view rest = {}); // what waits in out_, then `rest`
    Task<bool> drain();
    Task<void> linger();

    runtime::Abort& abort_;
    runtime::Stream& stream_;
    const ServerLimits& limits_;
    const Clock& clock_;
    HeadScanner scanner_;
    BodyDecoder body_;
    std::string out_; // bytes that wait for the next write
    std::string trailers_;
    Refusal refusal_{400, ""};
    SteadyTime write_by_ = SteadyTime::max();
    std::uint64_t body_sent_ = 0, body_received_ = 0, left_to_send_ = 0;
    int status_ = 0;
    State state_ = State::idle;
    Coding coding_ = Coding::none;
    bool http10_ = false, to_head_ = false, close_ = false;
    bool continue_due_ = false; // the client waits for 100 Continue
    bool writing_ = false;
    bool fresh_ = true; // nothing has come yet
};

} // namespace wm::http
