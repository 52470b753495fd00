"""One line for each exchange: who, what, how long, how much; never what was said, and no key."""
import json
import unittest

from harness import CHAT, PROTOCOLS, STALL, Answer, Config, GatewayTest, eventually, json_answer, sse_answer

PROMPT, ANSWER, KEY = "prompt-CANARY", "answer-CANARY", "client-CANARY"


class AccessLog(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config().client("alice", KEY, tenant="team")
        for protocol in PROTOCOLS:
            config.backend(protocol.id, cls.up, protocol).backend(f"b-{protocol.id}", cls.up, protocol)
            config.pool(f"{protocol.id}-", 5, [protocol.id], [f"b-{protocol.id}"])
        return config

    def lines(self):
        return [json.loads(line) for line in list(self.gateway.out) if line.startswith("{")]

    def line_of(self, ask):
        """The one line that an exchange adds."""
        before = len(self.lines())
        result = ask()
        eventually(lambda: len(self.lines()) > before, "a line in the access log")
        (line,) = self.lines()[before:]
        return result, line

    def post(self, protocol, model, stream=False):
        return self.gateway.ask(protocol, model, stream, [("x-api-key", KEY)], metadata={"said": PROMPT})

    def test_an_exchange(self):
        for protocol in PROTOCOLS:
            for stream in (False, True):
                with self.subTest(protocol=protocol.id, stream=stream):
                    model = self.gateway.take(f"{protocol.id}-")
                    options = {"usage": True} if protocol is CHAT and stream else {}
                    answer = sse_answer(protocol.stream("m", [ANSWER], **options)) if stream else json_answer(
                        200, protocol.document("m", ANSWER))
                    self.up.script(f"up-{model}", answer)
                    response, line = self.line_of(lambda: self.post(protocol, model, stream))
                    self.check_answer(response, protocol, ANSWER)
                    expected = {"method": "POST", "path": protocol.path, "protocol": protocol.id,
                                "principal": "alice", "tenant": "auth:team", "requested_model": model,
                                "served_model": model, "streaming": stream, "status": 200, "fallback": False,
                                "committed": True, "selection_reason": "single-target"}
                    self.assertEqual({k: line.get(k) for k in expected}, expected)
                    self.assertEqual((line["usage"]["input"], line["usage"]["output"]), (9, 2))
                    self.assertGreater(line["request_bytes"], 0)
                    self.assertEqual(line["response_bytes"], len(response.body))
                    (attempt,) = line["attempts"]
                    names = ("backend", "credential", "upstream_model", "status")
                    self.assertEqual([attempt[n] for n in names], [protocol.id, "k", f"up-{model}", 200])

    def test_a_fallback(self):
        model = self.gateway.take("openai-chat-")
        self.up.script(f"up-{model}", json_answer(500, CHAT.error_document(ANSWER)),
                       json_answer(200, CHAT.document("m", "x")))
        _, line = self.line_of(lambda: self.post(CHAT, model))
        self.assertTrue(line["fallback"])
        self.assertEqual([(a["backend"], a["status"], a.get("error_class")) for a in line["attempts"]],
                         [("openai-chat", 500, "provider_transient"), ("b-openai-chat", 200, None)])

    def test_a_token_count(self):
        model = self.gateway.take("anthropic-messages-")
        body = json.dumps({"model": model, "messages": [{"role": "user", "content": PROMPT}]}).encode()
        response, line = self.line_of(lambda: self.gateway.post("/v1/messages/count_tokens", body, [("x-api-key", KEY)]))
        expected = {"path": "/v1/messages/count_tokens", "protocol": "anthropic-messages", "principal": "alice",
                    "requested_model": model, "served_model": model, "status": 200}
        self.assertEqual({k: line.get(k) for k in expected}, expected)
        self.assertEqual(response.status, 200)
        self.assertNotIn("attempts", line)

    def test_refusals(self):
        response, line = self.line_of(lambda: self.gateway.post(CHAT.path, CHAT.body("x", said=PROMPT)))
        self.assertEqual((response.status, line["status"], line["error"]), (401, 401, "unauthorized"))
        response, line = self.line_of(lambda: self.post(CHAT, "no-such"))
        self.assertEqual((response.status, line["status"], line["error"]), (404, 404, "model_not_found"))
        self.assertNotIn("fallback", line)

    def test_a_client_that_leaves(self):
        model = self.gateway.take("openai-chat-")
        self.up.script(f"up-{model}", Answer(STALL))

        def leave():
            with self.gateway.connect() as client:
                client.request("POST", CHAT.path, CHAT.body(model), [("x-api-key", KEY)])
                self.up.wait_for(1, f"up-{model}")
        _, line = self.line_of(leave)
        self.assertEqual((line["status"], line["error_class"]), (0, "client_cancelled"))

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()  # afterwards everything the gateway said is there
        said = "".join(cls.gateway.out + cls.gateway.errors)
        assert "CANARY" not in said, "content or a client's key in a log"
        assert "secret-" not in said, "a provider's key in a log"


if __name__ == "__main__":
    unittest.main()
