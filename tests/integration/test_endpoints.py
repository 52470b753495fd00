"""Endpoints that the gateway answers by itself."""
import json
import math
import unittest

from harness import CHAT, MESSAGES, Config, GatewayTest


def estimate(document):
    """The documented estimate: a quarter of the UTF-8 bytes of all string values, and eight."""
    def size(value):
        if isinstance(value, str):
            return len(value.encode())
        if isinstance(value, dict):
            return sum(map(size, value.values()))
        return sum(map(size, value)) if isinstance(value, list) else 0
    return math.ceil(size(document) / 4) + 8


class Endpoints(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return (Config().each_protocol(cls.up)
                .model("one", ["openai-chat"], aliases="uno, eins").model("two", ["anthropic-messages"])
                .model("three", ["openai-responses"], protocols="openai-responses"))

    def test_models(self):
        response = self.gateway.get("/v1/models")
        self.assertEqual(response.status, 200)
        document = response.json()
        self.assertEqual(document["object"], "list")
        self.assertEqual([m["id"] for m in document["data"]], ["one", "uno", "eins", "two", "three"])
        for model in document["data"]:
            self.assertEqual((model["object"], model["created"]), ("model", 0))
            self.assertEqual(model["owned_by"], "watermaster")

    def test_models_says_nothing_of_providers(self):
        body = self.gateway.get("/v1/models").body
        for word in (b"up-", b"secret", b"127.0.0.1", b"adapter"):
            self.assertNotIn(word, body)

    def test_count_tokens(self):
        documents = [
            {"model": "two", "messages": [{"role": "user", "content": "hi"}]},
            {"model": "two", "messages": []},
            {"model": "two", "system": "é\U0001f642\"\\\n\x01", "messages": [{"role": "user", "content": [
                {"type": "text", "text": "x" * 1001},
                {"type": "image", "source": {"data": "QUJD", "n": [1.5, None, True]}}]}]},
        ]
        for document in documents:
            for escaped in (True, False):
                with self.subTest(document=str(document)[:60], escaped=escaped):
                    body = json.dumps(document, ensure_ascii=escaped).encode()
                    response = self.gateway.post("/v1/messages/count_tokens", body)
                    self.assertEqual(response.status, 200, response)
                    self.assertEqual(response.json()["input_tokens"], estimate(document))
        self.assertEqual(self.up.requests, [])

    def test_count_tokens_refuses_like_messages(self):
        def refused(body, status, code):
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.check_error(self.gateway.post("/v1/messages/count_tokens", body), status, MESSAGES, code)
        for body in (b"{", b"[]", b'{"model":"two","model":"two"}'):
            refused(body, 400, None)
        for body in ({"messages": []}, {"model": 7, "messages": []}):
            refused(body, 400, "invalid_model")
        refused({"model": "none", "messages": []}, 404, "model_not_found")
        refused({"model": "three", "messages": []}, 400, "unsupported_protocol")

    def test_health(self):
        document = self.gateway.get("/healthz").json()
        self.assertEqual(document["status"], "ok")
        self.assertLessEqual({"one", "two", "three"}, set(document["models"]))
        self.assertGreaterEqual(document["uptime_seconds"], 0)
        self.assertIs(document["ok"], True)
        self.assertEqual(document["waiting"], 0)

    def test_ready(self):
        self.assertEqual(self.gateway.get("/readyz").status, 200)

    def test_head(self):
        for path in ("/healthz", "/readyz", "/v1/models"):
            with self.subTest(path), self.gateway.connect() as client:
                client.request("HEAD", path)
                head = client.response(head_request=True)
                client.request("GET", path)
                full = client.response()
                self.assertEqual((head.status, full.status), (200, 200))
                self.assertEqual(head.get("content-type"), full.get("content-type"))
                self.assertIsNotNone(head.get("content-length"))

    def test_query_does_not_change_the_endpoint(self):
        self.assertEqual(self.gateway.get("/v1/models?limit=1000").status, 200)
        self.assertEqual(self.gateway.get("/healthz?x").status, 200)

    def test_absolute_form(self):
        with self.gateway.connect() as client:
            client.send(b"GET http://gateway/v1/models HTTP/1.1\r\nHost: gateway\r\n\r\n")
            self.assertEqual(client.response().status, 200)

    def test_cors_preflight_is_no_special_case(self):
        with self.gateway.connect() as client:
            client.request("OPTIONS", CHAT.path)
            self.assertEqual(client.response().status, 405)


if __name__ == "__main__":
    unittest.main()
