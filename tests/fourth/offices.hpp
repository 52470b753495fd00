#pragma once
// Adapters of three made-up providers that speak telegraph: one with server-sent events, one that frames as it is
// configured, and one that wraps every answer.
#include "telegraph.hpp"

#include <watermaster/adapter.hpp>
#include <watermaster/url.hpp>

#include <array>
#include <optional>
#include <string>

namespace telegraph {

inline void put_request(const sdk::Call& call, const std::string& base, sdk::Sink& out) {
    const bool named = call.operation == by_path;
    const std::string path = named ? "/v1/offices/" + sdk::encode_segment(call.model) + "/wires" : "/v1/wires";
    out.put(WM_OUT_METHOD, {}, "POST");
    out.put(WM_OUT_URL, {}, sdk::join_url(base, path) + (named && call.stream ? "?stream=yes" : ""));
    out.put(WM_OUT_HEADER, "content-type", "application/json");
    if (named) out.put(WM_OUT_HEADER, "x-asked-office", sdk::encode_segment(call.handle));
    out.put(WM_OUT_HEADER, "x-try", std::to_string(call.attempt));
    out.put(WM_OUT_SECRET, "authorization", "Bearer ");
}

inline std::string base_of(const sdk::Settings& settings, sdk::Problems& problems) {
    const std::string_view base = settings.get("base_url");
    if (const auto problem = sdk::url_problem(base, true); !problem.empty()) problems.add("base_url", problem);
    return std::string(base);
}

struct Office {
    static constexpr const char* id = "telegraph-office";
    static constexpr const char* facts_json = R"({
  "id": "telegraph-office",
  "endpoint": "base",
  "protocols": [
    {"id": "telegraph", "operations": [
      {"id": "create", "method": "POST", "path": "/v1/wires", "framing": "sse"},
      {"id": "send", "method": "POST", "path": "/v1/offices/{office}/wires", "framing": "sse"}
    ]}
  ],
  "models": "open",
  "auth": ["header"],
  "failure_policy": "generic",
  "rate_limit_family": "openai",
  "settings": []
})";

    std::string base;

    static std::unique_ptr<Office> bind(const sdk::Settings& settings, sdk::Problems& problems) {
        return std::make_unique<Office>(Office{base_of(settings, problems)});
    }
    sdk::Status prepare(const sdk::Call& call, sdk::Sink& out) const {
        put_request(call, base, out);
        out.put(WM_OUT_FRAMING, {}, call.stream ? WM_FRAMING_SSE : WM_FRAMING_DOCUMENT);
        return out.status();
    }
};

struct Branch {
    static constexpr const char* id = "telegraph-branch";
    static constexpr const char* facts_json = R"({
  "id": "telegraph-branch",
  "endpoint": "base",
  "protocols": [
    {"id": "telegraph", "operations": [{"id": "create", "method": "POST", "path": "/v1/wires", "framing": "ndjson"}]}
  ],
  "models": "open",
  "auth": ["header"],
  "failure_policy": "generic",
  "settings": [{"name": "framing", "type": "string", "default": "ndjson", "help": "of its streams"}]
})";

    std::string base, framing;

    static std::unique_ptr<Branch> bind(const sdk::Settings& settings, sdk::Problems& problems) {
        const std::string_view framing = settings.get("framing");
        return std::make_unique<Branch>(
            Branch{base_of(settings, problems), std::string(framing.empty() ? WM_FRAMING_NDJSON : framing)});
    }
    sdk::Status prepare(const sdk::Call& call, sdk::Sink& out) const {
        put_request(call, base, out);
        if (call.stream) out.put(WM_OUT_FRAMING, {}, framing);
        return out.status();
    }
};

// Every frame is {"bytes": BASE64}, as Amazon does it, or a fault of the cable; a document is {"answer": DOCUMENT}.
struct Cable {
    static constexpr const char* id = "telegraph-cable";
    static constexpr const char* facts_json = R"({
  "id": "telegraph-cable",
  "endpoint": "base",
  "protocols": [
    {"id": "telegraph", "operations": [
      {"id": "create", "method": "POST", "path": "/v1/wires", "framing": "aws-eventstream"}
    ]}
  ],
  "models": "open",
  "auth": ["header"],
  "failure_policy": "generic",
  "settings": []
})";

    std::string base;

    static std::unique_ptr<Cable> bind(const sdk::Settings& settings, sdk::Problems& problems) {
        return std::make_unique<Cable>(Cable{base_of(settings, problems)});
    }
    sdk::Status prepare(const sdk::Call& call, sdk::Sink& out) const {
        put_request(call, base, out); // framed as the facts say
        return out.status();
    }
    sdk::Status unframe(const sdk::Frame& frame, sdk::Sink& out) const {
        sdk::json::Scan scan(frame.data);
        if (scan.kind() != sdk::json::Kind::object) return sdk::bad_input("frame", "not a JSON object");
        scan.value();
        if (!scan.finish()) return sdk::bad_input("frame", "not valid JSON");
        if (frame.kind == WM_FRAME_DOCUMENT) {
            const Value answer = sdk::json::member(frame.data, "answer");
            if (!answer.there()) return sdk::bad_input("answer", "missing");
            out.frame({}, answer.raw, 0);
        } else if (frame.name == "chunk") {
            const Value bytes = sdk::json::member(frame.data, "bytes");
            const auto text = bytes.is_string() ? plain(bytes.body()) : std::nullopt;
            if (!text) return sdk::bad_input("bytes", "not base64");
            out.frame({}, *text, 0);
        } else if (frame.name.ends_with("Exception")) {
            sdk::ErrorReport report;
            report.type = WM_ERROR_OVERLOADED;
            report.message = sdk::json::text(sdk::json::member(frame.data, "message").body());
            out.frame({}, fault(report), 0);
        }
        return out.status();
    }

  private:
    // Nothing: it is not base64 whole.
    static std::optional<std::string> plain(std::string_view text) {
        constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        if (text.size() % 4) return std::nullopt;
        while (text.ends_with('=')) text.remove_suffix(1);
        std::string out;
        std::uint32_t bits = 0, count = 0;
        for (const char c : text) {
            const auto digit = digits.find(c);
            if (digit == digits.npos) return std::nullopt;
            bits = bits << 6 | static_cast<std::uint32_t>(digit);
            count += 6;
            if (count < 8) continue;
            count -= 8;
            out += static_cast<char>(bits >> count & 0xff);
        }
        return out;
    }
};

} // namespace telegraph
