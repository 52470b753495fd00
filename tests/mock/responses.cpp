// OpenAI Responses. Every event carries its type twice (event line and member) and a sequence number.
#include "dialect.h"
#include "json_text.h"

namespace wm::mock {
namespace {

constexpr int opening_events = 4;

std::string usage(int output) {
    return "{\"input_tokens\":10,\"input_tokens_details\":{\"cached_tokens\":4},\"output_tokens\":" +
           std::to_string(output) +
           ",\"output_tokens_details\":{\"reasoning_tokens\":0},\"total_tokens\":" + std::to_string(10 + output) + "}";
}

std::string part(const std::string& text) {
    return "{\"type\":\"output_text\",\"text\":" + quoted(text) + ",\"annotations\":[]}";
}

std::string message_item(std::string_view status, const std::string& content) {
    return "{\"id\":\"msg_mock\",\"type\":\"message\",\"status\":\"" + std::string(status) +
           "\",\"role\":\"assistant\",\"content\":[" + content + "]}";
}

std::string call_item(const Ask& ask, std::string_view status, std::string_view arguments) {
    return "{\"id\":\"fc_mock\",\"type\":\"function_call\",\"status\":\"" + std::string(status) +
           "\",\"call_id\":\"call_mock\",\"name\":" + quoted(ask.tool) + ",\"arguments\":" + quoted(arguments) + "}";
}

std::string response(const Ask& ask, std::string_view status, const std::string& output, const std::string& counted) {
    return "{\"id\":\"resp_mock\",\"object\":\"response\",\"created_at\":1700000000,\"status\":\"" +
           std::string(status) +
           "\",\"error\":null,\"incomplete_details\":null,\"instructions\":null,\"model\":" + quoted(ask.model) +
           ",\"output\":[" + output +
           "],\"parallel_tool_calls\":true,\"tool_choice\":\"auto\",\"tools\":[],\"usage\":" + counted +
           ",\"metadata\":{}}";
}

std::string event(std::string_view type, int number, const std::string& members) {
    const std::string name(type);
    return "event: " + name + "\ndata: {\"type\":\"" + name + "\",\"sequence_number\":" + std::to_string(number) + "," +
           members + "}\n\n";
}

std::string preamble(const Ask& ask) {
    const std::string members = "\"response\":" + response(ask, "in_progress", "", "null");
    return event("response.created", 0, members) + event("response.in_progress", 1, members);
}

constexpr std::string_view place = "\"item_id\":\"msg_mock\",\"output_index\":0,\"content_index\":0,";
constexpr std::string_view call_place = "\"item_id\":\"fc_mock\",\"output_index\":0,";

class Responses final : public Dialect {
  public:
    std::string whole(const Ask& ask, const Words& words) const override {
        return response(ask, "completed", message_item("completed", part(words.all())), usage(words.count));
    }
    std::string tool_call(const Ask& ask) const override {
        return response(ask, "completed", call_item(ask, "completed", ask.arguments), usage(5));
    }
    std::string error(const Fault& fault) const override { return openai_error(fault); }
    std::string opening(const Ask& ask) const override {
        return preamble(ask) +
               event("response.output_item.added", 2,
                     "\"output_index\":0,\"item\":" + message_item("in_progress", "")) +
               event("response.content_part.added", 3, std::string(place) + "\"part\":" + part(""));
    }
    std::string piece(const Ask&, std::string_view word, int index) const override {
        return event("response.output_text.delta", opening_events + index,
                     std::string(place) + "\"delta\":" + quoted(word) + ",\"logprobs\":[]");
    }
    std::string closing(const Ask& ask, const Words& words) const override {
        const int next = opening_events + words.count;
        const std::string text = words.all();
        const std::string item = message_item("completed", part(text));
        return event("response.output_text.done", next,
                     std::string(place) + "\"text\":" + quoted(text) + ",\"logprobs\":[]") +
               event("response.content_part.done", next + 1, std::string(place) + "\"part\":" + part(text)) +
               event("response.output_item.done", next + 2, "\"output_index\":0,\"item\":" + item) +
               event("response.completed", next + 3,
                     "\"response\":" + response(ask, "completed", item, usage(words.count)));
    }
    std::string tool_stream(const Ask& ask) const override {
        const std::string item = call_item(ask, "completed", ask.arguments);
        return preamble(ask) +
               event("response.output_item.added", 2,
                     "\"output_index\":0,\"item\":" + call_item(ask, "in_progress", "")) +
               event("response.function_call_arguments.delta", 3,
                     std::string(call_place) + "\"delta\":" + quoted(ask.arguments)) +
               event("response.function_call_arguments.done", 4,
                     std::string(call_place) + "\"arguments\":" + quoted(ask.arguments)) +
               event("response.output_item.done", 5, "\"output_index\":0,\"item\":" + item) +
               event("response.completed", 6, "\"response\":" + response(ask, "completed", item, usage(5)));
    }
    std::string error_event(const Fault& fault) const override {
        return event("error", opening_events,
                     "\"code\":" + quoted(fault.code) + ",\"message\":" + quoted(fault.message) + ",\"param\":null");
    }
};

} // namespace

const Dialect& responses_dialect() {
    static const Responses responses;
    return responses;
}

} // namespace wm::mock
