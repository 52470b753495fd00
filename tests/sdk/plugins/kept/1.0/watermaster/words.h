/*
 * The registry of numbers and words that cross the boundary; append-only. Numbers are never reused.
 *
 * Values: text is UTF-8; raw is JSON exactly as read (a string with its quotes); num is a JSON number.
 * "+": pieces concatenate, and only the concatenation means anything.
 */
#ifndef WM_WORDS_H
#define WM_WORDS_H

/* ---- tag classes ----------------------------------------------------------------------------------------------- */

#define WM_EV_CONTAINER 0x1000u /* opens `node` inside `parent`, until its END */
#define WM_EV_ADVISORY 0x2000u  /* may be skipped by who does not know it; any other unknown tag is a loss */

/* ---- events: name -> value ------------------------------------------------------------------------------------- */

#define WM_EV_REQUEST 0x1001u  /* origin protocol -> model as asked */
#define WM_EV_RESPONSE 0x1002u /* origin protocol -> response id */
#define WM_EV_TURN 0x1003u     /* WM_TURN_ -> author */
#define WM_EV_CHOICE 0x1004u   /* -> index */
#define WM_EV_BLOCK 0x1005u    /* WM_BLOCK_ */
#define WM_EV_TOOL 0x1006u     /* WM_TOOL_ -> name */
#define WM_EV_CITATION 0x1007u /* WM_CITATION_ */
#define WM_EV_FORMAT 0x1008u   /* WM_FORMAT_ -> name */
#define WM_EV_ERROR 0x1009u    /* WM_ERROR_ -> HTTP status, empty if none is known; message as TEXT */

#define WM_EV_END 0x000Fu       /* closes `node` */
#define WM_EV_TEXT 0x0010u      /* + -> text */
#define WM_EV_SUMMARY 0x0011u   /* + index -> text */
#define WM_EV_ARGS 0x0012u      /* + -> raw */
#define WM_EV_DATA 0x0013u      /* + media type -> base64 */
#define WM_EV_URL 0x0014u       /* media type -> URL */
#define WM_EV_FILE 0x0015u      /* origin -> id */
#define WM_EV_SIGNATURE 0x0016u /* + format -> opaque */
#define WM_EV_OPAQUE 0x0017u    /* + format -> encrypted or redacted */
#define WM_EV_RAW 0x0018u       /* origin -> raw, the whole node */
#define WM_EV_LOGPROBS 0x0019u  /* + -> raw token entries */

#define WM_EV_CALL 0x0020u     /* -> call id */
#define WM_EV_TOOLNAME 0x0021u /* namespace or server label -> name */
#define WM_EV_ITEM 0x0022u     /* -> provider item id */
#define WM_EV_ATTR 0x0023u     /* WM_ATTR_ -> raw */
#define WM_EV_EXTRA 0x0024u    /* member -> raw, unknown to the reader */
#define WM_EV_CACHE 0x0025u    /* kind -> ttl; a breakpoint after this node */

#define WM_EV_DESCRIPTION 0x0028u /* -> text */
#define WM_EV_SCHEMA 0x0029u      /* input, output -> raw */
#define WM_EV_STRICT 0x002Au      /* -> true, false */
#define WM_EV_GRAMMAR 0x002Bu     /* syntax -> definition */
#define WM_EV_CONFIG 0x002Cu      /* origin -> raw server or MCP definition; may carry a client's token */

#define WM_EV_PARAM 0x0030u  /* WM_PARAM_ -> raw */
#define WM_EV_CHOOSE 0x0031u /* WM_CHOOSE_ -> tool name */
#define WM_EV_STOP 0x0032u   /* -> one sequence */
#define WM_EV_META 0x0033u   /* key -> text */
#define WM_EV_REASON 0x0034u /* effort, budget, summary, mode -> token */
#define WM_EV_RESUME 0x0035u /* previous_response, conversation, item -> id */

#define WM_EV_MODEL 0x0040u   /* -> as the provider said */
#define WM_EV_CREATED 0x0041u /* -> unix seconds */
#define WM_EV_USAGE 0x0042u   /* WM_USAGE_ -> num, cumulative, the last one wins; absent is unknown, never 0 */
#define WM_EV_FINISH 0x0043u  /* WM_FINISH_ -> native raw */
#define WM_EV_MATCHED 0x0044u /* -> raw stop string or token */
#define WM_EV_STATUS 0x0045u  /* -> WM_STATUS_ */
#define WM_EV_LOSS 0x0046u    /* key -> member path */

#define WM_EV_PROGRESS 0x2050u /* server-tool phase */
#define WM_EV_PING 0x2051u
#define WM_EV_NOTE 0x2052u /* key -> member path */

/* ---- results, in the same struct: name -> value ------------------------------------------------------------------ */

