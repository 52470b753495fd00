"""C48, C50, C52, C55, C56, C60: what passes between client and provider, and configuration."""
import gzip
import json
import threading
import unittest
import zlib

from cases import CASES
from harness import (CHAT, MESSAGES, PROTOCOLS, RESPONSES, Answer, Config, Gateway, GatewayTest, Upstream, json_answer,
                     raw_answer, run_command, sse_answer)


class Encodings(GatewayTest):
    """C48 on native routes; translated ones are in test_translation_encodings.py."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return Config().backend("a", cls.up).pool("m", 20, ["a"])

    def each(self):
        for accept in CASES["C48"]["client_accept_encoding"]:
            with self.subTest(accept=accept):
                yield self.gateway.take("m"), [("Accept-Encoding", accept)] if accept else []

    def test_C48_the_gateway_asks_for_identity(self):
        for model, headers in self.each():
            self.check_answer(self.gateway.ask(CHAT, model, headers=headers), CHAT)
            self.assertIn(self.up.of(f"up-{model}")[0].get("accept-encoding"), (None, "identity"))

    def test_C48_header_and_bytes_agree(self):
        document = json.dumps(CHAT.document("m", "packed")).encode()
        packed = gzip.compress(document)
        for model, headers in self.each():
            self.up.script(f"up-{model}", raw_answer(200, packed, [("Content-Encoding", "gzip")]))
            response = self.gateway.ask(CHAT, model, headers=headers)
            self.assertEqual(response.status, 200, response)
            self.assertEqual((response.get("content-encoding"), response.body), ("gzip", packed))

    def test_C48_an_encoding_nobody_here_knows(self):
        model, opaque = self.gateway.take("m"), bytes(range(256)) * 4
        self.up.script(f"up-{model}", raw_answer(200, opaque, [("Content-Encoding", "br")]))
        response = self.gateway.ask(CHAT, model)
        self.assertEqual((response.status, response.get("content-encoding"), response.body), (200, "br", opaque))

    def test_C48_a_compressed_error(self):
        packed = gzip.compress(json.dumps(CHAT.error_document("slow down")).encode())
        for model, headers in self.each():
            self.up.script(f"up-{model}", raw_answer(429, packed, [("Content-Encoding", "gzip")]))
            response = self.gateway.ask(CHAT, model, headers=headers)
            self.assertEqual(response.status, 429)
            body = gzip.decompress(response.body) if response.get("content-encoding") == "gzip" else response.body
            self.assertIn("error", json.loads(body))

    def test_C48_a_compressed_stream_arrives_event_by_event(self):
        model, packer = self.gateway.take("m"), zlib.compressobj(wbits=31)
        marks, pieces = [threading.Event() for _ in range(3)], []
        for i, mark in enumerate(marks):
            pieces += [packer.compress(CHAT.word("m", f"{i}")) + packer.flush(zlib.Z_SYNC_FLUSH), mark]
        pieces.append(packer.compress(b"".join(CHAT.stream("m", [])[1:])) + packer.flush())
        self.up.script(f"up-{model}", sse_answer(pieces, [("Content-Encoding", "gzip")]))
        with self.gateway.connect() as client:
            client.request("POST", CHAT.path, CHAT.body(model, True))
            head, unpacker, text, heard = client.head(), zlib.decompressobj(wbits=31), b"", 0
            self.assertEqual(head.get("content-encoding"), "gzip")
            for piece in client.pieces(head):
                text += unpacker.decompress(piece)
                while heard < 3 and text.count(b'"content"') > heard:
                    marks[heard].set()
                    heard += 1
            self.assertTrue(unpacker.eof)
            self.assertTrue(text.endswith(b"data: [DONE]\n\n"))


class Framing(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config().backend("a", cls.up)
        return config.model("alias", ["a"], upstream=CASES["C50"]["model_rewritten_to"]).pool("m", 5, ["a"])

    def test_C50_one_framing_after_the_rewrite(self):
        """Bodies that are no JSON wait for mounts."""
        with self.gateway.connect() as client:
            client.send(CASES["C50"]["raw_request"].encode())
            self.check_answer(client.response(), CHAT)
        (request,) = self.up.of(CASES["C50"]["model_rewritten_to"])
        self.assertEqual(request.document, {"model": CASES["C50"]["model_rewritten_to"],
                                            "messages": [{"role": "user", "content": "hi"}]})
        self.assertEqual(len(request.all("content-length")) + len(request.all("transfer-encoding")), 1)
        self.assertEqual(request.all("trailer"), [])
        self.assertNotIn(b"X-Trailer", request.raw)

    def test_C50_both_framings(self):
        before = len(self.up.requests)
        with self.gateway.connect() as client:
            client.send(CASES["C50"]["bad_request"].encode())
            self.assertEqual(client.response().status, 400)
            self.assertTrue(client.closed())
        self.assertEqual(len(self.up.requests), before)

    def test_C52_hop_by_hop_fields(self):
        """On a served endpoint; test_mounts has the reverse proxy path, X-Forwarded-For and a 103 that passes."""
        lines = CASES["C52"]["raw_request"].split("\r\n")[1:-2]
        model = self.gateway.take("m")
        body = CHAT.body(model).decode()
        fields = list(CASES["C52"]["upstream_response_headers"].items())
        self.up.script(f"up-{model}", Answer(b"HTTP/1.1 103 Early Hints\r\nConnection: X-Up\r\nX-Up: 1\r\n\r\n",
                                             *json_answer(200, CHAT.document("m", "x"), fields).steps))
        with self.gateway.connect() as client:
            client.send("\r\n".join([f"POST {CHAT.path} HTTP/1.1", *lines, f"Content-Length: {len(body)}", "", body])
                        .encode())
            response = client.response()
        self.check_answer(response, CHAT, "x")
        (request,) = self.up.of(f"up-{model}")
        for name in ("x-debug", "keep-alive", "proxy-authorization", "te", "upgrade", "http2-settings"):
            self.assertEqual(request.all(name), [], name)
        self.assertNotIn("x-debug", ",".join(request.all("connection")).lower())
        self.assertEqual(request.all("authorization"), ["Bearer secret-a-k"])
        self.assertNotIn("203.0.113.9", ",".join(request.all("x-forwarded-for")))
        for message in [response, *response.interim]:
            for name in ("x-up", "keep-alive", "proxy-authenticate"):
                self.assertEqual(message.all(name), [], name)


class Upgrades(GatewayTest):
    """C55: the rows without a route that upgrades; test_mounts has the proxied ones."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return Config().client("tenant", "tenant-1").each_protocol(cls.up, model=True)

    def send(self, raw):
        with self.gateway.connect() as client:
            client.send(raw.encode())
            response = client.response()
        self.assertEqual(self.up.requests, [])
        return response

    def test_C55_no_key(self):
        raw = CASES["C55"]["raw_request"]
        for without in ("", "Authorization: Bearer wrong\r\n"):
            with self.subTest(without):
                self.check_error(self.send(raw.replace("Authorization: Bearer tenant-1\r\n", without)), 401, RESPONSES)

    def test_C55_a_route_without_websockets(self):
        raw = CASES["C55"]["raw_request"]
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                response = self.send(raw.replace("/v1/responses", protocol.path))
                self.check_error(response, 426, protocol)
                self.assertTrue(response.get("upgrade"))


