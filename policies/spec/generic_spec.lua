policy "failure/generic"

local function by_status(class, fall_back, statuses)
    for _, status in ipairs(statuses) do
        case { "status " .. status,
            classify = { status = status, stage = "head" }, expect = { class = class, fall_back = fall_back } }
    end
end

by_status("client_request", false, { 400, 409, 413, 414, 422, 431 })
by_status("provider_auth", true, { 401, 403 })
by_status("provider_billing", true, { 402 })
by_status("provider_configuration", true, { 404, 405, 415 })
by_status("provider_transient", true, { 408, 425, 500, 501, 502, 503, 504, 520, 529, 599 })
by_status("provider_capacity", true, { 429 })
by_status("client_cancelled", false, { 499 })
by_status("provider_unknown_4xx", true, { 406, 407, 410, 411, 412, 416, 418, 421, 423, 424, 426, 428, 451, 498 })
by_status("transport", true, { 0, 101, 204, 301, 304, 308, 600, 999 })

-- A 404 for what a request names says nothing of the target, unless it is the model that is missing.
local function missing(class, names_state, document, members)
    local failure = { status = 404, stage = "head", names_state = names_state, document = document }
    for name, value in pairs(members or {}) do failure[name] = value end
    case { "404 with " .. document .. (members and members.error_message or "") .. (names_state and ", state named" or ""),
        classify = failure, expect = { class = class, fall_back = true } }
end

for _, document in ipairs {
    [[{"error":{"type":"invalid_request_error","param":"previous_response_id"}}]],
    [[{"error":{"type":"invalid_request_error","param":"conversation"}}]],
    [[{"error":{"type":"invalid_request_error","message":"No such File object: file-x","param":null,"code":null}}]],
    [[{"type":"error","error":{"type":"not_found_error","message":"File not found: file_x"}}]],
    [[{"error":"no such file"}]], "{}", "" } do
    missing("client_request", true, document)
    missing("provider_configuration", false, document)
