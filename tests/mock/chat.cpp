// OpenAI Chat Completions.
#include "dialect.h"
#include "json_text.h"

namespace wm::mock {
namespace {

constexpr std::string_view stop = "stop";
constexpr std::string_view tool_calls = "tool_calls";

std::string usage(int output) {
    return "{\"prompt_tokens\":10,\"completion_tokens\":" + std::to_string(output) +
           ",\"total_tokens\":" + std::to_string(10 + output) + ",\"prompt_tokens_details\":{\"cached_tokens\":4}}";
}

std::string call(const Ask& ask) {
    return "{\"id\":\"call_mock\",\"type\":\"function\",\"function\":{\"name\":" + quoted(ask.tool) +
           ",\"arguments\":" + quoted(ask.arguments) + "}}";
}

std::string completion(const Ask& ask, const std::string& message, std::string_view finish, int output) {
    return "{\"id\":\"chatcmpl-mock\",\"object\":\"chat.completion\",\"created\":1700000000,\"model\":" +
           quoted(ask.model) + ",\"choices\":[{\"index\":0,\"message\":" + message +
           ",\"logprobs\":null,\"finish_reason\":\"" + std::string(finish) + "\"}],\"usage\":" + usage(output) + "}";
}

std::string event(const std::string& json) { return "data: " + json + "\n\n"; }

std::string chunk(const Ask& ask, const std::string& choices, const std::string& counted = "null") {
    std::string json = "{\"id\":\"chatcmpl-mock\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,"
                       "\"model\":" +
                       quoted(ask.model) + ",\"choices\":[" + choices + "]";
    if (ask.include_usage) {
        json += ",\"usage\":" + counted;
    }
    return event(json + "}");
}

std::string delta(const std::string& content) {
    return "{\"index\":0,\"delta\":{" + content + "},\"finish_reason\":null}";
}

std::string ending(const Ask& ask, std::string_view finish, int output) {
    std::string out = chunk(ask, "{\"index\":0,\"delta\":{},\"finish_reason\":\"" + std::string(finish) + "\"}");
    if (ask.include_usage) {
        out += chunk(ask, "", usage(output));
    }
    return out + "data: [DONE]\n\n";
}

class Chat final : public Dialect {
  public:
    std::string whole(const Ask& ask, const Words& words) const override {
        const std::string reasoning = ask.reasons ? ",\"reasoning_content\":" + quoted(thought) : std::string();
        return completion(
            ask, "{\"role\":\"assistant\",\"content\":" + quoted(words.all()) + ",\"refusal\":null" + reasoning + "}",
            stop, words.count);
    }
    std::string tool_call(const Ask& ask) const override {
        return completion(ask, "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[" + call(ask) + "]}",
                          tool_calls, 5);
    }
    std::string error(const Fault& fault) const override { return openai_error(fault); }
    std::string opening(const Ask& ask) const override {
        const std::string opening = chunk(ask, delta("\"role\":\"assistant\",\"content\":\"\""));
        return ask.reasons ? opening + chunk(ask, delta("\"reasoning_content\":" + quoted(thought))) : opening;
    }
    std::string piece(const Ask& ask, std::string_view word, int) const override {
        return chunk(ask, delta("\"content\":" + quoted(word)));
    }
    std::string closing(const Ask& ask, const Words& words) const override { return ending(ask, stop, words.count); }
    std::string tool_stream(const Ask& ask) const override {
        return chunk(ask, delta("\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"index\":0,\"id\":\"call_"
                                "mock\",\"type\":\"function\","
                                "\"function\":{\"name\":" +
                                quoted(ask.tool) + ",\"arguments\":\"\"}}]")) +
               chunk(ask, delta("\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":" + quoted(ask.arguments) +
                                "}}]")) +
               ending(ask, tool_calls, 5);
    }
    std::string error_event(const Fault& fault) const override { return event(openai_error(fault)); }
};

} // namespace

const Dialect& chat_dialect() {
    static const Chat chat;
    return chat;
}

} // namespace wm::mock
