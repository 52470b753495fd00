#include "stream_writer.hpp"

#include <watermaster/protocol/error_shapes.hpp>
#include <watermaster/translation/carrier.hpp>

#include <algorithm>

namespace wm::anthropic_messages {

using sdk::json::append_quoted;
using sdk::json::Writer;

sdk::Status StreamWriter::write(const sdk::Event& event, sdk::Sink& out) {
    if (closed_) return {};
    if (error_.take(event)) {
        if (error_.complete()) {
            closed_ = true;
            out.frame("error", sdk::anthropic_error(error_.report()), WM_FLAG_ERROR);
        }
        return out.status();
    }
    take(event, out);
    if (!talk_.fits(held_.bytes())) return {WM_LIMIT, {}, "too much of several open blocks would have to be held"};
    return out.status();
}

void StreamWriter::Open::hold(std::string& in, std::string_view piece) {
    in += piece;
    weight.add(piece.size());
}

void StreamWriter::Open::cite(std::string_view mark) {
    weight.add(sizeof(std::string));
    hold(citations.emplace_back(), mark);
}

void StreamWriter::Open::written(std::string& all) {
    weight.drop(all.size());
    all.clear();
}

void StreamWriter::take(const sdk::Event& event, sdk::Sink& out) {
    if (event.tag == WM_EV_RESPONSE) response_ = event.node;
    if (head_.take(event)) return head_weight_.add(event.value.size());
    const auto block_of = [&](std::uint32_t node) {
        return std::find_if(blocks_.begin(), blocks_.end(), [&](const Open& open) { return open.node == node; });
    };
    switch (event.tag) {
    case WM_EV_USAGE: usage_.take(event); break;
    case WM_EV_LOSS: losses_.loss(out, event.name, event.value); break;
    case WM_EV_PING: out.frame("ping", R"({"type":"ping"})", WM_FLAG_PREAMBLE | WM_FLAG_IDLE); break;
    case WM_EV_CHOICE:
        if (choice_) {
            losses_.loss(out, WM_LOSS_CHOICES, "choices");
            break;
        }
        choice_ = event.node;
        start(out);
        break;
    case WM_EV_BLOCK:
        if (event.parent != choice_) break; // another choice's, or inside a block: told already
        if (!sdk::is_common(event.name)) {
            losses_.loss(out, sdk::lost_with(event.name), "content." + std::string(event.name));
            break;
        }
        blocks_.push_back({event.node, {held_, sizeof(Open)}});
        blocks_.back().kind = event.name;
        if (event.name == WM_BLOCK_REASONING && !head_.own && talk_.options.reasoning_text)
            blocks_.back().kind = WM_BLOCK_TEXT;
        refused_ |= event.name == WM_BLOCK_REFUSAL;
        break;
    case WM_EV_CITATION:
        citation_ = event.node;
        cited_ = event.parent;
        break;
    case WM_EV_FINISH:
        if (event.node == choice_) finish_.word = event.name;
        break;
    case WM_EV_MATCHED:
        if (event.node == choice_) finish_.matched = event.value;
        break;
    case WM_EV_LOGPROBS: losses_.loss(out, WM_LOSS_LOGPROBS, "logprobs"); break;
    case WM_EV_END:
        if (event.node == response_) {
            complete(out);
        } else if (const auto block = block_of(event.node); block != blocks_.end()) {
            block->ended = true;
            flush(out);
        }
        break;
    default:
        if (event.tag == WM_EV_RAW && event.node == citation_) {
            const auto cited = block_of(cited_);
            if (cited != blocks_.end() && event.name == protocol)
                cited->cite(event.value);
            else
                losses_.loss(out, WM_LOSS_CITATIONS, "content.citations");
            flush(out);
        } else if (const auto block = block_of(event.node); block != blocks_.end()) {
            leaf(*block, event, out);
            flush(out);
        }
    }
}

// Token counts come last in other protocols; zeros stand for them until message_delta tells.
void StreamWriter::start(sdk::Sink& out) {
    head_.complete(talk_, asked_);
    frame_ = R"({"type":"message_start","message":{"id":)";
    append_quoted(frame_, head_.id);
    frame_ += R"(,"type":"message","role":"assistant","model":)";
    append_quoted(frame_, head_.model);
    frame_ += R"(,"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}})";
    out.frame("message_start", frame_, WM_FLAG_PREAMBLE);
}

