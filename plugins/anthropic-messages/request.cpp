#include "request.hpp"

#include "marked_thinking.hpp"

#include <watermaster/protocol/handles.hpp>
#include <watermaster/protocol/rename_model.hpp>
#include <watermaster/protocol/request_facts.hpp>
#include <watermaster/translation/carrier.hpp>

namespace wm::anthropic_messages {

using sdk::json::Kind;
using sdk::json::Name;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

// What messages hold: media, uploaded files, and reasoning that another protocol's provider sealed. What this one's
// signs or redacts is taken with any of its keys.
struct Parts {
    struct Part {
        Value source_type, source_file, file_id, signature;
        Kind source = Kind::none;
        void take(const Name& name, Scan& scan) {
            if (name.is("file_id")) {
                file_id = scan.value();
            } else if (name.is("signature")) {
                signature = scan.value();
            } else if (name.is("source")) {
                source = scan.kind();
                sdk::walk_object(scan, [&](const Name& member) {
                    if (member.is("type"))
                        source_type = scan.value();
                    else if (member.is("file_id"))
                        source_file = scan.value();
                });
            }
        }
    };
    bool end(std::string_view type, const Part& part, bool) {
        const bool upload = type == "container_upload", document = type == "document";
        if (upload) files.keep(part.file_id);
        if (type == "image" || document) files.keep(part.source_file);
        if (type == "thinking" && part.signature.is_string() && sdk::is_carrier(part.signature.body()))
            carried.keep(part.signature);
        if (!document) return type == "image" || upload;
        // A document may be plain text, which counts as text.
        return part.source == Kind::object && !part.source_type.says("text") && !part.source_type.says("content");
    }
    void put_pins(sdk::Sink& out) const {
        files.put(out, WM_PIN_FILE);
        carried.each([&](const Value& one) { sdk::put_carried_pin(out, one.body()); });
    }
    sdk::NewestHandles files, carried;
};

} // namespace

sdk::Status facts(const sdk::Request& request, std::uint32_t want, sdk::Sink& out) {
    sdk::RoutingMembers routing;
    sdk::Media media;
    Parts parts;
    Value messages, system, tools, max_output, metadata, container;
    const sdk::Status status = sdk::walk_request(request.body, routing, [&](const Name& name, Scan& scan) {
        if (name.is("messages"))
            messages = sdk::take_parts(scan, request.body, parts, media);
        else if (name.is("system"))
            system = scan.value();
        else if (name.is("tools"))
            tools = scan.value();
        else if (name.is("max_tokens"))
            sdk::keep_largest(max_output, scan.value());
        else if (name.is("metadata"))
            metadata = scan.value();
        else if (name.is("container"))
            container = scan.value();
    });
    if (!status.ok()) return status;

    sdk::put_common_facts(out, routing, request.body.size(), media, max_output, tools);
    out.fact(WM_FACT_CHOICES, std::uint64_t{1});
    out.fact(WM_FACT_USAGE, true);
    // Agents put their session into the user id.
    sdk::put_session(out, request.headers,
                     metadata.kind == Kind::object ? sdk::json::member(metadata.raw, "user_id") : Value{});
    parts.put_pins(out);
    sdk::put_pin(out, WM_PIN_CONTAINER,
                 container.kind == Kind::object ? sdk::json::member(container.raw, "id") : container);
    if (want & WM_WANT_PROMPT) sdk::put_prompt(out, tools, system, messages);
    return out.status();
}

sdk::Status rewrite(const sdk::Request& request, const sdk::Rename& rename, sdk::Sink& out) {
    if (!sdk::holds_carrier(request.body)) return sdk::rename_model(request, rename, out);
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
