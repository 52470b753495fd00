#include "script.h"

#include "json_text.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace wm::mock {
namespace {

constexpr std::array<std::string_view, 6> sentence = {"Hello", " from", " the", " mock", " provider", "."};
constexpr std::string_view token = "token ";

constexpr Fault broken_server{500, "server_error", "server_error", "", "the mock was asked to fail"};

std::string_view reason(int status) { return status < 300 ? "OK" : status < 500 ? "Refused" : "Failed"; }

std::string json_answer(int status, const std::string& body, std::string_view fields = {}) {
    return "HTTP/1.1 " + std::to_string(status) + " " + std::string(reason(status)) +
           "\r\nContent-Type: application/json\r\nX-Request-Id: req_mock\r\n" + std::string(fields) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string stream_head() {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
           "X-Request-Id: req_mock\r\nTransfer-Encoding: chunked\r\n\r\n";
}

Fault fault_of(int status) {
    switch (status) {
    case 400:
        return {400, "invalid_request_error", "invalid_value", "temperature",
                "temperature: expected a number from 0 to 2"};
    case 401: return {401, "invalid_request_error", "invalid_api_key", "", "the key is not known"};
    case 403: return {403, "permission_error", "permission_denied", "", "the key may not use this model"};
    case 404: return {404, "invalid_request_error", "model_not_found", "model", "the model does not exist"};
    case 429: return {429, "rate_limit_error", "rate_limit_exceeded", "", "too many requests"};
    default: {
        Fault fault = broken_server;
        fault.status = status;
        return fault;
    }
    }
}

// "mock-slow-250" with prefix "mock-slow-" gives 250; nothing but digits may follow.
bool figure(std::string_view name, std::string_view prefix, int& value) {
    if (!name.starts_with(prefix)) {
        return false;
    }
    name.remove_prefix(prefix.size());
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
    return error == std::errc{} && end == name.data() + name.size() && value >= 0;
}

bool figures(std::string_view name, std::string_view prefix, int& first, int& second) {
    const std::size_t dash = name.rfind('-');
    return dash != std::string_view::npos && figure(name.substr(0, dash), prefix, first) &&
           figure(name.substr(dash), "-", second);
}

void play_fault(Play& play, int status) {
    play.opening = json_answer(status, play.dialect->error(fault_of(status)),
                               status == 429 ? std::string_view("Retry-After: 1\r\n") : std::string_view{});
}

// What a coding agent's model does first: it has a command run.
void play_shell(Ask& ask) {
    ask.tool = ask.shell;
    ask.arguments = ask.shell == "bash" ? R"({"command":"echo ran > shell-ran","description":"Leave a file"})"
                                        : R"({"cmd":"echo ran > shell-ran"})";
}

void play_answer(Play& play) {
    const bool calls_tool = !play.ask.tool.empty() && !play.ask.tool_answered;
    if (!play.ask.stream) {
        play.opening = json_answer(200, calls_tool ? play.dialect->tool_call(play.ask)
                                                   : play.dialect->whole(play.ask, play.words));
        return;
    }
    play.chunked = true;
    if (calls_tool) {
        play.opening = stream_head() + chunk_of(play.dialect->tool_stream(play.ask));
        return;
    }
    play.opening = stream_head() + chunk_of(play.dialect->opening(play.ask));
    play.limit = play.words.count;
    play.closing = true;
}

// Answers that break their promise; true if `name` is one of them.
bool play_broken(Play& play, std::string_view name) {
    const bool stream = play.ask.stream;
    play.chunked = stream;
    if (name == "mock-error-under-200") {
        play.chunked = false;
        play.opening = json_answer(200, play.dialect->error(broken_server));
    } else if (name == "mock-empty-stream") {
        play.opening = stream ? stream_head() : json_answer(200, "");
    } else if (name == "mock-malformed") {
        play.opening = stream ? stream_head() + chunk_of("data: {\"id\":\"mock\",\"choices\":[{]}\n\n")
                              : json_answer(200, "{\"id\":\"mock\",\"choices\":[{");
    } else if (name == "mock-error-first") {
        play.opening = stream ? stream_head() + chunk_of(play.dialect->opening(play.ask)) +
                                    chunk_of(play.dialect->error_event(broken_server))
                              : json_answer(500, play.dialect->error(broken_server));
    } else if (name == "mock-cut") {
        play_answer(play);
        play.ending = Ending::cut;
        play.closing = false;
        play.limit = stream ? 3 : 0;
        if (!stream) {
            play.opening.resize(play.opening.size() - 20);
        }
    } else if (name == "mock-hang") {
        play.chunked = false;
        play.ending = Ending::hang;
    } else {
        play.chunked = false;
        return false;
    }
    return true;
}

} // namespace

std::string_view Words::at(int index) const {
    return tokens ? token : sentence[static_cast<std::size_t>(index) % sentence.size()];
}

std::string Words::all() const {
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += at(i);
    }
    return text;
}

const Dialect* dialect_of(std::string_view path) {
    if (path == "/v1/chat/completions") {
        return &chat_dialect();
    }
    if (path == "/v1/responses") {
        return &responses_dialect();
    }
    if (path == "/v1/messages") {
        return &messages_dialect();
    }
    return nullptr;
}

std::string openai_error(const Fault& fault) {
    const auto or_null = [](std::string_view text) { return text.empty() ? std::string("null") : quoted(text); };
    return "{\"error\":{\"message\":" + quoted(fault.message) + ",\"type\":" + quoted(fault.type) +
           ",\"param\":" + or_null(fault.param) + ",\"code\":" + or_null(fault.code) + "}}";
}

std::string chunk_of(const std::string& bytes) {
    char size[24];
    std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
    return size + bytes + "\r\n";
}

Play script(const HttpRequest& request, const Settings& settings) {
    Play play;
    play.dialect = dialect_of(request.path);
    if (play.dialect == nullptr) {
        play.opening = json_answer(404, openai_error({404, "invalid_request_error", "not_found", "", "no such path"}));
        return play;
    }
    if (request.method != "POST") {
        play.opening = json_answer(
            405, play.dialect->error({405, "invalid_request_error", "method", "", "only POST is answered here"}));
        return play;
    }
    auto ask = read_ask(request.body);
    if (!ask) {
        play.opening = json_answer(
            400, play.dialect->error({400, "invalid_request_error", "invalid_json", "", "the body is not an object"}));
        return play;
    }
    play.ask = std::move(*ask);
    play.words = {static_cast<int>(sentence.size()), false};
    const std::string name = play.ask.model;
    int status = 0;
    if (figure(name, "mock-fail-", status) && status >= 400 && status <= 599) {
        play_fault(play, status);
    } else if (name == "mock-bad-request") {
        play_fault(play, 400);
    } else if (!play_broken(play, name)) {
        if (name == "mock-text") {
            play.ask.tool.clear();
        } else if (name == "mock-shell") {
            play_shell(play.ask);
        } else if (name == "mock-stream") {
            play.words = {settings.chunks, true};
            play.every_ms = settings.delay_ms;
        } else if (int count = 0; figures(name, "mock-stream-", count, play.every_ms)) {
            play.words = {count, true};
        } else {
            play.ask.reasons = name == "mock-reason";
            figure(name, "mock-slow-", play.before_ms);
        }
        play_answer(play);
    }
    return play;
}

} // namespace wm::mock
