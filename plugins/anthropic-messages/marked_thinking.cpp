#include "marked_thinking.hpp"

#include <watermaster/translation/carrier.hpp>
#include <watermaster/words.h>

namespace wm::anthropic_messages {

using sdk::json::Kind;
using sdk::json::Scan;
using sdk::json::Value;

namespace {

bool is_marked(const Value& block) {
    if (block.kind != Kind::object || !sdk::holds_carrier(block.raw)) return false;
    const Value type = sdk::json::member(block.raw, "type");
    const bool thinking = type.says("thinking");
    if (!thinking && !type.says("redacted_thinking")) return false;
    const Value mark = sdk::json::member(block.raw, thinking ? "signature" : "data");
    return mark.is_string() && sdk::is_carrier(mark.body());
}

} // namespace

void MarkedThinking::Turn::add(const Turn& more) {
    lost |= more.lost;
    calls |= more.calls;
    if (!any) thinks = more.thinks;
    any |= more.any;
}

MarkedThinking::MarkedThinking(const Value& messages) {
    if (messages.kind != Kind::array) return;
    Scan scan(messages.raw);
    scan.elements([&] {
        const std::string_view message = scan.value().raw;
        messages_.element(message, is_all_marked(message));
    });
}

bool MarkedThinking::is_all_marked(std::string_view message) {
    if (!sdk::json::member(message, "role").says(WM_TURN_ASSISTANT)) {
        open_ = false;
        return false;
    }
    sdk::ListCuts cuts;
    const Turn said = take(sdk::json::member(message, "content"), cuts);
    if (!open_) turn_ = {};
    open_ = true;
    turn_.add(said);
    if (turn_.any) last_ = turn_;
    if (cuts.all()) return true;
    if (cuts.any()) blocks_.push_back(std::move(cuts));
    return false;
}

MarkedThinking::Turn MarkedThinking::take(const Value& content, sdk::ListCuts& cuts) {
    Turn said;
    if (content.kind != Kind::array) {
        said.any = content.there();
        return said;
    }
    Scan scan(content.raw);
    scan.elements([&] {
        const Value block = scan.value();
        const bool gone = is_marked(block);
        cuts.element(block.raw, gone);
        const Value type = sdk::json::member(block.raw, "type");
        const bool thinks = type.says("thinking") || type.says("redacted_thinking");
        said.add({.lost = gone, .any = !gone, .thinks = thinks && !gone, .calls = type.says("tool_use")});
    });
    return said;
}

void MarkedThinking::put(sdk::BodyEdits& edits) {
    messages_.put(edits);
    for (sdk::ListCuts& cuts : blocks_) cuts.put(edits);
}

} // namespace wm::anthropic_messages
