"""What the gateway refuses by itself: the right status, the caller's own error shape, and who said it."""
import gzip
import json
import unittest

from harness import CHAT, MESSAGES, PROTOCOLS, RESPONSES, Config, GatewayTest

LIMIT = 256 * 1024


class Refusals(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config(max_inference_body=f"{LIMIT // 1024}KiB")
        for protocol in PROTOCOLS:
            config.backend(protocol.id, cls.up, protocol).model(f"m-{protocol.id}", [protocol.id])
            config.model(f"only-{protocol.id}", [protocol.id], protocols=protocol.id)
        return config

    def tearDown(self):
        self.assertTrue(self.gateway.alive())

    def refused(self, protocol, body, status, code=None, headers=()):
        before = len(self.up.requests)
        response = self.gateway.post(protocol.path, body, headers)
        error = self.check_error(response, status, protocol, code)
        self.assertEqual(len(self.up.requests), before, "a refused request reached the provider")
        return error

    def test_unknown_model(self):
        for protocol in PROTOCOLS:
            for stream in (False, True):
                with self.subTest(protocol=protocol.id, stream=stream):
                    self.refused(protocol, protocol.body("no-such", stream), 404, "model_not_found")

    def test_protocol_that_the_model_does_not_serve(self):
        for protocol in PROTOCOLS:
            for other in PROTOCOLS:
                if other is not protocol:
                    with self.subTest(protocol=protocol.id, other=other.id):
                        self.refused(protocol, protocol.body(f"only-{other.id}"), 400, "unsupported_protocol")

    def test_what_is_wrong_with_a_body_is_said_and_nothing_repeated(self):
        model = b'"model":"m-openai-chat"'
        for body, said in ((b'{"model":"canary",}', "the request body is not valid JSON, at byte 18"),
                           (b"canary", "the request body is not valid JSON, at byte 0"),
                           (b'["canary"]', "the request body is not a JSON object"),
                           (b'{"canary":[]}', "'model' is missing"),
                           (b'{"model":"canary","x":[{"model":1}],"model":"canary"}', "'model' is given twice"),
                           (b'{"model":["canary"]}', "the request is not valid at 'model'"),
                           (b"{" + model + b',"stream":true,"stream":"canary"}', "'stream' is given twice"),
                           (b"{" + model + b',"stream":"canary"}', "the request is not valid at 'stream'")):
            with self.subTest(body=body):
                self.assertEqual(self.refused(CHAT, body, 400)["message"], said)

    def test_a_path_near_one_that_is_served(self):
        for path, meant in (("/chat/completions", CHAT.path), ("/v1/v1/messages", MESSAGES.path),
                            ("/v1/responses/", RESPONSES.path), ("/models", "/v1/models")):
            with self.subTest(path=path):
                response = self.gateway.post(path, b"{}")
                self.assertEqual((response.status, response.json()["error"]["message"]),
                                 (404, f"there is nothing at this path; did you mean {meant}?"))
        self.assertEqual(self.gateway.post("/v1/embeddings", b"{}").json()["error"]["message"], "there is nothing at this path")

    def test_bodies_that_are_no_request(self):
        bodies = {
            "nothing": b"", "not JSON": b"hello", "half": b'{"model":"m-', "an array": b"[]", "a string": b'"m"',
            "null": b"null", "no model": b'{"messages":[]}', "model is a number": b'{"model":7}',
            "model is null": b'{"model":null}', "model is empty": b'{"model":""}',
            "text after the end": b'{"model":"@"}{}',
            "a trailing comma": b'{"model":"@",}', "single quotes": b"{'model':'@'}",
            "a comment": b'{"model":"@" /* */}', "a bare control character": b'{"model":"@","x":"a\x01"}',
            "a byte order mark twice": b'\xef\xbb\xbf\xef\xbb\xbf{"model":"@"}',
            "stream is text": b'{"model":"@","stream":"true"}', "stream is a number": b'{"model":"@","stream":1}',
            "deeper than anybody needs": b'{"model":"@","x":' + b"[" * 100000 + b"]" * 100000 + b"}",
            "never closed": b"[" * 200000, "NUL": b'{"model":"@"}\x00',
        }
        for protocol in PROTOCOLS:
            for name, body in bodies.items():
                with self.subTest(protocol=protocol.id, body=name):
                    self.refused(protocol, body.replace(b"@", f"m-{protocol.id}".encode()), 400)

    def test_what_only_the_provider_can_judge_reaches_it_unchanged(self):
        for protocol in PROTOCOLS:
            for rest in (b'"x":"\xff\xfe"', b'"x":"\\ud800"', b'"x":1e999', b'"messages":7', b'"x":1,"x":2'):
                with self.subTest(protocol=protocol.id, rest=rest):
                    body = b'{"model":"m-%s",%s}' % (protocol.id.encode(), rest)
                    self.check_answer(self.gateway.post(protocol.path, body), protocol)
                    self.assertEqual(self.up.requests[-1].body, body.replace(b'"m-', b'"up-m-'))

    def test_routing_members_twice(self):
        twice = ['"model":"{m}","model":"{m}"', '"model":"{m}","Model":"{m}"', '"model":"{m}","mod\\u0065l":"x"',
                 '"stream":false,"model":"{m}","stream":true', '"model":"{m}","stream":true,"STREAM":false',
                 '"model":"{m}","stream":false,"\\u017ftream":true', '"MODEL":"x","model":"{m}"']
        for protocol in PROTOCOLS:
            for members in twice:
                with self.subTest(protocol=protocol.id, members=members):
                    body = "{" + members.replace("{m}", f"m-{protocol.id}") + "}"
                    self.refused(protocol, body.encode(), 400)

    def test_the_same_names_deeper_are_fine(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                body = protocol.body(f"m-{protocol.id}", metadata={"model": "x", "Model": "y", "stream": "z"})
                self.check_answer(self.gateway.post(protocol.path, body), protocol)

    def test_too_large_is_said_before_reading(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id), self.gateway.connect() as client:
                client.send(f"POST {protocol.path} HTTP/1.1\r\nHost: g\r\nContent-Type: application/json\r\n"
                            f"Content-Length: {LIMIT + 1}\r\n\r\n".encode())
                self.check_error(client.response(), 413, protocol)

    def test_too_large_without_a_length(self):
        with self.gateway.connect() as client:
            client.send(b"POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n")
            piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
            for _ in range(LIMIT // 65536 + 1):
                client.send(piece)
            self.check_error(client.response(), 413, CHAT)

    def test_the_largest_body_passes(self):
        body = CHAT.body("m-openai-chat", pad="")
        body = CHAT.body("m-openai-chat", pad="x" * (LIMIT - len(body)))
        self.assertEqual(len(body), LIMIT)
        self.check_answer(self.gateway.post(CHAT.path, body), CHAT)
        self.refused(CHAT, body + b" ", 413)

    def test_compressed_requests(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                body = protocol.body(f"m-{protocol.id}")
                response = self.gateway.post(protocol.path, gzip.compress(body), [("Content-Encoding", "gzip")])
                self.check_answer(response, protocol)
                request = self.up.of(f"up-m-{protocol.id}")[-1]
                self.assertEqual(request.document["model"], f"up-m-{protocol.id}")
                self.assertEqual(request.all("content-encoding"), [])
        self.check_answer(self.gateway.ask(CHAT, "m-openai-chat", headers=[("Content-Encoding", "identity")]), CHAT)
        body = CHAT.body("m-openai-chat")
        members = gzip.compress(body[:9]) + gzip.compress(body[9:])
        self.check_answer(self.gateway.post(CHAT.path, members, [("Content-Encoding", "gzip")]), CHAT)

    def test_compressed_requests_that_are_refused(self):
        packed = gzip.compress(CHAT.body("m-openai-chat"))
        gz = [("Content-Encoding", "gzip")]
        self.refused(CHAT, packed[:-9], 400, headers=gz)
        self.refused(CHAT, b"not gzip at all", 400, headers=gz)
        self.refused(CHAT, packed + b"GET / HTTP/1.1\r\n\r\n", 400, headers=gz)
        self.refused(CHAT, packed + b"\0", 400, headers=gz)
        bomb = gzip.compress(CHAT.body("m-openai-chat", pad="x" * (64 << 20)))
        self.assertLess(len(bomb), LIMIT)
        before = self.gateway.memory()
        self.refused(CHAT, bomb, 413, headers=gz)
        self.assertLess(self.gateway.memory() - before, 32 << 20)
        for protocol in PROTOCOLS:
            for coding in ("zstd", "compress", "br, gzip", "made-up"):
                with self.subTest(protocol=protocol.id, coding=coding):
                    self.refused(protocol, packed, 415, headers=[("Content-Encoding", coding)])

    def test_unknown_paths(self):
        for path in ("/", "/v1", "/v1/nothing", "/v1/chat/completions/", "/v1/chat/completions/x", "/V1/models",
                     "//v1/models", "/v1/../v1/models", "/v1/%6dodels", "/api/status", "/favicon.ico", "/metrics"):
            for method, body in (("GET", None), ("POST", b"{}")):
                with self.subTest(path=path, method=method):
                    response = self.gateway.post(path, body) if body else self.gateway.get(path)
                    self.check_error(response, 404, CHAT)
        # A path below a Messages endpoint is answered as Messages clients expect.
        response = self.gateway.post("/v1/messages/batches", b"{}", [("anthropic-version", "2023-06-01")])
        self.check_error(response, 404, MESSAGES)

    def test_methods(self):
        rows = [(p.path, m, "POST", p) for p in PROTOCOLS for m in ("GET", "PUT", "DELETE", "PATCH", "HEAD")]
        rows += [("/v1/messages/count_tokens", "GET", "POST", MESSAGES), ("/v1/models", "POST", "GET", CHAT),
                 ("/healthz", "POST", "GET", CHAT), ("/readyz", "DELETE", "GET", CHAT)]
        for path, method, allowed, protocol in rows:
            with self.subTest(path=path, method=method), self.gateway.connect() as client:
                client.request(method, path)
                response = client.response(method == "HEAD")
                self.assertEqual(response.status, 405, response)
                methods = [m.strip() for m in response.get("allow").split(",")]
                self.assertIn(allowed, methods)
                self.assertNotIn(method, methods)
                if method != "HEAD":
                    self.check_error(response, 405, protocol)

    def test_upgrade(self):
        for protocol in PROTOCOLS:
            for method in ("GET", "POST"):
                with self.subTest(protocol=protocol.id, method=method), self.gateway.connect() as client:
                    client.request(method, protocol.path, None, [
                        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
                        ("Sec-WebSocket-Key", "MDEyMzQ1Njc4OWFiY2RlZg==")])
                    response = client.response()
                    self.check_error(response, 426, protocol)
                    self.assertTrue(response.get("upgrade"))
                    self.assertIn("upgrade", ",".join(response.all("connection")).lower())

    def test_members_that_choose_a_provider(self):
        """Each is refused by name or passed where it means nothing; it never changes where the request goes."""
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                model = f"m-{protocol.id}"
                before = len(self.up.requests)
                response = self.gateway.ask(protocol, model, route="fallback", provider={"order": ["x"]})
                if response.status == 200:
                    self.assertEqual(self.up.requests[-1].document["model"], f"up-{model}")
                else:
                    self.check_error(response, 400, protocol)
                    self.assertEqual(len(self.up.requests), before)

    def test_messages_are_for_people(self):
        error = self.refused(CHAT, CHAT.body("no-such-model-here"), 404)
        self.assertIn("/v1/models", error["message"])
        error = self.refused(RESPONSES, RESPONSES.body("only-openai-chat"), 400)
        self.assertIn("openai-chat", error["message"])
        error = self.refused(CHAT, b'{"messages":[]}', 400)
        self.assertIn("model", error["message"])

    def test_hostile_model_names_are_echoed_safely(self):
        for name in ('"},{"x":"', "a\r\nX-Forged: 1", "<script>", "\u0000", "\U0001f642" * 50, "x" * 100000):
            with self.subTest(name[:20]):
                body = json.dumps({"model": name, "messages": []}).encode()
                response = self.gateway.post(CHAT.path, body)
                self.assertIn(response.status, (400, 404))
                self.check_error(response, response.status, CHAT)
                self.assertIsNone(response.get("x-forged"))
                self.assertLess(len(response.body), 4096)


if __name__ == "__main__":
    unittest.main()
