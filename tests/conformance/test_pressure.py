"""Many who are slow on purpose, at once: each is cut off by the configured time, and others are served meanwhile."""
import selectors
import socket
import threading
import time
import unittest

from harness import CHAT, Answer, Config, GatewayTest, chunk, eventually, json_answer, scaled, span, sse_head

from wire import CHUNKED, LENGTH, head

CROWD = 150
LATE = 15  # seconds by which a time may be missed on a busy machine


class Crowd:
    """Connections that all send bytes of their own, one by one, until the gateway has had enough."""

    def __init__(self, gateway, count):
        self.started = time.monotonic()
        self.clients = [gateway.connect() for _ in range(count)]
        self.ended = {}  # client -> seconds after which something came of the gateway, or it closed
        self.selector = selectors.DefaultSelector()
        for client in self.clients:
            self.selector.register(client.sock, selectors.EVENT_READ, client)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.selector.close()
        for client in self.clients:
            client.close()

    def send(self, data):
        for client in self.clients:
            client.send(data)
        return self

    def drip(self, data, seconds, pause=0.05):
        """A byte of `data` to each at a time, round after round; nothing at all if there is none."""
        end, position = time.monotonic() + scaled(seconds), 0
        while len(self.ended) < len(self.clients):
            if time.monotonic() > end:
                raise AssertionError(f"{len(self.clients) - len(self.ended)} of {len(self.clients)} were not cut off")
            for key, _ in self.selector.select(pause):
                self.selector.unregister(key.fileobj)
                self.ended[key.data] = time.monotonic() - self.started
            if data:
                for client in self.clients:
                    if client not in self.ended:
                        try:
                            client.sock.send(data[position:position + 1], socket.MSG_DONTWAIT)
                        except OSError:
                            pass  # closed just now: the selector will say so
                position = (position + 1) % len(data)
        return list(self.ended.values())


class Slowloris(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        # Each time is another, so that it shows which one ended a connection.
        return (Config(head_timeout=span(1), body_timeout=span(2), body_total=span(4), idle_timeout=span(3))
                .backend("a", cls.up).model("m", ["a"]))

    def setUp(self):
        self.before, self.requests = self.gateway.descriptors(), len(self.up.requests)

    def run_crowd(self, sent, data, seconds, status):
        with Crowd(self.gateway, CROWD) as crowd:
            if sent:
                crowd.send(sent)
            served = threading.Thread(target=self.ask_beside)
            served.start()
            times = crowd.drip(data, seconds + LATE)
            served.join()
            self.assertGreater(min(times), scaled(seconds) * 0.8, "cut off before its time")
            for client in crowd.clients:
                if status:
                    response = client.response()
                    self.assertEqual((response.status, response.get("connection")), (status, "close"))
                self.assertTrue(client.closed())
        eventually(lambda: self.gateway.descriptors() <= self.before + 3, "descriptors given back")
        self.assertEqual(len(self.up.requests), self.requests + self.beside, "half a request reached the provider")

    beside = 5

    def ask_beside(self):
        for _ in range(self.beside):
            self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)

    def test_heads_that_drip(self):
        self.run_crowd(b"", b"POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\n" + b"X: y\r\n" * 1000, 1, 408)

    def test_heads_that_stop(self):
        self.run_crowd(head(LENGTH)[:-2], b"", 1, 408)

    def test_bodies_that_drip(self):
        self.run_crowd(head(b"Content-Length: 100000"), b" ", 4, 408)

    def test_chunks_that_drip(self):
        self.run_crowd(head(CHUNKED), b"1\r\n \r\n", 4, 408)

    def test_one_chunk_that_drips(self):
        self.run_crowd(head(CHUNKED) + b"fff\r\n", b" ", 4, 408)

    def test_extensions_that_drip(self):
        self.run_crowd(head(CHUNKED) + b"1;", b"x", 4, 408)

    def test_bodies_that_stop(self):
        self.run_crowd(head(LENGTH) + b"{", b"", 2, 408)

    def test_bodies_that_are_asked_for_and_do_not_come(self):
        expecting = head(b"Expect: 100-continue", LENGTH)
        with Crowd(self.gateway, CROWD) as crowd:
            crowd.send(expecting)
            for client in crowd.clients:
                self.assertEqual((client.line(), client.line()), (b"HTTP/1.1 100 Continue", b""))
            crowd.drip(b"", 2 + LATE)
            for client in crowd.clients:
                self.assertEqual(client.response().status, 408)
                self.assertTrue(client.closed())

    def test_nothing_at_all(self):
        self.run_crowd(b"", b"", 3, None)

    def test_kept_and_then_nothing(self):
        with Crowd(self.gateway, CROWD) as crowd:
            for client in crowd.clients:
                client.request("GET", "/healthz")
                self.assertEqual(client.response().status, 200)
            crowd.started = time.monotonic()
            self.assertGreater(min(crowd.drip(b"", 3 + LATE)), scaled(3) * 0.5)
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
