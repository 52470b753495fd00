"""More than there is: large bodies that are never finished, and descriptors."""
import threading
import unittest

from harness import CHAT, Answer, Config, GatewayTest, chunk, eventually, scaled, span

from wire import CHUNKED, head

MIB = 1 << 20
# An address sanitizer keeps freed memory for a while; the bound then only says "not without end".
SLACK = 32 * MIB * (1 if scaled(1) == 1 else 20)


class Bodies(GatewayTest):
    """Forty clients send 6 of 7 MiB each and stop: 240 MiB, where all bodies together may hold 32."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return (Config(max_inference_body="8MiB", max_body_memory="32MiB", body_timeout=span(4))
                .backend("a", cls.up).model("m", ["a"]))

    def run_crowd(self, first, piece, count):
        self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)
        before, descriptors, requests = self.gateway.memory(), self.gateway.descriptors(), len(self.up.requests)
        clients = [self.gateway.connect() for _ in range(40)]
        most = 0
        for client in clients:
            try:
                client.send(first)
                for _ in range(count):
                    client.send(piece)
            except OSError:
                pass  # refused while it was still sending
            most = max(most, self.gateway.memory())
        self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)  # who asks for little is served meanwhile
        self.assertLess(most - before, 32 * MIB + SLACK)
        statuses = []
        for client in clients:
            response = client.response()
            statuses.append(response.status)
            if response.status == 503:
                self.check_error(response, 503, CHAT, "bodies_crowded")
                self.assertEqual(response.get("retry-after"), "1")
            client.close()
        self.assertEqual(set(statuses), {408, 503}, "the first wait for their rest, the others do not fit")
        self.assertGreater(statuses.count(503), 20)
        self.assertEqual(len(self.up.requests), requests + 1)
        eventually(lambda: self.gateway.descriptors() <= descriptors + 2, "descriptors given back")
        # All of it is free again: a body that needs a good part of it is served.
        large = CHAT.body("m", padding="x" * (7 * MIB))
        self.check_answer(self.gateway.post(CHAT.path, large), CHAT)

    def test_with_a_length(self):
        self.run_crowd(head(b"Content-Length: %d" % (7 * MIB)), b" " * MIB, 6)

    def test_in_chunks(self):
        self.run_crowd(head(CHUNKED), chunk(b" " * MIB), 6)

    def test_heads_alone_take_nothing(self):
        """Forty that declare a large body and send none of it leave the room to those who send one."""
        clients = [self.gateway.connect() for _ in range(40)]
        for client in clients:
            self.addCleanup(client.close)
            client.send(head(b"Content-Length: %d" % (7 * MIB)))
        self.check_answer(self.gateway.post(CHAT.path, CHAT.body("m", padding="x" * (7 * MIB))), CHAT)

    def test_side_by_side(self):
        """Bodies that all fit one by one are served, or refused, but never lost, when they come at once."""
        large, statuses = CHAT.body("m", padding="x" * (3 * MIB)), []

        def ask():
            statuses.append(self.gateway.post(CHAT.path, large, timeout=60).status)
        threads = [threading.Thread(target=ask) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(statuses), 20)
        self.assertLessEqual(set(statuses), {200, 503})
        self.assertIn(200, statuses)


class Descriptors(GatewayTest):
    """Connections beyond three quarters of what the process may open wait; none of those that are served is hurt."""

    descriptors = 200

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return Config(idle_timeout=span(2)).backend("a", cls.up).model("m", ["a"])

    def test_a_crowd_that_says_nothing_passes(self):
        self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)
        crowd = [self.gateway.connect() for _ in range(300)]
        eventually(lambda: self.gateway.descriptors() >= 118, "as many connections as there may be")
        # Whoever waits behind the crowd is served once the idle ones have been closed, round after round.
        self.check_answer(self.gateway.post(CHAT.path, CHAT.body("m"), timeout=60), CHAT)
        for client in crowd:
            client.close()
        eventually(lambda: self.gateway.descriptors() < 60, "descriptors given back", 20)
        self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)


class Starved(GatewayTest):
    """Fewer descriptors than requests that all want an upstream connection."""

    descriptors = 200

    @classmethod
    def configure(cls):
        cls.slow, cls.held = cls.upstream(), threading.Event()
        cls.slow.always = lambda request: Answer(cls.held, *CHAT.plain(request).steps)
        config = Config().mount("m", cls.slow, prefix="/m", protected=True, limit="POST /chat/completions:unlimited")
        return config.backend("s", cls.slow).model("slow", ["s"])

    def test_what_this_side_lacks_says_nothing_of_an_upstream(self):
        """A crowd of requests that all want an upstream connection: some cannot have one, and no circuit hears of it."""
        answers, lock = [], threading.Lock()

        def ask(path):
            response = self.gateway.post(path, CHAT.body("slow"), timeout=60)
            with lock:
                answers.append((path, response.status, response.get("x-watermaster-error")))
        paths = ("/m" + CHAT.path, CHAT.path)
        for path in paths:
            self.held.clear()
            threads = [threading.Thread(target=ask, args=(path,)) for _ in range(110)]
            for thread in threads:
                thread.start()
            eventually(lambda: any(p == path for p, _, _ in list(answers)), "one that has no connection", 20)
            self.held.set()
            for thread in threads:
                thread.join()
        self.assertEqual({(path, status, code) for path, status, code in answers},
                         {(path, *end) for path in paths for end in ((200, None), (503, "starved"))})
        self.check_answer(self.gateway.post("/m" + CHAT.path, CHAT.body("slow")), CHAT)
        self.check_answer(self.gateway.ask(CHAT, "slow"), CHAT)


if __name__ == "__main__":
    unittest.main()
