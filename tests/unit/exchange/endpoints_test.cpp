#include "exchange/endpoints.h"
#include "fake_transcoder.h"

#include <gtest/gtest.h>

using namespace wm::exchange;

namespace {

FakeTranscoder protocol(const char* id, const char* path) {
    wm::plugin::TranscoderFacts facts;
    facts.id = id;
    facts.operations = {{"create", "POST", path, "inference"}};
    if (facts.id == "anthropic-messages")
        facts.operations.push_back({"count_tokens", "POST", "/v1/messages/count_tokens", "local"});
    return FakeTranscoder(std::move(facts));
}

struct EndpointsTest : testing::Test {
    FakeTranscoder messages = protocol("anthropic-messages", "/v1/messages");
    FakeTranscoder chat = protocol("openai-chat", "/v1/chat/completions");
    Endpoints endpoints{{&messages, &chat}, true, true};
};

TEST_F(EndpointsTest, EachProtocolBringsItsOwnPaths) {
    const auto found = endpoints.find("POST", "/v1/messages");
    ASSERT_TRUE(found.endpoint);
    EXPECT_EQ(found.endpoint->protocol, &messages);
    EXPECT_EQ(found.endpoint->kind, EndpointKind::inference);
    EXPECT_EQ(endpoints.find("POST", "/v1/messages/count_tokens").endpoint->kind, EndpointKind::count_tokens);
}

TEST_F(EndpointsTest, AWrongMethodNamesTheRightOnes) {
    EXPECT_EQ(endpoints.find("GET", "/v1/chat/completions").allow, "POST");
    EXPECT_EQ(endpoints.find("DELETE", "/v1/models").allow, "GET, HEAD");
    EXPECT_FALSE(endpoints.find("GET", "/v1/chat/completions").endpoint);
    EXPECT_TRUE(endpoints.find("HEAD", "/v1/models").endpoint);
}

TEST_F(EndpointsTest, PathsAreComparedExactly) {
    for (const auto* path : {"/v1/messages/", "/v1//messages", "/V1/messages", "/v1/message", "/", ""})
        EXPECT_FALSE(endpoints.find("POST", path).same_path) << path;
}

TEST_F(EndpointsTest, AnUnknownPathGetsTheShapeOfItsNeighbours) {
    EXPECT_EQ(endpoints.nearest("/v1/messages/batches"), &messages);
    EXPECT_EQ(endpoints.nearest("/v1/files"), &chat);
    EXPECT_EQ(endpoints.nearest("/api/v3/messages"), &messages);
    EXPECT_EQ(endpoints.nearest("/api/v3/xmessages"), &chat);
}

TEST_F(EndpointsTest, APathNearOneThatIsServedIsTakenForIt) {
    const std::pair<const char*, const char*> rows[] = {
        {"/chat/completions", "/v1/chat/completions"},
        {"/v1/v1/chat/completions", "/v1/chat/completions"},
        {"/v1/chat/completions/", "/v1/chat/completions"},
        {"/v1/chat/completions/chat/completions", "/v1/chat/completions"},
        {"/openai/chat/completions", "/v1/chat/completions"},
        {"/completions", "/v1/chat/completions"},
        {"/messages", "/v1/messages"},
        {"/v1/v1/messages/count_tokens", "/v1/messages/count_tokens"},
        {"/models", "/v1/models"},
        {"/v1/embeddings", ""},
        {"/etions", ""},
        {"/", ""},
        {"", ""},
        {"etions", ""},
    };
    for (const auto& [path, meant] : rows) EXPECT_EQ(endpoints.meant(path), meant) << path;
    EXPECT_EQ(Endpoints({&messages, &chat}, false, true).meant("/chat/completions"), "");
}

TEST_F(EndpointsTest, WithoutAModelNothingIsServedButShapesAreKnown) {
    const Endpoints none({&messages, &chat}, false, true);
    for (const auto* path : {"/v1/messages", "/v1/messages/count_tokens", "/v1/models"})
        EXPECT_FALSE(none.find("POST", path).same_path) << path;
    EXPECT_TRUE(none.find("GET", "/healthz").endpoint);
    EXPECT_EQ(none.nearest("/v1/messages"), &messages);
}

TEST_F(EndpointsTest, APathMayNameWhatIsAsked) {
    wm::plugin::TranscoderFacts facts;
    facts.id = "made-up";
    facts.operations = {{"generate", "POST", "/v9/models/{model}:generate", "inference"},
                        {"stream", "POST", "/v9/models/{model}:stream", "inference"},
                        {"default", "POST", "/v9/models/default:generate", "inference"}};
    FakeTranscoder made_up(std::move(facts));
    const Endpoints served({&made_up, &chat}, true, true);
    const auto asked = [&](const char* path) {
        const auto found = served.find("POST", path);
        return found.endpoint ? found.endpoint->operation->id + " " + found.handle : "-";
    };
    EXPECT_EQ(asked("/v9/models/small:generate"), "generate small");
    EXPECT_EQ(asked("/v9/models/a%2Fb%20c:stream"), "stream a/b c");
    EXPECT_EQ(asked("/v9/models/default:generate"), "default ");
    for (const auto* path :
         {"/v9/models/a/b:generate", "/v9/models/:generate", "/v9/models/%zz:generate", "/v9/models/a"})
        EXPECT_EQ(asked(path), "-") << path;
    EXPECT_EQ(served.find("GET", "/v9/models/small:generate").allow, "POST");
    EXPECT_EQ(served.nearest("/v9/models/small"), &made_up);
    EXPECT_EQ(served.nearest("/v9/files"), &chat);
}

TEST_F(EndpointsTest, HealthMayBeOff) {
    EXPECT_TRUE(endpoints.find("GET", "/healthz").endpoint);
    EXPECT_FALSE(Endpoints({&chat}, true, false).find("GET", "/healthz").same_path);
}

} // namespace
