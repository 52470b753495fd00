#include "stream_writer.hpp"

namespace wm::openai_responses {

sdk::Status StreamWriter::write(const sdk::Event& event, sdk::Sink& out) {
    if (closed_) return {};
    if (error_.take(event)) {
        if (error_.complete()) failed(out);
        return out.status();
    }
    if (event.tag == WM_EV_RESPONSE) response_ = event.node;
    if (head_.take(event))
        head_weight_.add(event.value.size());
    else
        take(event, out);
    if (!talk_.fits(held_.bytes())) return {WM_LIMIT, {}, "the answer is too long to be said once more at its end"};
    return out.status();
}

void StreamWriter::take(const sdk::Event& event, sdk::Sink& out) {
    switch (event.tag) {
    case WM_EV_USAGE: return usage_.take(event);
    case WM_EV_LOSS: return output_.losses().loss(out, event.name, event.value);
    case WM_EV_CHOICE:
        if (choice_) return output_.losses().loss(out, WM_LOSS_CHOICES, "choices");
        choice_ = event.node;
        return created(out);
    case WM_EV_BLOCK:
        if (event.parent == choice_) output_.open(event.node, event.name, head_.own, out);
        return; // else of another choice, or inside a block: told already
    case WM_EV_CITATION:
        citation_ = event.node;
        cited_ = event.parent;
        return;
    case WM_EV_FINISH:
        if (event.node == choice_) ending_ = Ending(event.name, output_.refused());
        return;
    case WM_EV_MATCHED:
        if (event.node == choice_) output_.losses().loss(out, WM_LOSS_STOP_DETAILS, "stop_sequence");
        return;
    case WM_EV_END:
        if (event.node == response_) return complete(out);
        if (event.node == choice_) return output_.finish(ending_.status, out);
        return output_.end(event.node, out);
    default:
        if (event.node == citation_ && event.tag == WM_EV_RAW) return output_.cite(cited_, event, out);
        output_.leaf(event, out);
    }
}

void StreamWriter::response_event(std::string_view type, const ResponseObject& response, std::uint32_t flags,
                                  sdk::Sink& out) {
    output_.put(type, R"("response":)" + response.json(), flags, out);
}

void StreamWriter::created(sdk::Sink& out) {
    created_ = true;
    const ResponseObject response = head_.response(talk_, asked_);
    response_event("response.created", response, WM_FLAG_PREAMBLE, out);
    response_event("response.in_progress", response, WM_FLAG_PREAMBLE, out);
}

// Official clients take no event before response.created.
void StreamWriter::failed(sdk::Sink& out) {
    closed_ = true;
    if (!created_) response_event("response.created", head_.response(talk_, asked_), WM_FLAG_PREAMBLE, out);
    output_.settle(out);
    ResponseObject response = head_.response(talk_, asked_);
    response.fail(error_.report());
    response.output = output_.json();
    response_event("response.failed", response, WM_FLAG_ERROR, out);
}

void StreamWriter::complete(sdk::Sink& out) {
    closed_ = true;
    ResponseObject response = head_.response(talk_, asked_);
    response.status = ending_.status;
    response.incomplete_details = ending_.incomplete_details;
    response.output = output_.json();
    response.usage = usage_object(usage_, output_.losses(), out);
    const std::string type = "response." + std::string(ending_.status);
    response_event(type, response, WM_FLAG_SEMANTIC | WM_FLAG_TERMINAL, out);
}

sdk::Status StreamWriter::end(sdk::Sink& out) {
    return closed_ ? out.status() : sdk::Status{WM_INTERNAL, {}, "the answer has no end"};
}

} // namespace wm::openai_responses