#define WM_OUT_FRAME 0x0080u   /* event name -> data; flags WM_FLAG_ */
#define WM_OUT_BODY 0x0081u    /* -> bytes to append */
#define WM_OUT_CODE 0x0082u    /* -> HTTP status */
#define WM_OUT_HEADER 0x0083u  /* name -> value */
#define WM_OUT_VERDICT 0x0084u /* flags WM_FLAG_ */
#define WM_OUT_PROBLEM 0x0085u /* setting -> what is wrong with it and what to do */

#define WM_OUT_FACT 0x0088u   /* WM_FACT_ -> text, or a number in decimal, or true, false */
#define WM_OUT_PIN 0x0089u    /* WM_PIN_ -> handle */
#define WM_OUT_PROMPT 0x008Au /* tools, system, turn -> a view into the body, in the provider's cache order */
#define WM_OUT_SPLICE 0x008Bu /* a view into the body -> what replaces it; an empty view inserts */

#define WM_OUT_METHOD 0x0090u  /* -> method */
#define WM_OUT_URL 0x0091u     /* -> complete URL */
#define WM_OUT_SECRET 0x0092u  /* header or `?query member` -> prefix; the host appends the credential */
#define WM_OUT_AUTH 0x0093u    /* `scheme` or a parameter -> value */
#define WM_OUT_MEMBER 0x0094u  /* top-level member -> raw; empty removes it */
#define WM_OUT_FRAMING 0x0095u /* -> WM_FRAMING_ */
#define WM_OUT_LIMIT 0x0096u   /* RESOURCE/limit, /remaining, /reset (ms from now), and @SCOPE -> number */

/* flags of FRAME and VERDICT */
#define WM_FLAG_PREAMBLE 1u  /* says nothing yet; may be held, and dropped for another target */
#define WM_FLAG_SEMANTIC 2u  /* part of the answer: commits */
#define WM_FLAG_TERMINAL 4u  /* the answer is complete with this */
#define WM_FLAG_ERROR 8u     /* the answer failed with this */
#define WM_FLAG_WITHHOLD 16u /* not for this client */
#define WM_FLAG_IDLE 32u     /* keeps the connection alive, says nothing */

/* ---- words ------------------------------------------------------------------------------------------------------- */

#define WM_TURN_SYSTEM "system"
#define WM_TURN_DEVELOPER "developer"
#define WM_TURN_USER "user"
#define WM_TURN_ASSISTANT "assistant"
#define WM_TURN_TOOL "tool"

#define WM_BLOCK_TEXT "text"
#define WM_BLOCK_REFUSAL "refusal"
#define WM_BLOCK_REASONING "reasoning"
#define WM_BLOCK_IMAGE "image"
#define WM_BLOCK_AUDIO "audio"
#define WM_BLOCK_VIDEO "video"
#define WM_BLOCK_DOCUMENT "document"
#define WM_BLOCK_SEARCH_RESULT "search_result"
#define WM_BLOCK_TOOL_CALL "tool_call"
#define WM_BLOCK_TOOL_RESULT "tool_result"
#define WM_BLOCK_SERVER_CALL "server_call"
#define WM_BLOCK_SERVER_RESULT "server_result"
#define WM_BLOCK_APPROVAL "approval"
#define WM_BLOCK_COMPACTION "compaction"
#define WM_BLOCK_RAW "raw"

#define WM_TOOL_FUNCTION "function"
#define WM_TOOL_CUSTOM "custom"
#define WM_TOOL_SERVER "server"
#define WM_TOOL_MCP "mcp"
#define WM_TOOL_NAMESPACE "namespace"

#define WM_FILES_OPENAI "openai" /* origin of a FILE, where several protocols name one provider's files */

#define WM_CITATION_URL "url"
#define WM_CITATION_FILE "file"
#define WM_CITATION_DOCUMENT "document"
#define WM_CITATION_SEARCH "search"

#define WM_FORMAT_TEXT "text"
#define WM_FORMAT_JSON_OBJECT "json_object"
#define WM_FORMAT_JSON_SCHEMA "json_schema"
#define WM_FORMAT_GRAMMAR "grammar"

#define WM_ERROR_INVALID_REQUEST "invalid_request"
#define WM_ERROR_AUTHENTICATION "authentication"
#define WM_ERROR_PERMISSION "permission"
#define WM_ERROR_NOT_FOUND "not_found"
#define WM_ERROR_TOO_LARGE "too_large"
#define WM_ERROR_RATE_LIMIT "rate_limit"
#define WM_ERROR_QUOTA "quota"
#define WM_ERROR_BILLING "billing"
#define WM_ERROR_OVERLOADED "overloaded"
#define WM_ERROR_TIMEOUT "timeout"
#define WM_ERROR_API "api"

