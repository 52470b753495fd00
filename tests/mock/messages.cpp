// Anthropic Messages.
#include "dialect.h"
#include "json_text.h"

namespace wm::mock {
namespace {

std::string usage(int output) {
    return "{\"input_tokens\":6,\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":4,\"output_tokens\":" +
           std::to_string(output) + "}";
}

std::string message(const Ask& ask, const std::string& content, const std::string& stop_reason, int output) {
    return "{\"id\":\"msg_mock\",\"type\":\"message\",\"role\":\"assistant\",\"model\":" + quoted(ask.model) +
           ",\"content\":[" + content + "],\"stop_reason\":" + stop_reason +
           ",\"stop_sequence\":null,\"usage\":" + usage(output) + "}";
}

std::string event(std::string_view type, const std::string& members) {
    const std::string name(type);
    return "event: " + name + "\ndata: {\"type\":\"" + name + "\"" + members + "}\n\n";
}

std::string start(const Ask& ask, const std::string& block) {
    return event("message_start", ",\"message\":" + message(ask, "", "null", 1)) +
           event("content_block_start", ",\"index\":0,\"content_block\":" + block) + event("ping", "");
}

// Behind the thought of a model that reasons, which is the block 0.
std::string index(const Ask& ask) { return ask.reasons ? ",\"index\":1" : ",\"index\":0"; }

std::string block_delta(const Ask& ask, const std::string& delta) {
    return event("content_block_delta", index(ask) + ",\"delta\":" + delta);
}

std::string input_delta(const Ask& ask, const std::string& json) {
    return block_delta(ask, "{\"type\":\"input_json_delta\",\"partial_json\":" + quoted(json) + "}");
}

std::string ending(const Ask& ask, std::string_view stop_reason, int output) {
    return event("content_block_stop", index(ask)) +
           event("message_delta",
                 ",\"delta\":{\"stop_reason\":\"" + std::string(stop_reason) +
                     "\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":" + std::to_string(output) + "}") +
           event("message_stop", "");
}

std::string tool_block(const Ask& ask, const std::string& input) {
    return "{\"type\":\"tool_use\",\"id\":\"toolu_mock\",\"name\":" + quoted(ask.tool) + ",\"input\":" + input + "}";
}

std::string thinking(std::string_view text, std::string_view signature) {
    return "{\"type\":\"thinking\",\"thinking\":" + quoted(text) + ",\"signature\":" + quoted(signature) + "}";
}

constexpr std::string_view signature = "bW9jaw==";

std::string thinking_stream(const Ask& ask) {
    return start(ask, thinking("", "")) +
           event("content_block_delta",
                 ",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":" + quoted(thought) + "}") +
           event("content_block_delta",
                 ",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":" + quoted(signature) + "}") +
           event("content_block_stop", ",\"index\":0");
}

std::string_view error_type(int status) {
    switch (status) {
    case 400: return "invalid_request_error";
    case 401: return "authentication_error";
    case 403: return "permission_error";
    case 404: return "not_found_error";
    case 413: return "request_too_large";
    case 429: return "rate_limit_error";
    case 529: return "overloaded_error";
    default: return "api_error";
    }
}

std::string error_members(const Fault& fault) {
    return ",\"error\":{\"type\":\"" + std::string(error_type(fault.status)) +
           "\",\"message\":" + quoted(fault.message) + "}";
}

class Messages final : public Dialect {
  public:
    std::string whole(const Ask& ask, const Words& words) const override {
        const std::string first = ask.reasons ? thinking(thought, signature) + "," : std::string();
        return message(ask, first + "{\"type\":\"text\",\"text\":" + quoted(words.all()) + "}", "\"end_turn\"",
                       words.count);
    }
    std::string tool_call(const Ask& ask) const override {
        return message(ask, tool_block(ask, ask.arguments), "\"tool_use\"", 5);
    }
    std::string error(const Fault& fault) const override {
        return "{\"type\":\"error\"" + error_members(fault) + ",\"request_id\":\"req_mock\"}";
    }
    std::string opening(const Ask& ask) const override {
        const std::string text = "{\"type\":\"text\",\"text\":\"\"}";
        if (!ask.reasons) return start(ask, text);
        return thinking_stream(ask) + event("content_block_start", ",\"index\":1,\"content_block\":" + text);
    }
    std::string piece(const Ask& ask, std::string_view word, int) const override {
        return block_delta(ask, "{\"type\":\"text_delta\",\"text\":" + quoted(word) + "}");
    }
    std::string closing(const Ask& ask, const Words& words) const override {
        return ending(ask, "end_turn", words.count);
    }
    std::string tool_stream(const Ask& ask) const override {
        const auto half = ask.arguments.size() / 2; // clients have to join them
        return start(ask, tool_block(ask, "{}")) + input_delta(ask, ask.arguments.substr(0, half)) +
               input_delta(ask, ask.arguments.substr(half)) + ending(ask, "tool_use", 5);
    }
    std::string error_event(const Fault& fault) const override { return event("error", error_members(fault)); }
};

} // namespace

const Dialect& messages_dialect() {
    static const Messages messages;
    return messages;
}

} // namespace wm::mock
