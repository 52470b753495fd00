"""A request reaches its provider as the client wrote it, and the answer comes back as the provider wrote it."""
import json
import threading
import unittest

from harness import CHAT, MESSAGES, PROTOCOLS, RESPONSES, Answer, Config, GatewayTest, json_answer, sse_answer


class Forwarding(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return (Config().each_protocol(cls.up, pool=30)
                .model("named", ["openai-chat"], aliases="other-name, third/name:1"))

    def take(self, protocol):
        model = self.gateway.take(f"{protocol.id}-")
        return model, f"up-{model}"

    def test_plain_answer(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                model, up_model = self.take(protocol)
                answer = json.dumps(protocol.document(up_model, "Grüße \U0001f642"), indent=3).encode()
                self.up.script(up_model, Answer(b"HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"
                                                b"Content-Length: %d\r\n\r\n" % len(answer) + answer))
                response = self.gateway.ask(protocol, model)
                self.assertEqual(response.status, 200, response)
                self.assertEqual(response.body, answer)
                self.assertTrue(response.get("content-type").startswith("application/json"))
                self.assertIsNone(response.get("x-watermaster-error"))

    def test_request_line_and_credential(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                model, up_model = self.take(protocol)
                self.check_answer(self.gateway.ask(protocol, model), protocol)
                (request,) = self.up.of(up_model)
                self.assertEqual((request.method, request.target, request.version), ("POST", protocol.path, "HTTP/1.1"))
                self.assertEqual(request.get("host"), f"127.0.0.1:{self.up.port}")
                self.assertEqual(request.get("content-length"), str(len(request.body)))
                self.assertEqual(request.all("transfer-encoding"), [])
                key = f"secret-{protocol.id}-k"
                bearer, x_api_key = ([], [key]) if protocol is MESSAGES else ([f"Bearer {key}"], [])
                self.assertEqual(request.all("authorization"), bearer)
                self.assertEqual(request.all("x-api-key"), x_api_key)
                self.assertEqual(request.raw.count(key.encode()), 1)

    def test_only_the_model_name_changes(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                model, up_model = self.take(protocol)
                ask = protocol.ask("@")
                ask.pop("model")
                rest = json.dumps(ask)[1:-1]
                body = ('{ "x" :[1.0e5, 12345678901234567890123 ,"\\u00e9\\ud83d\\ude42 é", {"model":"inner"}],\r\n\t'
                        f'"model"  : "{model}" , "said": "\\"model\\": \\"{model}\\"", {rest}, '
                        '"x":null, "z" : -0.0 } \n').encode()
                response = self.gateway.post(protocol.path, body)
                self.check_answer(response, protocol)
                (request,) = self.up.of(up_model)
                self.assertEqual(request.body, body.replace(f'"model"  : "{model}"'.encode(),
                                                            f'"model"  : "{up_model}"'.encode()))

    def test_model_written_with_escapes(self):
        model, up_model = self.take(CHAT)
        escaped = "".join(f"\\u{ord(c):04x}" for c in model)
        body = b'{"mod\\u0065l":"%s","messages":[{"role":"user","content":"hi"}]}' % escaped.encode()
        self.check_answer(self.gateway.post(CHAT.path, body), CHAT)
        (request,) = self.up.of(up_model)
        self.assertEqual(request.document, {"model": up_model, "messages": [{"role": "user", "content": "hi"}]})

    def test_aliases(self):
        for name in ("named", "other-name", "third/name:1"):
            with self.subTest(name):
                self.up.script("up-named", json_answer(200, CHAT.document("up-named", f"for {name}")))
                response = self.gateway.ask(CHAT, name)
                self.check_answer(response, CHAT, f"for {name}")
                # The name in a native answer stays the provider's.
                self.assertEqual(response.json()["model"], "up-named")

    def test_stream_passes_byte_for_byte(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                model, up_model = self.take(protocol)
                pieces = protocol.stream(up_model, ["Grü", "ße ", "\U0001f642"])
                self.up.script(up_model, sse_answer(pieces))
                members = {"stream_options": {"include_usage": True}} if protocol is CHAT else {}
                response = self.gateway.ask(protocol, model, True, **members)
                self.assertEqual(response.status, 200, response)
                self.assertTrue(response.get("content-type").startswith("text/event-stream"))
                self.assertIn("no-cache", response.get("cache-control"))
                self.assertEqual(response.get("x-accel-buffering"), "no")
                self.assertIsNone(response.get("content-length"))
                self.assertEqual(response.body, b"".join(pieces))
                self.assertEqual(self.up.of(up_model)[0].body, protocol.body(up_model, True, **members))

    def test_each_event_arrives_before_the_next_is_written(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                model, up_model = self.take(protocol)
                words = [f"w{i}" for i in range(5)]
                pieces = protocol.stream(up_model, words)
                first = len(protocol.preamble(up_model))
                marks = [threading.Event() for _ in words]
                script = list(pieces[:first])
                for i, mark in enumerate(marks):
                    script += [pieces[first + i], mark]
                self.up.script(up_model, sse_answer(script + pieces[first + len(words):]))
                with self.gateway.connect() as client:
                    client.request("POST", protocol.path, protocol.body(model, True))
                    heard = []
                    for event in client.events(client.head()):
                        if word := protocol.delta(event):
                            heard.append(word)
                            marks[len(heard) - 1].set()
                    self.assertEqual(heard, words)
                    self.assertTrue(protocol.is_end(event), event)

    def usage_case(self, asked, expected):
        """What the upstream sees as stream_options when the client sends `asked`, and what it answers."""
        model, up_model = self.take(CHAT)
        self.up.script(up_model, sse_answer(CHAT.stream(up_model, ["a"], usage=True)))
        members = {} if asked == "absent" else {"stream_options": asked}
        response = self.gateway.ask(CHAT, model, True, **members)
        self.assertEqual(response.status, 200, response)
        (request,) = self.up.of(up_model)
        self.assertEqual(request.document.pop("stream_options"), expected)
        self.assertEqual(request.document, {"stream": True, **CHAT.ask(up_model)})
        documents = [json.loads(e.data) for e in response.events() if e.data != "[DONE]"]
        self.assertEqual(response.events()[-1].data, "[DONE]")
        return [d["usage"] for d in documents if d.get("usage")]

    def test_usage_is_asked_of_chat_streams_and_withheld_from_clients_that_did_not(self):
        self.assertEqual(self.usage_case("absent", {"include_usage": True}), [])
        self.assertEqual(self.usage_case(None, {"include_usage": True}), [])
        self.assertEqual(self.usage_case({"x": 1}, {"x": 1, "include_usage": True}), [])
        self.assertEqual(len(self.usage_case({"include_usage": True}, {"include_usage": True})), 1)

    def test_usage_is_not_asked_elsewhere(self):
        for protocol, stream in ((CHAT, False), (RESPONSES, True), (MESSAGES, True)):
            with self.subTest(protocol.id):
                model, up_model = self.take(protocol)
                self.check_answer(self.gateway.ask(protocol, model, stream), protocol)
                self.assertEqual(self.up.of(up_model)[0].body, protocol.body(up_model, stream))

    def test_headers_and_query_towards_the_provider(self):
        model, up_model = self.take(MESSAGES)
        kept = {"anthropic-version": "2023-06-01", "anthropic-beta": "f1-2026-01-01,f2-2026-01-01",
                "idempotency-key": "i-1", "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "tracestate": "a=b", "user-agent": "tester/1"}
        dropped = {"cookie": "s=1", "x-forwarded-for": "203.0.113.9", "x-anything": "1", "accept-encoding": "gzip, br",
                   "x-relay-include-metadata": "1", "referer": "http://somewhere"}
        response = self.gateway.post(MESSAGES.path + "?beta=true&a=%2F&b", MESSAGES.body(model),
                                     list({**kept, **dropped}.items()))
        self.check_answer(response, MESSAGES)
        (request,) = self.up.of(up_model)
        self.assertEqual(request.query, "beta=true&a=%2F&b")
        for name, value in kept.items():
            self.assertEqual(request.get(name), value, name)
        for name in dropped.keys() - {"accept-encoding"}:
            self.assertIsNone(request.get(name), name)
        self.assertIn(request.get("accept-encoding"), (None, "identity"))

    def test_vendor_headers_go_to_their_own_protocol_only(self):
        model, up_model = self.take(CHAT)
        headers = [("openai-beta", "x=v1"), ("anthropic-beta", "f1"), ("anthropic-version", "2023-06-01")]
        self.check_answer(self.gateway.ask(CHAT, model, headers=headers), CHAT)
        (request,) = self.up.of(up_model)
        self.assertEqual(request.get("openai-beta"), "x=v1")
        self.assertEqual(request.all("anthropic-beta") + request.all("anthropic-version"), [])

    def test_headers_towards_the_client(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                model, up_model = self.take(CHAT)
                kept = {"x-ratelimit-remaining-requests": "9", "anthropic-ratelimit-tokens-limit": "100",
                        "retry-after": "3", "x-request-id": "req_7", "request-id": "req_8"}
                dropped = {"set-cookie": "s=1", "x-internal": "1", "server": "up", "x-watermaster-error": "forged"}
                fields = list({**kept, **dropped}.items())
                answer = (sse_answer(CHAT.stream(up_model, ["a"]), fields) if stream
                          else json_answer(200, CHAT.document(up_model, "a"), fields))
                self.up.script(up_model, answer)
                response = self.gateway.ask(CHAT, model, stream)
                self.check_answer(response, CHAT, "a")
                for name, value in kept.items():
                    self.assertEqual(response.get(name), value, name)
                for name in dropped:
                    self.assertNotIn(dropped[name], response.all(name), name)

    def test_connections_to_the_provider_are_kept(self):
        model, up_model = self.take(CHAT)
        with self.gateway.connect() as client:
            for _ in range(5):
                client.request("POST", CHAT.path, CHAT.body(model))
                self.check_answer(client.response(), CHAT)
        self.assertEqual(len({r.connection for r in self.up.of(up_model)}), 1)

    def test_an_interim_answer_is_not_the_answer(self):
        model, up_model = self.take(CHAT)
        body = json.dumps(CHAT.document(up_model, "late")).encode()
        self.up.script(up_model, Answer(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                                        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                        b"Content-Length: %d\r\n\r\n" % len(body) + body))
        self.check_answer(self.gateway.ask(CHAT, model), CHAT, "late")


if __name__ == "__main__":
    unittest.main()
