#include "stream_writer.hpp"

#include <watermaster/protocol/error_shapes.hpp>

#include <algorithm>

namespace wm::openai_chat {

using sdk::json::append_quoted;
using sdk::json::Writer;

sdk::Status StreamWriter::write(const sdk::Event& event, sdk::Sink& out) {
    if (closed_) return {};
    if (error_.take(event)) {
        if (error_.complete()) { // without a finish reason and without [DONE]: clients would take that for success
            closed_ = true;
            out.frame({}, sdk::openai_error(error_.report()), WM_FLAG_ERROR);
        }
        return out.status();
    }
    take(event, out);
    if (!talk_.fits(held_.bytes()))
        return {WM_LIMIT, {}, "the answer has more open blocks or choices than may be held"};
    return out.status();
}

void StreamWriter::take(const sdk::Event& event, sdk::Sink& out) {
    if (event.tag == WM_EV_RESPONSE) response_ = event.node;
    if (head_.take(event)) return head_weight_.add(event.value.size());
    const auto block =
        std::find_if(blocks_.begin(), blocks_.end(), [&](const Open& open) { return open.node == event.node; });
    if (event.tag == WM_EV_USAGE)
        usage_.take(event);
    else if (event.tag == WM_EV_LOSS)
        losses_.loss(out, event.name, event.value);
    else if (event.tag == WM_EV_CHOICE)
        open_choice(event, out);
    else if (event.tag == WM_EV_BLOCK)
        open_block(event, out);
    else if (event.tag == WM_EV_CITATION)
        losses_.loss(out, WM_LOSS_CITATIONS, "content.citations");
    else if (event.tag == WM_EV_END)
        close(event, out);
    else if (block != blocks_.end())
        leaf(*block, event, out);
    else if (event.tag == WM_EV_MATCHED)
        losses_.loss(out, WM_LOSS_STOP_DETAILS, "stop_sequence");
    else if (event.tag == WM_EV_FINISH) {
        for (const Choice& choice : choices_)
            if (choice.node == event.node) finish(choice, event.name, out);
    }
}

void StreamWriter::chunk(std::string_view index, std::string_view delta, std::string_view finish, std::uint32_t flags,
                         sdk::Sink& out, std::string_view logprobs) {
    frame_.assign(prefix_).append("[{\"index\":").append(index).append(",\"delta\":{").append(delta);
    frame_.append("},\"logprobs\":").append(logprobs).append(",\"finish_reason\":");
    if (finish.empty())
        frame_ += "null";
    else
        append_quoted(frame_, finish);
    frame_.append(asked_.include_usage ? "}],\"usage\":null}" : "}]}");
    out.frame({}, frame_, flags);
}

void StreamWriter::open_choice(const sdk::Event& event, sdk::Sink& out) {
    if (prefix_.empty()) {
        head_.complete(talk_, asked_);
        {
            Writer w(prefix_);
            w.text("id", head_.id);
            w.text("object", "chat.completion.chunk");
            w.raw("created", head_.created);
            w.text("model", head_.model);
            w.raw("choices", {});
        }
        prefix_.pop_back(); // of an object that each chunk goes on with
        head_weight_.add(prefix_.size());
    }
    choices_.push_back({event.node,
                        {held_, sizeof(Choice) + event.value.size()},
                        event.value.empty() ? "0" : std::string(event.value)});
    chunk(choices_.back().index, R"("role":"assistant","content":"")", {}, WM_FLAG_PREAMBLE, out);
}

void StreamWriter::open_block(const sdk::Event& event, sdk::Sink& out) {
    const auto choice =
        std::find_if(choices_.begin(), choices_.end(), [&](const Choice& one) { return one.node == event.parent; });
    if (choice == choices_.end()) return; // inside another block, which this protocol cannot show
    if (!sdk::is_common(event.name))
        return losses_.loss(out, sdk::lost_with(event.name), "content." + std::string(event.name));
    Open block{event.node, {held_, sizeof(Open)}, std::string(event.name), choice->index};
    if (event.name == WM_BLOCK_TOOL_CALL) block.call = choice->calls++;
    choice->refused |= event.name == WM_BLOCK_REFUSAL;
    blocks_.push_back(std::move(block));
}

void StreamWriter::leaf(Open& block, const sdk::Event& event, sdk::Sink& out) {
    const bool call = block.kind == WM_BLOCK_TOOL_CALL;
    if (event.tag == WM_EV_ITEM || event.tag == WM_EV_CALL || event.tag == WM_EV_TOOLNAME)
        block.weight.add(event.value.size());
    switch (event.tag) {
    case WM_EV_TEXT:
        if (call) return arguments(block, event.value, true, out);
        return block.kind == WM_BLOCK_REASONING ? reasoning(block, event, out) : text(block, event.value, out);
    case WM_EV_SUMMARY: return reasoning(block, event, out);
    case WM_EV_ITEM: block.item = event.value; return;
    case WM_EV_LOGPROBS: {
        const bool refusal = block.kind == WM_BLOCK_REFUSAL;
        delta_.assign(refusal ? R"({"refusal":[)" : R"({"content":[)").append(event.value).append("]}");
        return chunk(block.choice, refusal ? R"("refusal":"")" : R"("content":"")", {}, WM_FLAG_SEMANTIC, out, delta_);
    }
    case WM_EV_ARGS:
        if (call) arguments(block, event.value, false, out);
        return;
    case WM_EV_CALL: block.id = event.value; return;
    case WM_EV_TOOLNAME: block.name = event.value; return;
    case WM_EV_SIGNATURE:
    case WM_EV_OPAQUE: return losses_.loss(out, WM_LOSS_AUTHENTICATED_THINKING, "content.thinking");
    case WM_EV_ATTR:
        if (event.name == WM_ATTR_PHASE) losses_.loss(out, WM_LOSS_RESPONSES_CONTROLS, "content.phase");
        return;
    default:
        if ((event.tag & WM_EV_ADVISORY) == 0) losses_.loss(out, WM_LOSS_UNKNOWN_EVENT, "content." + block.kind);
    }
}

void StreamWriter::reasoning(Open& block, const sdk::Event& event, sdk::Sink& out) {
    if (const auto shown = block.shown.take(event))
        text(block, *shown, out);
    else
        losses_.loss(out, WM_LOSS_REASONING_SUMMARY, "content.thinking");
}

// A text that elsewhere is a message of its own is set apart from the one before.
bool StreamWriter::begins_another_message(const Open& block) {
    const auto choice =
        std::find_if(choices_.begin(), choices_.end(), [&](const Choice& one) { return one.index == block.choice; });
    const bool another = choice->any_text && choice->item != block.item;
    choice->any_text = true;
    choice->weight.drop(choice->item.size());
    choice->item = block.item;
    choice->weight.add(choice->item.size());
    return another;
}

void StreamWriter::text(const Open& block, std::string_view piece, sdk::Sink& out) {
    if (piece.empty()) return;
    std::string_view member;
    if (block.kind == WM_BLOCK_TEXT)
        member = "\"content\":";
    else if (block.kind == WM_BLOCK_REASONING)
        member = "\"reasoning_content\":";
    else if (block.kind == WM_BLOCK_REFUSAL)
        member = "\"refusal\":";
    else
        return;
    delta_ = member;
    if (block.kind == WM_BLOCK_TEXT && begins_another_message(block))
        append_quoted(delta_, "\n\n" + std::string(piece));
    else
        append_quoted(delta_, piece);
    chunk(block.choice, delta_, {}, WM_FLAG_SEMANTIC, out);
}

void StreamWriter::announce(Open& block, bool custom, sdk::Sink& out) {
    if (block.announced) return;
    block.announced = true;
    block.custom = custom;
    delta_ = "\"tool_calls\":[{\"index\":" + std::to_string(block.call) + ",\"id\":";
    append_quoted(delta_, block.id);
    delta_ += custom ? R"(,"type":"custom","custom":{"name":)" : R"(,"type":"function","function":{"name":)";
    append_quoted(delta_, block.name);
    delta_ += custom ? R"(,"input":""}}])" : R"(,"arguments":""}}])";
    chunk(block.choice, delta_, {}, WM_FLAG_SEMANTIC, out);
}

void StreamWriter::arguments(Open& block, std::string_view piece, bool custom, sdk::Sink& out) {
    announce(block, custom, out);
    if (piece.empty()) return;
    block.any = true;
    delta_ = "\"tool_calls\":[{\"index\":" + std::to_string(block.call);
    delta_ += custom ? R"(,"custom":{"input":)" : R"(,"function":{"arguments":)";
    append_quoted(delta_, piece);
    delta_ += "}}]";
    chunk(block.choice, delta_, {}, WM_FLAG_SEMANTIC, out);
}

void StreamWriter::close(const sdk::Event& event, sdk::Sink& out) {
    if (event.node == response_) return complete(out);
    const auto block =
        std::find_if(blocks_.begin(), blocks_.end(), [&](const Open& open) { return open.node == event.node; });
    if (block == blocks_.end()) return;
    if (block->kind == WM_BLOCK_TOOL_CALL) {
        announce(*block, false, out);
        if (!block->any && !block->custom) // clients parse what they have gathered, and nothing is not JSON
            arguments(*block, "{}", false, out);
    }
    blocks_.erase(block);
}

void StreamWriter::finish(const Choice& choice, std::string_view word, sdk::Sink& out) {
    chunk(choice.index, {}, finish_reason(word, choice.refused), WM_FLAG_SEMANTIC, out);
}

void StreamWriter::complete(sdk::Sink& out) {
    closed_ = true;
    if (asked_.include_usage && !usage_.any()) {
        losses_.loss(out, WM_LOSS_USAGE_UNKNOWN, "usage");
    } else if (asked_.include_usage) {
        frame_.assign(prefix_).append("[],\"usage\":").append(usage_object(usage_, losses_, out)).append("}");
        out.frame({}, frame_, WM_FLAG_SEMANTIC);
    }
    out.frame({}, "[DONE]", WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL);
}

sdk::Status StreamWriter::end(sdk::Sink& out) {
    return closed_ ? out.status() : sdk::Status{WM_INTERNAL, {}, "the answer has no end"};
}

} // namespace wm::openai_chat
