// What translating costs, in CPU time of this thread: one JSON object a line for each pair of protocols that the
// plugins of a folder translate.
#include "framing/sse.h"
#include "plugin/registry.h"
#include "translate/translation.h"
#include "translated_answer.h"

#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace wm::bench {
namespace {

using plugin::Transcoder;
using translate::Translation;

double cpu_us() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e6 + double(now.tv_nsec) / 1e3;
}

// The least of several runs: what others do on the machine only adds.
double each_us(int times, const std::function<void()>& work) {
    work();
    double least = 1e12;
    for (int run = 0; run < 5; ++run) {
        const auto began = cpu_us();
        for (int i = 0; i < times; ++i) work();
        least = std::min(least, (cpu_us() - began) / times);
    }
    return least;
}

struct Protocol {
    const char* id;
    std::string request, image_request, answer, head, event, tail; // a request of 1 KB, one of 1 MB
};

std::vector<Protocol> protocols() {
    const std::string words(900, 'w'), image(1'000'000, 'A');
    return {
        {"openai-chat",
         R"({"model":"m","max_tokens":100,"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":")" +
             words + R"("}]})",
         R"({"model":"m","max_tokens":100,"messages":[{"role":"user","content":[{"type":"text","text":"What is it?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,)" +
             image + R"("}}]}]})",
         R"({"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there, this is an answer."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":6,"total_tokens":15}})",
         "",
         "data: {\"id\":\"chatcmpl-123456789\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":"
         "\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" "
         "token\"},\"logprobs\":null,\"finish_reason\":null}],"
         "\"usage\":null}\n\n",
         "data: [DONE]\n\n"},
        {"openai-responses",
         R"({"model":"m","max_output_tokens":100,"instructions":"Be brief.","input":")" + words + R"("})",
         R"({"model":"m","max_output_tokens":100,"input":[{"role":"user","content":[{"type":"input_text","text":"What is it?"},{"type":"input_image","image_url":"data:image/png;base64,)" +
             image + R"("}]}]})",
         R"({"id":"r1","object":"response","created_at":1,"status":"completed","model":"m","output":[{"id":"m1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hello there, this is an answer.","annotations":[]}]}],"usage":{"input_tokens":9,"output_tokens":6,"total_tokens":15}})",
         "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"id\":\"r1\",\"model\":\"m\","
         "\"status\":\"in_progress\",\"output\":[]}}\n\n"
         "event: response.output_item.added\ndata: "
         "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":"
         "{\"id\":\"m1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[]}}\n\n"
         "event: response.content_part.added\ndata: {\"type\":\"response.content_part.added\",\"item_id\":\"m1\","
         "\"output_index\":0,\"content_index\":0,\"part\":{\"type\":\"output_text\",\"text\":\"\"}}\n\n",
         "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"item_id\":\"m1\","
         "\"output_index\":0,\"content_index\":0,\"delta\":\" token\"}\n\n",
         "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"id\":\"r1\",\"status\":"
         "\"completed\",\"model\":\"m\",\"output\":[]}}\n\n"},
        {"anthropic-messages",
         R"({"model":"m","max_tokens":100,"system":"Be brief.","messages":[{"role":"user","content":")" + words +
             R"("}]})",
         R"({"model":"m","max_tokens":100,"messages":[{"role":"user","content":[{"type":"text","text":"What is it?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":")" +
             image + R"("}}]}]})",
         R"({"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hello there, this is an answer."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":6}})",
         "event: message_start\ndata: "
         "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"model\":\"m\",\"usage\":"
         "{\"input_tokens\":9,\"output_tokens\":1}}}\n\n"
         "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":"
         "\"text\",\"text\":\"\"}}\n\n",
         "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":"
         "\"text_delta\",\"text\":\" token\"}}\n\n",
         "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":"
         "{\"output_tokens\":2}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"},
    };
}

plugin::TalkParams params(bool stream) { return test::talk_params("wmx_0123456789abcdef", stream); }

class Pair {
  public:
    Pair(const Transcoder& client, const Transcoder& upstream, const Protocol& asks, const Protocol& answers)
        : client_(client), upstream_(upstream), asks_(asks), answers_(answers) {}

    // As the gateway does it: talks of their own for each request.
    void document(const std::string& request) {
        auto translation = opened(false);
        if (!translation || !asked(*translation, request, false)) return;
        out_.clear();
        const Translation::Give give = [&](std::string_view, std::string_view data) { out_ += data; };
        test::pass_document(*translation, answers_.answer, give, took());
    }
    void request(const std::string& body) {
        if (auto translation = opened(false)) asked(*translation, body, false);
    }
    // With the framing of both sides, which a native stream has too.
    void stream(int events) {
        auto translation = opened(true);
        if (!translation || !asked(*translation, asks_.request, true)) return;
        const Translation::Give give = [&](std::string_view name, std::string_view data) {
            framing::append_sse(out_, name, data);
        };
        test::PassedStream passed(*translation, give, took());
        const auto feed = [&](const std::string& bytes) {
            passed.feed(bytes);
            out_.clear();
        };
        feed(answers_.head);
        for (int i = 0; i < events; ++i) feed(answers_.event);
        feed(answers_.tail);
        (void)passed.finish();
    }
    bool fine() const { return fine_; }

  private:
    test::Took took() {
        return [this](auto progress) { return fine_ = progress && fine_; };
    }
    std::unique_ptr<Translation> opened(bool stream) {
        auto translation = Translation::open(client_, params(stream));
        fine_ = translation && fine_;
        return translation ? std::move(*translation) : nullptr;
    }
    bool asked(Translation& translation, const std::string& body, bool stream) {
        const auto sent = translation.request(body, upstream_, params(stream), 4096);
        fine_ = sent && fine_;
        return bool(sent);
    }

    const Transcoder &client_, &upstream_;
    const Protocol &asks_, &answers_;
    std::string out_;
    bool fine_ = true;
};

int run(const char* folder) {
    plugin::Registry registry;
    for (const auto& problem : registry.load(folder)) std::fprintf(stderr, "%s\n", problem.c_str());
    const auto all = protocols();
    for (const auto& asks : all)
        for (const auto& answers : all) {
            const auto *client = registry.transcoder(asks.id), *upstream = registry.transcoder(answers.id);
            if (&asks == &answers || !client || !upstream || !client->about().translates ||
                !upstream->about().translates)
                continue;
            Pair pair(*client, *upstream, asks, answers);
            constexpr int events = 5000;
            const auto small = each_us(2000, [&] { pair.document(asks.request); });
            const auto image = each_us(20, [&] { pair.request(asks.image_request); });
            const auto streamed = each_us(4, [&] { pair.stream(events); }) / events;
            if (!pair.fine()) std::fprintf(stderr, "%s to %s could not be translated\n", asks.id, answers.id);
            if (!pair.fine()) return 1;
            std::printf(R"({"client":"%s","upstream":"%s","request_us":%.2f,"event_us":%.3f,"image_mb_s":%.0f})"
                        "\n",
                        asks.id, answers.id, small, streamed, double(asks.image_request.size()) / image);
        }
    return 0;
}

} // namespace
} // namespace wm::bench

int main(int argc, char** argv) {
    if (argc == 2) return wm::bench::run(argv[1]);
    std::fputs("usage: translate_speed PLUGINS\n", stderr);
    return 2;
}
