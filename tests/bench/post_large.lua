-- For wrk: a chat request of two megabytes.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"model":"mock-ok","messages":[{"role":"user","content":"' .. string.rep("x", 2000000) .. '"}]}'
