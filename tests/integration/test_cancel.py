"""A client that leaves at every step of an exchange leaves nothing behind: the only permit serves the next at once."""
import random
import threading
import time
import unittest

from harness import (CHAT, CHUNKED_END, MESSAGES, PROTOCOLS, RESPONSES, RESET, STALL, Answer, Blackhole, Closed, Config,
                     Connection, GatewayTest, Together, chunk, eventually, json_answer, scaled, sse_head)

LOOPS = 3


class EveryStep(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        cls.hole = Blackhole()
        return (Config().each_protocol(cls.up, model=True, concurrency=1)
                .backend("hole", cls.hole, concurrency=1).model("hole", ["hole"]))

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.hole.close()

    def free(self, protocol):
        """The permit is back: the next request is answered, and nobody waits."""
        self.up.script(f"up-{protocol.id}")  # from here on each request gets what it asks for, whole or streamed
        started = time.monotonic()
        response = self.gateway.ask(protocol, protocol.id)
        self.check_answer(response, protocol)
        self.assertLess(time.monotonic() - started, scaled(2))
        self.assertEqual(self.gateway.waiting(), 0)

    def raw(self, protocol, stream):
        body = protocol.body(protocol.id, stream)
        return (f"POST {protocol.path} HTTP/1.1\r\nHost: g\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n").encode() + body

    def leave(self, client, reset):
        client.abort() if reset else client.close()

    def test_after_every_byte_of_the_request(self):
        raw = self.raw(CHAT, True)
        for at in range(len(raw) + 1):
            client = self.gateway.connect()
            client.send(raw[:at])
            self.leave(client, at % 2)
        self.free(CHAT)

    def upstream_steps(self, protocol, stream):
        """Where an answer can stop: each prefix of its steps, cut in the middle of steps too."""
        if stream:
            pieces = [sse_head()] + [chunk(p) for p in protocol.stream("m", ["a", "b"])] + [CHUNKED_END]
        else:
            pieces = list(json_answer(200, protocol.document("m", "a b")).steps)
            pieces = [pieces[0][:40], pieces[0][40:-20], pieces[0][-20:]]
        for i, piece in enumerate(pieces):
            yield pieces[:i]
            yield pieces[:i] + [piece[:len(piece) // 2]]

    def test_at_every_step_of_the_answer(self):
        for protocol in PROTOCOLS:
            for stream in (False, True):
                for number, steps in enumerate(self.upstream_steps(protocol, stream)):
                    with self.subTest(protocol=protocol.id, stream=stream, step=number):
                        reached = threading.Event()
                        self.up.script(f"up-{protocol.id}", Answer(*steps, lambda _: reached.set(), STALL))
                        client = self.gateway.connect()
                        client.send(self.raw(protocol, stream))
                        self.assertTrue(reached.wait(scaled(5)))
                        self.leave(client, number % 2)
                        self.free(protocol)
        self.assertEqual(self.up.most_in_flight, 1, "a second request was upstream while the only permit was taken")

    def test_after_every_byte_of_the_answer(self):
        for stream in (False, True):
            self.up.script("up-openai-chat", CHAT.plain(FakeRequest("m", stream)))
            with self.gateway.connect() as client:
                client.send(self.raw(CHAT, stream))
                client.response()
                total = 400 if stream else 300
            for at in range(0, total, 7):
                client = self.gateway.connect(receive_buffer=2048)
                client.send(self.raw(CHAT, stream))
                got = 0
                while got < at and (data := client.sock.recv(at - got)):
                    got += len(data)
                self.leave(client, at % 2)
            self.free(CHAT)

    def test_while_waiting_at_the_gate(self):
        for loop in range(LOOPS):
            go = threading.Event()
            self.up.script("up-openai-chat", Answer(go, *json_answer(200, CHAT.document("m", "x")).steps))
            with self.gateway.connect() as holder:
                before = len(self.up.requests)
                holder.send(self.raw(CHAT, False))
                self.up.wait_for(before + 1)
                waiting = [self.gateway.connect() for _ in range(10)]
                for client in waiting:  # one that gets the permit before it leaves is answered like the holder
                    client.send(self.raw(CHAT, False))
                self.gateway.wait_waiting(10)
                for i in (0, 9, 4, 5):  # the first, the last, two in the middle
                    self.leave(waiting[i], loop % 2)
                self.gateway.wait_waiting(6)
                for i, client in enumerate(waiting):  # all others, while the permit comes back
                    if i == 6:
                        go.set()
                    if i not in (0, 9, 4, 5):
                        self.leave(client, loop % 2)
                self.assertEqual(holder.response().status, 200)
            eventually(lambda: self.gateway.waiting() == 0, "nobody waiting")
            self.free(CHAT)

    def test_while_connecting(self):
        for loop in range(LOOPS):
            first, second = self.gateway.connect(), self.gateway.connect()
            first.request("POST", CHAT.path, CHAT.body("hole"))
            second_sent = False
            try:
                threading.Event().wait(0.05)  # connecting has no sign outside; too early is a step of its own
                second.request("POST", CHAT.path, CHAT.body("hole"))
                second_sent = True
                self.gateway.wait_waiting(1)
            finally:
                self.leave(first, loop % 2)
            self.assertTrue(second_sent)
            self.gateway.wait_waiting(0)  # the permit moved on to the second, which connects now
            self.leave(second, loop % 2)
        self.hole.open()
        self.check_answer(self.gateway.ask(CHAT, "hole"), CHAT)

    def test_at_the_end(self):
        for protocol in (RESPONSES, MESSAGES):
            for loop in range(LOOPS * 4):
                self.up.script(f"up-{protocol.id}", protocol.plain(FakeRequest("m", True)))
                client = self.gateway.connect()
                client.send(self.raw(protocol, True))
                for event in client.events(client.head()):
                    if protocol.is_end(event):
                        break
                self.leave(client, loop % 2)
                self.free(protocol)


class FakeRequest:
    """What Protocol.plain looks at."""

    def __init__(self, model, stream=False):
        self.model, self.stream = model, stream


class Storm(GatewayTest):
    """Random endings of everybody at once. Each request has a model of its own, so that no circuit calms it down."""

    clients, requests = 8, 40

    @classmethod
    def configure(cls):
        cls.up, cls.second = cls.upstream(), cls.upstream()
        config = Config(route_probe_wait="50ms")
        short = {"upstream_read": "200ms", "upstream_stream_read": "200ms"}
        config.backend("a", cls.up, concurrency=2, **short)
        config.backend("b", cls.second, concurrency=1, **short).model("quiet", ["b"])
        return config.pool("m", cls.clients * cls.requests, ["a"], ["b"])

    def answer(self, request):
        rng = random.Random(request.raw)
        pieces = [sse_head()] + [chunk(p) for p in CHAT.stream("m", ["w"] * 10)] + [CHUNKED_END]
        cut = rng.randrange(len(pieces))
        return rng.choice([
            CHAT.plain(request), CHAT.plain(request), CHAT.plain(request), json_answer(500, CHAT.error_document()),
            json_answer(400, CHAT.error_document()), json_answer(429, CHAT.error_document(), [("Retry-After", "0")]),
            Answer(RESET), Answer(STALL), Answer(*pieces[:cut], RESET), Answer(*pieces[:cut], STALL)])

    def client(self, seed, problems):
        rng = random.Random(seed)
        for i in range(self.requests):
            stream = rng.random() < 0.6
            try:
                with Connection(self.gateway.port) as client:
                    body = CHAT.body(f"m{seed * self.requests + i}", stream)
                    if rng.random() < 0.1:
                        body = body[:-rng.randrange(1, 20)] + b" " * 20  # broken
                    client.request("POST", CHAT.path, body)
                    if rng.random() < 0.5:
                        client.sock.settimeout(rng.random() * 0.05)
                        try:
                            client.fill()
                        except TimeoutError:
                            pass
                        if rng.random() < 0.5:
                            client.abort()
                        continue
                    response = client.response()
                    if response.status not in (200, 400, 404, 429, 500, 502, 503, 504):
                        problems.append(repr(response))
                    elif response.get("content-type", "").startswith("text/event-stream"):
                        events = response.events()
                        # A provider cut off between its last choice and [DONE] has answered.
                        if not events or not (CHAT.is_end(events[-1]) or CHAT.is_error(events[-1])
                                              or CHAT.finished(events[-1:])):
                            problems.append(f"a stream without an end: {response!r}")
                    else:
                        response.json()
            except Closed as error:
                problems.append(f"closed in the middle of an answer: {error}")
            except TimeoutError:
                problems.append(f"no answer: client {seed} request {i}")
            except ConnectionError:
                pass  # the gateway's reset met ours

    def test_storm(self):
        self.up.always = self.second.always = self.answer
        problems = []
        Together(*[lambda seed=seed: self.client(seed, problems) for seed in range(self.clients)]).join()
        self.assertEqual(problems, [])
        self.assertGreater(len(self.up.requests), self.clients * self.requests // 2, "the storm missed the provider")
        self.up.always = self.second.always = None
        eventually(lambda: self.gateway.waiting() == 0, "nobody waiting")
        self.check_answer(self.gateway.ask(CHAT, "quiet"), CHAT)
        self.assertLessEqual(self.up.most_in_flight, 2)
        self.assertLessEqual(self.second.most_in_flight, 1)
        eventually(lambda: self.gateway.descriptors() < 60, "descriptors given back")


if __name__ == "__main__":
    unittest.main()
