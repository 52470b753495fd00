#include "answer_reader.hpp"
#include "document_writer.hpp"
#include "request.hpp"
#include "request_reader.hpp"
#include "request_writer.hpp"
#include "stream_writer.hpp"
#include "tap.hpp"

#include <watermaster/plugin.hpp>
#include <watermaster/protocol/error_shapes.hpp>

namespace wm::anthropic_messages {

struct Transcoder {
    static constexpr const char* id = "anthropic-messages";
    static constexpr const char* facts_json = R"({
  "id": "anthropic-messages",
  "dialect": "anthropic",
  "operations": [
    {"id": "create", "method": "POST", "path": "/v1/messages", "kind": "inference", "framing": "sse"},
    {"id": "count_tokens", "method": "POST", "path": "/v1/messages/count_tokens", "kind": "local"}
  ],
  "routing_members": ["model", "stream"],
  "needs": ["max_output_tokens"],
  "capabilities": [
    {"name": "system_anywhere", "help": "takes system messages behind others"},
    {"name": "provider_reasoning_thinking", "mounts": true,
     "help": "shows a client reasoning without a signature as thinking, marked, and takes it out of its history"},
    {"name": "provider_reasoning_text", "help": "shows it as text instead"}
  ],
  "spellings": [
    {"word": "stop", "member": "stop_sequences"},
    {"word": "max_output_tokens", "member": "max_tokens"},
    {"word": "parallel_tool_calls", "member": "tool_choice.disable_parallel_tool_use"},
    {"word": "user", "member": "metadata.user_id"},
    {"word": "reasoning", "member": "thinking"},
    {"word": "reasoning.mode", "member": "thinking.type"},
    {"word": "reasoning.budget", "member": "thinking.budget_tokens"},
    {"word": "reasoning.summary", "member": "thinking.display"},
    {"word": "reasoning.effort", "member": "output_config.effort"},
    {"word": "format", "member": "output_config.format"},
    {"word": "message", "member": "messages"},
    {"word": "tool", "member": "tools"}
  ]
})";

    static constexpr auto& facts = anthropic_messages::facts;
    static constexpr auto& rewrite = anthropic_messages::rewrite;
    using Tap = anthropic_messages::Tap;
    struct Translation {
        using Options = anthropic_messages::Options;
        using Asked = anthropic_messages::Asked;
        using Sent = anthropic_messages::Sent;
        using RequestReader = anthropic_messages::RequestReader;
        using RequestWriter = anthropic_messages::RequestWriter;
        using AnswerReader = anthropic_messages::AnswerReader;
        using DocumentWriter = anthropic_messages::DocumentWriter;
        using StreamWriter = anthropic_messages::StreamWriter;
    };

    static sdk::Status write_error(const wm_events& error, sdk::Sink& out) {
        out.put(WM_OUT_BODY, {}, sdk::anthropic_error(sdk::read_error(error)));
        return out.status();
    }
};

} // namespace wm::anthropic_messages

WM_PLUGIN("0.1.0", wm::sdk::transcoder<wm::anthropic_messages::Transcoder>)
