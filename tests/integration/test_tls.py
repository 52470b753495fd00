"""TLS towards clients and towards providers, with an authority of the test's own."""
import ssl
import threading
import unittest

from harness import CHAT, PROTOCOLS, STALL, Answer, Config, Gateway, GatewayTest, Upstream, json_answer, sse_answer
from harness.certificates import Authority


class Both(GatewayTest):
    @classmethod
    def configure(cls):
        cls.authority = Authority()
        certificate, key = cls.authority.issue("gateway", "DNS:localhost", "IP:127.0.0.1")
        cls.up = cls.upstream(tls=cls.authority.server("up", "DNS:localhost", "IP:127.0.0.1"))
        cls.tls = cls.authority.client()
        return (Config(tls_certificate=certificate, tls_key=key)
                .each_protocol(f"https://localhost:{cls.up.port}", pool=8, tls_ca_file=cls.authority.certificate))

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.authority.close()

    def test_plain_and_stream(self):
        for protocol in PROTOCOLS:
            model = self.gateway.take(f"{protocol.id}-")
            for stream in (False, True):
                with self.subTest(protocol=protocol.id, stream=stream):
                    response = self.gateway.post(protocol.path, protocol.body(model, stream), tls=self.tls)
                    self.check_answer(response, protocol)

    def test_events_arrive_as_they_come(self):
        model = self.gateway.take("openai-chat-")
        marks = [threading.Event() for _ in range(3)]
        pieces = CHAT.preamble("m")
        for i, mark in enumerate(marks):
            pieces += [CHAT.word("m", f"w{i}"), mark]
        self.up.script(f"up-{model}", sse_answer(pieces + CHAT.stream("m", [])[1:]))
        with self.gateway.connect(tls=self.tls) as client:
            client.request("POST", CHAT.path, CHAT.body(model, True))
            heard = []
            for event in client.events(client.head()):
                if word := CHAT.delta(event):
                    heard.append(word)
                    marks[len(heard) - 1].set()
            self.assertEqual(heard, ["w0", "w1", "w2"])

    def test_large_both_ways(self):
        model = self.gateway.take("openai-chat-")
        text = "wide \U0001f642 " * 100000
        self.up.script(f"up-{model}", json_answer(200, CHAT.document("m", text)))
        with self.gateway.connect(tls=self.tls) as client:
            client.request("POST", CHAT.path, CHAT.body(model, said=text))
            self.check_answer(client.response(), CHAT, text)
        self.assertEqual(self.up.of(f"up-{model}")[0].document["said"], text)

    def test_connections_are_kept(self):
        model = self.gateway.take("openai-chat-")
        with self.gateway.connect(tls=self.tls) as client:
            for _ in range(5):
                client.request("POST", CHAT.path, CHAT.body(model))
                self.check_answer(client.response(), CHAT)
        self.assertEqual(len({r.connection for r in self.up.of(f"up-{model}")}), 1)

    def test_a_client_that_leaves(self):
        model = self.gateway.take("openai-chat-")
        self.up.script(f"up-{model}", Answer(STALL))
        with self.gateway.connect(tls=self.tls) as client:
            client.request("POST", CHAT.path, CHAT.body(model))
            (request,) = self.up.wait_for(1, f"up-{model}")
        self.assertTrue(request.left.wait(5))

    def test_what_is_not_tls_is_dropped(self):
        for raw in (b"GET / HTTP/1.1\r\nHost: g\r\n\r\n", b"\x16\x03\x01\x00\x05junk!", b"\x00" * 300):
            with self.subTest(raw[:8]), self.gateway.connect() as client:
                client.send(raw)
                while client.fill():
                    pass  # an alert may come first
        model = self.gateway.take("openai-chat-")
        self.check_answer(self.gateway.post(CHAT.path, CHAT.body(model), tls=self.tls), CHAT)

    def test_a_handshake_that_never_ends_blocks_nobody(self):
        silent = [self.gateway.connect() for _ in range(20)]
        model = self.gateway.take("openai-chat-")
        self.check_answer(self.gateway.post(CHAT.path, CHAT.body(model), tls=self.tls), CHAT)
        for client in silent:
            client.close()

    def test_old_versions_are_refused(self):
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.load_verify_locations(self.authority.certificate)
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        old.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.assertRaises((ssl.SSLError, ConnectionError)):
            self.gateway.connect(tls=old).close()


