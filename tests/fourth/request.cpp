#include "telegraph.hpp"

#include <watermaster/translation/arguments.hpp>

namespace telegraph {

using sdk::json::Kind;

namespace {

constexpr auto request_members = sdk::member_names("model", "stream", "limit", "forms", "wires");
constexpr auto form_members = sdk::member_names("name", "about", "fields");
constexpr auto wire_members = sdk::member_names("from", "text", "order", "report");
constexpr auto order_members = sdk::member_names("id", "form", "with");
constexpr auto report_members = sdk::member_names("id", "text");

// Who says it here, and in canonical words.
constexpr std::pair<std::string_view, std::string_view> speakers[] = {
    {"office", WM_TURN_SYSTEM}, {"office", WM_TURN_DEVELOPER}, {"caller", WM_TURN_USER}, {"clerk", WM_TURN_ASSISTANT}};

} // namespace

sdk::Status RequestReader::read(std::string_view body) {
    if (!checked(body)) return result();
    const sdk::Object request(body, request_members);
    const bool named = talk_.operation == by_path;
    if (!named && !has_text(request["model"], "model")) refuse("model", "missing");
    if (!has_list(request["wires"], "wires")) refuse("wires", "missing");
    if (stopped()) return result();
    asked_.model = named ? talk_.model : sdk::json::text(request["model"].body());
    const std::uint32_t node = events_.open(WM_EV_REQUEST, 0, protocol, asked_.model);
    if (const Value limit = request["limit"]; has(limit, Kind::number, "limit", sdk::a_number))
        events_.leaf(node, WM_EV_PARAM, WM_PARAM_MAX_OUTPUT_TOKENS, limit.raw);
    const Value forms = request["forms"];
    request.ignore({"stream"}); // the host knows
    others(request, node);
    each_of(forms, "forms", [&](const Value& one) { form(node, one); });
    each_of(request["wires"], "wires", [&](const Value& one) { wire(node, one); });
    events_.close(node);
    return result();
}

void RequestReader::form(std::uint32_t request, const Value& form) {
    const sdk::Object object(form.raw, form_members);
    if (!has_text(object["name"], "name")) return refuse("name", "missing");
    const std::uint32_t node = events_.open(WM_EV_TOOL, request, WM_TOOL_FUNCTION, text(object["name"]));
    if (has_text(object["about"], "about")) leaf_text(node, WM_EV_DESCRIPTION, {}, object["about"]);
    if (has_object(object["fields"], "fields")) events_.leaf(node, WM_EV_SCHEMA, "input", object["fields"].raw);
    others(object, node);
    events_.close(node);
}

void RequestReader::wire(std::uint32_t request, const Value& wire) {
    const sdk::Object object(wire.raw, wire_members);
    if (has_object(object["order"], "order"))
        order(request, object["order"]);
    else if (has_object(object["report"], "report"))
        report(request, object["report"]);
    else if (has_text(object["text"], "text"))
        said(request, object["from"], object["text"]);
    else
        refuse("text", "missing");
    others(object, request, "wires.");
}

void RequestReader::said(std::uint32_t request, const Value& by, const Value& text) {
    for (const auto& [from, role] : speakers) {
        if (!by.says(from)) continue;
        const std::uint32_t turn = events_.open(WM_EV_TURN, request, role);
        text_block(turn, WM_BLOCK_TEXT, text);
        return events_.close(turn);
    }
    refuse("from", "not one of office, caller, clerk");
}

void RequestReader::order(std::uint32_t request, const Value& order) {
    const sdk::Object object(order.raw, order_members);
    if (!has_text(object["id"], "id") || !has_text(object["form"], "form")) return refuse("id or form is missing");
    const std::uint32_t turn = events_.open(WM_EV_TURN, request, WM_TURN_ASSISTANT);
    const std::uint32_t block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_TOOL_CALL);
    leaf_text(block, WM_EV_CALL, {}, object["id"]);
    leaf_text(block, WM_EV_TOOLNAME, {}, object["form"]);
    if (has_object(object["with"], "with")) events_.leaf(block, WM_EV_ARGS, {}, object["with"].raw);
    others(object, block);
    events_.close(block);
    events_.close(turn);
}

