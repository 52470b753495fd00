policy "failure/schedules"

local second, minute = 1000, 60 * 1000

local function climbs(class, steps, suspended)
    for i = 1, #steps do
        case { class .. " at level " .. i - 1,
            backoff = { class = class, level = i - 1 }, expect = { delay_ms = steps[i], suspended = suspended } }
    end
    case { class .. " stays at its last step",
        backoff = { class = class, level = 1000 }, expect = { delay_ms = steps[#steps], suspended = suspended } }
end

local passing = { 1 * second, 2 * second, 4 * second, 8 * second, 16 * second, 32 * second, 60 * second }
climbs("provider_transient", passing, false)
climbs("transport", passing, false)
climbs("stream_failure", passing, false)
climbs("provider_capacity", { 5 * second, 30 * second, 300 * second }, false)
climbs("provider_quota", { 60 * second, 300 * second, 900 * second }, false)
climbs("provider_auth", { 5 * minute, 30 * minute, 60 * minute }, true)
climbs("provider_configuration", { 10 * second, 5 * minute, 30 * minute, 60 * minute }, true)
climbs("provider_unknown_4xx", { 10 * second, 5 * minute, 30 * minute, 60 * minute }, true)
climbs("provider_billing", { 60 * minute }, true)

local function hinted(name, class, level, hint_ms, delay_ms, suspended)
    case { name,
        backoff = { class = class, level = level, hint_ms = hint_ms },
        expect = { delay_ms = delay_ms, suspended = suspended or false } }
end

hinted("a longer hint lengthens", "provider_transient", 0, 20 * second, 20 * second)
hinted("a shorter hint does not shorten", "provider_transient", 4, 3 * second, 16 * second)
hinted("a transient hint is capped", "provider_transient", 0, 3600 * second, 60 * second)
hinted("a stream's hint is capped", "stream_failure", 6, 61 * second, 60 * second)
hinted("a first rate limit knows when it ends", "provider_capacity", 0, 1 * second, 1 * second)
hinted("a first rate limit may end at once", "provider_capacity", 0, 0, 0)
hinted("a first rate limit is capped", "provider_capacity", 0, 3600 * second, 300 * second)
hinted("a repeated rate limit escalates", "provider_capacity", 1, 1 * second, 30 * second)
hinted("a repeated rate limit may be longer", "provider_capacity", 1, 60 * second, 60 * second)
hinted("a quota's short hint does not shorten", "provider_quota", 0, 1 * second, 60 * second)
hinted("a quota's hint is capped", "provider_quota", 0, 86400 * second, 900 * second)
hinted("a bad key's hint is ignored", "provider_auth", 0, 1 * second, 5 * minute, true)
hinted("a bad configuration's hint is ignored", "provider_configuration", 1, 86400 * second, 5 * minute, true)
hinted("an unknown 4xx's hint is ignored", "provider_unknown_4xx", 3, 1 * second, 60 * minute, true)
hinted("an empty balance's hint is ignored", "provider_billing", 0, 1 * second, 60 * minute, true)
