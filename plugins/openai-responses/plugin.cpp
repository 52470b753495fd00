#include "answer_reader.hpp"
#include "document_writer.hpp"
#include "request.hpp"
#include "request_reader.hpp"
#include "request_writer.hpp"
#include "stream_writer.hpp"
#include "tap.hpp"

#include <watermaster/plugin.hpp>
#include <watermaster/protocol/error_shapes.hpp>

namespace wm::openai_responses {

struct Transcoder {
    static constexpr const char* id = "openai-responses";
    static constexpr const char* facts_json = R"({
  "id": "openai-responses",
  "dialect": "openai",
  "operations": [
    {"id": "create", "method": "POST", "path": "/v1/responses", "kind": "inference", "framing": "sse"}
  ],
  "routing_members": ["model", "stream"],
  "needs": [],
  "capabilities": [
    {"name": "reasoning_effort", "default": true, "mounts": true, "help": "takes reasoning.effort"},
    {"name": "reasoning_history", "help": "takes earlier reasoning back, as reasoning_text"},
    {"name": "encrypted_reasoning", "default": true, "mounts": true,
     "help": "is asked for its reasoning encrypted, so that a client can give it back"}
  ],
  "spellings": [
    {"word": "cache_key", "member": "prompt_cache_key"},
    {"word": "logprobs", "member": "include"},
    {"word": "verbosity", "member": "text.verbosity"},
    {"word": "format", "member": "text.format"},
    {"word": "message", "member": "input"},
    {"word": "message.thinking", "member": "input.reasoning"},
    {"word": "message.tool_calls", "member": "input.arguments"},
    {"word": "system", "member": "input"},
    {"word": "tool_result", "member": "input.output"},
    {"word": "text.citations", "member": "input.annotations"},
    {"word": "image", "member": "input.input_image"},
    {"word": "tool", "member": "tools"},
    {"word": "tools.input_schema", "member": "tools.parameters"}
  ]
})";

    static constexpr auto& facts = openai_responses::facts;
    static constexpr auto& rewrite = openai_responses::rewrite;
    using Tap = openai_responses::Tap;
    struct Translation {
        using Options = openai_responses::Options;
        using Asked = openai_responses::Asked;
        using Sent = openai_responses::Sent;
        using RequestReader = openai_responses::RequestReader;
        using RequestWriter = openai_responses::RequestWriter;
        using AnswerReader = openai_responses::AnswerReader;
        using DocumentWriter = openai_responses::DocumentWriter;
        using StreamWriter = openai_responses::StreamWriter;
    };

    static sdk::Status write_error(const wm_events& error, sdk::Sink& out) {
        out.put(WM_OUT_BODY, {}, sdk::openai_error(sdk::read_error(error)));
        return out.status();
    }
};

} // namespace wm::openai_responses

WM_PLUGIN("0.1.0", wm::sdk::transcoder<wm::openai_responses::Transcoder>)
