// OpenAI Responses. Every event carries its type twice (event line and member) and a sequence number.
#include "dialect.h"
#include "json_text.h"

namespace wm::mock {
namespace {

constexpr int opening_events = 4, reasoning_events = 6;

// Events before the first word, and the place of the message, behind the thought of a model that reasons.
int before_words(const Ask& ask) { return opening_events + (ask.reasons ? reasoning_events : 0); }
std::string output_index(const Ask& ask) { return ask.reasons ? "\"output_index\":1" : "\"output_index\":0"; }

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

std::string place(const Ask& ask) { return "\"item_id\":\"msg_mock\"," + output_index(ask) + ",\"content_index\":0,"; }

std::string reasoning_item(const std::string& summary) {
    return "{\"id\":\"rs_mock\",\"type\":\"reasoning\",\"summary\":[" + summary + "]}";
}

std::string summary_part(std::string_view text) { return "{\"type\":\"summary_text\",\"text\":" + quoted(text) + "}"; }

std::string reasoning_stream(int number) {
    const std::string at = "\"item_id\":\"rs_mock\",\"output_index\":0,\"summary_index\":0,";
    const std::string item = "\"output_index\":0,\"item\":";
    return event("response.output_item.added", number, item + reasoning_item("")) +
           event("response.reasoning_summary_part.added", number + 1, at + "\"part\":" + summary_part("")) +
           event("response.reasoning_summary_text.delta", number + 2, at + "\"delta\":" + quoted(thought)) +
           event("response.reasoning_summary_text.done", number + 3, at + "\"text\":" + quoted(thought)) +
           event("response.reasoning_summary_part.done", number + 4, at + "\"part\":" + summary_part(thought)) +
           event("response.output_item.done", number + 5, item + reasoning_item(summary_part(thought)));
}

std::string output(const Ask& ask, const std::string& message) {
    return ask.reasons ? reasoning_item(summary_part(thought)) + "," + message : message;
}
constexpr std::string_view call_place = "\"item_id\":\"fc_mock\",\"output_index\":0,";

class Responses final : public Dialect {
  public:
    std::string whole(const Ask& ask, const Words& words) const override {
        return response(ask, "completed", output(ask, message_item("completed", part(words.all()))),
                        usage(words.count));
    }
    std::string tool_call(const Ask& ask) const override {
        return response(ask, "completed", call_item(ask, "completed", ask.arguments), usage(5));
    }
    std::string error(const Fault& fault) const override { return openai_error(fault); }
    std::string opening(const Ask& ask) const override {
        const int next = before_words(ask) - 2;
        return preamble(ask) + (ask.reasons ? reasoning_stream(2) : std::string()) +
               event("response.output_item.added", next,
                     output_index(ask) + ",\"item\":" + message_item("in_progress", "")) +
               event("response.content_part.added", next + 1, place(ask) + "\"part\":" + part(""));
    }
    std::string piece(const Ask& ask, std::string_view word, int index) const override {
        return event("response.output_text.delta", before_words(ask) + index,
                     place(ask) + "\"delta\":" + quoted(word) + ",\"logprobs\":[]");
    }
    std::string closing(const Ask& ask, const Words& words) const override {
        const int next = before_words(ask) + words.count;
        const std::string text = words.all();
        const std::string item = message_item("completed", part(text));
        return event("response.output_text.done", next, place(ask) + "\"text\":" + quoted(text) + ",\"logprobs\":[]") +
               event("response.content_part.done", next + 1, place(ask) + "\"part\":" + part(text)) +
               event("response.output_item.done", next + 2, output_index(ask) + ",\"item\":" + item) +
               event("response.completed", next + 3,
                     "\"response\":" + response(ask, "completed", output(ask, item), usage(words.count)));
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