class Credentials(GatewayTest):
    """C56."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return Config().client("tenant", "TENANT").each_protocol(cls.up, model=True)

    def test_C56_one_credential_goes_upstream_and_it_is_the_targets(self):
        headers, query = list(CASES["C56"]["client_headers"].items()), CASES["C56"]["query"]
        for protocol in PROTOCOLS:
            for stream in (False, True):
                with self.subTest(protocol=protocol.id, stream=stream):
                    response = self.gateway.post(protocol.path + query, protocol.body(protocol.id, stream), headers)
                    self.check_answer(response, protocol)
                    request = self.up.of(f"up-{protocol.id}")[-1]
                    for canary in (b"TENANT", b"CANARY"):
                        self.assertNotIn(canary, request.raw)
                    self.assertEqual(request.query, "beta=true")
                    self.assertEqual(request.raw.count(b"secret-"), 1)
                    name = "x-api-key" if protocol is MESSAGES else "authorization"
                    self.assertTrue(request.get(name).endswith(f"secret-{protocol.id}-k"))
                    native = protocol is MESSAGES
                    self.assertEqual(request.all("anthropic-version"), ["2023-06-01"] if native else [])
                    self.assertEqual(",".join(request.all("anthropic-beta")),
                                     "f1-2026-01-01,f2-2026-01-01" if native else "")
                    self.assertEqual(request.all("cookie") + request.all("x-gateway-tenant"), [])

    def test_C56_an_unset_secret_is_an_error_at_load(self):
        config = Config().backend("a", "http://127.0.0.1:9").model("m", ["a"])
        status, said, path = run_command("check", config.text(), {})
        self.assertEqual(status, 1, said)
        self.assertIn(path, said)
        self.assertIn("KEY_A_K", said)


class Configuration(unittest.TestCase):
    """C60."""

    def test_C60_base_urls(self):
        """A base without /v1 gets the protocol's whole path; one that ends in /v1 is not given it twice."""
        up = Upstream()
        self.addCleanup(up.close)
        config, expected = Config(), {}
        for i, base in enumerate(CASES["C60"]["base_urls"]):
            tail = base.removeprefix("http://up:9000")
            for protocol in PROTOCOLS:
                name = f"b{i}-{protocol.id}"
                config.backend(name, up.url + tail, protocol).model(name, [name])
                expected[name] = (protocol, tail.rstrip("/").removesuffix("/v1") + protocol.path)
        gateway = Gateway(config)
        try:
            for name, (protocol, target) in expected.items():
                with self.subTest(name):
                    self.assertEqual(gateway.ask(protocol, name).status, 200)
                    self.assertEqual(up.of(f"up-{name}")[0].target, target)
        finally:
            gateway.stop()

    def test_C60_an_endpoint_is_used_unaltered(self):
        up = Upstream()
        self.addCleanup(up.close)
        config = Config()
        for i, tail in enumerate(("/odd//path/", "/v1/chat/completions?api-version=1", "/x%2Fy")):
            config.backend(f"e{i}", None, base_url=[], endpoint=up.url + tail)
            config.model(f"e{i}", [f"e{i}"])
        gateway = Gateway(config)
        try:
            for i, tail in enumerate(("/odd//path/", "/v1/chat/completions?api-version=1", "/x%2Fy")):
                with self.subTest(tail):
                    gateway.ask(CHAT, f"e{i}")
                    self.assertEqual(up.of(f"up-e{i}")[0].target, tail)
        finally:
            gateway.stop()

    BAD = {
        # what is wrong: (from, to), what the message names
        "a gate for nobody": ('[backend "a"]', '[backend "a"]\nconcurrency = 0', "concurrency"),
        "a negative gate": ('[backend "a"]', '[backend "a"]\nconcurrency = -1', "concurrency"),
        "text for a number": ('[backend "a"]', '[backend "a"]\nconcurrency = "3"', "concurrency"),
        "text for a yes or no": ('[backend "a"]', '[backend "a"]\ntls_verify = maybe', "tls_verify"),
        "a bare number for a time": ('[backend "a"]', '[backend "a"]\nupstream_read = 5', "upstream_read"),
        "no time at all": ('[backend "a"]', '[backend "a"]\nupstream_read = 0s', "upstream_read"),
        "an old spelling": ("[server]", "[server]\nroute_probe_wait_ms = 5", "route_probe_wait"),
        "the same backend twice": ('[credential "a" "k"]',
                                   '[backend "a"]\nadapter = custom-responses\n[credential "a" "k"]', '[backend "a"]'),
        "a target twice": ("target = a/k up-m", "target = a/k up-m\ntarget = a/k up-m", "target"),
        "a layer with a missing target": ("target = a/k up-m", "target = missing/k up-m", "missing"),
        "a credential that is not there": ("target = a/k up-m", "target = a/other up-m", "other"),
        "a model that is not there": ("target = a/k up-m", "target = a/k other", "other"),
        "a URL without a scheme": ("base_url = http://127.0.0.1:9", "base_url = 127.0.0.1:9", "base_url"),
        "both kinds of URL": ("base_url =", "endpoint = http://127.0.0.1:9/x\nbase_url =", "endpoint"),
        "an unset secret": ("env:KEY_A_K", "env:NOT_SET_ANYWHERE", "NOT_SET_ANYWHERE"),
        "an unknown section": ("[server]", "[fallbakcs]\nx = 1\n[server]", "fallbakcs"),
        "an unknown key": ('[model "m"]', '[model "m"]\nalaises = x', "aliases"),
        "an unknown adapter": ("custom-chat-completions", "custom-chat-completion", "custom-chat-completions"),
        "a key of a section twice": ("[server]", "[server]\ndrain_timeout = 5s\ndrain_timeout = 6s", "drain_timeout"),
        "no layer": ('[layer "m" "first"]\ntarget = a/k up-m', "", '[model "m"]'),
        "an alias that is taken": ('[model "m"]', '[model "m"]\naliases = m', "m"),
        "a protocol that nobody speaks":
            ('[model "m"]', '[model "m"]\nprotocols = openai-response', "openai-responses"),
        "a line that is none": ("[server]", "[server]\nnonsense", "nonsense-is-not-repeated"),
    }

    def test_C60_bad_configurations_are_refused_by_name(self):
        good = Config().backend("a", "http://127.0.0.1:9").model("m", ["a"])
        status, said, _ = run_command("check", good.text(), good.env)
        self.assertEqual(status, 0, said)
        for name, (old, new, named) in self.BAD.items():
            with self.subTest(name):
                text = good.text().replace(old, new, 1)
                self.assertNotEqual(text, good.text())
                status, said, path = run_command("check", text, good.env)
                self.assertEqual(status, 1, said)
                self.assertRegex(said, path + r":\d+: ")
                if named != "nonsense-is-not-repeated":
                    self.assertIn(named, said)
                self.assertNotIn("secret-a-k", said)

    def test_C60_all_errors_at_once_and_no_start(self):
        good = Config().backend("a", "http://127.0.0.1:9").model("m", ["a"])
        text = good.text().replace("target = a/k up-m", "target = a/k nope").replace("[server]", "[server]\nworker = 1")
        for command in ("check", "serve"):
            with self.subTest(command):
                status, said, _ = run_command(command, text, good.env)
                self.assertEqual(status, 1, said)
                self.assertIn("nope", said)
                self.assertIn("workers", said)

    def test_C60_a_literal_secret_in_a_readable_file(self):
        good = Config().backend("a", "http://127.0.0.1:9").model("m", ["a"])
        text = good.text().replace("env:KEY_A_K", "literal-secret-value")
        status, said, _ = run_command("check", text, {}, mode=0o644)
        self.assertEqual(status, 1, said)
        self.assertNotIn("literal-secret-value", said)
        self.assertEqual(run_command("check", text, {}, mode=0o600)[0], 0)


if __name__ == "__main__":
    unittest.main()
