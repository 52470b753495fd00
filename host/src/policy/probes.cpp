#include "policy/probes.h"

#include "policy/entry.h"

namespace wm::policy {
namespace {

std::vector<Probe> orders() {
    std::vector<Probe> out;
    const std::vector<Candidate> candidates{
        {"a", "key", "model", 0.75}, {"b", "key", "model", 0.25}, {"a", "other", "model", 0.5}};
    for (std::size_t count = 1; count <= candidates.size(); ++count) {
        OrderCase one;
        one.request = {.served_model = "model",
                       .protocol = "openai-chat",
                       .principal = "anonymous",
                       .layer = "only",
                       .stream = count > 1,
                       .text_bytes = 1000 * count};
        one.candidates.assign(candidates.begin(), candidates.begin() + std::ptrdiff_t(count));
        out.push_back({"order with " + std::to_string(count) + (count == 1 ? " candidate" : " candidates"), one});
    }
    return out;
}

ClassifyCase failed(std::string_view stage) {
    ClassifyCase one;
    one.failure.adapter = "custom-chat-completions";
    one.failure.protocol = "openai-chat";
    one.failure.stage = stage;
    return one;
}

std::vector<Probe> failures() {
    std::vector<Probe> out;
    for (const int status : {400, 401, 402, 403, 404, 408, 413, 418, 422, 429, 500, 502, 503, 504, 529}) {
        auto bare = failed("head");
        bare.failure.status = status;
        const auto text = "classify { status = " + std::to_string(status) + ", stage = \"head\"";
        out.push_back({text + " }", bare});
        bare.failure.document = R"({"error":{"type":"error","code":"code","message":"text"}})";
        bare.failure.error_type = "error";
        bare.failure.error_code = "code";
        bare.failure.error_message = "text";
        bare.failure.retry_after_ms = 7000;
        bare.failure.attempt = 1;
        bare.failure.names_state = true;
        bare.headers = {{"content-type", "application/json"}, {"retry-after", "7"}};
        out.push_back({text + ", document = {...}, retry_after_ms = 7000 }", bare});
    }
    struct Broken {
        std::string_view stage, transport;
        int status;
    };
    for (const auto& [stage, transport, status] :
         {Broken{"connect", "dns", 0}, Broken{"connect", "connect", 0}, Broken{"connect", "tls", 0},
          Broken{"connect", "timeout", 0}, Broken{"head", "timeout", 0}, Broken{"head", "reset", 0},
          Broken{"head", "eof", 0}, Broken{"head", "protocol", 0}, Broken{"body", "eof", 200}, Broken{"body", "", 200},
          Broken{"stream", "timeout", 200}, Broken{"stream", "", 200}}) {
        auto one = failed(stage);
        one.failure.transport = transport;
        one.failure.status = status;
        out.push_back({"classify { status = " + std::to_string(status) + ", stage = \"" + std::string(stage) +
                           "\", transport = \"" + std::string(transport) + "\" }",
                       one});
    }
    return out;
}

std::vector<Probe> openings() {
    std::vector<Probe> out;
    using enum FailureClass;
    for (const auto what : {provider_transient, provider_capacity, provider_quota, provider_auth, provider_billing,
                            provider_configuration, provider_unknown_4xx, transport, stream_failure})
        for (const std::uint32_t level : {0u, 1u, 255u})
            for (const auto hint : {std::optional<std::int64_t>(), std::optional<std::int64_t>(7000)})
                out.push_back({"backoff(\"" + std::string(to_string(what)) + "\", " + std::to_string(level) + ", " +
                                   (hint ? std::to_string(*hint) : "nil") + ")",
                               BackoffCase{what, level, hint}});
    return out;
}

std::vector<Probe> waits() {
    std::vector<Probe> out;
    for (const auto priority : rank_classes)
        for (const std::string_view order : {"fair", "fifo"}) {
            RankCase one;
            one.request = {
                .priority = priority, .principal = "anonymous", .served_model = "model", .protocol = "openai-chat"};
            one.gate = {.name = "backend", .order = order, .promote_after = Millis(60'000), .limit = 4, .waiting = 7};
            out.push_back({"rank with priority " + std::string(priority) + ", order " + std::string(order), one});
        }
    return out;
}

} // namespace

std::vector<Probe> probes(std::string_view policy) {
    const auto entry = entry_point(policy);
    return entry == "order" ? orders() : entry == "classify" ? failures() : entry == "rank" ? waits() : openings();
}

} // namespace wm::policy
