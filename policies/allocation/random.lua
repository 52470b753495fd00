-- Tries equivalent targets in random order.
--
-- order(request, candidates) -> order, reason
--   candidates[i].random   drawn by the host for this request, uniform in [0, 1)
--   order                  every index of `candidates` once, first to be tried first
--   reason                 "single-target" or "random"
--
-- Independent draws, sorted, make every permutation equally likely; equal draws keep the configured order.

function order(request, candidates)
    if #candidates == 1 then return { 1 }, "single-target" end

    local result = {}
    for i = 1, #candidates do
        -- Insertion: layers hold a handful of targets, and no comparison function is called.
        local draw, at = candidates[i].random, i
        while at > 1 and candidates[result[at - 1]].random > draw do
            result[at] = result[at - 1]
            at = at - 1
        end
        result[at] = i
    end
    return result, "random"
end
