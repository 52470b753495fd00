#include "base/characters.h"
#include "http/head.h"
#include "http/url.h"

namespace wm::http {

std::optional<Refusal> RequestHead::parse(std::string_view block, const Limits& limits) {
    const auto text = own(block);
    expects_continue_ = false;
    method_ = target_ = host_ = upgrade_ = {};
    const auto lf = text.find('\n');
    if (lf == text.npos || lf == 0 || text[lf - 1] != '\r') return Refusal{400, "a line does not end in CR LF"};
    const auto line = text.substr(0, lf - 1);

    const auto after_method = line.find(' ');
    const auto before_version = line.rfind(' ');
    if (after_method == line.npos || before_version == after_method)
        return Refusal{400, "the request line is not: method, target, version"};
    method_ = line.substr(0, after_method);
    target_ = line.substr(after_method + 1, before_version - after_method - 1);
    if (!is_token(method_)) return Refusal{400, "the method is malformed"};
    if (const auto refusal = parse_version(line.substr(before_version + 1))) return refusal;
    if (const auto refusal = parse_target(limits)) return refusal;

    Known known;
    if (const auto refusal = parse_fields(text.substr(lf + 1), limits, known)) return refusal;
    if (const auto refusal = parse_framing(known)) return refusal;

    if (known.hosts > 1) return Refusal{400, "Host is repeated"};
    if (known.hosts == 0 && minor_version_ > 0) return Refusal{400, "Host is missing"};
    if (known.hosts > 0 && !valid_host(known.host)) return Refusal{400, "Host is malformed"};
    if (host_.empty()) host_ = known.host; // an absolute target has precedence (RFC 9112, 3.2.2)

    // HTTP/1.0 knows no Expect and is to be ignored there (RFC 9110, 10.1.1).
    if (known.expects_other && minor_version_ > 0) return Refusal{417, "no expectation but 100-continue is met"};
    expects_continue_ = known.expects_continue && minor_version_ > 0;
    if (known.upgrade && minor_version_ > 0) {
        const auto protocols = find("Upgrade").value_or("");
        upgrade_ = trim(protocols.substr(0, protocols.find(',')));
    }
    return std::nullopt;
}

std::optional<Refusal> RequestHead::parse_target(const Limits& limits) {
    path_ = query_ = {};
    if (target_.size() > limits.max_target) return Refusal{414, "the request target is too long"};
    if (method_ == "CONNECT") return Refusal{501, "CONNECT is not served"};
    if (!all(target_, target_char)) return Refusal{400, "the request target has a forbidden character"};
    auto rest = target_;
    if (rest == "*") {
        if (method_ != "OPTIONS") return Refusal{400, "the target * is for OPTIONS only"};
        path_ = rest;
        return std::nullopt;
    }
    if (rest.empty() || rest.front() != '/') {
        const auto scheme = rest.find("://");
        if (scheme == rest.npos ||
            !(iequals(rest.substr(0, scheme), "http") || iequals(rest.substr(0, scheme), "https")))
            return Refusal{400, "the request target is neither a path nor an http URL"};
        rest.remove_prefix(scheme + 3);
        const auto end = std::min(rest.find_first_of("/?"), rest.size());
        host_ = rest.substr(0, end);
        if (!valid_host(host_)) return Refusal{400, "the request target has a malformed host"};
        rest.remove_prefix(end);
    }
    const auto mark = rest.find('?');
    path_ = rest.substr(0, mark);
    if (path_.empty()) path_ = "/"; // of an absolute target that ends with its host
    if (mark != rest.npos) query_ = rest.substr(mark + 1);
    return std::nullopt;
}

} // namespace wm::http