#define WM_ATTR_IS_ERROR "is_error"
#define WM_ATTR_DETAIL "detail"
#define WM_ATTR_FILENAME "filename"
#define WM_ATTR_TITLE "title"
#define WM_ATTR_START "start" /* code points of the block's text */
#define WM_ATTR_END "end"
#define WM_ATTR_PHASE "phase"
#define WM_ATTR_FINGERPRINT "fingerprint"
#define WM_ATTR_SERVICE_TIER "service_tier"
#define WM_ATTR_CODE "code"
#define WM_ATTR_PARAM "param"
#define WM_ATTR_REFUSED_BY "refused_by" /* "gateway", "provider" */
#define WM_ATTR_REQUEST_ID "request_id"

#define WM_PARAM_MAX_OUTPUT_TOKENS "max_output_tokens"
#define WM_PARAM_TEMPERATURE "temperature"
#define WM_PARAM_TOP_P "top_p"
#define WM_PARAM_TOP_K "top_k"
#define WM_PARAM_SEED "seed"
#define WM_PARAM_N "n"
#define WM_PARAM_FREQUENCY_PENALTY "frequency_penalty"
#define WM_PARAM_PRESENCE_PENALTY "presence_penalty"
#define WM_PARAM_LOGIT_BIAS "logit_bias"
#define WM_PARAM_LOGPROBS "logprobs"
#define WM_PARAM_TOP_LOGPROBS "top_logprobs"
#define WM_PARAM_STREAM "stream"
#define WM_PARAM_PARALLEL_TOOL_CALLS "parallel_tool_calls"
#define WM_PARAM_SERVICE_TIER "service_tier"
#define WM_PARAM_USER "user"
#define WM_PARAM_STORE "store"
#define WM_PARAM_BACKGROUND "background"
#define WM_PARAM_TRUNCATION "truncation"
#define WM_PARAM_VERBOSITY "verbosity"
#define WM_PARAM_CACHE_KEY "cache_key"
#define WM_PARAM_MAX_TOOL_CALLS "max_tool_calls"
#define WM_PARAM_INCLUDE "include"
#define WM_PARAM_MODALITIES "modalities"
#define WM_PARAM_PREDICTION "prediction"
#define WM_PARAM_BETAS "betas"

#define WM_CHOOSE_AUTO "auto"
#define WM_CHOOSE_NONE "none"
#define WM_CHOOSE_REQUIRED "required"
#define WM_CHOOSE_TOOL "tool"
#define WM_CHOOSE_ALLOWED "allowed"

#define WM_REASON_EFFORT "effort"
#define WM_REASON_BUDGET "budget"
#define WM_REASON_SUMMARY "summary"
#define WM_REASON_MODE "mode"

#define WM_RESUME_PREVIOUS_RESPONSE "previous_response"
#define WM_RESUME_CONVERSATION "conversation"
#define WM_RESUME_ITEM "item"

#define WM_USAGE_INPUT "input" /* includes input_cached and input_cache_write */
#define WM_USAGE_INPUT_CACHED "input_cached"
#define WM_USAGE_INPUT_CACHE_WRITE "input_cache_write"
#define WM_USAGE_INPUT_AUDIO "input_audio"
#define WM_USAGE_OUTPUT "output" /* includes output_reasoning */
#define WM_USAGE_OUTPUT_REASONING "output_reasoning"
#define WM_USAGE_OUTPUT_AUDIO "output_audio"
#define WM_USAGE_PREDICTION_ACCEPTED "prediction_accepted"
#define WM_USAGE_PREDICTION_REJECTED "prediction_rejected"

#define WM_FINISH_END "end"
#define WM_FINISH_STOP_SEQUENCE "stop_sequence"
#define WM_FINISH_LENGTH "length"
#define WM_FINISH_CONTEXT "context"
#define WM_FINISH_TOOL_CALLS "tool_calls"
#define WM_FINISH_FILTER "filter"
#define WM_FINISH_REFUSAL "refusal"
#define WM_FINISH_PAUSE "pause"
#define WM_FINISH_ERROR "error"
#define WM_FINISH_UNKNOWN "unknown"

#define WM_STATUS_QUEUED "queued"
#define WM_STATUS_IN_PROGRESS "in_progress"
#define WM_STATUS_COMPLETED "completed"
#define WM_STATUS_INCOMPLETE "incomplete"
#define WM_STATUS_FAILED "failed"
#define WM_STATUS_CANCELLED "cancelled"

