#include "document_writer.hpp"

#include <watermaster/protocol/error_shapes.hpp>

#include <algorithm>

namespace wm::openai_responses {

using sdk::Block;

void DocumentWriter::choice(const sdk::Choice& choice, sdk::Sink& out) {
    if (answered_) return losses_.loss(out, WM_LOSS_CHOICES, "choices");
    answered_ = true;
    ending_ = Ending(choice.finish.word, std::any_of(choice.blocks.begin(), choice.blocks.end(),
                                                     [](const Block& one) { return one.is(WM_BLOCK_REFUSAL); }));
    if (!choice.finish.matched.empty()) losses_.loss(out, WM_LOSS_STOP_DETAILS, "stop_sequence");
    for (const Block& one : choice.blocks) block(one, &one == &choice.blocks.back(), out);
    end_message(ending_.status);
}

void DocumentWriter::item(const std::string& json) {
    output_.append(output_.empty() ? "" : ",").append(json);
    ++items_;
}

std::string DocumentWriter::id(std::string_view kind, const Block& block) const {
    return head_.own && !block.item.empty() ? block.item : item_id(kind, talk_, items_);
}

// Texts that follow each other are one message, unless the provider gave them several.
void DocumentWriter::said(const Block& block, sdk::Sink& out) {
    if (!content_.empty() && item_ != block.item) end_message("completed");
    if (content_.empty()) {
        message_ = id("msg", block);
        item_ = block.item;
        phase_ = block.attribute(WM_ATTR_PHASE);
    }
    Part part{block.text, {}, block.logprobs};
    if (block.raw_origin != protocol && !block.citations.empty())
        losses_.loss(out, WM_LOSS_CITATIONS, "output.annotations");
    else
        for (const std::string& mark : block.citations)
            part.annotations.append(part.annotations.empty() ? "" : ",").append(mark);
    content_.append(content_.empty() ? "" : ",").append(part.json(block.is(WM_BLOCK_REFUSAL)));
}

void DocumentWriter::end_message(std::string_view status) {
    if (content_.empty()) return;
    item(message_item(message_, status, content_, phase_));
    content_.clear();
}

void DocumentWriter::block(const Block& block, bool last, sdk::Sink& out) {
    if (block.signed_elsewhere()) losses_.loss(out, WM_LOSS_AUTHENTICATED_THINKING, "output.signature");
    if (block.is(WM_BLOCK_TEXT) || block.is(WM_BLOCK_REFUSAL)) return said(block, out);
    end_message("completed");
    if (block.is(WM_BLOCK_REASONING)) {
        std::string summary;
        for (const sdk::Named& one : block.summaries)
            summary.append(summary.empty() ? "" : ",").append(reasoning_part("summary_text", one.value));
        const bool opaque = !block.opaque.empty();
        item(reasoning_item(id("rs", block), summary,
                            block.text.empty() ? std::string() : reasoning_part("reasoning_text", block.text),
                            sealed_reasoning(head_.own, opaque ? block.opaque_format : block.signature_format,
                                             opaque ? block.opaque : block.signature, opaque)));
    } else if (block.is(WM_BLOCK_TOOL_CALL)) {
        const bool custom = block.args.empty() && !block.text.empty();
        const std::string made = id(custom ? "ctc" : "fc", block);
        std::string_view input = custom ? block.text : block.args;
        const auto status = call_status(ending_.status, last, custom, input);
        if (input.empty() && status == "completed") input = "{}"; // clients parse it, and nothing is not JSON
        item(CallItem{made, block.call, block.tool, input, custom}.json(status));
    } else if (!block.raw.empty() && block.raw_origin == protocol) {
        item(block.raw);
    } else {
        losses_.loss(out, sdk::lost_with(block.kind), "output." + block.kind);
    }
}

sdk::Status DocumentWriter::end(sdk::Sink& out) {
    if (error_.complete()) {
        out.put(WM_OUT_BODY, {}, sdk::openai_error(error_.report()));
        return out.status();
    }
    if (!answered_) return {WM_INTERNAL, {}, "the answer has no choice"};
    ResponseObject response = head_.response(talk_, asked_);
    response.status = ending_.status;
    response.incomplete_details = ending_.incomplete_details;
    response.output = "[" + output_ + "]";
    response.usage = usage_object(usage_, losses_, out);
    out.put(WM_OUT_BODY, {}, response.json());
    return out.status();
}

} // namespace wm::openai_responses
