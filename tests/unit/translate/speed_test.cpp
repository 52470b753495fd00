// Not a measure of the machine, only printed: what translating costs.
#include "conversation.h"

#include <gtest/gtest.h>

#include <ctime>
#include <iostream>

namespace {

using namespace wm::test;

double cpu_us() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e6 + double(now.tv_nsec) / 1e3;
}

template <class F>
double each_us(int times, F&& f) {
    f();
    const auto start = cpu_us();
    for (int i = 0; i < times; ++i) f();
    return (cpu_us() - start) / times;
}

void print(const char* direction, const std::string& ask, const std::string& answer, const std::string& chunk,
           int chunks, const std::string& head, const std::string& tail) {
    const bool from_chat = std::string_view(direction) == "chat to messages";
    const char *client = from_chat ? "openai-chat" : "anthropic-messages",
               *upstream = from_chat ? "anthropic-messages" : "openai-chat";
    std::string sink;
    const auto plain = each_us(2000, [&] {
        Conversation talk(client, upstream);
        sink = talk.request(ask);
        sink = talk.document(answer);
    });
    std::string stream = head;
    for (int i = 0; i < chunks; ++i) stream += chunk;
    stream += tail;
    Conversation talk(client, upstream);
    const auto streamed = each_us(20, [&] {
        (void)talk.request(ask, true);
        sink = talk.stream({stream});
    });
    EXPECT_FALSE(sink.empty());
    std::cout << direction << ": a " << ask.size() << " byte request and its answer " << plain
              << " us; a streamed event " << streamed / chunks << " us, with its framing\n";
}

TEST(Speed, OfBothDirections) {
    const std::string words(900, 'w');
    print(
        "chat to messages",
        R"({"model":"m","max_tokens":100,"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":")" +
            words + R"("}]})",
        R"({"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hello there, this is an answer."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":6}})",
        "event: content_block_delta\ndata: "
        "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\" token\"}}\n\n",
        5000,
        "event: message_start\ndata: "
        "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"model\":\"m\",\"usage\":{\"input_tokens\":9,"
        "\"output_tokens\":1}}}\n\n"
        "event: content_block_start\ndata: "
        "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
        "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
    print(
        "messages to chat",
        R"({"model":"m","max_tokens":100,"system":"Be brief.","messages":[{"role":"user","content":")" + words +
            R"("}]})",
        R"({"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there, this is an answer."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":6,"total_tokens":15}})",
        "data: "
        "{\"id\":\"chatcmpl-123456789\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\","
        "\"choices\":[{\"index\":0,\"delta\":{\"content\":\" "
        "token\"},\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}\n\n",
        5000, "", "data: [DONE]\n\n");
}

} // namespace
