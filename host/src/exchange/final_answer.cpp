#include "exchange/final_answer.h"

#include "base/characters.h"
#include "exchange/reply.h"

#include <cstring>

namespace wm::exchange {

namespace {

bool speaks_to_client(FailureClass what) {
    return what == FailureClass::client_request || what == FailureClass::provider_capacity ||
           what == FailureClass::provider_quota;
}

Code code_for(const AttemptFailure& failure) {
    if (failure.stage == Stage::prepare) return Code::internal;
    return failure.transport == Transport::timeout || failure.status == 408 ? Code::upstream_timeout
                                                                            : Code::upstream_failed;
}

int status_for(const AttemptFailure& failure) {
    if (failure.stage == Stage::prepare) return 500;
    if (failure.transport == Transport::timeout || failure.status == 408) return 504;
    return failure.status == 404 || failure.status / 100 == 5 ? failure.status : 502;
}

bool looks_like_key(std::string_view word) {
    for (const auto prefix : {"sk-", "sk_", "key-", "Bearer", "AIza", "gsk_", "xai-", "pk-"})
        if (word.starts_with(prefix) && word.size() > 8) return true;
    if (word.size() < 32) return false;
    bool digit = false, letter = false;
    for (const char c : word) {
        digit = digit || (c >= '0' && c <= '9');
        letter = letter || (lower(c) >= 'a' && lower(c) <= 'z');
    }
    return digit && letter;
}

// Does it stand alone there? A short key is a part of many words, and codes that programs read are made of words.
bool stands_alone(std::string_view text, std::size_t at, std::size_t length) {
    const auto joins = [&](std::size_t i) {
        return i < text.size() && is(text[i], unreserved_char) && !std::strchr("-.~", text[i]);
    };
    return !joins(at - 1) && !joins(at + length);
}

std::size_t find_key(std::string_view text, std::string_view key, std::size_t from) {
    constexpr std::size_t unmistakable = 8;
    for (auto at = text.find(key, from); at != text.npos; at = text.find(key, at + 1))
        if (key.size() >= unmistakable || stands_alone(text, at, key.size())) return at;
    return text.npos;
}

template <class Use>
void for_each_key(const config::Settings& settings, Use use) {
    const auto one = [&](const Secret& secret) {
        if (!secret.reveal().empty() && !secret.published()) use(std::string_view(secret.reveal()));
    };
    for (const auto& backend : settings.backends)
        for (const auto& credential : backend.credentials) one(credential.api_key);
    for (const auto& mount : settings.mounts)
        for (const auto* auth : {&mount.auth, &mount.transcode.auth}) one(auth->secret);
}

// A provider may repeat the key it was given; no key of the configuration leaves, whatever it looks like.
std::string without_keys(std::string_view message, const config::Settings& settings) {
    constexpr std::string_view instead = "[redacted]";
    std::string text(message.substr(0, 4096));
    for_each_key(settings, [&](std::string_view key) {
        for (std::size_t at = 0; (at = find_key(text, key, at)) != text.npos; at += instead.size())
            text.replace(at, key.size(), instead);
    });
    return text;
}

} // namespace

bool tells_key(std::string_view text, const config::Settings& settings) {
    bool told = false;
    for_each_key(settings, [&](std::string_view key) { told = told || find_key(text, key, 0) != text.npos; });
    return told;
}

plugin::ErrorReport scrubbed(plugin::ErrorReport report, const config::Settings& settings, std::size_t longest) {
    for (auto* text : {&report.type, &report.message, &report.code, &report.param})
        *text = scrubbed(*text, settings, longest);
    return report;
}

Refusal untranslatable(const std::string& member) {
    const std::string at = member.empty() ? "" : " at '" + member + "'";
    return {.code = Code::untranslatable,
            .message = "the request is not valid" + at + ", or asks there for what no provider of this model can do",
            .param = member};
}

std::string scrubbed(std::string_view message, const config::Settings& settings, std::size_t longest) {
    const auto without_secrets = without_keys(message, settings);
    message = without_secrets;
    std::string out;
    while (!message.empty() && out.size() < longest) {
        const auto space = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; };
        std::size_t length = 0;
        while (length < message.size() && !space(message[length])) ++length;
        const auto word = message.substr(0, length);
        if (!word.empty()) {
            if (!out.empty()) out += ' ';
            if (word.find("://") != word.npos)
                out += "[url]";
            else if (looks_like_key(word))
                out += "[redacted]";
            else
                out += word;
        }
        message.remove_prefix(std::min(message.size(), length + 1));
    }
    if (out.size() > longest) {
        std::size_t end = longest; // not in the middle of a character
        while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80) --end;
        out.resize(end);
    }
    return out;
}

runtime::Task<> answer_failure(Context& x, const AttemptFailure& failure) {
    if (failure.starved()) {
        const auto refusal = starved();
        co_await refuse(x, refusal);
        co_return;
    }
    if (failure.stage == Stage::prepare && failure.what == FailureClass::client_request) {
        const auto refusal = untranslatable(failure.report.param);
        co_await refuse(x, refusal);
        co_return;
    }
    if (speaks_to_client(failure.what) && failure.status >= 400) {
        auto report = scrubbed(failure.report, x.settings());
        report.http_status = failure.status;
        if (report.message.empty()) report.message = "the provider refused the request";
        report.refused_by = "provider";
        co_await answer_error(x, failure.status, report, failure.fields);
        co_return;
    }
    const auto& code = about(code_for(failure));
    const int status = status_for(failure);
    plugin::ErrorReport report{
        .type = std::string(code.type),
        .http_status = status,
        .message = failure.stage == Stage::prepare && failure.status ? "the provider's answer could not be translated"
                   : failure.stage == Stage::prepare                 ? "the gateway could not prepare the request"
                   : code_for(failure) == Code::upstream_timeout     ? "the provider did not answer in time"
                                                                     : "the provider could not serve the request",
        .code = std::string(to_string(failure.what)),
        .param = {},
        .refused_by = "gateway"};
    x.error_code = code.name;
    auto fields = failure.fields;
    std::erase_if(fields, [](const Pair& field) { // the provider's advice on an answer that the client does not get
        return iequals(field.name, "retry-after") || iequals(field.name, "retry-after-ms") ||
               iequals(field.name, "x-should-retry");
    });
    fields.push_back({"X-Watermaster-Error", std::string(code.name)});
    co_await answer_error(x, status, report, std::move(fields));
}

Refusal no_target(const config::Settings& settings, std::int64_t wall_ms, const NoTarget& none) {
    const auto seconds = [](std::int64_t ms) { return int(std::clamp<std::int64_t>((ms + 999) / 1000, 1, 86'400)); };
    switch (none.why) {
    case NoTarget::Why::queue_timeout:
        return {.code = Code::queue_timeout, .message = "the request waited too long for a free place at the provider"};
    case NoTarget::Why::queue_full:
        return {
            .code = Code::queue_full, .message = "too many requests are waiting for this model", .retry_after_s = 1};
    default: break;
    }
    const auto wait = none.probe_awaited      ? settings.server.route_probe_wait.count()
                      : none.next_probe_at_ms ? *none.next_probe_at_ms - wall_ms
                                              : 1000;
    return {.code = Code::circuit_open,
            .message = none.pinned
                           ? "the provider that holds what this request continues is not available at the moment"
                           : "no provider of this model is available at the moment",
            .retry_after_s = seconds(wait)};
}

} // namespace wm::exchange
