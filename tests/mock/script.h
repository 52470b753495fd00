// From a request to what is played back for it. The upstream model's name is the script; README.md lists the names.
#pragma once
#include "dialect.h"
#include "http_request.h"

#include <string>

namespace wm::mock {

struct Settings {
    int chunks = 50; // of the model mock-stream, which names no figures
    int delay_ms = 20;
};

enum class Ending { keep_alive, cut, hang };

// head after before_ms; then the words, one every every_ms; then the closing; then the ending.
struct Play {
    int before_ms = 0;
    int every_ms = 0;
    std::string opening; // head and all that goes with it
    bool chunked = false;
    bool closing = false;
    Ending ending = Ending::keep_alive;
    Ask ask;
    Words words;   // streamed one by one after the opening
    int limit = 0; // how many of them are sent
    const Dialect* dialect = nullptr;
};

Play script(const HttpRequest& request, const Settings& settings);

// One chunk of a chunked body.
std::string chunk_of(const std::string& bytes);

} // namespace wm::mock
