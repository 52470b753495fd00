#pragma once
// A request to be explained, as a JSON document:
//   {"method": "POST", "path": "/v1/chat/completions", "headers": {"x-api-key": "…"}, "body": {"model": "…", …}}
// `method` is POST if left out. A header's value is a string or a list of strings. `body` is the JSON that would be
// sent, as it stands, or a string that holds the body's text. `client` names a configured client in place of its key.
#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace wm::explain {

struct Question {
    std::string head; // as it would be sent, with its empty line
    std::string body;
    std::optional<std::string> client;
};

// The error says what is wrong where and what was expected, without values: they may be secret.
Result<Question, std::string> read_question(std::string_view json);

} // namespace wm::explain
