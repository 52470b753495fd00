#include "telegraph.hpp"

#include <watermaster/translation/arguments.hpp>

namespace telegraph {

namespace {

std::string_view stop_of(std::string_view finish) {
    if (finish == WM_FINISH_LENGTH || finish == WM_FINISH_CONTEXT) return "limit";
    if (finish == WM_FINISH_TOOL_CALLS) return "orders";
    return finish == WM_FINISH_FILTER || finish == WM_FINISH_REFUSAL ? "refused" : "done";
}

// {"in", "out"}, of what has been counted.
std::string spent(const sdk::UsageTally& usage) {
    std::string out;
    {
        Writer w(out);
        if (const auto n = usage.get(WM_USAGE_INPUT)) w.number("in", *n);
        if (const auto n = usage.get(WM_USAGE_OUTPUT)) w.number("out", *n);
    }
    return out;
}

} // namespace

std::string fault(const sdk::ErrorReport& error) {
    std::string out;
    {
        Writer w(out);
        Writer inside = w.object("fault");
        inside.text("kind", error.type);
        inside.text("text", error.message);
    }
    return out;
}

bool AnswerHead::take(const sdk::Event& event) {
    if (event.tag == WM_EV_RESPONSE) id = event.value;
    if (event.tag == WM_EV_MODEL) model = event.value;
    return event.tag == WM_EV_RESPONSE || event.tag == WM_EV_MODEL || event.tag == WM_EV_CREATED;
}

void DocumentWriter::choice(const sdk::Choice& choice, sdk::Sink& out) {
    stop_ = stop_of(choice.finish.word);
    for (const sdk::Block& block : choice.blocks) {
        if (block.is(WM_BLOCK_TEXT) || block.is(WM_BLOCK_REFUSAL)) {
            text_ += block.text;
        } else if (block.is(WM_BLOCK_TOOL_CALL)) {
            bool wrapped = false;
            orders_.append(orders_.empty() ? "" : ",");
            Writer w(orders_);
            w.text("id", block.call);
            w.text("form", block.tool);
            w.raw("with", sdk::object_of(block.args, wrapped));
        } else if (block.is(WM_BLOCK_REASONING)) {
            losses_.loss(out, WM_LOSS_PROVIDER_REASONING_TEXT, "text");
        } else {
            losses_.loss(out, sdk::lost_with(block.kind), "text");
        }
    }
}

sdk::Status DocumentWriter::end(sdk::Sink& out) {
    std::string body;
    if (error_.complete()) {
        body = fault(error_.report());
    } else {
        Writer w(body);
        w.text("wire", head_.id);
        w.text("by", head_.model.empty() ? asked_.model : head_.model);
        w.text("text", text_);
        w.raw("orders", "[" + orders_ + "]");
        w.text("stop", stop_);
        w.raw("spent", spent(usage_));
    }
    out.put(WM_OUT_BODY, {}, body);
    return out.status();
}

sdk::Status StreamWriter::write(const sdk::Event& event, sdk::Sink& out) {
    if (closed_) return {};
    if (error_.take(event)) {
        closed_ = error_.complete();
        if (closed_) out.frame({}, fault(error_.report()), WM_FLAG_ERROR);
        return out.status();
    }
    if (event.tag == WM_EV_RESPONSE) response_ = event.node;
    if (!head_.take(event)) leaf(event, out);
    return out.status();
}

void StreamWriter::leaf(const sdk::Event& event, sdk::Sink& out) {
    const auto frame = [&](std::string_view members, std::uint32_t flags) {
        out.frame({}, "{" + std::string(members) + "}", flags);
    };
    const auto order_of = orders_.find(event.node);
    switch (event.tag) {
    case WM_EV_USAGE: return usage_.take(event);
    case WM_EV_LOSS: return losses_.loss(out, event.name, event.value);
    case WM_EV_CHOICE:
        return frame("\"wire\":" + sdk::json::quote(head_.id) +
                         ",\"by\":" + sdk::json::quote(head_.model.empty() ? asked_.model : head_.model),
                     WM_FLAG_PREAMBLE);
    case WM_EV_BLOCK:
        if (event.name == WM_BLOCK_TOOL_CALL)
            orders_[event.node] = {};
        else if (event.name == WM_BLOCK_TEXT || event.name == WM_BLOCK_REFUSAL)
            texts_[event.node] = true;
        else
            losses_.loss(out, sdk::lost_with(event.name), "text");
        return;
    case WM_EV_CALL:
        if (order_of != orders_.end()) order_of->second.id = event.value;
        return;
    case WM_EV_TOOLNAME:
        if (order_of != orders_.end()) order_of->second.form = event.value;
        return;
    case WM_EV_TEXT:
        if (texts_.count(event.node)) frame("\"text\":" + sdk::json::quote(event.value), WM_FLAG_SEMANTIC);
        return;
    case WM_EV_ARGS:
        if (order_of != orders_.end()) order(order_of->second, event.value, out);
        return;
    case WM_EV_FINISH: stop_ = stop_of(event.name); return;
    case WM_EV_END:
        if (order_of != orders_.end()) order(order_of->second, {}, out);
        if (event.node != response_) return;
        closed_ = true;
        return frame("\"stop\":" + sdk::json::quote(stop_) + ",\"spent\":" + spent(usage_),
                     WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL);
    default: return;
    }
}

void StreamWriter::order(Order& order, std::string_view piece, sdk::Sink& out) {
    std::string json;
    if (!order.told) {
        Writer w(json);
        Writer inside = w.object("order");
        inside.text("id", order.id);
        inside.text("form", order.form);
    }
    if (!order.told) out.frame({}, json, WM_FLAG_SEMANTIC);
    order.told = true;
    if (piece.empty()) return;
    json.clear();
    {
        Writer w(json);
        w.text("with", piece);
        w.text("of", order.id);
    }
    out.frame({}, json, WM_FLAG_SEMANTIC);
}

sdk::Status StreamWriter::end(sdk::Sink& out) const {
    return closed_ ? out.status() : sdk::Status{WM_INTERNAL, {}, "the answer has no end"};
}

} // namespace telegraph
