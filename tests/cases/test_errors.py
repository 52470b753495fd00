"""C35, C41, C44, C46: errors, circuits, limits, permits."""
import threading
import unittest

from cases import CASES
from harness import (CHAT, MESSAGES, PROTOCOLS, RESET, STALL, Answer, Config, GatewayTest, Together, eventually,
                     json_answer, refused_port, span, sse_answer)

KEY = "the-key"


class Errors(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return Config().client("alice", KEY).each_protocol(cls.up, pool=10)

    def ask(self, protocol, model, stream, key=KEY):
        return self.gateway.ask(protocol, model, stream, [("x-api-key", key)])

    def each(self):
        for protocol in PROTOCOLS:
            for stream in (False, True):
                with self.subTest(protocol=protocol.id, stream=stream):
                    yield protocol, stream, self.gateway.take(f"{protocol.id}-")

    def test_C35_a_providers_error(self):
        """An error in another shape than the caller's is in test_translation_errors. A 404's text is constant here."""
        for protocol, stream, model in self.each():
            given = CASES["C35"]["upstream_anthropic" if protocol is MESSAGES else "upstream_openai"]
            fields = list(given.get("headers", {}).items())
            self.up.script(f"up-{model}", json_answer(given["status"], given["body"], fields))
            response = self.ask(protocol, model, stream)
            self.assertEqual(response.status, given["status"])
            if protocol is MESSAGES:
                self.assertEqual(self.check_error(response, 404, protocol)["type"], "not_found_error")
                continue
            error = self.check_error(response, 429, protocol, by_gateway=False)
            self.assertIn("slow down", error["message"])
            self.assertEqual(error["code"], "rate_limit_exceeded")
            self.assertEqual(response.get("retry-after"), "7")

    def test_C35_the_gateways_own(self):
        """Tenant over limit waits for tenant limits."""
        for protocol, stream, model in self.each():
            self.check_error(self.ask(protocol, model, stream, "bad"), 401, protocol)
            self.check_error(self.ask(protocol, "unknown", stream), 404, protocol, "model_not_found")
            response = self.gateway.post(protocol.path, b"not JSON", [("x-api-key", KEY)])
            self.check_error(response, 400, protocol)
            self.up.script(f"up-{model}", json_answer(500, protocol.error_document(), [("Retry-After", "40")]))
            self.ask(protocol, model, stream)
            response = self.ask(protocol, model, stream)
            self.check_error(response, 503, protocol)
            self.assertGreaterEqual(int(response.get("retry-after")), 1)


class Probes(GatewayTest):
    """C41. The first failure opens a circuit here, for one second; the rows start from there, with a schedule whose
    further steps are long and unlike each other: which one was taken can still be told on a slow machine."""

    seconds = {"provider_transient": [1, 200, 400], "provider_capacity": [100, 200], "transport": [50, 150]}

    @classmethod
    def configure(cls):
        cls.a, cls.b = cls.upstream(), cls.upstream()
        config = Config().backend("a", cls.a, credentials=("k",)).backend("b", cls.b)
        return config.pool("single-", 10, ["a"]).pool("pair-", 2, ["a"], ["b"])

    def open(self, pool="single-"):
        """A model whose circuit has just opened."""
        self.model = self.gateway.take(pool)
        self.a.script(f"up-{self.model}", json_answer(500, CHAT.error_document()))
        self.gateway.ask(CHAT, self.model)
        return self.model

    def count(self):
        return len(self.a.of(f"up-{self.model}"))

    def probe(self, *answers):
        """Asks until a request is let through as the probe: its answer."""
        self.a.script(f"up-{self.model}", *answers)
        before, found = self.count(), []

        def through():
            response = self.gateway.ask(CHAT, self.model)
            if self.count() > before:
                found.append(response)
            return bool(found)
        eventually(through, "a probe let through", 10)
        return found[0]

    def good(self):
        return json_answer(200, CHAT.document("m", "fine"))

    def test_C41_a_400_releases_the_probe_unchanged(self):
        self.open()
        response = self.probe(json_answer(400, CHAT.error_document("yours")), self.good())
        self.assertEqual(response.status, 400)
        self.assertEqual(self.gateway.ask(CHAT, self.model).status, 200, "the next request may not probe")

    def advanced(self, answer, seconds):
        """A probe that failed with this: closed again for about so many seconds."""
        self.open()
        self.probe(answer)
        before = self.count()
        response = self.gateway.ask(CHAT, self.model)
        self.check_error(response, 503, CHAT)
        self.assertEqual(self.count(), before)
        self.assertIn(int(response.get("retry-after")), seconds)

    def test_C41_a_401_suspends(self):
        self.advanced(json_answer(401, CHAT.error_document()), range(270, 301))

    def test_C41_a_429_advances_once(self):
        """The issue decides: a provider failure, 429 included, advances the schedule once."""
        self.advanced(json_answer(429, CHAT.error_document()), range(70, 101))

    def test_C41_a_reset_starts_the_timer_again(self):
        """Another class than the one that opened it: its schedule starts at its beginning."""
        self.advanced(Answer(RESET), range(20, 51))

    def test_C41_another_500_takes_the_next_step(self):
        self.advanced(json_answer(500, CHAT.error_document()), range(170, 201))

    def test_C41_a_client_that_leaves_gives_the_probe_back(self):
        self.open()
        self.a.script(f"up-{self.model}", Answer(STALL))

        def probing():
            with self.gateway.connect() as client:
                client.request("POST", CHAT.path, CHAT.body(self.model))
                eventually(lambda: self.count() > 1 or client.buffer or not client.silent(0.02), "a probe or a refusal")
                return self.count() > 1
        eventually(probing, "a probe that its client leaves", 10)
        self.assertEqual(self.probe(self.good()).status, 200)
        self.assertEqual(self.gateway.ask(CHAT, self.model).status, 200)

    def test_C41_a_200_closes(self):
        self.open()
        self.assertEqual(self.probe(self.good()).status, 200)
        for _ in range(3):
            self.assertEqual(self.gateway.ask(CHAT, self.model).status, 200)

    def test_C41_one_probe_at_a_time(self):
        self.open("pair-")
        go = threading.Event()
        self.a.script(f"up-{self.model}", Answer(go, *self.good().steps), self.good())
        answers = []

        def ask():
            answers.append(self.gateway.ask(CHAT, self.model))
        prober = Together(lambda: eventually(lambda: (ask(), self.count() > 1)[1], "a probe", 10))
        self.a.wait_for(2, f"up-{self.model}", 10)
        Together(*[ask] * 20).join()
        self.assertEqual(self.count(), 2, "another request passed beside the probe")
        go.set()
        prober.join()
        self.assertEqual({r.status for r in answers}, {200})
        self.assertGreaterEqual(len(self.b.of(f"up-{self.model}")), 20)

    def test_C41_a_clients_400_neither_opens_nor_closes(self):
        self.model = self.gateway.take("single-")
        self.a.script(f"up-{self.model}", json_answer(400, CHAT.error_document("yours")))
        for i in range(3):
            self.assertEqual(self.gateway.ask(CHAT, self.model).status, 400)
            self.assertEqual(self.count(), i + 1)


class RateLimitHeaders(GatewayTest):
    """C44. The gateway's own tenant limit waits for tenant limits."""

    @classmethod
    def configure(cls):
        cls.a, cls.b = cls.upstream(), cls.upstream()
        config = Config()
        for protocol in PROTOCOLS:
            config.backend(f"a-{protocol.id}", cls.a, protocol).backend(f"b-{protocol.id}", cls.b, protocol)
            config.pool(f"{protocol.id}-single-", 5, [f"a-{protocol.id}"])
            config.pool(f"{protocol.id}-pair-", 5, [f"a-{protocol.id}"], [f"b-{protocol.id}"])
        return config

    kept = ("retry-after", "anthropic-ratelimit-unified-status", "anthropic-ratelimit-tokens-remaining",
            "x-ratelimit-reset-requests", "request-id")

    def check_headers(self, response, headers):
        for name in self.kept:
            self.assertEqual(response.get(name), headers[name], name)
        self.assertEqual(response.all("set-cookie"), [])
        self.assertNotEqual(response.get("server"), "up")

    def test_C44_headers_arrive_under_their_own_names(self):
        headers = CASES["C44"]["upstream"]["headers"]
        fields = list(headers.items())
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                refused = self.gateway.take(f"{protocol.id}-single-")
                self.a.script(f"up-{refused}", json_answer(429, protocol.error_document(), fields))
                response = self.gateway.ask(protocol, refused)
                self.check_error(response, 429, protocol, by_gateway=False)
                self.check_headers(response, headers)
                for stream in (False, True):
                    model = self.gateway.take(f"{protocol.id}-single-")
                    self.a.script(f"up-{model}", sse_answer(protocol.stream("m", ["x"]), fields) if stream
                                  else json_answer(200, protocol.document("m", "x"), fields))
                    response = self.gateway.ask(protocol, model, stream)
                    self.assertEqual(response.status, 200)
                    self.check_headers(response, headers)

    def test_C44_after_a_fallback_they_are_those_of_the_target_that_answered(self):
        fields = list(CASES["C44"]["upstream"]["headers"].items())
        for protocol in PROTOCOLS:
            for stream in (False, True):
                with self.subTest(protocol=protocol.id, stream=stream):
                    model = self.gateway.take(f"{protocol.id}-pair-")
                    self.a.script(f"up-{model}", json_answer(429, protocol.error_document(), fields))
                    own = [("x-ratelimit-remaining-requests", "5"), ("request-id", "req_b")]
                    self.b.script(f"up-{model}", sse_answer(protocol.stream("m", ["x"]), own) if stream
                                  else json_answer(200, protocol.document("m", "x"), own))
                    response = self.gateway.ask(protocol, model, stream)
                    self.check_answer(response, protocol, "x")
                    self.assertEqual(response.get("request-id"), "req_b")
                    self.assertEqual(response.get("x-ratelimit-remaining-requests"), "5")
                    for name in self.kept[:-1]:
                        self.assertIsNone(response.get(name), name)


class Permits(GatewayTest):
    """C46 with a backend's gate: one request at a time, and after each ending the next is served at once."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        cls.reserved, port = refused_port()
        return (Config()
                .each_protocol(cls.up, pool=10, concurrency=1, upstream_read=span(1), upstream_stream_read=span(1))
                .backend("refused", f"http://127.0.0.1:{port}", concurrency=1).model("refused", ["refused"]))

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.reserved.close()

    def stream_aborted(self, protocol, model):
        self.up.script(f"up-{model}", sse_answer(protocol.preamble("m") + [protocol.word("m", "a")], end=STALL))
        with self.gateway.connect() as client:
            client.request("POST", protocol.path, protocol.body(model, True))
            next(e for e in client.events(client.head()) if protocol.delta(e))

    def stream_complete(self, protocol, model):
        self.check_answer(self.gateway.ask(protocol, model, True), protocol)

    def plain_complete(self, protocol, model):
        self.check_answer(self.gateway.ask(protocol, model), protocol)

    def upstream_500(self, protocol, model):
        self.up.script(f"up-{model}", json_answer(500, protocol.error_document()))
        self.assertEqual(self.gateway.ask(protocol, model).status, 500)

    def malformed_json(self, protocol, model):
        self.assertEqual(self.gateway.post(protocol.path, b'{"model":"' + model.encode()).status, 400)

    def leaves_before_head(self, protocol, model):
        self.up.script(f"up-{model}", Answer(STALL))
        with self.gateway.connect() as client:
            client.request("POST", protocol.path, protocol.body(model))
            self.up.wait_for(1, f"up-{model}")

    def upstream_stalls(self, protocol, model):
        self.up.script(f"up-{model}", Answer(STALL))
        self.assertEqual(self.gateway.ask(protocol, model).status, 504)

    def test_C46_every_ending_gives_the_permit_back(self):
        """A handler that panics cannot be injected from outside."""
        endings = (self.stream_aborted, self.stream_complete, self.plain_complete, self.upstream_500,
                   self.malformed_json, self.leaves_before_head, self.upstream_stalls)
        for protocol in PROTOCOLS:
            fresh = self.gateway.take(f"{protocol.id}-")
            for ending in endings:
                with self.subTest(protocol=protocol.id, ending=ending.__name__):
                    ending(protocol, self.gateway.take(f"{protocol.id}-"))
                    response = self.gateway.ask(protocol, fresh)
                    self.check_answer(response, protocol)
                    self.assertEqual(self.gateway.waiting(), 0)
        self.assertEqual(self.up.most_in_flight, 1)

    def test_C46_a_provider_that_refuses_tcp(self):
        for _ in range(3):
            with self.gateway.connect(timeout=5) as client:
                client.request("POST", CHAT.path, CHAT.body("refused"))
                self.assertIn(client.response().status, (502, 503))
        self.assertEqual(self.gateway.waiting(), 0)


if __name__ == "__main__":
    unittest.main()
