-- What a provider's document can do at its worst: it is handed back as the answer, or chooses a function of those that a
-- policy may call, and its arguments:  {"call": "find", "arguments": ["text", "x"]}
local calls = {
    contains = contains, tonumber = tonumber, tostring = tostring, type = type, select = select, next = next,
    rawlen = rawlen, rawequal = rawequal, ipairs = ipairs, pairs = pairs, assert = assert, error = error,
    byte = string.byte, char = string.char, find = string.find, format = string.format, len = string.len,
    lower = string.lower, rep = string.rep, reverse = string.reverse, sub = string.sub, upper = string.upper,
    concat = table.concat, insert = table.insert, remove = table.remove, sort = table.sort, unpack = table.unpack,
    abs = math.abs, ceil = math.ceil, floor = math.floor, fmod = math.fmod, log = math.log, max = math.max,
    min = math.min, modf = math.modf, tointeger = math.tointeger, ult = math.ult,
}

function classify(failure)
    local document = failure.document
    if type(document) ~= "table" or type(document.arguments) ~= "table" then return document end
    local call = calls[document.call or ""]
    if not call then return document end
    local first, second = call(table.unpack(document.arguments))
    return { class = "local", fall_back = first == second, hint_ms = first, retry_in_place = second }
end
