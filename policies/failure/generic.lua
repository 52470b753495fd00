-- What a failed attempt means, where nothing is known of the provider but the protocol it speaks. Every other policy in
-- this folder may return nil to have its failure judged here.
--
-- classify(failure) -> { class =, fall_back =, retry_in_place =, hint_ms = }
--   failure    see API.md; reads status, stage, transport, error_type, error_code, error_message, document, names_state,
--              retry_after_ms
--   class      failure class
--   fall_back  true: another target may answer
--   hint_ms    Retry-After, for the classes that pass by themselves

-- Statuses that do not simply follow their hundred.
local by_status = {
    [400] = "client_request", [409] = "client_request", [413] = "client_request", [414] = "client_request",
    [422] = "client_request", [431] = "client_request",
    [401] = "provider_auth", [403] = "provider_auth",
    [402] = "provider_billing",
    [404] = "provider_configuration", [405] = "provider_configuration", [415] = "provider_configuration",
    [408] = "provider_transient", [425] = "provider_transient",
    [429] = "provider_capacity",
    [499] = "client_cancelled",
}

-- An error under status 200 or inside a stream means what the status means that its protocol documents for the word.
local status_of_word = {
    -- Anthropic Messages, error.type
    invalid_request_error = 400, authentication_error = 401, billing_error = 402, permission_error = 403,
    not_found_error = 404, request_too_large = 413, rate_limit_error = 429, api_error = 500, timeout_error = 504,
    overloaded_error = 529,
    -- OpenAI, error.type and error.code
    invalid_api_key = 401, model_not_found = 404, rate_limit_exceeded = 429, server_error = 500,
    context_length_exceeded = 400, content_policy_violation = 400,
    -- OpenAI Responses, response.error.code
    invalid_prompt = 400, vector_store_timeout = 504, invalid_image = 400, invalid_image_format = 400,
    invalid_base64_image = 400, invalid_image_url = 400, image_too_large = 400, image_too_small = 400,
    image_parse_error = 400, image_content_policy_violation = 400, invalid_image_mode = 400, image_file_too_large = 400,
    unsupported_image_media_type = 400, empty_image_file = 400, failed_to_download_image = 400,
    image_file_not_found = 400,
    -- canonical words
    invalid_request = 400, authentication = 401, billing = 402, permission = 403, not_found = 404, too_large = 413,
    rate_limit = 429, api = 500, timeout = 504, overloaded = 529,
}

local quota_words = { insufficient_quota = true, quota = true }

local keeps_hint = {
    provider_transient = true, provider_capacity = true, provider_quota = true, transport = true, stream_failure = true,
}

-- A code that says that what the request continues is not there.
local not_kept = { previous_response_not_found = true }

local stays = { client_request = true, client_cancelled = true, ["local"] = true }

local nothing = {}

local function error_in(document)
    if type(document) ~= "table" then return nothing end
    local holder = type(document.response) == "table" and document.response or document
    return type(holder.error) == "table" and holder.error or nothing
end

-- The error's type and code: as the protocol's transcoder located them, else from the document.
local function words(failure)
    local kind, code = failure.error_type, failure.error_code
    if kind ~= "" or code ~= "" then return kind, code end
    local found = error_in(failure.document)
    return found.type, found.code
end

local function class_of_status(status)
    local class = by_status[status]
    if class then return class end
    if status >= 500 and status <= 599 then return "provider_transient" end
    if status >= 400 and status <= 499 then return "provider_unknown_4xx" end
    return nil
end

local function class_of_connection(failure)
    local stage, kind = failure.stage, failure.transport
    if stage == "stream" then return "stream_failure" end
    local body_broke = stage == "body" and kind ~= ""
    if kind == "timeout" or kind == "connect" or body_broke then return "provider_transient" end
    return "transport" -- also a status that is no error, and a body that is not JSON
end

-- What the error means as a status: its own, or under 200 and inside a stream that of its word.
local function status_of(failure)
    if class_of_status(failure.status) then return failure.status end
    local kind, code = words(failure)
    return status_of_word[kind or ""] or status_of_word[code or ""]
end

local function class_of(failure)
    local kind, code = words(failure)
    local quota = quota_words[kind or ""] or quota_words[code or ""]
    local class = class_of_status(failure.status)
    if quota and (class == "provider_capacity" or not class) then return "provider_quota" end
    if class then return class end
    local status = status_of(failure)
    return status and class_of_status(status) or class_of_connection(failure)
end

local function is_text(value) return type(value) == "string" end

-- Does it say that it is the model that is not there?
local function misses_model(failure)
    local kind, code = words(failure)
    if kind == "model_not_found" or code == "model_not_found" then return true end
    local document = failure.document
    local found = error_in(document)
    if found.param == "model" then return true end
    local plain = type(document) == "table" and is_text(document.error) and document.error or nil
    return contains(failure.error_message, "model") or contains(is_text(found.message) and found.message or plain, "model")
end

-- That one key does not know what the request names says nothing of the target.
local function is_unknown_to_this_key(failure)
    local status = status_of(failure)
    if status ~= 404 and status ~= 400 then return false end
    local _, code = words(failure)
    return not_kept[code or ""] or (status == 404 and failure.names_state and not misses_model(failure))
end

function classify(failure)
    if is_unknown_to_this_key(failure) then -- another may know it
        return { class = "client_request", fall_back = true, retry_in_place = false }
    end
    local class = class_of(failure)
    return {
        class = class,
        fall_back = not stays[class],
        retry_in_place = false,
        hint_ms = keeps_hint[class] and failure.retry_after_ms or nil,
    }
end
