"""Many who are slow on purpose, at once: each is cut off by the configured time, and others are served meanwhile."""
import itertools
import selectors
import socket
import threading
import time
import unittest

from harness import (CHAT, Answer, Config, GatewayTest, Together, chunk, eventually, json_answer, scaled, span,
                     sse_head)
from harness.certificates import Authority

from wire import CHUNKED, LENGTH, head

CROWD = 40  # of each kind
LATE = 15  # seconds by which a time may be missed on a busy machine


class Crowd:
    """Kinds of clients, many of each: they send `first`, then bytes of `data` one by one until they are cut off."""

    def __init__(self, gateway, *kinds):
        self.started = time.monotonic()
        self.ended = {}  # client -> seconds after which something came of the gateway, or it closed
        self.selector = selectors.DefaultSelector()
        self.dripping = {}
        for first, data in kinds:
            for _ in range(CROWD):
                client = gateway.connect()
                self.dripping[client] = itertools.cycle(data) if data else None
                self.selector.register(client.sock, selectors.EVENT_READ, client)
                client.send(first)
        self.clients = list(self.dripping)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.selector.close()
        for client in self.clients:
            client.close()

    def drip(self, seconds, pause=0.05):
        """Until the last is cut off: after how many seconds each was."""
        end = time.monotonic() + scaled(seconds + LATE)
        while len(self.ended) < len(self.clients):
            if time.monotonic() > end:
                raise AssertionError(f"{len(self.clients) - len(self.ended)} of {len(self.clients)} were not cut off")
            for key, _ in self.selector.select(pause):
                self.selector.unregister(key.fileobj)
                self.ended[key.data] = time.monotonic() - self.started
            for client, data in self.dripping.items():
                if data and client not in self.ended:
                    try:
                        client.sock.send(bytes([next(data)]), socket.MSG_DONTWAIT)
                    except OSError:
                        pass  # closed just now: the selector will say so
        return list(self.ended.values())


class Slowloris(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        # Each time is another, so that it shows which one ended a connection.
        return (Config(head_timeout=span(1), body_timeout=span(1.5), body_total=span(3), idle_timeout=span(2))
                .backend("a", cls.up).model("m", ["a"]))

    def setUp(self):
        self.before, self.requests = self.gateway.descriptors(), len(self.up.requests)

    def run_crowd(self, seconds, status, *kinds):
        beside = 5
        with Crowd(self.gateway, *kinds) as crowd:
            side_by_side = Together(*[lambda: self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)] * beside)
            times = crowd.drip(seconds)
            side_by_side.join()
            self.assertGreater(min(times), scaled(seconds) * 0.8, "cut off before its time")
            for client in crowd.clients:
                if status:
                    response = client.response()
                    self.assertEqual((response.status, response.get("connection")), (status, "close"))
                self.assertTrue(client.closed())
        eventually(lambda: self.gateway.descriptors() <= self.before + beside, "descriptors given back")
        self.assertEqual(len(self.up.requests), self.requests + beside, "half a request reached the provider")

    def test_heads(self):
        line = b"POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\n"
        self.run_crowd(1, 408, (line, b"X: y\r\n"), (b"P", b"O"), (head(LENGTH)[:-2], b""), (b"\r", b""))

    def test_bodies_that_drip(self):
        self.run_crowd(3, 408, (head(b"Content-Length: 100000"), b" "), (head(CHUNKED), b"1\r\n \r\n"),
                       (head(CHUNKED) + b"fff\r\n", b" "), (head(CHUNKED) + b"1;", b"x"))

    def test_bodies_that_stop(self):
        self.run_crowd(1.5, 408, (head(LENGTH), b""), (head(LENGTH) + b"{", b""), (head(CHUNKED) + b"5\r\nab", b""),
                       (head(CHUNKED) + b"1\r\n{\r\n0\r\n", b""))

    def test_bodies_that_are_asked_for_and_do_not_come(self):
        with Crowd(self.gateway, (head(b"Expect: 100-continue", LENGTH), b"")) as crowd:
            for client in crowd.clients:
                self.assertEqual((client.line(), client.line()), (b"HTTP/1.1 100 Continue", b""))
            crowd.drip(1.5)
            for client in crowd.clients:
                self.assertEqual(client.response().status, 408)
                self.assertTrue(client.closed())

    def test_nothing(self):
        """Who only connects has as long as a head, not as long as who rests between requests."""
        self.run_crowd(1, None, (b"", b""))

    def test_kept_and_then_nothing(self):
        with Crowd(self.gateway, (b"GET /healthz HTTP/1.1\r\nHost: g\r\n\r\n", b"")) as crowd:
            for client in crowd.clients:
                self.assertEqual(client.response().status, 200)
            self.assertGreater(min(crowd.drip(2)), scaled(2) * 0.5)
            for client in crowd.clients:
                self.assertTrue(client.closed())

    def test_refused_and_then_endless(self):
        """A refused client that goes on sending is read for a while, so that it sees its answer, and no longer."""
        with self.gateway.connect() as client:
            client.send(head(b"Content-Length: 1000000000000"))
            self.assertEqual(client.response().status, 413)
            with self.assertRaises(OSError):
                for _ in range(100_000):
                    client.send(b"x" * 10_000)


