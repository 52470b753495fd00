#include "telegraph.hpp"

namespace telegraph {

using sdk::json::Kind;
using sdk::json::Scan;

namespace {

constexpr auto answer_members =
    sdk::member_names("wire", "by", "text", "order", "orders", "with", "of", "stop", "spent", "fault");
constexpr auto order_members = sdk::member_names("id", "form", "with");

std::string text_of(const Value& value) { return value.is_string() ? sdk::json::text(value.body()) : std::string(); }

bool is_object(std::string_view json) {
    Scan scan(json);
    if (scan.kind() != Kind::object) return false;
    scan.value();
    return scan.finish();
}

sdk::ErrorReport report_of(const Value& fault) {
    const std::string kind = text_of(sdk::json::member(fault.raw, "kind"));
    sdk::ErrorReport report;
    report.type = sdk::error_word(std::string_view(kind));
    if (report.type.empty()) report.type = WM_ERROR_API;
    report.message = text_of(sdk::json::member(fault.raw, "text"));
    return report;
}

} // namespace

sdk::Status AnswerReader::frame(const sdk::Frame& frame, sdk::Sink& out) {
    if (frame.kind != WM_FRAME_RAW) return FrameReader::frame(frame, out);
    for (const std::string& line : lines_.feed(frame.data))
        if (const sdk::Status status = event({WM_FRAME_MESSAGE, {}, line}, out); !status.ok()) return status;
    return out.status();
}

sdk::Status AnswerReader::event(const sdk::Frame& frame, sdk::Sink& out) {
    if (failed_ || done_ || frame.data.empty()) return {};
    return document(frame.data, out);
}

sdk::Status AnswerReader::document(std::string_view body, sdk::Sink& out) {
    if (!is_object(body)) return sdk::bad_input("body", "not a JSON object");
    if (const Value fault = sdk::json::member(body, "fault"); fault.there()) return fail(report_of(fault), out);
    sdk::Emitter events(out, nodes_);
    piece(body, events);
    return out.status();
}

// A whole answer is one piece with everything in it.
void AnswerReader::piece(std::string_view json, sdk::Emitter& events) {
    const sdk::Object object(json, answer_members);
    begin(object["wire"], object["by"], events);
    text(object["text"], events);
    if (object["order"].there()) order(object["order"], events);
    if (object["orders"].kind == Kind::array) {
        Scan scan(object["orders"].raw);
        scan.elements([&] { order(scan.value(), events); });
    }
    if (const auto found = orders_.find(text_of(object["of"])); found != orders_.end())
        events.leaf(found->second, WM_EV_ARGS, {}, text_of(object["with"]));
    if (object["stop"].is_string()) stop(object["stop"], object["spent"], events);
}

void AnswerReader::begin(const Value& wire, const Value& by, sdk::Emitter& events) {
    if (response_) return;
    response_ = events.open(WM_EV_RESPONSE, 0, protocol, text_of(wire));
    if (by.is_string()) events.leaf(response_, WM_EV_MODEL, {}, text_of(by));
    choice_ = events.open(WM_EV_CHOICE, response_, {}, "0");
}

void AnswerReader::text(const Value& text, sdk::Emitter& events) {
    if (text.empty()) return;
    if (!text_) text_ = events.open(WM_EV_BLOCK, choice_, WM_BLOCK_TEXT);
    events.leaf(text_, WM_EV_TEXT, {}, text_of(text));
}

void AnswerReader::order(const Value& order, sdk::Emitter& events) {
    if (text_) events.close(text_);
    text_ = 0;
    const sdk::Object object(order.raw, order_members);
    const std::uint32_t node = events.open(WM_EV_BLOCK, choice_, WM_BLOCK_TOOL_CALL);
    events.leaf(node, WM_EV_CALL, {}, text_of(object["id"]));
    events.leaf(node, WM_EV_TOOLNAME, {}, text_of(object["form"]));
    if (object["with"].there()) events.leaf(node, WM_EV_ARGS, {}, object["with"].raw);
    orders_[text_of(object["id"])] = node;
}

void AnswerReader::stop(const Value& stop, const Value& spent, sdk::Emitter& events) {
    if (text_) events.close(text_);
    for (const auto& [id, node] : orders_) events.close(node);
    const auto count = [&](std::string_view member, std::string_view word) {
        const Value value = sdk::json::member(spent.raw, member);
        if (value.count()) events.leaf(0, WM_EV_USAGE, word, value.raw);
    };
    count("in", WM_USAGE_INPUT);
    count("out", WM_USAGE_OUTPUT);
    const std::string_view word = !orders_.empty()       ? WM_FINISH_TOOL_CALLS
                                  : stop.says("limit")   ? WM_FINISH_LENGTH
                                  : stop.says("refused") ? WM_FINISH_FILTER
                                                         : WM_FINISH_END;
    events.leaf(choice_, WM_EV_FINISH, word, stop.raw);
    events.close(choice_);
    events.close(response_);
    done_ = true;
}

sdk::Status AnswerReader::end(sdk::Sink& out) {
    return failed_ || done_ ? out.status() : sdk::bad_input("frame", "the answer was cut");
}

} // namespace telegraph