end
for _, document in ipairs {
    [[{"error":{"message":"The model `m` does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}]],
    [[{"error":{"type":"model_not_found"}}]],
    [[{"error":{"param":"model"}}]],
    [[{"type":"error","error":{"type":"not_found_error","message":"model: m"}}]],
    [[{"error":"model 'm' not found"}]] } do
    missing("provider_configuration", true, document)
end
missing("provider_configuration", true, "", { error_type = "not_found", error_message = "Model m is not there" })
missing("client_request", true, "", { error_type = "not_found", error_message = "File f is not there" })

for _, stage in ipairs { "body", "stream" } do
    case { "under 200, at " .. stage .. ": what the request names is not there",
        classify = { status = 200, stage = stage, names_state = true, error_type = "not_found_error", error_message = "File not found" },
        expect = { class = "client_request", fall_back = true } }
end
case { "another status says nothing of what is named",
    classify = { status = 403, stage = "head", names_state = true }, expect = { class = "provider_auth", fall_back = true } }

for _, status in ipairs({ 400, 404 }) do
    case { status .. " for an answer that is not kept",
        classify = { status = status, stage = "head", document = '{"error":{"code":"previous_response_not_found"}}' },
        expect = { class = "client_request", fall_back = true } }
end
case { "400 for an input",
    classify = { status = 400, stage = "head", document = '{"error":{"param":"input"}}' },
    expect = { class = "client_request", fall_back = false } }

local function connection(class, stage, transport)
    case { stage .. ": " .. transport,
        classify = { stage = stage, transport = transport }, expect = { class = class, fall_back = true } }
end

connection("transport", "connect", "dns")
connection("provider_transient", "connect", "connect")
connection("transport", "connect", "tls")
connection("provider_transient", "connect", "timeout")
connection("transport", "head", "reset")
connection("transport", "head", "eof")
connection("transport", "head", "protocol")
connection("provider_transient", "head", "timeout")
connection("provider_transient", "body", "timeout")
connection("provider_transient", "body", "reset")
connection("provider_transient", "body", "eof")

case { "a head with 200, then a broken body",
    classify = { status = 200, stage = "body", transport = "eof" }, expect = { class = "provider_transient", fall_back = true } }
case { "a body that is not JSON",
    classify = { status = 200, stage = "body" }, expect = { class = "transport", fall_back = true } }
for _, transport in ipairs { "eof", "timeout", "reset", "protocol", "" } do
    case { "a stream that breaks: '" .. transport .. "'",
        classify = { status = 200, stage = "stream", transport = transport }, expect = { class = "stream_failure", fall_back = true } }
end

-- Codes that the protocols document refine 429 ...
case { "429: a spent quota is no rate limit (OpenAI)",
    classify = { status = 429, stage = "head",
        document = [[{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}]] },
    expect = { class = "provider_quota", fall_back = true } }
case { "429: a rate limit (OpenAI)",
    classify = { status = 429, stage = "head", retry_after_ms = 1000,
        document = [[{"error":{"message":"Rate limit reached","type":"requests","param":null,"code":"rate_limit_exceeded"}}]] },
    expect = { class = "provider_capacity", fall_back = true, hint_ms = 1000 } }
case { "429: a rate limit (Anthropic)",
    classify = { status = 429, stage = "head", document = [[{"type":"error","error":{"type":"rate_limit_error","message":"m"}}]] },
    expect = { class = "provider_capacity", fall_back = true } }
case { "429: the code alone is enough",
    classify = { status = 429, stage = "head", error_type = "requests", error_code = "insufficient_quota" },
    expect = { class = "provider_quota", fall_back = true } }
case { "429: the canonical word",
    classify = { status = 429, stage = "head", error_type = "quota" }, expect = { class = "provider_quota", fall_back = true } }
case { "429: what a message says is no evidence",
    classify = { status = 429, stage = "head", error_message = "insufficient_quota",
        document = [[{"error":{"message":"insufficient_quota"}}]] },
    expect = { class = "provider_capacity", fall_back = true } }

-- ... and no other error status.
case { "400 stays the client's, whatever the code",
    classify = { status = 400, stage = "head", error_code = "insufficient_quota" },
    expect = { class = "client_request", fall_back = false } }
case { "500 stays transient, whatever the type",
    classify = { status = 500, stage = "head", error_type = "authentication_error" },
    expect = { class = "provider_transient", fall_back = true } }

-- Under 200 and in streams the words are all there is.
local function word(class, fall_back, words)
    for _, name in ipairs(words) do
        case { "under 200, type " .. name,
            classify = { status = 200, stage = "body", error_type = name }, expect = { class = class, fall_back = fall_back } }
        case { "in a stream, code " .. name,
            classify = { status = 200, stage = "stream", error_code = name }, expect = { class = class, fall_back = fall_back } }
    end
end

word("provider_quota", true, { "insufficient_quota", "quota" })
word("provider_capacity", true, { "rate_limit_error", "rate_limit_exceeded", "rate_limit" })
word("provider_transient", true, { "overloaded_error", "overloaded", "api_error", "api", "server_error", "timeout_error",
                                   "timeout", "vector_store_timeout" })
word("provider_auth", true, { "authentication_error", "authentication", "permission_error", "permission", "invalid_api_key" })
word("provider_billing", true, { "billing_error", "billing" })
word("provider_configuration", true, { "not_found_error", "not_found", "model_not_found" })
word("client_request", false, { "invalid_request_error", "invalid_request", "request_too_large", "too_large",
                                "context_length_exceeded", "invalid_prompt", "image_too_large" })

case { "under 200, an error document (Anthropic)",
    classify = { status = 200, stage = "body", document = [[{"type":"error","error":{"type":"overloaded_error","message":"m"}}]] },
    expect = { class = "provider_transient", fall_back = true } }
case { "under 200, a failed response (OpenAI Responses)",
    classify = { status = 200, stage = "body",
        document = [[{"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"m"}}}]] },
    expect = { class = "provider_capacity", fall_back = true } }
case { "under 200, an unknown word",
    classify = { status = 200, stage = "body", error_type = "gremlins" }, expect = { class = "transport", fall_back = true } }
case { "in a stream, an unknown word",
    classify = { status = 200, stage = "stream", error_type = "gremlins" }, expect = { class = "stream_failure", fall_back = true } }
case { "an error event, then the connection breaks",
    classify = { status = 200, stage = "stream", transport = "eof", error_type = "rate_limit_error" },
    expect = { class = "provider_capacity", fall_back = true } }

-- Documents of any shape are read without harm.
for _, document in ipairs { "[]", "null", "5", [["text"]], "{}", [[{"error":"text"}]], [[{"error":[1,2]}]], [[{"error":{"type":5,"code":{}}}]],
                            [[{"response":7,"error":null}]], "{", "not json", [[{"error":{"type":"\ud800"}}]] } do
    case { "429 with " .. document,
        classify = { status = 429, stage = "head", document = document }, expect = { class = "provider_capacity", fall_back = true } }
end

-- Retry-After belongs to what passes by itself.
local function hint(status, hint_ms, class, fall_back)
    case { "Retry-After under " .. status,
        classify = { status = status, stage = "head", retry_after_ms = 7000 },
        expect = { class = class, fall_back = fall_back, hint_ms = hint_ms } }
end
hint(429, 7000, "provider_capacity", true)
hint(503, 7000, "provider_transient", true)
hint(401, nil, "provider_auth", true)
hint(402, nil, "provider_billing", true)
hint(404, nil, "provider_configuration", true)
hint(418, nil, "provider_unknown_4xx", true)
hint(400, nil, "client_request", false)
case { "a hint of zero is a hint",
    classify = { status = 429, stage = "head", retry_after_ms = 0 },
    expect = { class = "provider_capacity", fall_back = true, hint_ms = 0 } }
case { "a hint beyond a day is a day",
    classify = { status = 429, stage = "head", retry_after_ms = 1000000000 },
    expect = { class = "provider_capacity", fall_back = true, hint_ms = 86400000 } }
