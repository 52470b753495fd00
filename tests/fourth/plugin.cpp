#include "offices.hpp"
#include "telegraph.hpp"

#include <watermaster/plugin.hpp>
#include <watermaster/protocol/rename_model.hpp>

namespace telegraph {

class Tap : public sdk::TapBase<Tap> {
  public:
    explicit Tap(const sdk::Params&) {}

    // One verdict for all lines of a piece, and none that says anything while a line is not complete.
    sdk::Status frame(const sdk::Frame& frame, sdk::Sink& out) {
        if (frame.kind != WM_FRAME_RAW) return TapBase::frame(frame, out);
        std::uint32_t flags = WM_FLAG_IDLE;
        for (const std::string& line : lines_.feed(frame.data)) {
            const sdk::Status status = look(line, flags, out);
            if (!status.ok()) return status;
        }
        return verdict(flags, out);
    }
    sdk::Status judge(const sdk::Frame& frame, sdk::Sink& out) { return document(frame.data, out); }
    sdk::Status document(std::string_view body, sdk::Sink& out) {
        std::uint32_t flags = 0;
        const sdk::Status status = look(body, flags, out);
        return status.ok() ? verdict(flags, out) : status;
    }
    sdk::Status end(const wm_events* error, sdk::Sink& out) {
        if (error) out.frame({}, fault(sdk::read_error(*error)), WM_FLAG_ERROR);
        return error ? out.status() : verdict(done_ && !failed_ ? WM_FLAG_TERMINAL : WM_FLAG_ERROR, out);
    }

  private:
    sdk::Status look(std::string_view body, std::uint32_t& flags, sdk::Sink& out) {
        sdk::json::Scan scan(body);
        if (scan.kind() != sdk::json::Kind::object) return sdk::bad_input("body", "not a JSON object");
        scan.value();
        if (!scan.finish()) return sdk::bad_input("body", "not valid JSON");
        if (sdk::json::member(body, "fault").there()) {
            (void)FrameReader::fail(sdk::wrong_answer("the office has a fault"), out);
            flags |= WM_FLAG_ERROR;
            return out.status();
        }
        done_ = sdk::json::member(body, "stop").there();
        flags |= WM_FLAG_SEMANTIC | (done_ ? WM_FLAG_TERMINAL : 0);
        return {};
    }

    Lines lines_;
};

// Who asks an office by its path names it there, and says in the query whether to stream.
sdk::Status facts_by_path(const sdk::Request& request, sdk::Sink& out) {
    sdk::json::Scan scan(request.body);
    Value limit, forms;
    bool twice = false;
    if (scan.kind() != sdk::json::Kind::object) return sdk::bad_input("body", "not a JSON object");
    scan.members([&](const sdk::json::Name& name) {
        twice = twice || name.folds_to("model") || name.folds_to("stream");
        const Value value = scan.value();
        if (name.is("limit")) limit = value;
        if (name.is("forms")) forms = value;
    });
    if (!scan.finish()) return sdk::bad_json(scan);
    if (twice) return sdk::bad_input("model", "stands in the path, and stream in the query");
    out.fact(WM_FACT_MODEL, request.handle);
    out.fact(WM_FACT_STREAM, request.query.find("stream=yes") != request.query.npos);
    if (limit.there()) out.fact(WM_FACT_MAX_OUTPUT, limit.raw);
    out.fact(WM_FACT_TEXT_BYTES, std::uint64_t(request.body.size()));
    out.fact(WM_FACT_TOOLS, !forms.empty());
    return out.status();
}

struct Transcoder {
    static constexpr const char* id = "telegraph";
    static constexpr const char* facts_json = R"({
  "id": "telegraph",
  "dialect": "openai",
  "operations": [
    {"id": "create", "method": "POST", "path": "/v1/wires", "kind": "inference", "framing": "sse"},
    {"id": "send", "method": "POST", "path": "/v1/offices/{office}/wires", "kind": "inference", "framing": "sse"}
  ],
  "routing_members": ["model", "stream"],
  "needs": []
})";

    static sdk::Status facts(const sdk::Request& request, std::uint32_t, sdk::Sink& out) {
        if (request.operation == by_path) return facts_by_path(request, out);
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
        return request.operation == by_path ? out.status() : sdk::rename_model(request, rename, out);
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

} // namespace telegraph

WM_PLUGIN("0.1.0", wm::sdk::transcoder<telegraph::Transcoder>, wm::sdk::adapter<telegraph::Office>,
          wm::sdk::adapter<telegraph::Branch>, wm::sdk::adapter<telegraph::Cable>)
