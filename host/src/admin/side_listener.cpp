#include "admin/side_listener.h"

#include "runtime/acceptor.h"
#include "runtime/timer.h"

#include <Poco/Logger.h>

namespace wm::admin {

namespace {

using runtime::Io;

constexpr unsigned max_connections = 64;
constexpr std::size_t max_body = 64u << 20;    // a request to explain holds another request's body
constexpr std::size_t max_held = 2 * max_body; // by all of them

runtime::Task<> send(http::ServerConnection& connection, const Answer& answer) {
    std::vector<PairView> fields{{"Content-Type", answer.type}, {"Cache-Control", "no-store"}};
    if (!answer.error.empty()) fields.push_back({"X-Watermaster-Error", answer.error});
    if (!answer.allow.empty()) fields.push_back({"Allow", answer.allow});
    co_await connection.respond(answer.status, fields, answer.body);
}

} // namespace

SideListener::SideListener(Poco::Net::ServerSocket socket, std::unique_ptr<Pages> pages, const Clock& clock)
    : loop_(clock), socket_(std::move(socket)), pages_(std::move(pages)) {}

SideListener::~SideListener() {
    loop_.stop();
    if (thread_.joinable()) thread_.join();
}

void SideListener::start() {
    loop_.post([this] { accept_all(); });
    thread_ = std::thread([this] { loop_.run(); });
}

runtime::Detached SideListener::accept_all() {
    constexpr Millis pause(100); // at the limit, or out of descriptors
    runtime::Abort abort(loop_);
    runtime::Acceptor acceptor(loop_, abort, socket_);
    while (!abort.fired()) {
        if (connections_ >= max_connections) {
            co_await runtime::sleep(loop_, abort, pause);
            continue;
        }
        auto accepted = co_await acceptor.accept();
        if (accepted.status == Io::ok && accepted.socket)
            serve(std::move(*accepted.socket));
        else if (accepted.status == Io::failed)
            co_await runtime::sleep(loop_, abort, pause);
    }
}

runtime::Detached SideListener::serve(Poco::Net::StreamSocket socket) {
    ++connections_;
    try {
        runtime::Abort abort(loop_);
        runtime::Stream stream(loop_, abort, std::move(socket), runtime::Stream::Start::accepted);
        http::ServerConnection connection(loop_, abort, stream, limits_);
        co_await answer_all(connection, abort);
    } catch (const std::exception& error) {
        Poco::Logger::get("side").error(std::string("a connection was dropped: ") + error.what());
    }
    --connections_;
}

runtime::Task<> SideListener::answer_all(http::ServerConnection& connection, runtime::Abort& abort) {
    http::RequestHead head;
    for (bool again = true; again && !abort.fired();) {
        const auto arrival = co_await connection.next(head);
        if (arrival == http::Arrival::closed || arrival == http::Arrival::cancelled) co_return;
        std::string body;
        http::HeldBytes::Share share(held_, max_held);
        auto answer = arrival == http::Arrival::refused ? refusal(connection.refusal().status, "bad_framing",
                                                                  std::string(connection.refusal().reason))
                                                        : pages_->refused(head);
        if (!answer && !pages_->takes_body(head)) answer = pages_->answer(head, body);
        if (!answer) {
            const auto read = co_await connection.read_body(body, max_body, &share);
            if (read == http::BodyRead::closed || read == http::BodyRead::cancelled) co_return;
            if (read == http::BodyRead::too_large)
                answer = refusal(413, "body_too_large", "the request body is too large");
            else if (read == http::BodyRead::crowded)
                answer = refusal(503, "bodies_crowded", "too many large bodies are being read");
            else if (read != http::BodyRead::ok)
                answer = refusal(connection.refusal().status, "bad_framing", std::string(connection.refusal().reason));
            else
                answer = pages_->answer(head, body);
        }
        co_await send(connection, *answer);
        again = co_await connection.keep();
    }
}

} // namespace wm::admin
