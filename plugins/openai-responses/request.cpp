#include "request.hpp"

#include <watermaster/protocol/body_edits.hpp>
#include <watermaster/protocol/handles.hpp>
#include <watermaster/protocol/rename_model.hpp>
#include <watermaster/protocol/request_facts.hpp>
#include <watermaster/translation/carrier.hpp>

namespace wm::openai_responses {

using sdk::json::Kind;
using sdk::json::Name;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

// What items hold: media, uploaded files, references to items that are stored, and sealed reasoning.
struct Parts {
    struct Part {
        Value id, file_id, sealed;
        void take(const Name& name, Scan& scan) {
            if (name.is("id"))
                id = scan.value();
            else if (name.is("file_id"))
                file_id = scan.value();
            else if (name.is("encrypted_content"))
                sealed = scan.value();
        }
    };
    bool end(std::string_view type, const Part& part, bool nested) {
        reasoning.keep(part.sealed);
        // Reasoning that is neither sealed nor shown is known by its id alone; other items are sent whole.
        const bool only_named = type == "reasoning" && part.sealed.empty() && !nested;
        if (type == "item_reference" || only_named) items.keep(part.id);
        const bool image_or_file = type == "input_image" || type == "input_file" || type == "computer_call_output";
        if (image_or_file) files.keep(part.file_id);
        return image_or_file || type == "input_audio" || type == "image_generation_call";
    }
    void put_pins(sdk::Sink& out) const {
        files.put(out, WM_PIN_FILE);
        items.put(out, WM_PIN_ITEM);
        reasoning.each([&](const Value& one) {
            if (sdk::is_carrier(one.body()))
                sdk::put_carried_pin(out, one.body());
            else
                sdk::put_pin(out, WM_PIN_REASONING, one);
        });
    }
    sdk::NewestHandles files, items, reasoning;
};

// What tools work with: containers and vector stores, which are a provider's as files are.
struct Stores {
    void walk(Scan& scan) {
        scan.elements([&] {
            sdk::walk_object(scan, [&](const Name& name) {
                if (name.is("container") && scan.kind() == Kind::string)
                    containers.keep(scan.value());
                else if (name.is("vector_store_ids") && scan.kind() == Kind::array)
                    scan.elements([&] { vectors.keep(scan.value()); });
            });
        });
    }
    void put_pins(sdk::Sink& out) const {
        vectors.put(out, WM_PIN_FILE);
        containers.put(out, WM_PIN_CONTAINER);
    }
    sdk::NewestHandles containers, vectors;
};

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
    Parts parts;
    Stores stores;
    Value input, instructions, tools, max_output, background, cache_key, previous, conversation;
    const sdk::Status status = sdk::walk_request(request.body, routing, [&](const Name& name, Scan& scan) {
        if (name.is("input"))
            input = sdk::take_parts(scan, request.body, parts, media);
        else if (name.is("instructions"))
            instructions = scan.value();
        else if (name.is("tools"))
            tools = sdk::take_walked(scan, request.body, [&] { stores.walk(scan); });
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
    // What binds most comes last: the host goes by the last it knows.
    stores.put_pins(out);
    parts.put_pins(out);
    sdk::put_pin(out, WM_PIN_CONVERSATION,
                 conversation.kind == Kind::object ? sdk::json::member(conversation.raw, "id") : conversation);
    sdk::put_pin(out, WM_PIN_RESPONSE, previous);
    if (want & WM_WANT_PROMPT) sdk::put_prompt(out, tools, instructions, input);
    return out.status();
}

sdk::Status rewrite(const sdk::Request& request, const sdk::Rename& rename, sdk::Sink& out) {
    if (!sdk::holds_carrier(request.body)) return sdk::rename_model(request, rename, out);
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
