#include "request.hpp"

#include "marked_thinking.hpp"

#include <watermaster/protocol/rename_model.hpp>
#include <watermaster/protocol/request_facts.hpp>
#include <watermaster/translation/carrier.hpp>

namespace wm::anthropic_messages {

using sdk::json::Kind;
using sdk::json::Name;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

// A document may be plain text, which counts as text.
bool is_media(std::string_view type, const Value& source) {
    if (type == "image" || type == "container_upload") return true;
    if (type != "document" || source.kind != Kind::object) return false;
    const Value kind = sdk::json::member(source.raw, "type");
    return !kind.says("text") && !kind.says("content");
}

} // namespace

sdk::Status facts(const sdk::Request& request, std::uint32_t want, sdk::Sink& out) {
    sdk::RoutingMembers routing;
    sdk::Media media;
    Value messages, system, tools, max_output, metadata;
    const sdk::Status status = sdk::walk_request(request.body, routing, [&](const Name& name, Scan& scan) {
        if (name.is("messages"))
            messages = sdk::take_with_media(scan, request.body, is_media, media);
        else if (name.is("system"))
            system = scan.value();
        else if (name.is("tools"))
            tools = scan.value();
        else if (name.is("max_tokens"))
            sdk::keep_largest(max_output, scan.value());
        else if (name.is("metadata"))
            metadata = scan.value();
    });
    if (!status.ok()) return status;

    sdk::put_common_facts(out, routing, request.body.size(), media, max_output, tools);
    out.fact(WM_FACT_CHOICES, std::uint64_t{1});
    out.fact(WM_FACT_USAGE, true);
    // Agents put their session into the user id.
    sdk::put_session(out, request.headers,
                     metadata.kind == Kind::object ? sdk::json::member(metadata.raw, "user_id") : Value{});
    if (want & WM_WANT_PROMPT) sdk::put_prompt(out, tools, system, messages);
    return out.status();
}

sdk::Status rewrite(const sdk::Request& request, const sdk::Rename& rename, sdk::Sink& out) {
    if (request.body.find(sdk::carrier_mark) == request.body.npos) return sdk::rename_model(request, rename, out);
    sdk::RoutingMembers routing;
    Value messages, thinking;
    const sdk::Status status = sdk::walk_request(request.body, routing, [&](const Name& name, Scan& scan) {
        if (name.is("messages"))
            messages = scan.value();
        else if (name.is("thinking"))
            thinking = scan.value();
    });
    if (!status.ok()) return status;
    sdk::BodyEdits edits;
    edits.replace(routing.model().raw, sdk::json::quote(rename.model));
    MarkedThinking marked(messages);
    marked.put(edits);
    const bool budget = thinking.kind == Kind::object && sdk::json::member(thinking.raw, "type").says("enabled");
    if (budget && marked.breaks_tool_loop()) edits.replace(thinking.raw, R"({"type":"disabled"})");
    edits.put(out);
    return out.status();
}

} // namespace wm::anthropic_messages