/* Keys of LOSS and NOTE; what each means and where it is approved: translation/loss_keys.hpp */
#define WM_LOSS_CHOICES "choices"
#define WM_LOSS_LOGPROBS "logprobs"
#define WM_LOSS_SAMPLING "sampling"
#define WM_LOSS_CITATIONS "citations"
#define WM_LOSS_CACHE_MARKERS "cache_markers"
#define WM_LOSS_MEDIA "media"
#define WM_LOSS_METADATA "metadata"
#define WM_LOSS_EXTENSION_MEMBERS "extension_members"
#define WM_LOSS_CONTINUATION "continuation"
#define WM_LOSS_UNKNOWN_EVENT "unknown_event"
#define WM_LOSS_USAGE_UNKNOWN "usage_unknown"
#define WM_LOSS_AUTHENTICATED_THINKING "authenticated_thinking"
#define WM_LOSS_REQUEST_REASONING "request_reasoning"
#define WM_LOSS_REASONING_SUMMARY "reasoning_summary"
#define WM_LOSS_PROVIDER_REASONING_TEXT "provider_reasoning_text"
#define WM_LOSS_MID_CONVERSATION_SYSTEM "mid_conversation_system"
#define WM_LOSS_DEVELOPER_ROLE "developer_role"
#define WM_LOSS_TOOL_RESULT_ERROR_STATUS "tool_result_error_status"
#define WM_LOSS_TOOL_SCHEMA_STRICTNESS "tool_schema_strictness"
#define WM_LOSS_TOOL_ARGUMENTS "tool_arguments"
#define WM_LOSS_TOOL_CHOICE "tool_choice"
#define WM_LOSS_CUSTOM_TOOLS "custom_tools"
#define WM_LOSS_BUILTIN_TOOLS "builtin_tools"
#define WM_LOSS_OUTPUT_FORMAT "output_format"
#define WM_LOSS_MODALITIES "modalities"
#define WM_LOSS_CHAT_CONTROLS "chat_controls"
#define WM_LOSS_ANTHROPIC_CONTROLS "anthropic_controls"
#define WM_LOSS_RESPONSES_CONTROLS "responses_controls"
#define WM_LOSS_AUTHOR "author"
#define WM_LOSS_BLOCK_ORDER "block_order"
#define WM_LOSS_STOP_DETAILS "stop_details"
#define WM_LOSS_REFUSAL "refusal"
#define WM_LOSS_IMAGE_INPUT "image_input"
#define WM_LOSS_STOP_SEQUENCES "stop_sequences"
#define WM_LOSS_PARALLEL_TOOL_CALLS "parallel_tool_calls"
#define WM_LOSS_MULTIPLE_SYSTEM_TURNS "multiple_system_turns"
#define WM_LOSS_USAGE_CACHE_READ_UNKNOWN "usage_cache_read_unknown"
#define WM_LOSS_USAGE_CACHE_WRITE_UNKNOWN "usage_cache_write_unknown"
#define WM_LOSS_USAGE_REASONING_UNKNOWN "usage_reasoning_unknown"
#define WM_LOSS_CLIENT_QUERY "client_query"

#define WM_FACT_MODEL "model"           /* text */
#define WM_FACT_STREAM "stream"         /* true, false */
#define WM_FACT_MAX_OUTPUT "max_output" /* number; not put when the client set none */
#define WM_FACT_CHOICES "choices"       /* number */
#define WM_FACT_TEXT_BYTES "text_bytes" /* number; bytes of the body without media */
#define WM_FACT_MEDIA "media"           /* number of images, audio, files */
#define WM_FACT_TOOLS "tools"           /* true, false */
#define WM_FACT_BACKGROUND "background" /* true, false */
#define WM_FACT_SESSION "session"       /* text, a hint; not put when there is none */
#define WM_FACT_USAGE "usage"           /* true: the client expects usage in its answer, asked for or always given */

#define WM_PIN_RESPONSE "response"
#define WM_PIN_CONVERSATION "conversation"
#define WM_PIN_FILE "file"
#define WM_PIN_REASONING "reasoning" /* as OPAQUE gives it: encrypted, not signed */
#define WM_PIN_CARRIED "carried"     /* the same, on its way through a client of another protocol */
#define WM_PIN_ITEM "item"           /* of an answer that the provider stores */
#define WM_PIN_CONTAINER "container"
#define WM_PIN_AUDIO "audio" /* said in an earlier answer */

#define WM_FRAMING_SSE "sse"                         /* a frame is an event with data */
#define WM_FRAMING_NDJSON "ndjson"                   /* a line that is not blank */
#define WM_FRAMING_JSON_ARRAY "json-array"           /* an element of the one array that the stream is */
#define WM_FRAMING_AWS_EVENTSTREAM "aws-eventstream" /* a message: what event or error it is, its payload */
#define WM_FRAMING_DOCUMENT "document"               /* all of it, as one DOCUMENT */
#define WM_FRAMING_RAW "raw"                         /* whatever has come, as RAW */

#endif
