"""Who may ask, how a key is carried, and that it goes no further."""
import unittest

from harness import CHAT, MESSAGES, PROTOCOLS, Config, GatewayTest

KEY, OTHER = "alice-key-CANARY-1", "bob-key-CANARY-2"
CARRIERS = {
    "bearer": lambda key: ([("Authorization", f"Bearer {key}")], ""),
    "bearer in lower case": lambda key: ([("authorization", f"bearer {key}")], ""),
    "x-api-key": lambda key: ([("x-api-key", key)], ""),
    "api-key": lambda key: ([("api-key", key)], ""),
    "x-goog-api-key": lambda key: ([("x-goog-api-key", key)], ""),
    "x-watermaster-key": lambda key: ([("x-watermaster-key", key)], ""),
    "query": lambda key: ([], f"?key={key}"),
    "query among others": lambda key: ([], f"?beta=true&key={key}&x=1"),
}


class Identity(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config().client("alice", KEY).client("bob", OTHER)
        for protocol in PROTOCOLS:
            config.backend(protocol.id, cls.up, protocol).model(f"m-{protocol.id}", [protocol.id])
        return config

    def post(self, protocol, headers, query=""):
        return self.gateway.post(protocol.path + query, protocol.body(f"m-{protocol.id}"), headers)

    def test_every_carrier(self):
        for protocol in PROTOCOLS:
            for name, carry in CARRIERS.items():
                with self.subTest(protocol=protocol.id, carrier=name):
                    for key in (KEY, OTHER):
                        self.check_answer(self.post(protocol, *carry(key)), protocol)
                    self.assertNotIn(b"CANARY", self.up.requests[-1].raw)
                    self.assertNotIn(b"CANARY", self.up.requests[-2].raw)
                    before = len(self.up.requests)
                    for wrong in ("wrong", KEY[:-1], KEY + "x", KEY.lower()):
                        self.check_error(self.post(protocol, *carry(wrong)), 401, protocol)
                    self.assertEqual(len(self.up.requests), before)

    def test_without_a_key(self):
        for protocol in PROTOCOLS:
            for headers in ([], [("Authorization", "Bearer ")], [("Authorization", f"Basic {KEY}")],
                            [("x-api-key", "")]):
                with self.subTest(protocol=protocol.id, headers=headers):
                    response = self.post(protocol, headers)
                    self.check_error(response, 401, protocol)
                    self.assertNotIn(b"CANARY", response.body)
        self.check_error(self.gateway.get("/v1/models"), 401, CHAT)
        response = self.gateway.post("/v1/messages/count_tokens", MESSAGES.body("m-anthropic-messages"))
        self.check_error(response, 401, MESSAGES)

    def test_health_needs_no_key(self):
        self.assertEqual(self.gateway.get("/healthz").status, 200)
        self.assertEqual(self.gateway.get("/readyz").status, 200)

    def test_models_with_a_key(self):
        self.assertEqual(self.gateway.get("/v1/models", [("x-api-key", KEY)]).status, 200)

    def test_the_body_is_not_read_first(self):
        for extra in ("", "Expect: 100-continue\r\n"):
            with self.subTest(extra), self.gateway.connect() as client:
                client.send(f"POST {CHAT.path} HTTP/1.1\r\nHost: g\r\n{extra}Content-Length: 1000000\r\n\r\n".encode())
                response = client.response()
                self.check_error(response, 401, CHAT)
                self.assertEqual(response.interim, [])

    def test_unknown_paths_come_before_identity(self):
        self.check_error(self.gateway.get("/nothing"), 404, CHAT)
        self.check_error(self.gateway.get(CHAT.path), 405, CHAT)

    def test_a_key_in_one_place_and_credentials_in_others(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                response = self.post(protocol, [("x-watermaster-key", KEY), ("Authorization", "Bearer CANARY-a"),
                                                ("x-api-key", "CANARY-b"), ("api-key", "CANARY-c"),
                                                ("x-goog-api-key", "CANARY-d")], "?key=CANARY-e&ok=1")
                self.check_answer(response, protocol)
                request = self.up.requests[-1]
                self.assertNotIn(b"CANARY", request.raw)
                self.assertEqual(request.query, "ok=1")

    def test_an_answer_repeats_no_key(self):
        response = self.gateway.post(CHAT.path, CHAT.body("no-such"), [("Authorization", f"Bearer {KEY}")])
        self.check_error(response, 404, CHAT, "model_not_found")
        self.assertNotIn(b"CANARY", response.body)


class Anonymous(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return Config().backend("a", cls.up).model("m", ["a"])

    def test_any_key_is_fine_and_none_is_forwarded(self):
        for name, carry in CARRIERS.items():
            with self.subTest(name):
                headers, query = carry("CANARY")
                self.check_answer(self.gateway.post(CHAT.path + query, CHAT.body("m"), headers), CHAT)
                self.assertNotIn(b"CANARY", self.up.requests[-1].raw)


if __name__ == "__main__":
    unittest.main()
