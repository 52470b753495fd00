"""A streaming client hears comments while nothing comes; they bind it to no target."""
import threading
import unittest

from harness import CHAT, PROTOCOLS, STALL, Answer, Config, GatewayTest, json_answer, span, sse_answer, sse_head


class Heartbeats(GatewayTest):
    @classmethod
    def configure(cls):
        cls.a, cls.b = cls.upstream(), cls.upstream()
        config = Config()
        for protocol in PROTOCOLS:
            p = protocol.id
            config.backend(f"a-{p}", cls.a, protocol, downstream_sse_heartbeat=span(0.1))
            config.backend(f"b-{p}", cls.b, protocol, downstream_sse_heartbeat=span(0.1))
            config.pool(f"{p}-", 20, [f"a-{p}"], [f"b-{p}"])
        return config

    def start(self, protocol, client, *answers):
        """A streamed request, and its events once the head has come: comments only so far."""
        self.model = self.gateway.take(f"{protocol.id}-")
        self.a.script(f"up-{self.model}", *answers)
        client.request("POST", protocol.path, protocol.body(self.model, True))
        head = client.head()
        self.assertEqual(head.status, 200)
        self.assertTrue(head.get("content-type").startswith("text/event-stream"))
        return head, client.events(head, comments=True)

    def test_while_the_provider_thinks(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id), self.gateway.connect() as client:
                go = threading.Event()
                _, events = self.start(protocol, client, Answer(go, *sse_answer(protocol.stream("m", ["hi"])).steps))
                self.assertEqual([next(events).comment for _ in range(3)], ["keep-alive"] * 3)
                go.set()
                said = [e for e in events if e.comment is None]
                self.assertEqual("".join(map(protocol.delta, said)), "hi")
                self.assertTrue(protocol.is_end(said[-1]))

    def test_between_events(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id), self.gateway.connect() as client:
                go, pieces = threading.Event(), protocol.stream("m", ["hi"])
                cut = len(protocol.preamble("m")) + 1
                head, events = self.start(protocol, client, sse_answer(pieces[:cut] + [go] + pieces[cut:]))
                first = next(e for e in events if e.comment is None and protocol.delta(e))
                self.assertEqual(protocol.delta(first), "hi")
                self.assertEqual([next(events).comment for _ in range(2)], ["keep-alive"] * 2)
                go.set()
                list(events)
                bare = head.body.replace(b": keep-alive\n\n", b"")
                self.assertEqual(bare, b"".join(pieces))

    def test_never_inside_an_event(self):
        """The provider stops in the middle of an event: nothing may be put between its bytes."""
        piece = CHAT.word("m", "split here")
        go, halfway = threading.Event(), threading.Event()
        preamble = CHAT.preamble("m") + [CHAT.word("m", "a")]
        tail = [piece[25:]] + CHAT.stream("m", [])[1:]
        with self.gateway.connect() as client:
            split = [piece[:25], lambda _: halfway.set(), go]
            head, events = self.start(CHAT, client, sse_answer(preamble + split + tail))
            first = next(e for e in events if e.comment is None and CHAT.delta(e))
            self.assertEqual(CHAT.delta(first), "a")
            self.assertTrue(halfway.wait(10))
            threading.Timer(0.35, go.set).start()  # three heartbeats would be due in this time
            self.assertIn("split here", [CHAT.delta(e) for e in events if e.comment is None])
            self.assertEqual(head.body.replace(b": keep-alive\n\n", b""), b"".join(preamble + [piece] + tail[1:]))

    def test_another_target_may_still_answer(self):
        for protocol in PROTOCOLS:
            for name, end in (("500", json_answer(500, protocol.error_document())),
                              ("error", sse_answer([protocol.error_event()])), ("empty", sse_answer([]))):
                with self.subTest(protocol=protocol.id, end=name), self.gateway.connect() as client:
                    go = threading.Event()
                    head, events = self.start(protocol, client, Answer(go, *end.steps))
                    self.assertEqual(next(events).comment, "keep-alive")
                    go.set()
                    said = [e for e in events if e.comment is None]
                    self.assertEqual("".join(map(protocol.delta, said)), "Helloworld")
                    self.assertEqual(head.body.replace(b": keep-alive\n\n", b""),
                                     b"".join(protocol.stream(f"up-{self.model}", ["Hello", "world"])))
                    self.assertEqual(len(self.b.of(f"up-{self.model}")), 1)

    def test_a_final_failure_is_an_event(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id), self.gateway.connect() as client:
                go = threading.Event()
                bad = json_answer(500, protocol.error_document("CANARY"))
                head, events = self.start(protocol, client, Answer(go, *bad.steps))
                self.b.script(f"up-{self.model}", bad)
                go.set()
                said = [e for e in events if e.comment is None]
                self.check_error_end(said, protocol)
                self.assertNotIn(b"CANARY", head.body)

    def test_metadata_that_comes_later_is_left_out(self):
        model = self.gateway.take("openai-chat-")
        go = threading.Event()
        answer = sse_answer(CHAT.stream("m", ["hi"]), [("x-ratelimit-limit-requests", "9")])
        self.a.script(f"up-{model}", Answer(go, *answer.steps))
        with self.gateway.connect() as client:
            client.request("POST", CHAT.path, CHAT.body(model, True), [("X-Relay-Include-Metadata", "1")])
            head = client.head()
            self.assertIsNone(head.get("x-ratelimit-limit-requests"))
            go.set()
            self.assertEqual("".join(CHAT.delta(e) for e in client.events(head)), "hi")

    def test_a_plain_request_gets_none(self):
        model = self.gateway.take("openai-chat-")
        go = threading.Event()
        self.a.script(f"up-{model}", Answer(go, *json_answer(200, CHAT.document("m", "plain")).steps))
        with self.gateway.connect() as client:
            client.request("POST", CHAT.path, CHAT.body(model))
            self.assertTrue(client.silent(0.35))
            go.set()
            self.check_answer(client.response(), CHAT, "plain")

    def test_a_client_that_leaves_during_the_silence(self):
        with self.gateway.connect() as client:
            _, events = self.start(CHAT, client, Answer(sse_head(), STALL))
            self.assertEqual(next(events).comment, "keep-alive")
        self.assertTrue(self.a.of(f"up-{self.model}")[0].left.wait(5))


if __name__ == "__main__":
    unittest.main()
