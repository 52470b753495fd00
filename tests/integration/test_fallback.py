"""Another target answers while nothing has been said to the client, and never after."""
import unittest

from harness import (CHAT, CLOSE, MESSAGES, PROTOCOLS, RESET, RESPONSES, STALL, Answer, Config, GatewayTest, eventually,
                     Together, json_answer, raw_answer, refused_port, span, sse_answer, sse_head)


def plain_failures(protocol):
    """Ways in which a target fails a request for which another target is to be asked."""
    document = protocol.error_document()
    for status in (401, 402, 403, 404, 405, 408, 415, 418, 425, 429, 500, 502, 503, 504, 529):
        yield f"status {status}", json_answer(status, document)
    yield "an error page", raw_answer(502, b"<html>bad gateway</html>", content_type="text/html")
    yield "an error under 200", json_answer(200, protocol.error_document())
    yield "not JSON under 200", raw_answer(200, b"<html>welcome</html>", content_type="text/html")
    yield "half a document", raw_answer(200, b'{"id":"c1","choi')
    yield "an empty body", raw_answer(200, b"")
    yield "a reset before the head", Answer(RESET)
    yield "a close before the head", Answer(CLOSE)
    yield "a close inside the head", Answer(b"HTTP/1.1 200 OK\r\nContent-", CLOSE)
    json_head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    yield "a body cut short", Answer(json_head + b"Content-Length: 900\r\n\r\n{", CLOSE)
    yield "garbage instead of HTTP", Answer(b"\x16\x03\x01 what is this\r\n\r\n", CLOSE)
    both = b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    yield "both framings", Answer(json_head + both, CLOSE)
    yield "silence", Answer(STALL)


def stream_failures(protocol, model):
    """The same for a stream that has not said anything yet."""
    preamble = protocol.preamble(model)
    yield "status 500", json_answer(500, protocol.error_document())
    yield "a plain error document under 200", json_answer(200, protocol.error_document())
    yield "an error first", sse_answer([protocol.error_event()])
    yield "an error after the preamble", sse_answer(preamble + [protocol.error_event()])
    yield "an empty stream", sse_answer([])
    yield "comments only", sse_answer([b": hello\n\n"])
    yield "an end after the preamble", sse_answer(preamble)
    yield "data that is not JSON", sse_answer([b"data: {broken\n\n"])
    yield "no events at all", sse_answer([b"<html>\n\n"])
    yield "a reset before the head", Answer(RESET)
    yield "a reset after the head", Answer(sse_head(), RESET)
    yield "a reset after the preamble", sse_answer(preamble, end=RESET)
    yield "a bad chunk after the preamble", sse_answer(preamble, end=b"zz\r\n")
    yield "silence before the head", Answer(STALL)
    yield "silence after the preamble", sse_answer(preamble, end=STALL)


