#pragma once
// What an assistant's message is in a request's history and in a whole answer alike.
#include <watermaster/json_write.hpp>
#include <watermaster/translation/content.hpp>
#include <watermaster/translation/freeform.hpp>

#include <list>

namespace wm::openai_chat {

// The member `tool_calls`, of the blocks that are calls. Without `custom_tools` free text goes in an object.
inline void write_tool_calls(sdk::json::Writer& message, const std::list<sdk::Block>& blocks, bool custom_tools) {
    sdk::json::Writer list = message.array("tool_calls");
    for (const sdk::Block& block : blocks) {
        if (!block.is(WM_BLOCK_TOOL_CALL)) continue;
        const bool freeform = block.args.empty() && !block.text.empty(), custom = freeform && custom_tools;
        sdk::json::Writer call = list.element_object();
        call.text("id", block.call);
        call.text("type", custom ? "custom" : "function");
        sdk::json::Writer called = call.object(custom ? "custom" : "function");
        called.text("name", block.tool);
        if (custom)
            called.text("input", block.text);
        else if (freeform)
            called.text("arguments", sdk::freeform_arguments(block.text));
        else // clients parse it, and nothing is not JSON
            called.text("arguments", block.args.empty() ? std::string_view("{}") : std::string_view(block.args));
    }
}

} // namespace wm::openai_chat
