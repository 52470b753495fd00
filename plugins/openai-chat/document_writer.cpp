#include "document_writer.hpp"

#include "message_shapes.hpp"

#include <watermaster/protocol/error_shapes.hpp>
#include <watermaster/translation/reasoning.hpp>

namespace wm::openai_chat {

using sdk::Block;
using sdk::json::Writer;

namespace {

std::string logprobs(const sdk::Choice& choice) {
    std::string content, refusal, out;
    for (const Block& block : choice.blocks) {
        std::string& list = block.is(WM_BLOCK_REFUSAL) ? refusal : content;
        if (!block.logprobs.empty()) list.append(list.empty() ? "" : ",").append(block.logprobs);
    }
    if (content.empty() && refusal.empty()) return "null";
    {
        Writer w(out);
        w.raw("content", content.empty() ? "null" : "[" + content + "]");
        w.raw("refusal", refusal.empty() ? "null" : "[" + refusal + "]");
    }
    return out;
}

} // namespace

void DocumentWriter::choice(const sdk::Choice& choice, sdk::Sink& out) {
    if (!choices_.empty()) choices_ += ',';
    Writer w(choices_);
    w.raw("index", choice.index);
    bool refused = false;
    {
        Writer said = w.object("message");
        refused = message(said, choice, out);
    }
    w.raw("logprobs", logprobs(choice));
    w.text("finish_reason", finish_reason(choice.finish.word, refused));
    if (!choice.finish.matched.empty()) losses_.loss(out, WM_LOSS_STOP_DETAILS, "stop_sequence");
}

// Whether it refuses.
bool DocumentWriter::message(Writer& w, const sdk::Choice& choice, sdk::Sink& out) {
    std::string said, refusal, reasoning;
    std::string_view item; // of the text before
    bool any = false, calls = false;
    for (const Block& block : choice.blocks) {
        if (block.signed_elsewhere()) losses_.loss(out, WM_LOSS_AUTHENTICATED_THINKING, "content.signature");
        if (!block.citations.empty()) losses_.loss(out, WM_LOSS_CITATIONS, "content.citations");
        if (!block.attribute(WM_ATTR_PHASE).empty()) losses_.loss(out, WM_LOSS_RESPONSES_CONTROLS, "content.phase");
        if (block.is(WM_BLOCK_TEXT)) {
            if (calls) losses_.loss(out, WM_LOSS_BLOCK_ORDER, "content");
            if (any && block.item != item) said += "\n\n"; // messages of their own, elsewhere
            any = true;
            item = block.item;
            said += block.text;
        } else if (block.is(WM_BLOCK_REFUSAL)) {
            refusal += block.text;
        } else if (block.is(WM_BLOCK_REASONING)) {
            reasoning += sdk::shown_reasoning(block);
            if (!block.signature.empty() || !block.opaque.empty())
                losses_.loss(out, WM_LOSS_AUTHENTICATED_THINKING, "content.thinking");
        } else if (block.is(WM_BLOCK_TOOL_CALL)) {
            calls = true;
        } else {
            losses_.loss(out, sdk::lost_with(block.kind), "content." + block.kind);
        }
    }
    w.text("role", WM_TURN_ASSISTANT);
    if (any)
        w.text("content", said);
    else
        w.raw("content", "null");
    if (refusal.empty())
        w.raw("refusal", "null");
    else
        w.text("refusal", refusal);
    if (!reasoning.empty()) w.text("reasoning_content", reasoning);
    if (calls) write_tool_calls(w, choice.blocks, true);
    return !refusal.empty();
}

sdk::Status DocumentWriter::end(sdk::Sink& out) {
    if (error_.complete()) {
        out.put(WM_OUT_BODY, {}, sdk::openai_error(error_.report()));
        return out.status();
    }
    if (choices_.empty()) return {WM_INTERNAL, {}, "the answer has no choice"};
    head_.complete(talk_, asked_);
    std::string text;
    {
        Writer w(text);
        w.text("id", head_.id);
        w.text("object", "chat.completion");
        w.raw("created", head_.created);
        w.text("model", head_.model);
        w.raw("choices", "[" + choices_ + "]");
        if (usage_.any())
            w.raw("usage", usage_object(usage_, losses_, out));
        else
            losses_.loss(out, WM_LOSS_USAGE_UNKNOWN, "usage");
    }
    out.put(WM_OUT_BODY, {}, text);
    return out.status();
}

} // namespace wm::openai_chat
