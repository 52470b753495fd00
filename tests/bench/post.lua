-- For wrk: one kilobyte of chat request, the prompt made of plain text.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"model":"mock-ok","messages":[{"role":"user","content":"' .. string.rep("x", 900) .. '"}]}'
