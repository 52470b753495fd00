#include "exchange/ask.h"

#include "exchange/relay.h"
#include "exchange/upstream_request.h"
#include "http/deadline.h"
#include "runtime/beside.h"

namespace wm::exchange {

namespace {

constexpr Millis stale_within{1'000}; // a kept connection that was closed is found so at once

Transport transport_of(http::HeadRead read) {
    switch (read) {
    case http::HeadRead::closed: return Transport::eof;
    case http::HeadRead::timed_out: return Transport::timeout;
    case http::HeadRead::bad: return Transport::protocol;
    default: return Transport::reset;
    }
}

Transport transport_of(http::ConnectStep failed) {
    switch (failed) {
    case http::ConnectStep::none: return Transport::none;
    case http::ConnectStep::dns: return Transport::dns;
    case http::ConnectStep::connect: return Transport::connect;
    case http::ConnectStep::tls: return Transport::tls;
    case http::ConnectStep::local: return Transport::local;
    }
    return Transport::none;
}

struct Sending {
    runtime::Io status = runtime::Io::ok;
    SteadyTime ended{};
};

runtime::Task<> send(const Context& x, http::UpstreamConnection& connection, std::string_view bytes, Millis silence,
                     SteadyTime deadline, runtime::Abort& stop, Sending& sending) {
    sending.status = co_await connection.send(bytes, silence, deadline, stop);
    sending.ended = x.now();
}

// What cannot be written at once goes out beside the reading: its answer may come before its end (413), and then the
// rest of it is of no use. A success before its end waits for that: who answers so early may still want all of it.
runtime::Task<http::HeadRead> send_beside(const Context& x, http::UpstreamConnection& connection,
                                          std::string_view bytes, http::ResponseHead& head, Millis silence,
                                          SteadyTime deadline, Sending& sending) {
    runtime::Abort stop(x.worker.loop);
    const runtime::AbortLink link(x.abort, stop);
    runtime::Beside beside(x.worker.loop);
    auto read = http::HeadRead::timed_out;
    std::exception_ptr error; // what is sent lies in the caller's frame: whatever happens, its end is waited for
    try {
        beside.start(send(x, connection, bytes, silence, deadline, stop, sending));
        do read = co_await connection.read_head(head, http::until(deadline, x.now(), silence));
        while (read == http::HeadRead::timed_out && beside.running() && x.now() < deadline);
    } catch (...) {
        error = std::current_exception();
    }
    if (read != http::HeadRead::ok || head.status() / 100 != 2) stop.fire();
    co_await beside.join();
    if (error) std::rethrow_exception(error);
    co_return read;
}

// Connects, sends and reads the head. A kept connection that turns out closed before any byte of an answer says
// nothing about the upstream: the request goes out once more, on a fresh one.
runtime::Task<Answered> exchange_heads(Context& x, const config::Backend& backend, UpstreamRequest& request,
                                       http::ResponseHead& head, SteadyTime deadline) {
    const auto& timeouts = backend.timeouts;
    const auto silence = x.facts.stream ? timeouts.stream_read : timeouts.read;
    const auto left = [&](Millis most) {
        return std::clamp(std::chrono::duration_cast<Millis>(deadline - x.now()), Millis(0), most);
    };
    for (bool fresh = false;; fresh = true) {
        auto lease = co_await x.worker.upstreams.lease(*request.origin, x.abort, left(timeouts.connect), fresh);
        if (lease.status == runtime::Io::cancelled) co_return Answered::none(Outcome::gone());
        if (lease.status != runtime::Io::ok) {
            const auto transport =
                lease.status == runtime::Io::timed_out ? Transport::timeout : transport_of(lease.failed_at);
            co_return Answered::none(Outcome::failed(failed_at(Stage::connect, transport, 0, lease.failure)));
        }
        auto& connection = *lease.connection;
        Sending sending;
        auto read = http::HeadRead::timed_out;
        if (request.bytes.size() > http::UpstreamConnection::at_once) {
            read = co_await send_beside(x, connection, request.bytes, head, silence, deadline, sending);
            if (!lease.reused) std::string().swap(request.bytes); // it will not go out again
        } else {
            sending.status = co_await connection.send(request.bytes, left(silence), deadline);
            if (sending.status == runtime::Io::cancelled) co_return Answered::none(Outcome::gone());
            sending.ended = x.now();
            if (!lease.reused) std::string().swap(request.bytes);
            // What was not sent whole may be answered all the same: look for a head in any case.
            const bool stuck = sending.status == runtime::Io::timed_out;
            read = co_await connection.read_head(head, stuck ? Millis(1) : left(silence));
        }
        if (read == http::HeadRead::ok)
            co_return Answered{std::nullopt, std::move(lease.connection), request.asked_usage, request.framing};
        if (read == http::HeadRead::cancelled) co_return Answered::none(Outcome::gone());
        const bool stale = lease.reused && !fresh && !connection.answered() && read != http::HeadRead::timed_out &&
                           x.now() - sending.ended < stale_within;
        if (!stale)
            co_return Answered::none(
                Outcome::failed(failed_at(Stage::head, transport_of(read), 0, std::string(connection.failure()))));
    }
}

} // namespace

// The request, with its secret and its copy of the prompt, is gone when this ends: it is not kept while the answer
// comes.
runtime::Task<Answered> ask(Context& x, const config::Target& target, const plugin::Transcoder& egress,
                            std::uint32_t retries, http::ResponseHead& head, SteadyTime deadline) {
    std::optional<Result<UpstreamRequest, AttemptFailure>> built;
    co_await x.work_on(x.body.size(), [&] { built.emplace(build_upstream_request(x, target, egress, retries)); });
    if (!*built) co_return Answered::none(Outcome::failed(std::move(built->error())));
    co_return co_await exchange_heads(x, x.settings().backends[target.backend], **built, head, deadline);
}

} // namespace wm::exchange
