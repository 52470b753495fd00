#include "custom_adapter.hpp"

#include <watermaster/plugin.hpp>

namespace wm::custom {

struct Bearer {
    static constexpr std::string_view secret_header = "authorization", secret_prefix = "Bearer ";
};

struct ChatCompletions : Bearer {
    static constexpr const char* id = "custom-chat-completions";
    static constexpr std::string_view path = "/v1/chat/completions";
    static constexpr const char* facts_json = R"({
  "id": "custom-chat-completions",
  "endpoint": "url",
  "hosts": [],
  "protocols": [
    {"id": "openai-chat", "operations": [
      {"id": "create", "method": "POST", "path": "/v1/chat/completions", "framing": "sse"}
    ]}
  ],
  "models": "open",
  "auth": ["header"],
  "guarded_members": [],
  "ask_usage": true,
  "failure_policy": "generic",
  "rate_limit_family": "openai",
  "settings": [
    {"name": "ask_usage", "type": "bool", "default": "true", "unit": "", "required": false,
     "help": "no, where the upstream refuses stream_options: it is removed from every request, and streams report no usage"}
  ]
})";

    bool ask_usage;

    ChatCompletions(const sdk::Settings& settings, sdk::Problems& problems)
        : ask_usage(sdk::flag(settings, "ask_usage", true, problems)) {}

    // An upstream that refuses stream_options would refuse every stream.
    void add(const sdk::Call& call, sdk::Sink& out) const {
        if (call.stream && !ask_usage) out.put(WM_OUT_MEMBER, "stream_options", {});
    }
};

struct Responses : Bearer {
    static constexpr const char* id = "custom-responses";
    static constexpr std::string_view path = "/v1/responses";
    static constexpr const char* facts_json = R"({
  "id": "custom-responses",
  "endpoint": "url",
  "hosts": [],
  "protocols": [
    {"id": "openai-responses", "operations": [
      {"id": "create", "method": "POST", "path": "/v1/responses", "framing": "sse"}
    ]}
  ],
  "models": "open",
  "auth": ["header"],
  "guarded_members": [],
  "ask_usage": false,
  "failure_policy": "generic",
  "rate_limit_family": "openai",
  "settings": []
})";

    Responses(const sdk::Settings&, sdk::Problems&) {}
    void add(const sdk::Call&, sdk::Sink&) const {}
};

struct Anthropic {
    static constexpr const char* id = "custom-anthropic";
    static constexpr std::string_view path = "/v1/messages";
    static constexpr std::string_view secret_header = "x-api-key", secret_prefix = "";
    static constexpr const char* facts_json = R"({
  "id": "custom-anthropic",
  "endpoint": "url",
  "hosts": [],
  "protocols": [
    {"id": "anthropic-messages", "operations": [
      {"id": "create", "method": "POST", "path": "/v1/messages", "framing": "sse"}
    ]}
  ],
  "models": "open",
  "auth": ["header"],
  "guarded_members": [],
  "ask_usage": false,
  "failure_policy": "generic",
  "rate_limit_family": "anthropic",
  "settings": []
})";

    Anthropic(const sdk::Settings&, sdk::Problems&) {}

    // The API refuses requests without a version.
    void add(const sdk::Call& call, sdk::Sink& out) const {
        if (sdk::header(call.headers, "anthropic-version").empty())
            out.put(WM_OUT_HEADER, "anthropic-version", "2023-06-01");
    }
};

} // namespace wm::custom

WM_PLUGIN("0.1.0", wm::sdk::adapter<wm::custom::CustomAdapter<wm::custom::ChatCompletions>>,
          wm::sdk::adapter<wm::custom::CustomAdapter<wm::custom::Responses>>,
          wm::sdk::adapter<wm::custom::CustomAdapter<wm::custom::Anthropic>>)