void RequestReader::report(std::uint32_t request, const Value& report) {
    const sdk::Object object(report.raw, report_members);
    if (!has_text(object["id"], "id") || !has_text(object["text"], "text")) return refuse("id or text is missing");
    const std::uint32_t turn = events_.open(WM_EV_TURN, request, WM_TURN_TOOL);
    const std::uint32_t block = events_.open(WM_EV_BLOCK, turn, WM_BLOCK_TOOL_RESULT);
    leaf_text(block, WM_EV_CALL, {}, object["id"]);
    text_block(block, WM_BLOCK_TEXT, object["text"]);
    others(object, block);
    events_.close(block);
    events_.close(turn);
}

void RequestWriter::param(std::string_view word, std::string_view raw) {
    if (word == WM_PARAM_MAX_OUTPUT_TOKENS)
        member("limit", raw);
    else if (word != WM_PARAM_STREAM)
        lose_param(word, raw);
}

void RequestWriter::tool(sdk::Tool& tool) {
    if (tool.type != WM_TOOL_FUNCTION) return loss(WM_LOSS_BUILTIN_TOOLS, "tool." + tool.type);
    choice().sent(tool.name);
    forms_.append(forms_.empty() ? "" : ",");
    Writer w(forms_);
    w.text("name", tool.name);
    if (!tool.description.empty()) w.text("about", tool.description);
    if (!tool.schema.empty()) w.raw("fields", tool.schema);
}

Writer RequestWriter::wire() {
    wires_.append(wires_.empty() ? "" : ",");
    return Writer(wires_);
}

void RequestWriter::turn(sdk::Turn& turn) {
    std::string_view from = "caller";
    for (const auto& [name, role] : speakers)
        if (turn.role == role) from = name;
    for (const sdk::Block& one : turn.blocks) block(from, one);
}

void RequestWriter::block(std::string_view from, const sdk::Block& block) {
    if (block.is(WM_BLOCK_TEXT)) {
        Writer w = wire();
        w.text("from", from);
        w.text("text", block.text);
    } else if (block.is(WM_BLOCK_TOOL_CALL)) {
        bool wrapped = false;
        Writer w = wire();
        Writer order = w.object("order");
        order.text("id", block.call);
        order.text("form", block.tool);
        order.raw("with", sdk::object_of(block.args, wrapped));
        if (wrapped) loss(WM_LOSS_TOOL_ARGUMENTS, "order.with");
    } else if (block.is(WM_BLOCK_TOOL_RESULT)) {
        std::string text;
        for (const sdk::Block& child : block.children) text += child.text;
        Writer w = wire();
        Writer report = w.object("report");
        report.text("id", block.call);
        report.text("text", text);
    } else {
        loss(sdk::lost_with(block.kind), "wires." + block.kind);
    }
}

void RequestWriter::finish() {
    const bool binds = !choice().how().empty() && choice().how() != WM_CHOOSE_AUTO;
    if (binds || !choice().allowed().empty()) loss(WM_LOSS_TOOL_CHOICE, "tool_choice");
    if (!forms_.empty()) member("forms", "[" + forms_ + "]");
    if (talk_.stream) member("stream", "true");
    if (talk_.attempt > 1) member("try", std::to_string(talk_.attempt));
    const std::string head = "{\"model\":" + sdk::json::quote(talk_.model) + ",\"wires\":[" + wires_ + "]";
    out().put(WM_OUT_BODY, {}, head);
    out().put(WM_OUT_BODY, {}, members());
    out().put(WM_OUT_BODY, {}, "}");
}

} // namespace telegraph