void StreamWriter::leaf(Open& block, const sdk::Event& event, sdk::Sink& out) {
    switch (event.tag) {
    case WM_EV_TEXT:
        if (block.kind == WM_BLOCK_TOOL_CALL) // of a custom tool, which a request of this protocol cannot have
            losses_.loss(out, WM_LOSS_CUSTOM_TOOLS, "content.input");
        else if (block.kind != WM_BLOCK_REASONING)
            block.hold(block.text, event.value);
        else
            think(block, event, out);
        return;
    case WM_EV_SUMMARY: return think(block, event, out);
    case WM_EV_ARGS: return block.hold(block.args, event.value);
    case WM_EV_CALL: return block.hold(block.id, event.value);
    case WM_EV_TOOLNAME: return block.hold(block.name, event.value);
    case WM_EV_SIGNATURE:
        if (block.kind != WM_BLOCK_REASONING)
            return losses_.loss(out, WM_LOSS_AUTHENTICATED_THINKING, "content.signature");
        block.signature_format = event.name;
        block.hold(block.signature, event.value);
        return;
    case WM_EV_OPAQUE: {
        const bool reasoning = block.kind == WM_BLOCK_REASONING; // else it is shown as text
        if (reasoning && event.name == protocol) {
            block.hold(block.opaque, event.value);
        } else if (reasoning && talk_.options.reasoning_thinking) {
            block.sealed = true;
            block.signature_format = event.name;
            block.hold(block.signature, event.value);
        } else {
            losses_.loss(out, WM_LOSS_AUTHENTICATED_THINKING, "content.reasoning");
        }
        return;
    }
    case WM_EV_ATTR:
        if (event.name == WM_ATTR_PHASE) losses_.loss(out, WM_LOSS_RESPONSES_CONTROLS, "content.phase");
        return;
    default:
        if ((event.tag & WM_EV_ADVISORY) == 0 && event.tag != WM_EV_ITEM)
            losses_.loss(out, WM_LOSS_UNKNOWN_EVENT, "content." + block.kind);
    }
}

void StreamWriter::think(Open& block, const sdk::Event& event, sdk::Sink& out) {
    if (const auto shown = block.shown.take(event))
        block.hold(block.text, *shown);
    else
        losses_.loss(out, WM_LOSS_REASONING_SUMMARY, "content.reasoning");
}

// Writes what the first open block has said, and goes on to the next as long as the first one has ended.
void StreamWriter::flush(sdk::Sink& out) {
    while (!blocks_.empty()) {
        Open& block = blocks_.front();
        show(block, out);
        if (!block.ended) return;
        if (block.started) {
            frame_ = R"({"type":"content_block_stop","index":)" + std::to_string(index_++) + "}";
            out.frame("content_block_stop", frame_, WM_FLAG_SEMANTIC);
        }
        blocks_.pop_front();
    }
}

