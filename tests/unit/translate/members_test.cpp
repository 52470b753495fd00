// No member of a request is passed over: for each object of requests that have everything, one that nobody knows and
// one that stands twice. Objects that are carried as they stand, as schemas are, may hold what they like.
#include "conversation.h"

#include <gtest/gtest.h>

#include <watermaster/json_scan.hpp>
#include <watermaster/translation/loss_keys.hpp>

#include <algorithm>
#include <functional>

namespace {

using wm::sdk::json::Kind;
using wm::sdk::json::Name;
using wm::sdk::json::Scan;
using wm::translate::Approvals;

constexpr const char* chat = "openai-chat";
constexpr const char* messages = "anthropic-messages";
constexpr const char* responses = "openai-responses";

struct Request {
    const char *protocol, *body;
};
// All that a protocol knows, but for what no approval lets be lost: a conversation that its provider keeps.
const Request requests[] = {
    {chat,
     R"({"model":"m","max_tokens":9,"max_completion_tokens":9,"temperature":1,"top_p":1,"n":1,"stream":false,)"
     R"("stream_options":{"include_usage":true,"include_obfuscation":false},"stop":["a"],"user":"u",)"
     R"("safety_identifier":"u","metadata":{"k":"v"},"reasoning_effort":"low","logit_bias":{"1":1},)"
     R"("response_format":{"type":"json_schema","json_schema":{"name":"n","description":"d","schema":{"type":"object"},)"
     R"("strict":true}},"parallel_tool_calls":true,)"
     R"("tool_choice":{"type":"function","function":{"name":"f"}},)"
     R"("tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":true}},)"
     R"({"type":"custom","custom":{"name":"c","description":"d","format":{"type":"grammar","grammar":)"
     R"({"syntax":"lark","definition":"s"}}}}],"functions":[{"name":"g","parameters":{"type":"object"}}],)"
     R"("messages":[{"role":"system","content":"s"},{"role":"developer","content":[{"type":"text","text":"d"}]},)"
     R"({"role":"user","name":"n","content":[{"type":"text","text":"x","prompt_cache_breakpoint":{"mode":"explicit"}},)"
     R"({"type":"image_url","image_url":{"url":"https://e.example/a.png","detail":"auto"}},)"
     R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},)"
     R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"}},)"
     R"({"type":"file","file":{"file_id":"file-1"}}]},)"
     R"({"role":"assistant","content":"y","refusal":"r","reasoning_content":"h","reasoning":"h","audio":{"id":"a"},)"
     R"("tool_calls":[{"id":"c1","index":0,"type":"function","function":{"name":"f","arguments":"{}"}},)"
     R"({"id":"c2","type":"custom","custom":{"name":"c","input":"i"}}]},)"
     R"({"role":"tool","tool_call_id":"c1","name":"f","content":"r"},)"
     R"({"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"r"}]},)"
     R"({"role":"assistant","content":[{"type":"text","text":"z"},{"type":"refusal","refusal":"r"}],)"
     R"("function_call":{"name":"g","arguments":"{}"}},{"role":"function","name":"g","content":"r"}]})"},
    {chat,
     R"({"model":"m","max_tokens":9,"response_format":{"type":"json_object"},"tools":[{"type":"function","function":)"
     R"({"name":"f"}},{"type":"custom","custom":{"name":"c","format":{"type":"text"}}}],"tool_choice":)"
     R"({"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}},)"
     R"({"type":"custom","custom":{"name":"c"}}]}},"messages":[{"role":"user","content":"x"}]})"},
    {chat, R"({"model":"m","max_tokens":9,"functions":[{"name":"f"}],"function_call":{"name":"f"},"messages":[]})"},
    {responses,
     R"({"model":"m","max_output_tokens":9,"instructions":"s","temperature":1,"stream":false,"stream_options":)"
     R"({"include_obfuscation":false},"user":"u","safety_identifier":"u","metadata":{"k":"v"},"reasoning":)"
     R"({"effort":"low","summary":"auto","generate_summary":"auto"},"text":{"verbosity":"low","format":{"type":"json_schema",)"
     R"("name":"n","description":"d","schema":{"type":"object"},"strict":true}},"tool_choice":{"type":"function","name":"f"},)"
     R"("parallel_tool_calls":true,)"
     R"("tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true},)"
     R"({"type":"custom","name":"c","description":"d","format":{"type":"grammar","syntax":"lark","definition":"s"}}],)"
     R"("input":[{"role":"developer","content":"d"},{"type":"message","id":"m0","status":"completed","role":"user","content":[)"
     R"({"type":"input_text","text":"x","prompt_cache_breakpoint":{"mode":"explicit"}},)"
     R"({"type":"input_image","image_url":"https://e.example/a.png","detail":"auto","prompt_cache_breakpoint":{"mode":"explicit"}},)"
     R"({"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"},)"
     R"({"type":"input_file","file_id":"file-1"},{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}]},)"
     R"({"type":"reasoning","id":"rs_1","status":"completed","summary":[{"type":"summary_text","text":"h"}],)"
     R"("content":[{"type":"reasoning_text","text":"h"}],"encrypted_content":"AAAA"},)"
     R"({"type":"message","id":"m1","status":"completed","phase":"commentary","role":"assistant","content":[)"
     R"({"type":"output_text","text":"y","annotations":[]},{"type":"refusal","refusal":"r"}]},)"
     R"({"type":"function_call","id":"fc_1","status":"completed","call_id":"c1","name":"f","arguments":"{}"},)"
     R"({"type":"custom_tool_call","id":"ct_1","status":"completed","call_id":"c2","name":"c","input":"i"},)"
     R"({"type":"function_call_output","id":"o1","status":"completed","call_id":"c1","output":"r"},)"
     R"({"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"r"}]}]})"},
    {responses,
     R"({"model":"m","max_output_tokens":9,"text":{"format":{"type":"text"}},"tools":[{"type":"function","name":"f"},)"
     R"({"type":"custom","name":"c","format":{"type":"text"}}],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":)"
     R"([{"type":"function","name":"f"},{"type":"custom","name":"c"}]},"input":"x"})"},
    {messages,
     R"({"model":"m","max_tokens":9,"temperature":1,"top_k":1,"stop_sequences":["a"],"metadata":{"user_id":"u"},)"
     R"("thinking":{"type":"enabled","budget_tokens":1024,"display":"summarized"},"cache_control":{"type":"ephemeral"},)"
     R"("output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object"}}},)"
     R"("tool_choice":{"type":"tool","name":"f","disable_parallel_tool_use":true},)"
     R"("tools":[{"type":"custom","name":"f","description":"d","input_schema":{"type":"object"},"strict":true,)"
     R"("cache_control":{"type":"ephemeral","ttl":"1h"}}],"system":[{"type":"text","text":"s","cache_control":)"
     R"({"type":"ephemeral","ttl":"5m"}}],"messages":[{"role":"user","content":[{"type":"text","text":"x"},)"
     R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},)"
     R"({"type":"image","source":{"type":"url","url":"https://e.example/a.png"},"cache_control":{"type":"ephemeral"}},)"
     R"({"type":"document","title":"t","source":{"type":"text","media_type":"text/plain","data":"d"}},)"
     R"({"type":"document","source":{"type":"file","file_id":"f1"}},)"
     R"({"type":"document","source":{"type":"content","content":[{"type":"text","text":"n"},)"
     R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}}]},)"
     R"({"role":"assistant","content":[{"type":"thinking","thinking":"h","signature":"AAAA"},)"
     R"({"type":"redacted_thinking","data":"AAAA"},{"type":"text","text":"y"},)"
     R"({"type":"tool_use","id":"t1","name":"f","input":{"a":1}}]},)"
     R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"cache_control":)"
     R"({"type":"ephemeral"},"content":[{"type":"text","text":"r"}]}]}]})"},
};

