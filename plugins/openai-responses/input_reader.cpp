#include "request_reader.hpp"

#include <watermaster/translation/carrier.hpp>

namespace wm::openai_responses {

using sdk::a_string;
using sdk::json::Kind;
using sdk::json::Value;

namespace {

constexpr auto message_members = sdk::member_names("type", "role", "content", "id", "status", "phase");
constexpr auto reasoning_members = sdk::member_names("type", "id", "status", "summary", "content", "encrypted_content");
constexpr auto call_members =
    sdk::member_names("type", "id", "status", "call_id", "name", "namespace", "arguments", "input");
constexpr auto result_members = sdk::member_names("type", "id", "status", "call_id", "output");
constexpr auto part_members =
    sdk::member_names("type", "text", "refusal", "image_url", "file_id", "file_url", "file_data", "filename", "detail",
                      "input_audio", "annotations", "logprobs", "prompt_cache_breakpoint");
constexpr auto thought_members = sdk::member_names("type", "text");
constexpr auto reference_members = sdk::member_names("type", "id");
constexpr auto breakpoint_members = sdk::member_names("mode");
constexpr auto audio_members = sdk::member_names("data", "format");

// What stands in for an item of a kind that other protocols do not have.
std::string_view kind_of(std::string_view type) {
    if (type == "compaction") return WM_BLOCK_COMPACTION;
    if (type.starts_with("mcp_approval")) return WM_BLOCK_APPROVAL;
    if (type.ends_with("_output")) return WM_BLOCK_SERVER_RESULT;
    return type.ends_with("_call") || type == "mcp_list_tools" ? WM_BLOCK_SERVER_CALL : WM_BLOCK_RAW;
}

} // namespace

void RequestReader::input(std::uint32_t request, const Value& input) {
    if (input.is_string()) {
        text_block(turn(request, WM_TURN_USER), WM_BLOCK_TEXT, input);
        return end_turn();
    }
    if (!has(input, Kind::array, "input", "neither a string nor an array")) return;
    const auto at = path_.member("input");
    each(input, [&](const Value& one) { item(request, one); });
    end_turn();
}

void RequestReader::end_turn() {
    if (turn_) events_.close(turn_);
    turn_ = 0;
    nameless_text_ = false;
}

// The assistant's adjacent items are one turn, and so are the results of its calls.
std::uint32_t RequestReader::turn(std::uint32_t request, std::string_view role) {
    if (turn_ && role_ == role && (role == WM_TURN_ASSISTANT || role == WM_TURN_TOOL)) return turn_;
    end_turn();
    role_ = role;
    return turn_ = events_.open(WM_EV_TURN, request, role);
}

void RequestReader::item(std::uint32_t request, const Value& item) {
    if (item.kind != Kind::object) return refuse("not an object");
    const Value type = sdk::json::member(item.raw, "type");
    if (type.there() && !type.null() && !has_text(type, "type")) return;
    if (type.empty() || type.says("message")) return message(request, item);
    nameless_text_ = false;
    if (type.says("function_call")) return call(request, item, false);
    if (type.says("custom_tool_call")) return call(request, item, true);
    if (type.says("function_call_output") || type.says("custom_tool_call_output")) return tool_result(request, item);
    if (type.says("reasoning")) return reasoning_item(request, item);
    if (type.says("item_reference")) {
        const sdk::Object reference(item.raw, reference_members);
        reference.ignore({"type"});
        if (!has_text(reference["id"], "id")) return refuse("id", "missing");
        leaf_text(request, WM_EV_RESUME, WM_RESUME_ITEM, reference["id"]);
        return others(reference, request, "input.");
    }
    foreign_item(request, std::string(text(type)), item);
}

void RequestReader::message(std::uint32_t request, const Value& item) {
    const sdk::Object object(item.raw, message_members);
    const Value role = object["role"];
    if (!has_text(role, "role")) return refuse("role", "missing");
    if (role.says(WM_TURN_ASSISTANT)) return assistant_message(request, item);
    std::string_view word;
    for (const std::string_view known : {WM_TURN_SYSTEM, WM_TURN_DEVELOPER, WM_TURN_USER})
        if (role.says(known)) word = known;
    if (word.empty()) return refuse("role", "not one of system, developer, user, assistant");
    if (!object["content"].there()) return refuse("content", "missing");
    const std::uint32_t node = turn(request, word);
    content(node, "content", object["content"]);
    object.ignore({"type", "id", "status"});
    others(object, node);
    end_turn();
}

// Texts of one item are one message; without an id, a message behind another has a turn of its own.
void RequestReader::assistant_message(std::uint32_t request, const Value& item) {
    const sdk::Object object(item.raw, message_members);
    const std::string id(text(object["id"]));
    if (!object["content"].there()) return refuse("content", "missing");
    if (id.empty() && nameless_text_) end_turn();
    const std::uint32_t node = turn(request, WM_TURN_ASSISTANT);
    nameless_text_ = id.empty();
    content(node, "content", object["content"], id, object["phase"]);
    object.ignore({"type", "role", "status"});
    others(object, node);
}

void RequestReader::reasoning_item(std::uint32_t request, const Value& item) {
    const sdk::Object object(item.raw, reasoning_members);
    const std::uint32_t block = events_.open(WM_EV_BLOCK, turn(request, WM_TURN_ASSISTANT), WM_BLOCK_REASONING);
    if (has_text(object["id"], "id")) leaf_text(block, WM_EV_ITEM, {}, object["id"]);
    std::uint64_t index = 0;
    const auto thoughts = [&](std::string_view member, std::uint32_t tag) {
        each_of(object[member], member, [&](const Value& one) {
            const sdk::Object thought(one.raw, thought_members);
            thought.ignore({"type"});
            if (!has_text(thought["text"], "text")) return refuse("text", "missing");
            if (tag == WM_EV_SUMMARY)
                leaf_text(block, tag, sdk::Decimal(index++), thought["text"]);
            else
                leaf_text(block, tag, {}, thought["text"]);
            others(thought, block, std::string(member) + ".");
        });
    };
    thoughts("summary", WM_EV_SUMMARY);
    thoughts("content", WM_EV_TEXT);
    if (const Value sealed = object["encrypted_content"]; has_text(sealed, "encrypted_content")) {
        if (const auto carried = sdk::uncarry(text(sealed))) {
            const std::uint32_t tag = carried->opaque ? WM_EV_OPAQUE : WM_EV_SIGNATURE;
            events_.leaf(block, tag, carried->format.empty() ? sdk::carrier_none : carried->format, carried->value);
        } else {
            leaf_text(block, WM_EV_OPAQUE, protocol, sealed);
        }
    } else { // no provider could tell whose it is
        events_.leaf(block, WM_EV_SIGNATURE, sdk::carrier_none, {});
    }
    object.ignore({"type", "status"});
    others(object, block);
    events_.close(block);
}

void RequestReader::call(std::uint32_t request, const Value& item, bool custom) {
    const sdk::Object object(item.raw, call_members);
    const std::string_view input = custom ? "input" : "arguments";
    if (!has_text(object["call_id"], "call_id")) return refuse("call_id", "missing");
    if (!has_text(object["name"], "name")) return refuse("name", "missing");
    if (!has_text(object[input], input)) return refuse(input, "missing");
    const std::uint32_t block = events_.open(WM_EV_BLOCK, turn(request, WM_TURN_ASSISTANT), WM_BLOCK_TOOL_CALL);
    if (has_text(object["id"], "id")) leaf_text(block, WM_EV_ITEM, {}, object["id"]);
    leaf_text(block, WM_EV_CALL, {}, object["call_id"]);
    const std::string space(has_text(object["namespace"], "namespace") ? text(object["namespace"]) : "");
    leaf_text(block, WM_EV_TOOLNAME, space, object["name"]);
    leaf_text(block, custom ? WM_EV_TEXT : WM_EV_ARGS, {}, object[input]);
    object.ignore({"type", "status"});
    others(object, block);
    events_.close(block);
}

void RequestReader::tool_result(std::uint32_t request, const Value& item) {
    const sdk::Object object(item.raw, result_members);
    if (!has_text(object["call_id"], "call_id")) return refuse("call_id", "missing");
    if (!object["output"].there()) return refuse("output", "missing");
    const std::uint32_t block = events_.open(WM_EV_BLOCK, turn(request, WM_TURN_TOOL), WM_BLOCK_TOOL_RESULT);
    leaf_text(block, WM_EV_CALL, {}, object["call_id"]);
    content(block, "output", object["output"]);
    object.ignore({"type", "id", "status"});
    others(object, block);
    events_.close(block);
}

void RequestReader::foreign_item(std::uint32_t request, std::string_view type, const Value& item) {
    const std::uint32_t block = events_.open(WM_EV_BLOCK, turn(request, WM_TURN_ASSISTANT), kind_of(type));
    events_.leaf(block, WM_EV_RAW, protocol, item.raw);
    events_.close(block);
}

void RequestReader::content(std::uint32_t parent, std::string_view member, const Value& content, std::string_view id,
                            const Value& phase) {
    if (content.is_string()) {
        const std::uint32_t block = events_.open(WM_EV_BLOCK, parent, WM_BLOCK_TEXT);
        if (!id.empty()) events_.leaf(block, WM_EV_ITEM, {}, id);
        if (phase.is_string()) events_.leaf(block, WM_EV_ATTR, WM_ATTR_PHASE, phase.raw);
        leaf_text(block, WM_EV_TEXT, {}, content);
        return events_.close(block);
    }
    if (!has(content, Kind::array, member, "neither a string nor an array")) return;
    const auto at = path_.member(member);
    each(content, [&](const Value& one) { part(parent, one, id, phase); });
}

void RequestReader::part(std::uint32_t parent, const Value& part, std::string_view id, const Value& phase) {
    if (part.kind != Kind::object) return refuse("not an object");
    const sdk::Object object(part.raw, part_members);
    const Value type = object["type"];
    if (!has_text(type, "type")) return refuse("type", "missing");
    std::string_view kind = WM_BLOCK_RAW;
    if (type.says("input_text") || type.says("output_text")) kind = WM_BLOCK_TEXT;
    if (type.says("refusal")) kind = WM_BLOCK_REFUSAL;
    if (type.says("input_image")) kind = WM_BLOCK_IMAGE;
    if (type.says("input_file")) kind = WM_BLOCK_DOCUMENT;
    if (type.says("input_audio")) kind = WM_BLOCK_AUDIO;
    const std::uint32_t block = events_.open(WM_EV_BLOCK, parent, kind);
    if (!id.empty()) events_.leaf(block, WM_EV_ITEM, {}, id);
    if (phase.is_string()) events_.leaf(block, WM_EV_ATTR, WM_ATTR_PHASE, phase.raw);
    if (kind == WM_BLOCK_RAW)
        events_.leaf(block, WM_EV_RAW, protocol, part.raw);
    else if (kind == WM_BLOCK_TEXT)
        said(block, object, "text");
    else if (kind == WM_BLOCK_REFUSAL)
        said(block, object, "refusal");
    else if (kind == WM_BLOCK_AUDIO)
        audio(block, object["input_audio"]);
    else
        media(block, object);
    if (kind != WM_BLOCK_RAW) others(object, block);
    events_.close(block);
}

template <std::size_t N>
void RequestReader::said(std::uint32_t block, const sdk::Object<N>& part, std::string_view member) {
    if (!has_text(part[member], member)) return refuse(member, "missing");
    leaf_text(block, WM_EV_TEXT, {}, part[member]);
    for (const std::string_view mark : {"annotations", "logprobs"})
        if (!part[mark].empty()) events_.leaf(block, WM_EV_EXTRA, mark, part[mark].raw);
    breakpoint(block, part["prompt_cache_breakpoint"]);
}

void RequestReader::breakpoint(std::uint32_t block, const Value& mark) {
    if (!mark.there()) return;
    events_.leaf(block, WM_EV_CACHE, "explicit", {});
    only(mark, breakpoint_members, block, "prompt_cache_breakpoint.");
}

template <std::size_t N>
void RequestReader::media(std::uint32_t block, const sdk::Object<N>& part) {
    bool there = has_text(part["file_id"], "file_id");
    if (there) leaf_text(block, WM_EV_FILE, WM_FILES_OPENAI, part["file_id"]);
    for (const std::string_view member : {"image_url", "file_data", "file_url"}) {
        if (there || !has_text(part[member], member)) continue; // what is not read is told of as lost
        there = true;
        url(block, text(part[member]));
    }
    if (!there) refuse("none of image_url, file_data, file_url and file_id is there");
    if (has_text(part["detail"], "detail")) events_.leaf(block, WM_EV_ATTR, WM_ATTR_DETAIL, part["detail"].raw);
    if (has_text(part["filename"], "filename")) events_.leaf(block, WM_EV_ATTR, WM_ATTR_FILENAME, part["filename"].raw);
    breakpoint(block, part["prompt_cache_breakpoint"]);
}

void RequestReader::audio(std::uint32_t block, const Value& audio) {
    if (!has_object(audio, "input_audio")) return refuse("input_audio", "missing");
    const auto at = path_.member("input_audio");
    const sdk::Object object(audio.raw, audio_members);
    if (!has_text(object["data"], "data") || !has_text(object["format"], "format"))
        return refuse("data or format is missing");
    const std::string media_type = "audio/" + std::string(text(object["format"]));
    leaf_text(block, WM_EV_DATA, media_type, object["data"]);
    others(object, block, "input_audio.");
}

} // namespace wm::openai_responses
