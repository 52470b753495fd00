#include "telegraph.hpp"

#include <watermaster/plugin.hpp>
#include <watermaster/protocol/rename_model.hpp>
#include <watermaster/url.hpp>

namespace telegraph {

class Tap : public sdk::TapBase<Tap> {
  public:
    explicit Tap(const sdk::Params&) {}

    sdk::Status judge(const sdk::Frame& frame, sdk::Sink& out) { return document(frame.data, out); }
    sdk::Status document(std::string_view body, sdk::Sink& out) {
        sdk::json::Scan scan(body);
        if (scan.kind() != sdk::json::Kind::object) return sdk::bad_input("body", "not a JSON object");
        scan.value();
        if (!scan.finish()) return sdk::bad_input("body", "not valid JSON");
        if (sdk::json::member(body, "fault").there()) return fail(sdk::wrong_answer("the office has a fault"), out);
        done_ = sdk::json::member(body, "stop").there();
        return verdict(WM_FLAG_SEMANTIC | (done_ ? WM_FLAG_TERMINAL : 0), out);
    }
    sdk::Status end(const wm_events* error, sdk::Sink& out) {
        if (error) out.frame({}, fault(sdk::read_error(*error)), WM_FLAG_ERROR);
        return error ? out.status() : verdict(done_ && !failed_ ? WM_FLAG_TERMINAL : WM_FLAG_ERROR, out);
    }
};

struct Transcoder {
    static constexpr const char* id = "telegraph";
    static constexpr const char* facts_json = R"({
  "id": "telegraph",
  "dialect": "openai",
  "operations": [
    {"id": "create", "method": "POST", "path": "/v1/wires", "kind": "inference", "framing": "sse"}
  ],
  "routing_members": ["model", "stream"],
  "needs": []
})";

    static sdk::Status facts(const sdk::Request& request, std::uint32_t, sdk::Sink& out) {
        sdk::RoutingMembers routing;
        Value limit, forms;
        const sdk::Status status =
            sdk::walk_request(request.body, routing, [&](const sdk::json::Name& name, sdk::json::Scan& scan) {
                if (name.is("limit")) limit = scan.value();
                if (name.is("forms")) forms = scan.value();
            });
        if (status.ok()) sdk::put_common_facts(out, routing, request.body.size(), {}, limit, forms);
        return status.ok() ? out.status() : status;
    }
    static sdk::Status rewrite(const sdk::Request& request, const sdk::Rename& rename, sdk::Sink& out) {
        return sdk::rename_model(request, rename, out);
    }
    static sdk::Status write_error(const wm_events& error, sdk::Sink& out) {
        out.put(WM_OUT_BODY, {}, fault(sdk::read_error(error)));
        return out.status();
    }

    using Tap = telegraph::Tap;
    struct Translation {
        using Options = telegraph::Options;
        using Asked = telegraph::Asked;
        using Sent = telegraph::Sent;
        using RequestReader = telegraph::RequestReader;
        using RequestWriter = telegraph::RequestWriter;
        using AnswerReader = telegraph::AnswerReader;
        using DocumentWriter = telegraph::DocumentWriter;
        using StreamWriter = telegraph::StreamWriter;
    };
};

struct Office {
    static constexpr const char* id = "telegraph-office";
    static constexpr const char* facts_json = R"({
  "id": "telegraph-office",
  "endpoint": "base",
  "protocols": [
    {"id": "telegraph", "operations": [{"id": "create", "method": "POST", "path": "/v1/wires", "framing": "sse"}]}
  ],
  "models": "open",
  "auth": ["header"],
  "failure_policy": "generic",
  "rate_limit_family": "openai",
  "settings": []
})";

    std::string url;

    static std::unique_ptr<Office> bind(const sdk::Settings& settings, sdk::Problems& problems) {
        const std::string_view base = settings.get("base_url");
        if (const auto problem = sdk::url_problem(base, true); !problem.empty()) problems.add("base_url", problem);
        return std::make_unique<Office>(Office{sdk::join_url(base, "/v1/wires")});
    }
    sdk::Status prepare(const sdk::Call& call, sdk::Sink& out) const {
        out.put(WM_OUT_METHOD, {}, "POST");
        out.put(WM_OUT_URL, {}, url);
        out.put(WM_OUT_HEADER, "content-type", "application/json");
        out.put(WM_OUT_SECRET, "authorization", "Bearer ");
        out.put(WM_OUT_FRAMING, {}, call.stream ? WM_FRAMING_SSE : WM_FRAMING_DOCUMENT);
        return out.status();
    }
};

} // namespace telegraph

WM_PLUGIN("0.1.0", wm::sdk::transcoder<telegraph::Transcoder>, wm::sdk::adapter<telegraph::Office>)
