#include "answer_shapes.hpp"

#include <watermaster/json_scan.hpp>
#include <watermaster/translation/carrier.hpp>

namespace wm::openai_responses {

using sdk::json::Writer;

bool AnswerHead::take(const sdk::Event& event) {
    if (event.tag == WM_EV_RESPONSE) {
        own = event.name == protocol;
        id = event.value;
    } else if (event.tag == WM_EV_MODEL) {
        model = event.value;
    } else if (event.tag == WM_EV_CREATED) {
        created = event.value;
    } else {
        return false;
    }
    return true;
}

ResponseObject AnswerHead::response(const Talk& talk, const Asked& asked) const {
    ResponseObject out;
    const std::string made = "resp_" + (id.empty() ? talk.exchange : id);
    out.id = sdk::json::quote(own && !id.empty() ? id : made);
    out.model = sdk::json::quote(model.empty() ? asked.model : model);
    out.created_at = created.empty() ? std::to_string(talk.now_ms / 1000) : created;
    out.status = "in_progress";
    out.echo = asked.echo;
    return out;
}

Ending::Ending(std::string_view finish, bool refused) {
    const bool length = finish == WM_FINISH_LENGTH || finish == WM_FINISH_CONTEXT;
    const bool filter = (finish == WM_FINISH_FILTER || finish == WM_FINISH_REFUSAL) && !refused;
    if (!length && !filter) return;
    status = "incomplete";
    incomplete_details = length ? R"({"reason":"max_output_tokens"})" : R"({"reason":"content_filter"})";
}

std::string usage_object(const sdk::UsageTally& usage, sdk::Losses& losses, sdk::Sink& out) {
    if (!usage.any()) {
        losses.loss(out, WM_LOSS_USAGE_UNKNOWN, "usage");
        return "null";
    }
    const auto required = [&](std::string_view word, std::string_view key) {
        const auto n = usage.get(word);
        if (!n) losses.loss(out, key, word);
        return n.value_or(0);
    };
    const std::uint64_t input = required(WM_USAGE_INPUT, WM_LOSS_USAGE_UNKNOWN);
    const std::uint64_t output = required(WM_USAGE_OUTPUT, WM_LOSS_USAGE_UNKNOWN);
    std::string text;
    {
        Writer w(text);
        w.number("input_tokens", input);
        {
            Writer details = w.object("input_tokens_details");
            details.number("cached_tokens", required(WM_USAGE_INPUT_CACHED, WM_LOSS_USAGE_CACHE_READ_UNKNOWN));
            if (const auto written = usage.get(WM_USAGE_INPUT_CACHE_WRITE))
                details.number("cache_write_tokens", *written);
        }
        w.number("output_tokens", output);
        w.object("output_tokens_details")
            .number("reasoning_tokens", required(WM_USAGE_OUTPUT_REASONING, WM_LOSS_USAGE_REASONING_UNKNOWN));
        w.number("total_tokens", input + output);
    }
    return text;
}

std::string item_id(std::string_view kind, const Talk& talk, std::uint64_t index) {
    return std::string(kind).append("_").append(talk.exchange).append("_").append(std::to_string(index));
}

std::string Part::json(bool refusal) const {
    std::string out;
    {
        Writer w(out);
        w.text("type", refusal ? "refusal" : "output_text");
        w.text(refusal ? "refusal" : "text", text);
        if (!refusal) w.raw("annotations", "[" + annotations + "]");
        if (!refusal) w.raw("logprobs", "[" + logprobs + "]");
    }
    return out;
}

std::string reasoning_part(std::string_view type, std::string_view text) {
    std::string out;
    {
        Writer w(out);
        w.text("type", type);
        w.text("text", text);
    }
    return out;
}

std::string message_item(std::string_view id, std::string_view status, std::string_view content,
                         std::string_view phase) {
    std::string out;
    {
        Writer w(out);
        w.text("id", id);
        w.text("type", "message");
        w.text("status", status);
        w.text("role", WM_TURN_ASSISTANT);
        w.raw("content", std::string("[").append(content).append("]"));
        if (!phase.empty()) w.raw("phase", phase);
    }
    return out;
}

std::string reasoning_item(std::string_view id, std::string_view summary, std::string_view content,
                           std::string_view sealed) {
    std::string out;
    {
        Writer w(out);
        w.text("id", id);
        w.text("type", "reasoning");
        w.raw("summary", std::string("[").append(summary).append("]"));
        if (!content.empty()) w.raw("content", std::string("[").append(content).append("]"));
        if (!sealed.empty()) w.text("encrypted_content", sealed);
    }
    return out;
}

std::string CallItem::json(std::string_view status) const {
    std::string out;
    {
        Writer w(out);
        w.text("id", id);
        w.text("type", custom ? "custom_tool_call" : "function_call");
        w.text("status", status);
        w.text("call_id", call);
        w.text("name", name);
        w.text(custom ? "input" : "arguments", input);
    }
    return out;
}

std::string_view call_status(std::string_view answer, bool last, bool custom, std::string_view input) {
    if (answer != "incomplete") return "completed";
    sdk::json::Scan scan(input);
    scan.value();
    return last || (!custom && !scan.finish()) ? "incomplete" : "completed";
}

std::string sealed_reasoning(bool own, std::string_view format, std::string_view value, bool opaque) {
    if (own || format == protocol) return std::string(value);
    return value.empty() ? sdk::carry({}, {}) : sdk::carry(format, value, opaque);
}

} // namespace wm::openai_responses
