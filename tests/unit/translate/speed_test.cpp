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

// What a client of a protocol asks, and what an upstream of it answers.
struct Sample {
    const char* protocol;
    std::string ask, answer, head, chunk, tail;
};

const std::vector<Sample>& samples() {
    static const std::string words(900, 'w');
    static const std::vector<Sample> all = {
        {"openai-chat",
         R"({"model":"m","max_tokens":100,"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":")" +
             words + R"("}]})",
         R"({"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there, this is an answer."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":6,"total_tokens":15}})",
         "",
         "data: "
         "{\"id\":\"chatcmpl-123456789\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\","
         "\"choices\":[{\"index\":0,\"delta\":{\"content\":\" "
         "token\"},\"logprobs\":null,\"finish_reason\":null}],\"usage\":null}\n\n",
         "data: [DONE]\n\n"},
        {"openai-responses",
         R"({"model":"m","max_output_tokens":100,"instructions":"Be brief.","input":[{"role":"user","content":")" +
             words + R"("}]})",
         R"({"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hello there, this is an answer.","annotations":[]}]}],"usage":{"input_tokens":9,"output_tokens":6,"total_tokens":15}})",
         "event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,\"response\":{"
         "\"id\":\"resp_1\",\"model\":\"m\"}}\n\n"
         "event: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"output_index\":0,"
         "\"item\":{\"type\":\"message\",\"id\":\"msg_1\"}}\n\n",
         "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"sequence_number\":4,"
         "\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"delta\":\" token\",\"logprobs\":[]}\n\n",
         "event: response.completed\ndata: "
         "{\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n"},
        {"anthropic-messages",
         R"({"model":"m","max_tokens":100,"system":"Be brief.","messages":[{"role":"user","content":")" + words +
             R"("}]})",
         R"({"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hello there, this is an answer."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":6}})",
         "event: message_start\ndata: "
         "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"model\":\"m\",\"usage\":{\"input_tokens\":9,"
         "\"output_tokens\":1}}}\n\n"
         "event: content_block_start\ndata: "
         "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
         "event: content_block_delta\ndata: "
         "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\" token\"}}\n\n",
         "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"},
    };
    return all;
}

void print(const Sample& client, const Sample& upstream) {
    constexpr int chunks = 5000;
    std::string sink;
    const auto plain = each_us(1000, [&] {
        Conversation talk(client.protocol, upstream.protocol);
        sink = talk.request(client.ask);
        sink = talk.document(upstream.answer);
    });
    std::string stream = upstream.head;
    for (int i = 0; i < chunks; ++i) stream += upstream.chunk;
    stream += upstream.tail;
    Conversation talk(client.protocol, upstream.protocol);
    const auto streamed = each_us(10, [&] {
        (void)talk.request(client.ask, true);
        sink = talk.stream({stream});
    });
    EXPECT_NE(talk.remarks().find("terminal"), std::string::npos) << talk.remarks();
    std::cout << client.protocol << " by " << upstream.protocol << ": a " << client.ask.size()
              << " byte request and its answer " << plain << " us; a streamed event " << streamed / chunks
              << " us, with its framing\n";
}

TEST(Speed, OfEachPair) {
    for (const Sample& client : samples())
        for (const Sample& upstream : samples())
            if (&client != &upstream) print(client, upstream);
}

} // namespace
