#include "document_writer.hpp"

#include <watermaster/protocol/error_shapes.hpp>
#include <watermaster/translation/arguments.hpp>
#include <watermaster/translation/carrier.hpp>
#include <watermaster/translation/reasoning.hpp>

#include <algorithm>

namespace wm::anthropic_messages {

using sdk::Block;
using sdk::json::Writer;

void DocumentWriter::choice(const sdk::Choice& choice, sdk::Sink& out) {
    if (answered_) return losses_.loss(out, WM_LOSS_CHOICES, "choices");
    answered_ = true;
    {
        Writer list(content_, true);
        for (const Block& one : choice.blocks) block(list, one, out);
    }
    stop_ = Stop(choice.finish, std::any_of(choice.blocks.begin(), choice.blocks.end(),
                                            [](const Block& one) { return one.is(WM_BLOCK_REFUSAL); }));
}

void DocumentWriter::block(Writer& list, const Block& block, sdk::Sink& out) {
    if (block.signed_elsewhere()) losses_.loss(out, WM_LOSS_AUTHENTICATED_THINKING, "content.signature");
    if (!block.attribute(WM_ATTR_PHASE).empty()) losses_.loss(out, WM_LOSS_RESPONSES_CONTROLS, "content.phase");
    if (!block.logprobs.empty()) losses_.loss(out, WM_LOSS_LOGPROBS, "logprobs");
    if (block.is(WM_BLOCK_TEXT) || block.is(WM_BLOCK_REFUSAL)) {
        const bool own = !block.citations.empty() && block.raw_origin == protocol;
        if (!block.citations.empty() && !own) losses_.loss(out, WM_LOSS_CITATIONS, "content.citations");
        Writer w = list.element_object();
        w.text("type", "text");
        w.text("text", block.text);
        if (!own) return;
        Writer marks = w.array("citations");
        for (const std::string& mark : block.citations) marks.element_raw(mark);
    } else if (block.is(WM_BLOCK_REASONING)) {
        reasoning(list, block, out);
    } else if (block.is(WM_BLOCK_TOOL_CALL)) {
        bool wrapped = false;
        const bool freeform = block.args.empty() && !block.text.empty();
        const std::string input = freeform ? sdk::freeform_arguments(block.text) : sdk::object_of(block.args, wrapped);
        if (wrapped) losses_.loss(out, WM_LOSS_TOOL_ARGUMENTS, "content.input");
        Writer w = list.element_object();
        w.text("type", "tool_use");
        w.text("id", ids_.call(block.call));
        w.text("name", block.tool);
        w.raw("input", input);
    } else if (!block.raw.empty() && block.raw_origin == protocol) {
        list.element_raw(block.raw);
    } else {
        losses_.loss(out, sdk::lost_with(block.kind), "content." + block.kind);
    }
}

void DocumentWriter::reasoning(Writer& list, const Block& block, sdk::Sink& out) {
    if (!block.opaque.empty() && block.opaque_format == protocol) {
        Writer w = list.element_object();
        w.text("type", "redacted_thinking");
        return w.text("data", block.opaque);
    }
    const bool own = head_.own || (!block.signature.empty() && block.signature_format == protocol);
    if (!own && talk_.options.reasoning_text) {
        if (!block.signature.empty() || !block.opaque.empty())
            losses_.loss(out, WM_LOSS_AUTHENTICATED_THINKING, "content.reasoning");
        const std::string thought = sdk::shown_reasoning(block);
        if (thought.empty()) return;
        Writer w = list.element_object();
        w.text("type", "text");
        return w.text("text", thought);
    }
    if (!own && !talk_.options.reasoning_thinking) {
        if (!block.opaque.empty()) losses_.loss(out, WM_LOSS_AUTHENTICATED_THINKING, "content.reasoning");
        if (!sdk::shown_reasoning(block).empty())
            losses_.loss(out, WM_LOSS_PROVIDER_REASONING_TEXT, "content.reasoning");
        return;
    }
    Writer w = list.element_object();
    w.text("type", "thinking");
    w.text("thinking", sdk::shown_reasoning(block));
    if (own)
        w.text("signature", block.signature);
    else if (!block.opaque.empty())
        w.text("signature", sdk::carry(block.opaque_format, block.opaque, true));
    else
        w.text("signature", sdk::carry(block.signature_format, block.signature));
}

sdk::Status DocumentWriter::end(sdk::Sink& out) {
    if (error_.complete()) {
        out.put(WM_OUT_BODY, {}, sdk::anthropic_error(error_.report()));
        return out.status();
    }
    if (!answered_) return {WM_INTERNAL, {}, "the answer has no choice"};
    head_.complete(talk_, asked_);
    std::string text;
    {
        Writer w(text);
        w.text("id", head_.id);
        w.text("type", "message");
        w.text("role", WM_TURN_ASSISTANT);
        w.text("model", head_.model);
        w.raw("content", content_);
        w.text("stop_reason", stop_.reason);
        w.raw("stop_sequence", stop_.sequence);
        Writer usage = w.object("usage");
        write_usage(usage, usage_, losses_, out);
    }
    out.put(WM_OUT_BODY, {}, text);
    return out.status();
}

} // namespace wm::anthropic_messages
