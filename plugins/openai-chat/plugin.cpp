#include "answer_reader.hpp"
#include "document_writer.hpp"
#include "request.hpp"
#include "request_reader.hpp"
#include "request_writer.hpp"
#include "stream_writer.hpp"
#include "tap.hpp"

#include <watermaster/plugin.hpp>
#include <watermaster/protocol/error_shapes.hpp>

namespace wm::openai_chat {

struct Transcoder {
    static constexpr const char* id = "openai-chat";
    static constexpr const char* facts_json = R"({
  "id": "openai-chat",
  "dialect": "openai",
  "operations": [
    {"id": "create", "method": "POST", "path": "/v1/chat/completions", "kind": "inference", "framing": "sse"}
  ],
  "routing_members": ["model", "stream"],
  "needs": [],
  "capabilities": [
    {"name": "developer_role", "help": "takes developer messages"},
    {"name": "system_anywhere", "help": "takes system messages behind others"},
    {"name": "image_input", "default": true, "help": "takes images"},
    {"name": "structured_outputs", "default": true, "help": "takes response_format"},
    {"name": "stop_sequences", "default": true, "help": "takes stop"},
    {"name": "parallel_tool_calls", "default": true, "mounts": true, "help": "takes parallel_tool_calls"},
    {"name": "reasoning_effort", "default": true, "help": "takes reasoning_effort"},
    {"name": "reasoning_history", "help": "takes earlier reasoning back, as reasoning_content"},
    {"name": "max_completion_tokens", "help": "knows the limit by its newer name only"},
    {"name": "custom_tools", "help": "takes tools whose input is free text"}
  ],
  "spellings": [
    {"word": "max_output_tokens", "member": "max_tokens"},
    {"word": "cache_key", "member": "prompt_cache_key"},
    {"word": "reasoning", "member": "reasoning_effort"},
    {"word": "reasoning.effort", "member": "reasoning_effort"},
    {"word": "format", "member": "response_format"},
    {"word": "message", "member": "messages"},
    {"word": "message.reasoning", "member": "messages.reasoning_content"},
    {"word": "system", "member": "messages"},
    {"word": "tool_result", "member": "messages"},
    {"word": "image", "member": "messages.image_url"},
    {"word": "tool", "member": "tools"},
    {"word": "tools.input_schema", "member": "tools.function.parameters"},
    {"word": "tools.format", "member": "tools.custom.format"}
  ]
})";

    static constexpr auto& facts = openai_chat::facts;
    static constexpr auto& rewrite = openai_chat::rewrite;
    using Tap = openai_chat::Tap;
    struct Translation {
        using Options = openai_chat::Options;
        using Asked = openai_chat::Asked;
        using Sent = openai_chat::Sent;
        using RequestReader = openai_chat::RequestReader;
        using RequestWriter = openai_chat::RequestWriter;
        using AnswerReader = openai_chat::AnswerReader;
        using DocumentWriter = openai_chat::DocumentWriter;
        using StreamWriter = openai_chat::StreamWriter;
    };

    static sdk::Status write_error(const wm_events& error, sdk::Sink& out) {
        out.put(WM_OUT_BODY, {}, sdk::openai_error(sdk::read_error(error)));
        return out.status();
    }
};

} // namespace wm::openai_chat

WM_PLUGIN("0.1.0", wm::sdk::transcoder<wm::openai_chat::Transcoder>)
