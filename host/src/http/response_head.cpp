#include "base/characters.h"
#include "http/head.h"

namespace wm::http {

std::optional<Refusal> ResponseHead::parse(std::string_view block, bool to_head, const Limits& limits) {
    const auto text = own(block);
    status_ = 0;
    const auto lf = text.find('\n');
    if (lf == text.npos || lf == 0 || text[lf - 1] != '\r') return Refusal{400, "a line does not end in CR LF"};
    const auto line = text.substr(0, lf - 1);
    if (const auto refusal = parse_version(line.substr(0, 8))) return refusal;
    const auto code = line.size() >= 12 && line[8] == ' ' ? line.substr(9, 3) : std::string_view();
    if (code.empty() || !all(code, digit_char) || code[0] < '1' || code[0] > '5' ||
        (line.size() > 12 && line[12] != ' '))
        return Refusal{400, "the status is not a number of three digits"};
    status_ = (code[0] - '0') * 100 + (code[1] - '0') * 10 + (code[2] - '0');
    const auto reason = line.size() > 13 ? line.substr(13) : std::string_view();
    if (has_control(reason)) return Refusal{400, "the reason has a control character"};

    Known known;
    if (const auto refusal = parse_fields(text.substr(lf + 1), limits, known)) return refusal;
    if (const auto refusal = parse_framing(known)) return refusal;

    const bool bodiless = status_ < 200 || status_ == 204;
    // A body where none may be could be taken for the next answer: such a peer is not used again.
    if (bodiless && (framing_ == Framing::chunked || content_length_ > 0)) keep_alive_ = false;
    if (bodiless || status_ == 304 || to_head)
        framing_ = Framing::none;
    else if (framing_ == Framing::none)
        framing_ = Framing::until_close, keep_alive_ = false;
    return std::nullopt;
}

std::string_view reason_phrase(int status) {
    switch (status) {
    case 100: return "Continue";
    case 101: return "Switching Protocols";
    case 102: return "Processing";
    case 103: return "Early Hints";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 402: return "Payment Required";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 424: return "Failed Dependency";
    case 425: return "Too Early";
    case 426: return "Upgrade Required";
    case 428: return "Precondition Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    case 507: return "Insufficient Storage";
    case 529: return "Site Is Overloaded";
    default: return "";
    }
}

} // namespace wm::http