// An object of a request: where it begins, and by which members it is reached.
struct Place {
    std::size_t at;
    std::string path, first; // first: its first member, with its name
};

void find_objects(std::string_view body, std::string_view raw, const std::string& path, std::vector<Place>& out) {
    Scan scan(raw);
    if (scan.kind() == Kind::object) {
        const auto at = static_cast<std::size_t>(raw.data() - body.data());
        const std::size_t place = out.size();
        out.push_back({at + 1, path, {}});
        scan.members([&](const Name& name) {
            const auto value = scan.value();
            if (out[place].first.empty())
                out[place].first = "\"" + std::string(name.body) + "\":" + std::string(value.raw);
            find_objects(body, value.raw, path + "." + std::string(name.body), out);
        });
    } else if (scan.kind() == Kind::array) {
        scan.elements([&] { find_objects(body, scan.value().raw, path, out); });
    }
}

// The text of members that hold what a client likes.
bool opaque(const Request& request, const Place& place) {
    const auto& path = place.path;
    for (const char* member : {".parameters", ".schema", ".input_schema", ".logit_bias"})
        if (path.ends_with(member)) return true;
    return (path == ".metadata" && request.protocol != messages) || path == ".messages.content.input";
}

// Whatever else is lost is approved, so that what is refused is the member alone.
Approvals approving(bool members) {
    auto approvals = Approvals::strict();
    for (const auto& key : wm::sdk::loss_keys)
        approvals.set(key.key, members || key.key != std::string_view(WM_LOSS_EXTENSION_MEMBERS));
    return approvals;
}

struct Outcome {
    std::string sent, refused, losses;
};

