#include "exchange/local_answers.h"

#include "base/json_writer.h"
#include "exchange/reply.h"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace wm::exchange {

namespace {

// One shape that both families of clients read as their own model list.
void write_model(JsonWriter& w, std::string_view name) {
    w.open('{')
        .key("id")
        .text(name)
        .key("object")
        .text("model")
        .key("type")
        .text("model")
        .key("display_name")
        .text(name);
    w.key("created")
        .number(0)
        .key("created_at")
        .text("1970-01-01T00:00:00Z")
        .key("owned_by")
        .text("watermaster")
        .close('}');
}

template <class F>
void for_each_name(const config::Settings& settings, F&& f) {
    for (const auto& model : settings.models) {
        f(model.name);
        for (const auto& alias : model.aliases) f(alias);
    }
}

struct StringBytes : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, StringBytes> {
    static constexpr int max_depth = 128; // as in the protocols' own readers; the parser's stack grows with it
    std::uint64_t bytes = 0;
    int depth = 0;
    bool first = true;
    bool Default() { return !std::exchange(first, false); } // anything but an object at the top ends it
    bool String(const char*, rapidjson::SizeType length, bool) {
        bytes += length;
        return !std::exchange(first, false);
    }
    bool Key(const char*, rapidjson::SizeType, bool) { return true; }
    bool StartObject() {
        first = false;
        return ++depth <= max_depth;
    }
    bool StartArray() { return !std::exchange(first, false) && ++depth <= max_depth; }
    bool EndObject(rapidjson::SizeType) { return --depth, true; }
    bool EndArray(rapidjson::SizeType) { return --depth, true; }
};

std::string readiness_document(bool draining) {
    return draining ? R"({"status":"draining"})" : R"({"status":"ready"})";
}

std::string estimate_document(std::uint64_t tokens) {
    std::string json;
    JsonWriter w(json);
    w.open('{')
        .key("input_tokens")
        .number(std::int64_t(tokens))
        .key("x_watermaster_estimated")
        .boolean(true)
        .close('}');
    return json;
}

runtime::Task<std::optional<Refusal>> answer_with_estimate(Context& x) {
    std::optional<std::uint64_t> tokens;
    co_await x.work_on(x.body.size(), [&] { tokens = estimate_tokens(x.body); });
    if (!tokens) co_return Refusal{.code = Code::invalid_body, .message = "the request body is not a JSON object"};
    const auto json = estimate_document(*tokens);
    co_await answer_json(x, 200, json);
    co_return std::nullopt;
}

} // namespace

runtime::Task<std::optional<Refusal>> answer_locally(Context& x) {
    const bool draining = x.site().draining;
    int status = 200;
    std::string json;
    switch (x.endpoint->kind) {
    case EndpointKind::models: json = models_document(x.settings()); break;
    case EndpointKind::health: json = health_document(x); break;
    case EndpointKind::ready:
        json = readiness_document(draining);
        status = draining ? 503 : 200;
        break;
    case EndpointKind::count_tokens: co_return co_await answer_with_estimate(x);
    case EndpointKind::inference: break; // is not answered here
    }
    co_await answer_json(x, status, json);
    co_return std::nullopt;
}

std::string models_document(const config::Settings& settings) {
    std::string json, first, last;
    JsonWriter w(json);
    w.open('{').key("object").text("list").key("data").open('[');
    for_each_name(settings, [&](const std::string& name) {
        write_model(w, name);
        if (first.empty()) first = name;
        last = name;
    });
    w.close(']').key("has_more").boolean(false).key("first_id").text(first).key("last_id").text(last).close('}');
    return json;
}

std::string health_document(const Context& x) {
    std::string json;
    JsonWriter w(json);
    const std::int64_t waiting = std::int64_t(x.generation().mounts.waiting()) + x.gates().waiting();
    const bool draining = x.site().draining;
    w.open('{').key("ok").boolean(!draining).key("status").text(draining ? "draining" : "ok").key("models").open('[');
    for_each_name(x.settings(), [&](const std::string& name) { w.text(name); });
    w.close(']')
        .key("uptime_seconds")
        .number(std::chrono::duration_cast<std::chrono::seconds>(x.now() - x.site().started).count());
    w.key("waiting").number(waiting).close('}');
    return json;
}

std::optional<std::uint64_t> estimate_tokens(std::string_view body) {
    StringBytes counter;
    rapidjson::MemoryStream stream(body.data(), body.size());
    rapidjson::Reader reader; // iterative: a body of a million brackets must not use up the stack
    if (!reader.Parse<rapidjson::kParseIterativeFlag>(stream, counter)) return std::nullopt;
    return (counter.bytes + 3) / 4 + 8;
}

} // namespace wm::exchange
