#include "mount/upload.h"

#include "http/chunks.h"
#include "http/hop_by_hop.h"
#include "mount/request.h"

#include <algorithm>

namespace wm::mount {

void Outgoing::add(std::string_view payload, bool last) {
    whole_ = last;
    if (!repeatable()) return;
    const auto size = kept_.size() + payload.size();
    if (size > most_ || !held_.hold(size)) return forget();
    kept_ += payload;
}

void Outgoing::forget() {
    std::string().swap(head_);
    std::string().swap(kept_);
    held_.release();
}

Upload::Upload(const Call& call, http::UpstreamConnection& upstream, Outgoing& outgoing, runtime::Abort& attempt)
    : call_(call), upstream_(upstream), outgoing_(outgoing), attempt_(attempt),
      chunked_(!call.conversion && call.head.framing() == http::Framing::chunked) {}

void Upload::fail(Fault fault) {
    fault_ = fault;
    attempt_.fire(); // nobody waits for the answer to half a request
}

void Upload::frame(std::string_view payload, bool last) {
    if (!chunked_) {
        bytes_ += payload;
        return;
    }
    http::append_chunk(bytes_, payload);
    if (!last) return;
    auto trailers = http::trailer_fields(call_.client.trailers());
    const http::HopByHop hop(call_.head);
    std::erase_if(trailers, [&](const PairView& field) {
        return hop(field.name) || !goes_upstream(call_.mount, field, call_.withheld);
    });
    http::append_last_chunk(bytes_, trailers);
}

bool Upload::take_ready() {
    bytes_ = outgoing_.head();
    frame(outgoing_.kept(), outgoing_.whole()); // of a sending before
    outgoing_.sent();
    if (!outgoing_.whole()) {
        std::string payload;
        const auto piece = call_.client.read_ready(payload);
        if (piece == http::BodyPiece::bad) fail(Fault::bad_body);
        take(payload, piece == http::BodyPiece::end);
    }
    return outgoing_.whole();
}

void Upload::take(std::string_view payload, bool last) {
    outgoing_.add(payload, last);
    frame(payload, last);
}

runtime::Task<> Upload::send(bool last) {
    const auto sent = co_await upstream_.send(bytes_, call_.mount.settings.silence);
    std::string().swap(bytes_);
    refused_ = sent != runtime::Io::ok;
    complete_ = last && !refused_;
}

runtime::Task<> Upload::send_first() { co_await send(outgoing_.whole()); }

// The next of the client's body. Only the waiting counts against its patience: an upstream may take long as well.
runtime::Task<http::BodyPiece> Upload::read(std::string& payload) {
    auto patience = call_.body_silence;
    if (!answered_) patience = std::min(patience, std::chrono::ceil<Millis>(outgoing_.patience()));
    if (patience <= Millis(0)) co_return http::BodyPiece::timed_out;
    const auto& clock = call_.loop.clock();
    const auto began = clock.now();
    const auto piece = co_await call_.client.read_some(payload, patience, attempt_);
    outgoing_.waited(clock.now() - began);
    co_return piece;
}

runtime::Task<> Upload::run() {
    co_await send_first();
    while (!complete_ && !refused_ && fault_ == Fault::none) {
        std::string payload;
        const auto piece = co_await read(payload);
        switch (piece) {
        case http::BodyPiece::more:
        case http::BodyPiece::end: break;
        case http::BodyPiece::cancelled: co_return; // the answer was there before the request's end, or the client left
        case http::BodyPiece::timed_out:
            if (answered_) continue; // a conversation: the answer's own silence bounds it
            co_return fail(Fault::slow_body);
        case http::BodyPiece::bad: co_return fail(Fault::bad_body);
        case http::BodyPiece::truncated:
        case http::BodyPiece::failed: co_return fail(Fault::client_gone);
        }
        take(payload, piece == http::BodyPiece::end);
        co_await send(outgoing_.whole());
    }
}

} // namespace wm::mount