Outcome translated(const char* client, const char* upstream, const std::string& body, const Approvals& approvals) {
    const wm::plugin::TalkParams params{.exchange = "x", .operation = "create", .model = "up", .now_ms = 1};
    auto talk = std::move(*wm::translate::Translation::open(wm::test::transcoder(client), params, approvals));
    auto sent = talk->request(body, wm::test::transcoder(upstream), params, std::nullopt);
    Outcome out;
    if (sent)
        out.sent = std::move(*sent);
    else
        out.refused = sent.error().where + ": " + sent.error().message;
    for (const auto& loss : talk->losses().all()) out.losses += loss.key + " " + loss.path + "\n";
    return out;
}

void each_pair(const std::function<void(const Request&, const char* upstream)>& one) {
    for (const auto& request : requests)
        for (const char* upstream : {chat, messages, responses})
            if (std::string_view(upstream) != request.protocol) one(request, upstream);
}

TEST(Members, ThatAreKnownAreTakenOrTold) {
    each_pair([](const Request& request, const char* upstream) {
        const auto found = translated(request.protocol, upstream, request.body, approving(false));
        EXPECT_EQ(found.refused, "") << request.protocol << " to " << upstream << "\n" << request.body;
    });
}

TEST(Members, ThatNobodyKnowsAreRefusedOrToldWhereverTheyStand) {
    each_pair([](const Request& request, const char* upstream) {
        std::vector<Place> places;
        find_objects(request.body, request.body, {}, places);
        ASSERT_GT(places.size(), 1u);
        for (const auto& place : places) {
            std::string body(request.body);
            body.insert(place.at, place.first.empty() ? R"("novelty":"n")" : R"("novelty":"n",)");
            SCOPED_TRACE(std::string(request.protocol) + " to " + upstream + " at " + place.path);
            const auto strict = translated(request.protocol, upstream, body, approving(false)),
                       permissive = translated(request.protocol, upstream, body, approving(true));
            if (opaque(request, place)) {
                EXPECT_TRUE(strict.refused.empty()) << strict.refused;
                continue;
            }
            EXPECT_NE(strict.refused.find("novelty: loss of extension_members is not approved"), std::string::npos)
                << strict.refused << strict.sent;
            EXPECT_EQ(permissive.refused, "");
            EXPECT_EQ(permissive.sent.find("novelty"), std::string::npos) << permissive.sent;
            EXPECT_NE(permissive.losses.find("novelty\n"), std::string::npos) << permissive.losses;
        }
    });
}

TEST(Members, ThatStandTwiceAreRefused) {
    each_pair([](const Request& request, const char* upstream) {
        std::vector<Place> places;
        find_objects(request.body, request.body, {}, places);
        for (const auto& place : places) {
            if (opaque(request, place)) continue;
            std::string body(request.body);
            body.insert(place.at, place.first + ",");
            const auto found = translated(request.protocol, upstream, body, approving(true));
            EXPECT_NE(found.refused.find("stands more than once"), std::string::npos)
                << request.protocol << " to " << upstream << " at " << place.path << ": " << found.refused;
        }
    });
}

// A member of another kind of the same object, or another name for something already said.
TEST(Members, ThatAreNotAtHomeAreTold) {
    struct Case {
        const char *protocol, *body, *path;
    };
    const Case cases[] = {
        {chat, R"({"model":"m","max_tokens":1,"user":"a","safety_identifier":"b","messages":[]})", "user"},
        {chat, R"({"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x","tool_call_id":"c"}]})",
         "messages.tool_call_id"},
        {chat,
         R"({"model":"m","max_tokens":1,"messages":[{"role":"tool","tool_call_id":"c","content":"x","name":"f"}]})",
         "messages.name"},
        {chat,
         R"({"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"x","file":{"a":1}}]}]})",
         "text.file"},
        {chat,
         R"({"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"f","file_data":"data:application/pdf;base64,AAAA"}}]}]})",
         "document.file.file_data"},
        {responses, R"({"model":"m","max_output_tokens":1,"input":[{"role":"user","phase":"p","content":"x"}]})",
         "input.phase"},
        {responses,
         R"({"model":"m","max_output_tokens":1,"input":"x","tools":[{"type":"custom","name":"c","strict":true}]})",
         "tools.strict"},
        {messages,
         R"({"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"x","title":"t"}]}]})",
         "text.title"},
        {messages, R"({"model":"m","max_tokens":1,"messages":[],"tool_choice":{"type":"auto","name":"f"}})",
         "tool_choice.name"},
    };
    for (const auto& one : cases)
        for (const char* upstream : {chat, messages, responses}) {
            if (std::string_view(upstream) == one.protocol) continue;
            const auto found = translated(one.protocol, upstream, one.body, approving(true));
            EXPECT_NE(found.losses.find("extension_members " + std::string(one.path) + "\n"), std::string::npos)
                << one.body << "\n"
                << found.losses << found.refused;
        }
}

} // namespace