class Fallback(GatewayTest):
    @classmethod
    def configure(cls):
        cls.a, cls.b, cls.c = cls.upstream(), cls.upstream(), cls.upstream()
        cls.reserved, port = refused_port()
        short = {"upstream_read": span(1), "upstream_stream_read": span(1)}
        config = Config()
        for protocol in PROTOCOLS:
            p = protocol.id
            config.backend(f"a-{p}", cls.a, protocol, **short)
            config.backend(f"b-{p}", cls.b, protocol, credentials=("k", "l"))
            config.pool(f"{p}-pair-", 60, [f"a-{p}"], [f"b-{p}"])
        config.backend("c", cls.c).backend("refused", f"http://127.0.0.1:{port}")
        config.backend("nowhere", "http://no-such-host.invalid")
        config.model("refused", ["refused"], ["b-openai-chat"]).model("nowhere", ["nowhere"], ["b-openai-chat"])
        config.pool("three-", 5, ["a-openai-chat"], ["b-openai-chat/k", "b-openai-chat/l"], ["c"])
        config.model("twice", ["a-openai-chat"], ["a-openai-chat", "b-openai-chat"], ["a-openai-chat"])
        config.pool("equal-", 1, ["b-openai-chat/k", "b-openai-chat/l"])
        return config

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.reserved.close()

    def run_together(self, cases):
        """Runs the cases side by side, so that those that wait for a timeout cost one timeout together."""
        failures = []

        def guarded(name, case):
            try:
                case()
            except Exception as error:  # reported below, under its name
                failures.append(f"{name}: {error!r}")
        Together(*[lambda c=c: guarded(*c) for c in cases]).join()
        self.assertEqual(failures, [])

    def falls_back(self, protocol, answers, stream):
        cases = []
        for make in answers:
            model = self.gateway.take(f"{protocol.id}-pair-")
            name, answer = make(f"up-{model}")
            self.a.script(f"up-{model}", answer)

            def case(model=model):
                response = self.gateway.ask(protocol, model, stream, [("X-Relay-Include-Metadata", "1")])
                self.check_answer(response, protocol)
                self.assertEqual(response.get("x-relay-backend"), f"b-{protocol.id}")
                self.assertEqual(len(self.b.of(f"up-{model}")), 1)
                self.assertGreaterEqual(len(self.a.of(f"up-{model}")), 1)
                if stream:
                    self.assertEqual(response.body, b"".join(protocol.stream(f"up-{model}", ["Hello", "world"])))
            cases.append((f"{protocol.id}: {name}", case))
        self.run_together(cases)

    def test_plain(self):
        for protocol in PROTOCOLS:
            rows = list(plain_failures(protocol))
            self.falls_back(protocol, [lambda _, row=row: row for row in rows], False)

    def test_stream(self):
        for protocol in PROTOCOLS:
            count = len(list(stream_failures(protocol, "")))
            self.falls_back(protocol, [lambda model, i=i, protocol=protocol: list(stream_failures(protocol, model))[i]
                                       for i in range(count)], True)

    def test_a_host_that_cannot_be_reached(self):
        for model in ("refused", "nowhere"):
            with self.subTest(model):
                self.check_answer(self.gateway.ask(CHAT, model), CHAT)

    def test_a_request_that_is_wrong_is_not_tried_elsewhere(self):
        for protocol in PROTOCOLS:
            for status in (400, 409, 413, 414, 422, 431):
                with self.subTest(protocol=protocol.id, status=status):
                    model = self.gateway.take(f"{protocol.id}-pair-")
                    self.a.script(f"up-{model}", json_answer(status, protocol.error_document("wrong so")))
                    for _ in range(2):  # and the target stays in use
                        response = self.gateway.ask(protocol, model)
                        error = self.check_error(response, status, protocol, by_gateway=False)
                        self.assertIn("wrong so", error["message"])
                    self.assertEqual(len(self.a.of(f"up-{model}")), 2)
                    self.assertEqual(self.b.of(f"up-{model}"), [])

    def test_layers_are_exhausted_in_order(self):
        model = self.gateway.take("three-")
        order = []
        bad = json_answer(500, CHAT.error_document())

        def noting(name):
            return Answer(lambda request: order.append((name, request.get("authorization"))), *bad.steps)
        self.a.script(f"up-{model}", noting("a"))
        self.b.script(f"up-{model}", noting("b"))
        self.check_answer(self.gateway.ask(CHAT, model), CHAT)
        self.assertEqual([name for name, _ in order], ["a", "b", "b"])
        self.assertEqual({key for name, key in order if name == "b"},
                         {"Bearer secret-b-openai-chat-k", "Bearer secret-b-openai-chat-l"})
        self.assertEqual(len(self.c.of(f"up-{model}")), 1)

    def test_later_layers_rest_while_an_earlier_one_works(self):
        model = self.gateway.take("three-")
        for _ in range(3):
            self.check_answer(self.gateway.ask(CHAT, model), CHAT)
        self.assertEqual((len(self.a.of(f"up-{model}")), len(self.b.of(f"up-{model}"))), (3, 0))

    def test_equal_targets_share_the_work(self):
        model = self.gateway.take("equal-")
        for _ in range(40):
            self.check_answer(self.gateway.ask(CHAT, model), CHAT)
        keys = [r.get("authorization") for r in self.b.of(f"up-{model}")]
        self.assertEqual(len(set(keys)), 2, "one of two equal targets was never chosen in 40 requests")

    def test_a_target_is_chosen_once_although_it_stands_in_several_layers(self):
        for upstream in (self.a, self.b):
            upstream.script("up-twice", json_answer(500, CHAT.error_document()))
        self.assertEqual(self.gateway.ask(CHAT, "twice").status, 500)
        self.assertEqual((len(self.a.of("up-twice")), len(self.b.of("up-twice"))), (1, 1))

    def test_nothing_is_tried_elsewhere_after_commitment(self):
        endings = {"an error event": lambda p: [p.error_event()], "an end": lambda p: [],
                   "garbage": lambda p: [b"data: {\n\n"]}
        for protocol in PROTOCOLS:
            for name, ending in endings.items():
                with self.subTest(protocol=protocol.id, ending=name):
                    self.ends_in_error(protocol, lambda model: sse_answer(
                        protocol.preamble(model) + [protocol.word(model, "Hello")] + ending(protocol)))
            for name, end in {"a reset": RESET, "silence": STALL, "a bad chunk": b"zz\r\n"}.items():
                with self.subTest(protocol=protocol.id, ending=name):
                    self.ends_in_error(protocol, lambda model: sse_answer(
                        protocol.preamble(model) + [protocol.word(model, "Hello")], end=end))

    def ends_in_error(self, protocol, make):
        model = self.gateway.take(f"{protocol.id}-pair-")
        self.a.script(f"up-{model}", make(f"up-{model}"))
        response = self.gateway.ask(protocol, model, True)
        self.assertEqual(response.status, 200, response)
        events = response.events()
        self.assertEqual("".join(protocol.delta(e) for e in events if not protocol.is_error(e)), "Hello")
        self.check_native_end(events, protocol)
        self.assertEqual(self.b.of(f"up-{model}"), [])

    def check_native_end(self, events, protocol):
        """As check_error_end, but an error event of the provider's own may be the end in Responses."""
        if protocol is RESPONSES and '"type":"error"' in events[-1].data:
            self.assertFalse(protocol.finished(events))
        else:
            self.check_error_end(events, protocol)

    def test_a_tool_call_commits(self):
        model = self.gateway.take("openai-chat-pair-")
        up_model = f"up-{model}"
        call = CHAT.chunk(up_model, {"tool_calls": [{"index": 0, "id": "t1", "type": "function",
                                                     "function": {"name": "f", "arguments": ""}}]})
        self.a.script(up_model, sse_answer(CHAT.preamble(up_model) + [call, CHAT.error_event()]))
        response = self.gateway.ask(CHAT, model, True)
        self.assertIn(b'"tool_calls"', response.body)
        self.check_error_end(response.events(), CHAT)
        self.assertEqual(self.b.of(up_model), [])

    def test_routing_members_and_headers_of_a_client_choose_nothing(self):
        model = self.gateway.take("openai-chat-pair-")
        headers = [("x-backend", "b-openai-chat"), ("x-route-layer", "second"), ("x-relay-backend", "b-openai-chat")]
        response = self.gateway.ask(CHAT, model, headers=headers, backend="b-openai-chat", layer="second")
        self.check_answer(response, CHAT)
        (request,) = self.a.of(f"up-{model}")
        self.assertEqual((request.document["backend"], request.document["layer"]), ("b-openai-chat", "second"))
        self.assertEqual(self.b.of(f"up-{model}"), [])

    def test_metadata_on_request(self):
        names = ("request-id", "backend", "credential", "route-layer", "route-layer-index", "selection-reason",
                 "upstream-model", "fallback", "fallback-reason", "ingress-protocol", "egress-protocol", "translated")
        model = self.gateway.take("anthropic-messages-pair-")
        asked = [("X-Relay-Include-Metadata", "1")]
        bare = self.gateway.ask(MESSAGES, model)
        self.assertEqual([n for n, _ in bare.fields if n.lower().startswith("x-relay-")], [])
        first = self.gateway.ask(MESSAGES, model, headers=asked)
        meta = {n: first.get(f"x-relay-{n}") for n in names}
        self.assertTrue(meta.pop("request-id"))
        self.assertIsNone(meta.pop("fallback-reason"))
        self.assertEqual(meta, {
            "backend": "a-anthropic-messages", "credential": "k", "route-layer": "first", "route-layer-index": "0",
            "selection-reason": "single-target", "upstream-model": f"up-{model}", "fallback": "false",
            "ingress-protocol": "anthropic-messages", "egress-protocol": "anthropic-messages", "translated": "false"})
        self.a.script(f"up-{model}", json_answer(529, MESSAGES.error_document()))
        second = self.gateway.ask(MESSAGES, model, headers=asked)
        self.assertEqual((second.get("x-relay-backend"), second.get("x-relay-route-layer"),
                          second.get("x-relay-route-layer-index"), second.get("x-relay-fallback")),
                         ("b-anthropic-messages", "second", "1", "true"))
        self.assertTrue(second.get("x-relay-fallback-reason"))
        self.assertNotEqual(second.get("x-relay-request-id"), first.get("x-relay-request-id"))
        passed_over = self.gateway.ask(MESSAGES, model, headers=asked)  # the first target's circuit is open now
        self.assertEqual([passed_over.get(f"x-relay-{n}") for n in ("route-layer", "fallback", "fallback-reason")],
                         ["second", "true", "circuit_open"])

    def test_a_refusal_can_be_found_in_the_log(self):
        for path in ("/v1/messages", "/nowhere"):
            response = self.gateway.post(path, b'{"model":"none","messages":[]}')
            self.assertEqual(response.status, 404)
            request_id = response.get("x-relay-request-id")
            self.assertTrue(request_id)
            eventually(lambda i=request_id: any(f'"id":"{i}"' in line for line in list(self.gateway.out)), "its line")


if __name__ == "__main__":
    unittest.main()
