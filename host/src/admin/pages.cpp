#include "admin/pages.h"

#include "base/json_writer.h"

namespace wm::admin {

Answer refusal(int status, std::string code, std::string message) {
    Answer answer{.status = status, .body = {}, .error = std::move(code)};
    JsonWriter(answer.body)
        .open('{')
        .key("error")
        .open('{')
        .key("code")
        .text(answer.error)
        .key("message")
        .text(message)
        .close('}')
        .close('}');
    return answer;
}

std::optional<Answer> refused(const http::RequestHead& head, std::string_view method, std::string_view try_instead) {
    if (method.empty())
        return refusal(404, "not_found", "there is nothing at this path; try " + std::string(try_instead));
    if (head.method() == method || (method == "GET" && head.is_head())) return std::nullopt;
    auto answer = refusal(405, "method_not_allowed", "this path takes " + std::string(method));
    answer.allow = method == "GET" ? "GET, HEAD" : method;
    return answer;
}

} // namespace wm::admin