class Handshakes(GatewayTest):
    @classmethod
    def configure(cls):
        cls.authority = Authority()
        cls.addClassCleanup(cls.authority.close)
        certificate, key = cls.authority.issue("gateway", "DNS:localhost", "IP:127.0.0.1")
        cls.up = cls.upstream()
        return (Config(head_timeout=span(2), idle_timeout=span(60), tls_certificate=certificate, tls_key=key)
                .backend("a", cls.up).model("m", ["a"]))

    def test_that_stop_or_drip(self):
        hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
        with Crowd(self.gateway, (b"", b""), (hello, b""), (hello, b"\x00")) as crowd:
            answer = self.gateway.post(CHAT.path, CHAT.body("m"), tls=self.authority.client())
            self.check_answer(answer, CHAT)
            self.assertGreater(min(crowd.drip(2)), scaled(2) * 0.8, "cut off before its time")


class Floods(GatewayTest):
    """Clients that pipeline without end, on the one loop there is."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return Config(loops=1).backend("a", cls.up).model("m", ["a"])

    def test_others_get_their_turn(self):
        requests, over = b"GET /healthz HTTP/1.1\r\nHost: g\r\n\r\n" * 2000, threading.Event()
        answered = [0, 0]

        def read(sock, number):
            while data := sock.recv(1 << 20):
                answered[number] += data.count(b"HTTP/1.1 200 OK")

        def flood(sock):
            while not over.is_set():
                sock.sendall(requests)
            sock.shutdown(socket.SHUT_WR)
        clients = [self.gateway.connect(timeout=60) for _ in range(2)]
        side_by_side = Together()
        for number, client in enumerate(clients):
            side_by_side.start(lambda n=number, c=client: read(c.sock, n)).start(lambda c=client: flood(c.sock))
        eventually(lambda: min(answered) > 100, "floods under way", 20)
        for _ in range(20):
            self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)
        over.set()
        side_by_side.join()
        for client in clients:
            client.close()


class SlowReaders(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config(write_timeout=span(1.5)).backend("a", cls.up)
        return config.model("big", ["a"]).model("stream", ["a"]).model("m", ["a"])

    def reader(self):
        client = self.gateway.connect(receive_buffer=4096)
        self.addCleanup(client.close)
        return client

    def test_who_reads_nothing_is_dropped(self):
        self.up.script("up-big", json_answer(200, CHAT.document("m", "x" * (3 << 20)), [("Connection", "close")]))
        before = self.gateway.descriptors()
        clients = [self.reader() for _ in range(20)]
        for client in clients:
            client.request("POST", CHAT.path, CHAT.body("big"))
        self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)
        # Their descriptors come back although they are still there.
        eventually(lambda: self.gateway.descriptors() <= before + 4, "deaf clients dropped", 1.5 + LATE)

    def test_who_reads_slowly_gets_it_all(self):
        """The time is for standing still, not for being slow: twice as long as it may stand still, in small sips."""
        text = "x" * (3 << 20)
        self.up.script("up-big", json_answer(200, CHAT.document("m", text)))
        with self.reader() as client:
            client.request("POST", CHAT.path, CHAT.body("big"))
            end = time.monotonic() + scaled(3)
            while time.monotonic() < end:
                client.fill()
                time.sleep(0.05)
            self.check_answer(client.response(), CHAT, text)

    def test_who_does_not_read_a_stream_frees_its_provider(self):
        first = b"".join(CHAT.preamble("m") + [CHAT.word("m", "a")])

        def flood(request):
            while True:
                self.up.active[request].sendall(chunk(b"data: {}\n\n" * 6000))
        self.up.script("up-stream", Answer(sse_head(), chunk(first), flood))
        clients = [self.reader() for _ in range(5)]
        for client in clients:
            client.request("POST", CHAT.path, CHAT.body("stream", True))
        for request in self.up.wait_for(5, "up-stream"):
            self.assertTrue(request.left.wait(scaled(1.5 + LATE)), "the provider is left writing to nobody")


if __name__ == "__main__":
    unittest.main()
