#include "request.hpp"

#include <watermaster/protocol/body_edits.hpp>
#include <watermaster/protocol/rename_model.hpp>
#include <watermaster/protocol/request_facts.hpp>
#include <watermaster/translation/carrier.hpp>

namespace wm::openai_responses {

using sdk::json::Kind;
using sdk::json::Name;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

bool is_media(std::string_view type, const Value&) {
    return type == "input_image" || type == "input_file" || type == "input_audio" || type == "image_generation_call" ||
           type == "computer_call_output";
}

void put_pins(sdk::Sink& out, const Value& previous, const Value& conversation) {
    const auto pin = [&out](std::string_view kind, const Value& id) {
        if (id.is_string() && !id.empty()) out.put(WM_OUT_PIN, kind, sdk::json::text(id.body()));
    };
    pin(WM_PIN_RESPONSE, previous);
    pin(WM_PIN_CONVERSATION,
        conversation.kind == Kind::object ? sdk::json::member(conversation.raw, "id") : conversation);
}

// The items of reasoning that a gateway has marked: their provider would know neither the id nor the mark.
sdk::ListCuts marked_reasoning(const Value& input) {
    sdk::ListCuts cuts;
    if (input.kind != Kind::array) return cuts;
    Scan scan(input.raw);
    scan.elements([&] {
        const std::string_view item = scan.value().raw;
        const Value mark = sdk::json::member(item, "encrypted_content");
        cuts.element(item, mark.is_string() && sdk::is_carrier(mark.body()) &&
                               sdk::json::member(item, "type").says("reasoning"));
    });
    return cuts;
}

} // namespace

sdk::Status facts(const sdk::Request& request, std::uint32_t want, sdk::Sink& out) {
    sdk::RoutingMembers routing;
    sdk::Media media;
    Value input, instructions, tools, max_output, background, cache_key, previous, conversation;
    const sdk::Status status = sdk::walk_request(request.body, routing, [&](const Name& name, Scan& scan) {
        if (name.is("input"))
            input = sdk::take_with_media(scan, request.body, is_media, media);
        else if (name.is("instructions"))
            instructions = scan.value();
        else if (name.is("tools"))
            tools = scan.value();
        else if (name.is("max_output_tokens"))
            sdk::keep_largest(max_output, scan.value());
        else if (name.is("background"))
            background = scan.value();
        else if (name.is("prompt_cache_key"))
            cache_key = scan.value();
        else if (name.is("previous_response_id"))
            previous = scan.value();
        else if (name.is("conversation"))
            conversation = scan.value();
    });
    if (!status.ok()) return status;

    sdk::put_common_facts(out, routing, request.body.size(), media, max_output, tools);
    out.fact(WM_FACT_CHOICES, std::uint64_t{1});
    out.fact(WM_FACT_USAGE, true);
    out.fact(WM_FACT_BACKGROUND, background.is_true());
    sdk::put_session(out, request.headers, cache_key);
    put_pins(out, previous, conversation);
    if (want & WM_WANT_PROMPT) sdk::put_prompt(out, tools, instructions, input);
    return out.status();
}

sdk::Status rewrite(const sdk::Request& request, const sdk::Rename& rename, sdk::Sink& out) {
    if (request.body.find(sdk::carrier_mark) == request.body.npos) return sdk::rename_model(request, rename, out);
    sdk::RoutingMembers routing;
    Value input;
    const sdk::Status status = sdk::walk_request(request.body, routing, [&](const Name& name, Scan& scan) {
        if (name.is("input")) input = scan.value();
    });
    if (!status.ok()) return status;
    sdk::BodyEdits edits;
    edits.replace(routing.model().raw, sdk::json::quote(rename.model));
    marked_reasoning(input).put(edits);
    edits.put(out);
    return out.status();
}

} // namespace wm::openai_responses
