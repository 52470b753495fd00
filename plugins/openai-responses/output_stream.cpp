#include "output_stream.hpp"

#include <algorithm>

namespace wm::openai_responses {

using sdk::json::append_quoted;

namespace {

std::string member(std::string_view name, std::string_view text) {
    std::string out = "\"" + std::string(name) + "\":";
    append_quoted(out, text);
    return out;
}

std::string place_of(std::string_view id, std::size_t output) {
    return member("item_id", id) + ",\"output_index\":" + std::to_string(output);
}

bool is_said(std::string_view kind) { return kind == WM_BLOCK_TEXT || kind == WM_BLOCK_REFUSAL; }

} // namespace

void OutputStream::put(std::string_view type, std::string_view members, std::uint32_t flags, sdk::Sink& out) {
    out.frame(type, numbered_event(type, next_number_++, members), flags);
}

std::string OutputStream::json() const {
    std::string out = "[";
    for (const std::string& item : outputs_)
        if (!item.empty()) out.append(out.size() > 1 ? "," : "").append(item);
    return out + "]";
}

OutputStream::Open* OutputStream::find(std::uint32_t node) {
    const auto found = std::find_if(blocks_.begin(), blocks_.end(), [&](const Open& one) { return one.node == node; });
    return found == blocks_.end() ? nullptr : &*found;
}

void OutputStream::open(std::uint32_t block, std::string_view kind, bool own, sdk::Sink& out) {
    if (!sdk::is_common(kind) && !own) return losses_.loss(out, sdk::lost_with(kind), "output." + std::string(kind));
    refused_ |= kind == WM_BLOCK_REFUSAL;
    settle(out);
    newest_ = block;
    if (!is_said(kind)) supersede(out);
    blocks_.push_back({block, {held_, sizeof(Open)}, std::string(kind), own});
}

void OutputStream::leaf(const sdk::Event& event, sdk::Sink& out) {
    if (Open* block = find(event.node)) leaf(*block, event, out);
}

void OutputStream::leaf(Open& block, const sdk::Event& event, sdk::Sink& out) {
    const bool call = block.kind == WM_BLOCK_TOOL_CALL, reasoning = block.kind == WM_BLOCK_REASONING;
    if (event.tag == WM_EV_CALL || event.tag == WM_EV_TOOLNAME || event.tag == WM_EV_ITEM || event.tag == WM_EV_ATTR ||
        event.tag == WM_EV_LOGPROBS)
        block.weight.add(event.value.size());
    switch (event.tag) {
    case WM_EV_TEXT:
        if (call) return input(block, event.value, true, out);
        return reasoning ? think(block, event.value, out) : say(block, event.value, out);
    case WM_EV_ARGS: return input(block, event.value, false, out);
    case WM_EV_SUMMARY: return summarise(block, event.name, event.value, out);
    case WM_EV_SIGNATURE:
    case WM_EV_OPAQUE:
        if (reasoning) return seal(block, event);
        return losses_.loss(out, WM_LOSS_AUTHENTICATED_THINKING, "output.signature");
    case WM_EV_CALL: block.call.id = event.value; return;
    case WM_EV_TOOLNAME: block.call.name = event.value; return;
    case WM_EV_ITEM: block.said_id = event.value; return;
    case WM_EV_LOGPROBS:
        block.text.part.logprobs.append(block.text.part.logprobs.empty() ? "" : ",").append(event.value);
        return;
    case WM_EV_RAW: return foreign(block, event, out);
    case WM_EV_ATTR:
        if (event.name == WM_ATTR_PHASE) block.phase = event.value;
        return;
    default:
        if (!event.advisory()) losses_.loss(out, WM_LOSS_UNKNOWN_EVENT, "output." + block.kind);
    }
}

void OutputStream::end(std::uint32_t node, sdk::Sink& out) {
    Open* block = find(node);
    if (!block) return;
    if (is_said(block->kind))
        end_part(*block, out);
    else if (block->kind == WM_BLOCK_REASONING)
        end_reasoning(*block, out);
    else if (block->kind == WM_BLOCK_TOOL_CALL) // whether it was cut is known by what follows
        return void(block->call.ended = true);
    blocks_.remove_if([&](const Open& one) { return &one == block; });
}

void OutputStream::settle(sdk::Sink& out) {
    for (Open& block : blocks_)
        if (block.call.ended) end_call(block, "completed", out);
    blocks_.remove_if([](const Open& one) { return one.call.ended; });
}

void OutputStream::finish(std::string_view status, sdk::Sink& out) {
    while (!blocks_.empty()) {
        Open& block = blocks_.front();
        if (block.kind != WM_BLOCK_TOOL_CALL) {
            end(block.node, out);
            continue;
        }
        const Call& call = block.call;
        end_call(block, call_status(status, block.node == newest_, call.custom, call.input), out);
        blocks_.pop_front();
    }
    if (current_) end_message(*current_, status, out);
    current_ = nullptr;
}

// The place in the output of an item that begins with the block.
std::size_t OutputStream::add(Open& block, std::string_view kind) {
    block.announced = true;
    block.output = outputs_.size();
    block.id = block.own && !block.said_id.empty() ? block.said_id : item_id(kind, talk_, block.output);
    block.place = place_of(block.id, block.output);
    block.weight.add(block.id.size() + block.place.size());
    outputs_.emplace_back();
    outputs_weight_.add(sizeof(std::string));
    return block.output;
}

void OutputStream::added(const Open& block, const std::string& item, std::uint32_t flags, sdk::Sink& out) {
    put("response.output_item.added", "\"output_index\":" + std::to_string(block.output) + ",\"item\":" + item, flags,
        out);
}

void OutputStream::done(std::size_t output, std::string item, sdk::Sink& out) {
    put("response.output_item.done", "\"output_index\":" + std::to_string(output) + ",\"item\":" + item,
        WM_FLAG_SEMANTIC, out);
    outputs_weight_.add(item.size());
    outputs_[output] = std::move(item);
}

// ---- texts: parts of a message, which goes on until something else begins -------------------------------------------

void OutputStream::supersede(sdk::Sink& out) {
    Message* const message = current_;
    current_ = nullptr;
    if (!message) return;
    message->superseded = true;
    if (!message->open) end_message(*message, "completed", out);
}

void OutputStream::begin_part(Open& block, sdk::Sink& out) {
    if (current_ && current_->said_id != block.said_id) supersede(out);
    if (!current_) {
        add(block, "msg");
        current_ = &messages_.emplace_back(Message{block.output,
                                                   {held_, sizeof(Message) + 2 * block.id.size() + block.phase.size()},
                                                   block.id,
                                                   block.said_id,
                                                   block.phase});
        added(block, message_item(block.id, "in_progress", {}, block.phase), WM_FLAG_PREAMBLE, out);
    }
    block.announced = true;
    block.text.message = current_;
    block.text.index = current_->parts.size();
    current_->parts.emplace_back();
    current_->weight.add(sizeof(std::string));
    ++current_->open;
    block.place = place_of(current_->id, current_->output) + ",\"content_index\":" + std::to_string(block.text.index);
    put("response.content_part.added", block.place + ",\"part\":" + Part{}.json(block.kind == WM_BLOCK_REFUSAL),
        WM_FLAG_PREAMBLE, out);
}

void OutputStream::say(Open& block, std::string_view piece, sdk::Sink& out) {
    if (piece.empty()) return;
    if (!block.announced) begin_part(block, out);
    block.text.part.text += piece;
    block.weight.add(piece.size());
    if (block.kind == WM_BLOCK_REFUSAL)
        put("response.refusal.delta", block.place + "," + member("delta", piece), WM_FLAG_SEMANTIC, out);
    else
        put("response.output_text.delta", block.place + "," + member("delta", piece) + ",\"logprobs\":[]",
            WM_FLAG_SEMANTIC, out);
}

void OutputStream::cite(std::uint32_t node, const sdk::Event& citation, sdk::Sink& out) {
    Open* block = find(node);
    if (!block || citation.name != protocol || !block->announced)
        return losses_.loss(out, WM_LOSS_CITATIONS, "output.annotations");
    block->text.part.annotations.append(block->text.marks ? "," : "").append(citation.value);
    block->weight.add(citation.value.size());
    put("response.output_text.annotation.added",
        block->place + ",\"annotation_index\":" + std::to_string(block->text.marks++) +
            ",\"annotation\":" + std::string(citation.value),
        WM_FLAG_SEMANTIC, out);
}

void OutputStream::end_part(Open& block, sdk::Sink& out) {
    if (!block.announced) return; // it said nothing
    const bool refusal = block.kind == WM_BLOCK_REFUSAL;
    if (refusal)
        put("response.refusal.done", block.place + "," + member("refusal", block.text.part.text), WM_FLAG_SEMANTIC,
            out);
    else
        put("response.output_text.done",
            block.place + "," + member("text", block.text.part.text) + ",\"logprobs\":[" + block.text.part.logprobs +
                "]",
            WM_FLAG_SEMANTIC, out);
    Message& message = *block.text.message;
    std::string& part = message.parts[block.text.index];
    part = block.text.part.json(refusal);
    message.weight.add(part.size());
    put("response.content_part.done", block.place + ",\"part\":" + part, WM_FLAG_SEMANTIC, out);
    --message.open;
    if (message.superseded && !message.open) end_message(message, "completed", out);
}

void OutputStream::end_message(Message& message, std::string_view status, sdk::Sink& out) {
    std::string content;
    for (const std::string& part : message.parts) content.append(content.empty() ? "" : ",").append(part);
    done(message.output, message_item(message.id, status, content, message.phase), out);
    messages_.remove_if([&](const Message& one) { return &one == &message; });
}

// ---- reasoning ------------------------------------------------------------------------------------------------------

void OutputStream::begin_reasoning(Open& block, sdk::Sink& out) {
    if (block.announced) return;
    add(block, "rs");
    added(block, reasoning_item(block.id, {}, {}, {}), WM_FLAG_PREAMBLE, out);
}

void OutputStream::think(Open& block, std::string_view piece, sdk::Sink& out) {
    if (piece.empty()) return;
    begin_reasoning(block, out);
    const std::string place = block.place + ",\"content_index\":0";
    if (!block.reasoning.thinks)
        put("response.content_part.added", place + ",\"part\":" + reasoning_part("reasoning_text", {}),
            WM_FLAG_PREAMBLE, out);
    block.reasoning.thinks = true;
    block.reasoning.thought += piece;
    block.weight.add(piece.size());
    put("response.reasoning_text.delta", place + "," + member("delta", piece), WM_FLAG_SEMANTIC, out);
}

void OutputStream::summarise(Open& block, std::string_view index, std::string_view piece, sdk::Sink& out) {
    if (piece.empty()) return;
    begin_reasoning(block, out);
    if (block.reasoning.summarises && block.reasoning.summary_index != index) end_summary(block, out);
    const std::string place = block.place + ",\"summary_index\":" + std::to_string(block.reasoning.summary_parts);
    if (!block.reasoning.summarises)
        put("response.reasoning_summary_part.added", place + ",\"part\":" + reasoning_part("summary_text", {}),
            WM_FLAG_PREAMBLE, out);
    block.reasoning.summarises = true;
    block.reasoning.summary_index = index;
    block.reasoning.summary += piece;
    block.weight.add(piece.size());
    put("response.reasoning_summary_text.delta", place + "," + member("delta", piece), WM_FLAG_SEMANTIC, out);
}

void OutputStream::end_summary(Open& block, sdk::Sink& out) {
    if (!block.reasoning.summarises) return;
    const std::string place = block.place + ",\"summary_index\":" + std::to_string(block.reasoning.summary_parts++);
    const std::string part = reasoning_part("summary_text", block.reasoning.summary);
    put("response.reasoning_summary_text.done", place + "," + member("text", block.reasoning.summary), WM_FLAG_SEMANTIC,
        out);
    put("response.reasoning_summary_part.done", place + ",\"part\":" + part, WM_FLAG_SEMANTIC, out);
    block.reasoning.summaries.append(block.reasoning.summaries.empty() ? "" : ",").append(part);
    block.weight.add(part.size());
    block.weight.drop(block.reasoning.summary.size());
    block.reasoning.summary.clear();
    block.reasoning.summarises = false;
}

void OutputStream::seal(Open& block, const sdk::Event& event) {
    block.reasoning.sealed_format = event.name;
    block.reasoning.sealed += event.value;
    block.reasoning.opaque = event.tag == WM_EV_OPAQUE;
    block.weight.add(event.value.size());
}

void OutputStream::end_reasoning(Open& block, sdk::Sink& out) {
    if (!block.announced && block.reasoning.sealed.empty()) return;
    begin_reasoning(block, out);
    end_summary(block, out);
    std::string content;
    if (block.reasoning.thinks) {
        const std::string place = block.place + ",\"content_index\":0";
        content = reasoning_part("reasoning_text", block.reasoning.thought);
        put("response.reasoning_text.done", place + "," + member("text", block.reasoning.thought), WM_FLAG_SEMANTIC,
            out);
        put("response.content_part.done", place + ",\"part\":" + content, WM_FLAG_SEMANTIC, out);
    }
    done(block.output,
         reasoning_item(block.id, block.reasoning.summaries, content,
                        sealed_reasoning(block.own, block.reasoning.sealed_format, block.reasoning.sealed,
                                         block.reasoning.opaque)),
         out);
}

// ---- calls ----------------------------------------------------------------------------------------------------------

void OutputStream::begin_call(Open& block, bool custom, sdk::Sink& out) {
    if (block.announced) return;
    block.call.custom = custom;
    add(block, custom ? "ctc" : "fc");
    added(block, CallItem{block.id, block.call.id, block.call.name, {}, custom}.json("in_progress"), WM_FLAG_SEMANTIC,
          out);
}

void OutputStream::input(Open& block, std::string_view piece, bool custom, sdk::Sink& out) {
    if (block.kind != WM_BLOCK_TOOL_CALL) return;
    begin_call(block, custom, out);
    if (piece.empty()) return;
    block.call.input += piece;
    block.weight.add(piece.size());
    put(custom ? "response.custom_tool_call_input.delta" : "response.function_call_arguments.delta",
        block.place + "," + member("delta", piece), WM_FLAG_SEMANTIC, out);
}

void OutputStream::end_call(Open& block, std::string_view status, sdk::Sink& out) {
    begin_call(block, false, out);
    if (block.call.input.empty() && !block.call.custom && status == "completed")
        input(block, "{}", false, out); // clients parse what they have gathered, and nothing is not JSON
    if (block.call.custom)
        put("response.custom_tool_call_input.done", block.place + "," + member("input", block.call.input),
            WM_FLAG_SEMANTIC, out);
    else
        put("response.function_call_arguments.done",
            block.place + "," + member("name", block.call.name) + "," + member("arguments", block.call.input),
            WM_FLAG_SEMANTIC, out);
    done(block.output,
         CallItem{block.id, block.call.id, block.call.name, block.call.input, block.call.custom}.json(status), out);
}

// ---- what only this protocol has ------------------------------------------------------------------------------------

void OutputStream::foreign(Open& block, const sdk::Event& raw, sdk::Sink& out) {
    if (raw.name != protocol) return losses_.loss(out, sdk::lost_with(block.kind), "output." + block.kind);
    add(block, "item");
    const std::string item(raw.value);
    added(block, item, WM_FLAG_SEMANTIC, out);
    done(block.output, item, out);
}

} // namespace wm::openai_responses
