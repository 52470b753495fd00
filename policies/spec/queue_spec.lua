policy "allocation/queue"

for _, priority in ipairs { "high", "medium", "low" } do
    case { priority .. " stands in its class, in its principal's turn",
        rank = { request = { priority = priority, principal = "alice" }, gate = { order = "fair" } },
        expect = { class = priority, turn = "alice", weight = 1 } }
end

case { "fifo: one order of arrival in each class",
    rank = { request = { priority = "low", principal = "alice" }, gate = { order = "fifo" } },
    expect = { class = "low", turn = "", weight = 1 } }

case { "the configured promotion is passed on",
    rank = { request = { priority = "low", principal = "bob" }, gate = { order = "fair", promote_after_ms = 60000 } },
    expect = { class = "low", turn = "bob", weight = 1, promote_after_ms = 60000 } }
