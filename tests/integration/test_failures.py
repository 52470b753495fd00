"""How a failed request ends when nobody else can answer it."""
import unittest

from harness import (CHAT, MESSAGES, PROTOCOLS, RESET, STALL, Answer, Config, GatewayTest, json_answer, raw_answer,
                     refused_port, span, sse_answer)


class Failures(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        cls.reserved, port = refused_port()
        config = Config().each_protocol(cls.up, pool=60)
        config.each_protocol(cls.up, "short-", pool=4, upstream_read=span(0.4), upstream_stream_read=span(0.4))
        config.backend("refused", f"http://127.0.0.1:{port}").model("refused", ["refused"])
        config.backend("slow", cls.up, upstream_total=span(0.6), upstream_read=span(0.6),
                       upstream_stream_read=span(0.6), upstream_connect=span(0.6))
        config.pool("slow-", 3, ["slow"])
        return config

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.reserved.close()

    def ask(self, protocol, answer, stream=False, pool=""):
        self.model = self.gateway.take(f"{pool}{protocol.id}-")
        self.up.script(f"up-{self.model}", answer)
        return self.gateway.ask(protocol, self.model, stream)

    def each(self):
        for protocol in PROTOCOLS:
            for stream in (False, True):
                with self.subTest(protocol=protocol.id, stream=stream):
                    yield protocol, stream

    def test_what_the_provider_refused_keeps_status_code_and_param(self):
        for protocol, stream in self.each():
            for status, code, param in ((400, "context_length_exceeded", "messages"), (422, "bad_value", "tools[0]"),
                                        (429, "rate_limit_exceeded", None), (429, "insufficient_quota", None)):
                document = protocol.error_document(f"told you {status}", "some_error", code, param)
                response = self.ask(protocol, json_answer(status, document, [("Retry-After", "7")]), stream)
                error = self.check_error(response, status, protocol, by_gateway=False)
                self.assertIn(f"told you {status}", error["message"])
                if protocol is not MESSAGES:
                    self.assertEqual((error["code"], error["param"]), (code, param))
                self.assertEqual(response.get("retry-after"), "7")

    def test_messages_are_scrubbed_and_short(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                secret = f"secret-{protocol.id}-k"
                text = f"key {secret} and sk-proj-abcdefghijklmnopqrstuvwxyz0123456789 " + "long " * 1000
                response = self.ask(protocol, json_answer(400, protocol.error_document(text)))
                error = self.check_error(response, 400, protocol, by_gateway=False)
                self.assertLessEqual(len(error["message"]), 512)
                self.assertNotIn(secret.encode(), response.body)
                self.assertNotIn(b"abcdefghijklmnopqrstuvwxyz0123456789", response.body)

    def test_a_refused_credential_is_the_gateways_trouble(self):
        for protocol, stream in self.each():
            for status in (401, 402, 403):
                response = self.ask(protocol, json_answer(status, protocol.error_document("CANARY account")), stream)
                self.check_error(response, 502, protocol)
                self.assertNotIn(b"CANARY", response.body)

    def test_other_statuses_stay_and_their_text_does_not(self):
        for protocol, stream in self.each():
            for status in (404, 500, 502, 503, 529):
                response = self.ask(protocol, json_answer(status, protocol.error_document("CANARY inside")), stream)
                self.assertEqual(response.status, status, response)
                self.assertEqual(response.get("content-type").split(";")[0], "application/json")
                self.assertNotIn(b"CANARY", response.body)

    def test_an_error_page_becomes_an_error_document(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                response = self.ask(protocol, raw_answer(503, b"<html>CANARY</html>", content_type="text/html"))
                self.assertEqual(response.status, 503)
                self.assertEqual(response.get("content-type").split(";")[0], "application/json")
                self.assertNotIn(b"CANARY", response.body)

    def test_an_error_under_200(self):
        for protocol, stream in self.each():
            answer = sse_answer([protocol.error_event()]) if stream else json_answer(200, protocol.error_document())
            self.check_error(self.ask(protocol, answer, stream), 502, protocol)

    def test_a_key_in_a_streams_error_does_not_reach_the_client(self):
        for protocol in PROTOCOLS:
            key = f"secret-{protocol.id}-k"
            said = protocol.error_event(f"Incorrect API key provided: {key}")
            for name, error in (("plain", said), ("escaped", said.replace(b"secret-", b"\\u0073ecret-"))):
                with self.subTest(protocol=protocol.id, name=name):
                    begun = protocol.stream("m", ["Hello "])[:len(protocol.preamble("m")) + 1]
                    response = self.ask(protocol, sse_answer([*begun, error]), True)
                    self.assertEqual(response.status, 200)
                    self.assertIn(b"Hello", response.body)
                    self.assertNotIn(key.encode(), response.body)
                    self.assertNotIn(b"ecret-", response.body)
                    last = [e for e in response.events() if protocol.is_error(e)]
                    self.assertEqual(len(last), 1, response.body)
                    self.assertIn("Incorrect API key provided: [redacted]", last[0].data)

    def test_an_empty_stream(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                self.check_error(self.ask(protocol, sse_answer([]), True), 502, protocol)

    def test_a_connection_that_dies(self):
        for protocol, stream in self.each():
            self.check_error(self.ask(protocol, Answer(RESET), stream), 502, protocol)

    def test_silence(self):
        for protocol, stream in self.each():
            self.check_error(self.ask(protocol, Answer(STALL), stream, "short-"), 504, protocol)

    def test_an_attempt_takes_no_longer_than_upstream_total(self):
        model = self.gateway.take("slow-")
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
        self.up.script(f"up-{model}", Answer(head + b"{", STALL))
        response = self.gateway.ask(CHAT, model)
        self.check_error(response, 504, CHAT)

    def test_a_port_nobody_listens_on(self):
        self.check_error(self.gateway.ask(CHAT, "refused"), 502, CHAT)

    def test_the_provider_is_left_alone_after_a_timeout(self):
        self.assertEqual(self.ask(CHAT, Answer(STALL), False, "short-").status, 504)
        self.assertTrue(self.up.of(f"up-{self.model}")[0].left.wait(5))

    def test_a_hostile_head_is_bounded(self):
        for name, answer in {
                "endless fields": Answer(b"HTTP/1.1 200 OK\r\n" + b"X-F: %s\r\n" % (b"v" * 100) * 20000 + b"\r\n"),
                "one endless field": Answer(b"HTTP/1.1 200 OK\r\nX-F: " + b"v" * 4000000),
                "endless interim answers": Answer(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100000)}.items():
            with self.subTest(name):
                self.check_error(self.ask(CHAT, answer), 502, CHAT)


if __name__ == "__main__":
    unittest.main()
