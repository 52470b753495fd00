-- How long a target's circuit stays open after a failure.
--
-- backoff(class, level, hint_ms) -> delay_ms, suspended
--   class      failure class of the failure that was accepted
--   level      0 for the first failure of this class, one more for each failed probe since
--   hint_ms    the Retry-After that the classification honours, in milliseconds, or nil
--   delay_ms   until one request may probe the target, in milliseconds
--   suspended  true: a person has to act (key, balance, configuration); false: it will pass
--
-- A hint is a lower bound of the scheduled delay, so that a provider cannot shorten an escalation. At level 0 of a
-- capacity failure it is the delay: a rate limit knows when it ends. The cap of the class holds in any case.

local second, minute = 1000, 60 * 1000

local passing = { steps = { 1 * second, 2 * second, 4 * second, 8 * second, 16 * second, 32 * second, 60 * second },
                  cap = 60 * second }
local refused = { steps = { 5 * minute, 30 * minute, 60 * minute }, suspended = true }
-- Short at first: what one request was refused for, as a firewall does by its content, the next may not be; a second
-- refusal says that it is the target.
local unwanted = { steps = { 10 * second, 5 * minute, 30 * minute, 60 * minute }, suspended = true }

local schedules = {
    provider_transient     = passing,
    transport              = passing,
    stream_failure         = passing,
    provider_capacity      = { steps = { 5 * second, 30 * second, 300 * second }, cap = 300 * second, first_hint_rules = true },
    provider_quota         = { steps = { 60 * second, 300 * second, 900 * second }, cap = 900 * second },
    provider_auth          = refused,
    provider_configuration = unwanted,
    provider_unknown_4xx   = unwanted,
    provider_billing       = { steps = { 60 * minute }, suspended = true },
}

function backoff(class, level, hint_ms)
    local schedule = schedules[class]
    if not schedule then error("class " .. class .. " does not touch a circuit") end

    local steps = schedule.steps
    local delay_ms = steps[math.min(level + 1, #steps)]
    if schedule.suspended or not hint_ms then return delay_ms, schedule.suspended == true end

    if not (schedule.first_hint_rules and level == 0) then hint_ms = math.max(delay_ms, hint_ms) end
    return math.min(hint_ms, schedule.cap), false
end
