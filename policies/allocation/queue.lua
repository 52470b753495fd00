-- Says where a request that has to wait stands in the gate's queue.
--
-- rank(request, gate) -> place
--   request.priority        "high", "medium" or "low": asked for, within what the client may ask
--   gate.promote_after_ms   the configured wait after which a request rises a class, or nil
--   place.class             the same words; a class goes before the next whenever it has anyone
--   place.turn              whose turn is used: inside a class each of them goes in its turn, and in it whoever came first
--   place.weight            turns beside one of weight 1
--   place.promote_after_ms  nil: never
--
-- Without turns (gate.order is "fifo") all requests of a class are one's: they go by arrival alone.

function rank(request, gate)
    return {
        class = request.priority,
        turn = gate.order == "fifo" and "" or request.principal,
        weight = 1,
        promote_after_ms = gate.promote_after_ms,
    }
end