void StreamWriter::show(Open& block, sdk::Sink& out) {
    if (!begin(block, out)) return;
    if (!block.text.empty()) {
        if (block.kind == WM_BLOCK_REASONING)
            delta("thinking_delta", "thinking", block.text, out);
        else
            delta("text_delta", "text", block.text, out);
        block.written(block.text);
    }
    if (!block.args.empty()) {
        delta("input_json_delta", "partial_json", block.args, out);
        block.written(block.args);
    }
    for (std::string& mark : block.citations) {
        frame_ = R"({"type":"content_block_delta","index":)" + std::to_string(index_) +
                 R"(,"delta":{"type":"citations_delta","citation":)" + mark + "}}";
        out.frame("content_block_delta", frame_, WM_FLAG_SEMANTIC);
        block.written(mark);
    }
    block.weight.drop(block.citations.size() * sizeof(std::string));
    block.citations.clear();
    if (block.kind != WM_BLOCK_REASONING || !block.ended) return;
    if (block.opaque.empty()) // all of it at once, as the protocol has it
        delta("signature_delta", "signature",
              head_.own || block.signature_format == protocol
                  ? block.signature
                  : sdk::carry(block.signature_format, block.signature, block.sealed),
              out);
}

// False: there is nothing to show of it, or not yet.
bool StreamWriter::begin(Open& block, sdk::Sink& out) {
    if (block.started) return true;
    std::string start;
    std::uint32_t flags = WM_FLAG_SEMANTIC;
    if (block.kind == WM_BLOCK_TEXT || block.kind == WM_BLOCK_REFUSAL) {
        if (block.text.empty() && block.citations.empty())
            return false; // an empty text is refused when it comes back in a request
        start = R"({"type":"text","text":""})";
        flags = WM_FLAG_PREAMBLE;
    } else if (block.kind == WM_BLOCK_REASONING) {
        if (block.text.empty() && block.opaque.empty() && block.signature.empty()) return false;
        if (!block.opaque.empty()) {
            if (!block.ended) return false;
            start = R"({"type":"redacted_thinking","data":)" + sdk::json::quote(block.opaque) + "}";
        } else if (head_.own || talk_.options.reasoning_thinking) {
            start = R"({"type":"thinking","thinking":"","signature":""})";
            flags = WM_FLAG_PREAMBLE;
        } else {
            block.written(block.text);
            losses_.loss(out, WM_LOSS_PROVIDER_REASONING_TEXT, "content.reasoning");
            return false;
        }
    } else {
        if (block.name.empty()) return false;
        const std::string id = ids_.call(block.id);
        ids_weight_.add(ToolUseIds::copies * id.size() + ToolUseIds::beside);
        start = R"({"type":"tool_use","id":)" + sdk::json::quote(id) + R"(,"name":)" + sdk::json::quote(block.name) +
                R"(,"input":{}})";
    }
    block.started = true;
    frame_ =
        R"({"type":"content_block_start","index":)" + std::to_string(index_) + R"(,"content_block":)" + start + "}";
    out.frame("content_block_start", frame_, flags);
    return true;
}

void StreamWriter::delta(std::string_view type, std::string_view member, std::string_view text, sdk::Sink& out) {
    frame_.assign(R"({"type":"content_block_delta","index":)").append(std::to_string(index_));
    frame_.append(R"(,"delta":{"type":")").append(type).append(R"(",")").append(member).append("\":");
    append_quoted(frame_, text);
    frame_ += "}}";
    out.frame("content_block_delta", frame_, WM_FLAG_SEMANTIC);
}

void StreamWriter::complete(sdk::Sink& out) {
    closed_ = true;
    for (Open& block : blocks_) block.ended = true;
    flush(out);
    const Stop stop(finish_, refused_);
    frame_.clear();
    {
        Writer w(frame_);
        w.text("type", "message_delta");
        {
            Writer delta = w.object("delta");
            delta.text("stop_reason", stop.reason);
            delta.raw("stop_sequence", stop.sequence);
        }
        Writer usage = w.object("usage");
        write_usage(usage, usage_, losses_, out);
    }
    out.frame("message_delta", frame_, WM_FLAG_SEMANTIC);
    out.frame("message_stop", R"({"type":"message_stop"})", WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL);
}

sdk::Status StreamWriter::end(sdk::Sink& out) {
    return closed_ ? out.status() : sdk::Status{WM_INTERNAL, {}, "the answer has no end"};
}

} // namespace wm::anthropic_messages