class Verification(unittest.TestCase):
    """A provider that cannot prove who it is gets neither the request nor the key."""

    @classmethod
    def setUpClass(cls):
        cls.authority, cls.stranger = Authority(), Authority()
        cls.good = Upstream(tls=cls.authority.server("good", "DNS:localhost", "IP:127.0.0.1"))
        cls.unknown = Upstream(tls=cls.stranger.server("unknown", "DNS:localhost", "IP:127.0.0.1"))
        cls.named = Upstream(tls=cls.authority.server("named", "DNS:other.example"))
        cls.plain = Upstream(greeting=b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        ca = {"tls_ca_file": cls.authority.certificate}
        config = Config()
        config.backend("good", f"https://localhost:{cls.good.port}", **ca).model("good", ["good"])
        config.backend("address", f"https://127.0.0.1:{cls.good.port}", **ca).model("address", ["address"])
        config.backend("unknown", f"https://localhost:{cls.unknown.port}", **ca).model("unknown", ["unknown"])
        config.backend("system", f"https://localhost:{cls.good.port}").model("system", ["system"])
        config.backend("named", f"https://localhost:{cls.named.port}", **ca).model("named", ["named"])
        config.backend("plain", f"https://localhost:{cls.plain.port}", **ca).model("plain", ["plain"])
        config.backend("off", f"https://localhost:{cls.unknown.port}", tls_verify="no").model("off", ["off"])
        config.model("second", ["unknown"], ["good"])
        cls.gateway = Gateway(config)

    @classmethod
    def tearDownClass(cls):
        try:
            cls.gateway.stop()
        finally:
            for closing in (cls.good, cls.unknown, cls.named, cls.plain, cls.authority, cls.stranger):
                closing.close()

    def test_known(self):
        for model in ("good", "address", "off"):
            with self.subTest(model):
                self.assertEqual(self.gateway.ask(CHAT, model).status, 200)

    def test_unproven(self):
        for model, upstream in (("unknown", self.unknown), ("system", self.good), ("named", self.named),
                                ("plain", self.plain)):
            with self.subTest(model):
                response = self.gateway.ask(CHAT, model)
                self.assertEqual(response.status, 502, response)
                self.assertEqual(upstream.of(f"up-{model}"), [])

    def test_another_target_answers_instead(self):
        self.assertEqual(self.gateway.ask(CHAT, "second").status, 200)
        self.assertEqual(len(self.good.of("up-second")), 1)


class ClientCertificates(unittest.TestCase):
    """A provider that asks who connects: each backend is who its own section says, on connections of its own."""

    @classmethod
    def setUpClass(cls):
        cls.authority, cls.stranger = Authority(), Authority()
        server = cls.authority.server("up", "DNS:localhost", "IP:127.0.0.1")
        server.load_verify_locations(cls.authority.certificate)
        server.verify_mode = ssl.CERT_REQUIRED
        cls.up = Upstream(tls=server)
        cls.config = Config()
        for name, owner in (("alice", cls.authority), ("bob", cls.authority), ("stranger", cls.stranger)):
            certificate, key = owner.issue(name, f"DNS:{name}.example")
            cls.backend(name, tls_certificate=certificate, tls_key=key)
        cls.backend("nobody")
        cls.config.model("second", ["nobody"], ["alice"])
        cls.gateway = Gateway(cls.config)

    @classmethod
    def backend(cls, name, **keys):
        cls.config.backend(name, f"https://localhost:{cls.up.port}", tls_ca_file=cls.authority.certificate, **keys)
        cls.config.model(name, [name])

    @classmethod
    def tearDownClass(cls):
        try:
            cls.gateway.stop()
        finally:
            for closing in (cls.up, cls.authority, cls.stranger):
                closing.close()

    def test_each_backend_is_itself(self):
        closing = json_answer(200, CHAT.document("m", "x"), [("Connection", "close")])
        for answer in (None, closing):  # on kept connections, and on new ones that resume their TLS session
            for _ in range(4):
                for name in ("alice", "bob"):
                    self.up.script(f"up-{name}", *[answer] if answer else [])
                    self.assertEqual(self.gateway.ask(CHAT, name).status, 200)
        for name in ("alice", "bob"):
            requests = self.up.of(f"up-{name}")
            self.assertEqual(len(requests), 8)
            for request in requests:
                self.assertEqual(dict(pair for (pair,) in request.certificate["subject"])["commonName"], name)

    def test_without_one_that_is_known(self):
        for name in ("nobody", "stranger"):
            with self.subTest(name):
                self.assertEqual(self.gateway.ask(CHAT, name).status, 502)
                self.assertEqual(self.up.of(f"up-{name}"), [])
        self.assertEqual(self.gateway.ask(CHAT, "second").status, 200)


if __name__ == "__main__":
    unittest.main()
