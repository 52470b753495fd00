#include "request_writer.hpp"

#include <watermaster/translation/reasoning.hpp>

namespace wm::openai_responses {

using sdk::Block;

namespace {

bool is_said(const Block& block) { return block.is(WM_BLOCK_TEXT) || block.is(WM_BLOCK_REFUSAL); }

} // namespace

RequestWriter::Writer RequestWriter::item() {
    if (!items_.empty()) items_ += ',';
    return Writer(items_);
}

void RequestWriter::common_losses(const Block& block) {
    if (block.cache && !own()) loss(WM_LOSS_CACHE_MARKERS, block.kind + ".cache_control");
    if (block.signed_elsewhere()) loss(WM_LOSS_AUTHENTICATED_THINKING, block.kind + ".signature");
    if (!block.citations.empty()) loss(WM_LOSS_CITATIONS, block.kind + ".citations");
    for (const sdk::Named& extra : block.extras) loss(WM_LOSS_EXTENSION_MEMBERS, block.kind + "." + extra.name);
    if (block.is(WM_BLOCK_DOCUMENT) && block.only_text() && block.titled()) loss(WM_LOSS_MEDIA, "document.title");
    for (const Block& child : block.children) common_losses(child);
}

void RequestWriter::turn(sdk::Turn& turn) {
    if (!turn.author.empty()) loss(WM_LOSS_AUTHOR, "message.name");
    for (const sdk::Named& extra : turn.extras) loss(WM_LOSS_EXTENSION_MEMBERS, "message." + extra.name);
    for (const Block& block : turn.blocks) common_losses(block);
    if (turn.role == WM_TURN_ASSISTANT) return assistant(turn);
    if (instructions(turn)) return;
    for (const Block& block : turn.blocks)
        if (block.is(WM_BLOCK_TOOL_RESULT)) result(block);
    message(turn);
}

// The first text of the system, if that is all of it.
bool RequestWriter::instructions(const sdk::Turn& turn) {
    if (turn.role != WM_TURN_SYSTEM || !items_.empty() || !instructions_.empty()) return false;
    if (turn.blocks.size() != 1 || !turn.blocks.front().is(WM_BLOCK_TEXT)) return false;
    instructions_ = turn.blocks.front().text;
    return true;
}

// What a turn holds beside results of tools.
void RequestWriter::message(const sdk::Turn& turn) {
    std::vector<const Block*> blocks;
    for (const Block& block : turn.blocks)
        if (!block.is(WM_BLOCK_TOOL_RESULT)) blocks.push_back(&block);
    if (blocks.empty() && !turn.blocks.empty()) return;
    Writer w = item();
    w.text("type", "message");
    w.text("role", turn.role == WM_TURN_TOOL ? std::string_view(WM_TURN_USER) : std::string_view(turn.role));
    Writer list = w.array("content");
    for (const Block* block : blocks) part(list, *block);
}

void RequestWriter::assistant(const sdk::Turn& turn) {
    std::vector<const Block*> texts; // of one message
    const auto end_message = [&] {
        if (!texts.empty()) said(texts);
        texts.clear();
    };
    for (const Block& block : turn.blocks) {
        if (is_said(block)) {
            if (block.text.empty() && block.item.empty()) continue; // nothing is lost
            if (!texts.empty() && texts.back()->item != block.item) end_message();
            texts.push_back(&block);
            continue;
        }
        end_message();
        if (block.is(WM_BLOCK_REASONING)) {
            reasoning(block);
        } else if (block.is(WM_BLOCK_TOOL_CALL)) {
            call(block);
        } else if (!block.raw.empty() && block.raw_origin == protocol) {
            items_.append(items_.empty() ? "" : ",").append(block.raw);
        } else {
            loss(sdk::lost_with(block.kind), "message." + block.kind);
        }
    }
    end_message();
}

void RequestWriter::said(const std::vector<const Block*>& blocks) {
    Writer w = item();
    w.text("type", "message");
    w.text("role", WM_TURN_ASSISTANT);
    const Block& first = *blocks.front();
    if (own() && !first.item.empty()) w.text("id", first.item);
    if (const auto phase = first.attribute(WM_ATTR_PHASE); !phase.empty()) w.raw("phase", phase);
    Writer list = w.array("content");
    for (const Block* block : blocks) {
        const bool refusal = block->is(WM_BLOCK_REFUSAL);
        Writer part = list.element_object();
        part.text("type", refusal ? "refusal" : "output_text");
        part.text(refusal ? "refusal" : "text", block->text);
    }
}

// Only what this protocol's own provider has sealed can be given back to it.
void RequestWriter::reasoning(const Block& block) {
    const bool sealed = (!block.opaque.empty() && block.opaque_format == protocol) || (own() && !block.item.empty());
    if (!sealed && (!block.signature.empty() || !block.opaque.empty()))
        loss(WM_LOSS_AUTHENTICATED_THINKING, "message.reasoning");
    if (!sealed && !talk_.options.reasoning_history) {
        if (block.synthetic())
            note(WM_LOSS_PROVIDER_REASONING_TEXT, "message.reasoning"); // shown to the client alone
        else if (!sdk::shown_reasoning(block).empty())
            loss(WM_LOSS_PROVIDER_REASONING_TEXT, "message.reasoning");
        return;
    }
    Writer w = item();
    w.text("type", "reasoning");
    if (own() && !block.item.empty())
        w.text("id", block.item);
    else if (!sealed)
        w.text("id", "rs_" + talk_.exchange + "_" + std::to_string(thoughts_++));
    {
        Writer list = w.array("summary");
        for (const sdk::Named& one : block.summaries) {
            Writer part = list.element_object();
            part.text("type", "summary_text");
            part.text("text", one.value);
        }
    }
    if (!block.text.empty() && (own() || !sealed)) {
        Writer list = w.array("content");
        Writer part = list.element_object();
        part.text("type", "reasoning_text");
        part.text("text", block.text);
    }
    if (!block.opaque.empty() && block.opaque_format == protocol) w.text("encrypted_content", block.opaque);
}

void RequestWriter::call(const Block& block) {
    const bool custom = block.args.empty() && !block.text.empty();
    if (custom) custom_calls_.insert(block.call);
    Writer w = item();
    w.text("type", custom ? "custom_tool_call" : "function_call");
    if (own() && !block.item.empty()) w.text("id", block.item);
    w.text("call_id", block.call);
    w.text("name", block.tool);
    if (custom)
        w.text("input", block.text);
    else
        w.text("arguments", block.args.empty() ? std::string_view("{}") : std::string_view(block.args));
}

void RequestWriter::result(const Block& block) {
    const bool failed = block.attribute(WM_ATTR_IS_ERROR) == "true";
    if (failed) loss(WM_LOSS_TOOL_RESULT_ERROR_STATUS, "tool_result.is_error");
    Writer w = item();
    w.text("type", custom_calls_.count(block.call) ? "custom_tool_call_output" : "function_call_output");
    w.text("call_id", block.call);
    const std::string_view mark = failed ? sdk::failed_tool_mark : std::string_view();
    if (block.children.empty()) return w.text("output", mark);
    const Block& first = block.children.front();
    if (block.children.size() == 1 && first.is(WM_BLOCK_TEXT)) return w.text("output", std::string(mark) + first.text);
    Writer list = w.array("output");
    if (failed) {
        Writer part = list.element_object();
        part.text("type", "input_text");
        part.text("text", mark);
    }
    for (const Block& child : block.children) part(list, child);
}

void RequestWriter::part(Writer& list, const Block& block) {
    if (!block.only_text()) return media(list, block);
    for (const Block& child : block.children) part(list, child);
    if (block.text.empty() && !block.children.empty()) return;
    Writer w = list.element_object();
    w.text("type", "input_text");
    w.text("text", block.text);
    if (block.cache && own()) w.raw("prompt_cache_breakpoint", R"({"mode":"explicit"})");
}

void RequestWriter::media(Writer& list, const Block& block) {
    const bool image = block.is(WM_BLOCK_IMAGE), file = block.file_origin == WM_FILES_OPENAI && !block.file.empty();
    const bool there = !block.data.empty() || !block.url.empty();
    if (block.is(WM_BLOCK_RAW) && block.raw_origin == protocol) return list.element_raw(block.raw);
    if ((!image && !block.is(WM_BLOCK_DOCUMENT)) || !(file || there))
        return loss(sdk::lost_with(block.kind), "message." + block.kind);
    Writer w = list.element_object();
    w.text("type", image ? "input_image" : "input_file");
    if (file)
        w.text("file_id", block.file);
    else if (image)
        w.text("image_url", sdk::url_of(block));
    else
        w.text(block.data.empty() ? "file_url" : "file_data", sdk::url_of(block));
    const auto detail = block.attribute(WM_ATTR_DETAIL), name = block.attribute(WM_ATTR_FILENAME),
               title = block.attribute(WM_ATTR_TITLE);
    if (!detail.empty())
        w.raw("detail", detail);
    else if (image)
        w.text("detail", "auto");
    if (!name.empty() || !title.empty())
        w.raw("filename", name.empty() ? title : name);
    else if (!image && !block.data.empty())
        w.text("filename", "document." + block.media_type.substr(block.media_type.find('/') + 1));
    if (block.cache && own()) w.raw("prompt_cache_breakpoint", R"({"mode":"explicit"})");
}

} // namespace wm::openai_responses
