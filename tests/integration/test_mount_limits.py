"""Limits of mounts: who waits, who is refused, and that every permit comes back."""
import threading

from harness import (CHAT, MESSAGES, Config, GatewayTest, RawUpstream, Together, eventually, exchange, json_answer,
                     refused_port, scaled, span)


class MountLimits(GatewayTest):
    """BC-001 BC-002 BC-005 BC-053 BC-070"""

    @classmethod
    def configure(cls):
        cls.ups = {}
        config = Config()
        for name, keys in {
                "one": {"concurrency": 1}, "shallow": {"concurrency": 1, "queue_depth": 1},
                "hasty": {"concurrency": 1, "queue_timeout": span(0.3)}, "three": {"concurrency": 3},
                "mixed": {"concurrency": 1, "limit_all": "yes", "limit": ["POST /messages/count_tokens:unlimited",
                                                                          "POST /messages:2@m", "POST /batches@m"]},
                "global": {"concurrency": 2, "global_concurrency": 1, "limit": ["POST /messages", "POST /free:unlimited"]},
                "other": {"concurrency": 1}}.items():
            cls.ups[name] = up = cls.upstream()
            up.held, up.always = {}, cls.answer_of(up)
            config.mount(name, up, prefix="/" + name, **keys)
        return config

    @staticmethod
    def answer_of(up):
        """Every request is answered when its event is set: `held` has one by the path's tag."""
        def answer(request):
            event = up.held.get(request.query)
            if event:
                event.wait(30)
            return json_answer(200, {"q": request.query})
        return answer

    def hold(self, name, path, tag):
        """A request that is upstream until its event is set."""
        up = self.ups[name]
        up.held[tag] = threading.Event()
        client = self.start(name, path, tag)
        eventually(lambda: any(r.query == tag for r in up.requests), f"{tag} upstream")
        return up.held[tag], client

    def start(self, name, path, tag):
        client = self.gateway.connect()
        client.request("POST", f"/{name}{path}?{tag}", b"{}")
        self.addCleanup(client.close)
        return client

    def test_those_above_the_limit_wait(self):
        """BC-075: and a mount beside it is not held up."""
        held, first = self.hold("one", "/v1/messages", "w0")
        waiting = []
        for place in (1, 2, 3):
            waiting.append(self.start("one", "/v1/messages", f"w{place}"))
            self.gateway.wait_waiting(place)
        self.assertTrue(waiting[0].silent(0.1))
        self.assertEqual(exchange(self.gateway.port, "POST", "/other/v1/messages", b"{}").status, 200)
        self.assertEqual(exchange(self.gateway.port, "GET", "/one/v1/models").status, 200)
        held.set()
        for client in [first, *waiting]:
            self.assertEqual(client.response().status, 200)
        self.assertEqual(self.gateway.waiting(), 0)
        self.assertEqual([r.query for r in self.ups["one"].requests if r.query.startswith("w")], ["w0", "w1", "w2", "w3"])

    def test_a_full_queue(self):
        """BC-073 BC-074"""
        held, first = self.hold("shallow", "/v1/messages", "f")
        second = self.start("shallow", "/v1/messages", "second")
        self.gateway.wait_waiting(1)
        for path, protocol in (("/v1/messages", MESSAGES), ("/v1/chat/completions", CHAT)):
            response = exchange(self.gateway.port, "POST", "/shallow" + path, b"{}")
            self.check_error(response, 429, protocol, "queue_full")
            self.assertGreaterEqual(int(response.get("retry-after")), 1)
        held.set()
        self.assertEqual([first.response().status, second.response().status], [200, 200])

    def test_a_wait_that_is_too_long(self):
        """BC-071"""
        held, first = self.hold("hasty", "/v1/messages", "h")
        self.check_error(exchange(self.gateway.port, "POST", "/hasty/v1/messages", b"{}"), 504, MESSAGES, "queue_timeout")
        self.check_error(exchange(self.gateway.port, "POST", "/hasty/v1/chat/completions", b"{}"), 504, CHAT, "queue_timeout")
        held.set()
        self.assertEqual(first.response().status, 200)
        self.assertEqual(exchange(self.gateway.port, "POST", "/hasty/v1/messages", b"{}").status, 200)

    def test_classes_of_one_mount(self):
        """BC-051 BC-055 BC-056 BC-058"""
        events = [self.hold("mixed", path, tag) for path, tag in
                  (("/v1/messages", "m1"), ("/v1/batches", "m2"), ("/v1/whatever", "m3"))]
        free = exchange(self.gateway.port, "POST", "/mixed/v1/messages/count_tokens", b"{}")
        self.assertEqual(free.status, 200)
        waiting = [self.start("mixed", path, tag) for path, tag in (("/v1/messages", "m4"), ("/v1/something", "m5"))]
        self.gateway.wait_waiting(2)
        for event, _ in events:
            event.set()
        for client in [c for _, c in events] + waiting:
            self.assertEqual(client.response().status, 200)

    def test_a_global_limit(self):
        """BC-060 BC-061 BC-081: who waits for it holds nothing of the pool."""
        held, first = self.hold("global", "/unmatched", "g1")
        waiting = [self.start("global", "/v1/messages", f"g{i + 2}") for i in range(4)]
        self.gateway.wait_waiting(4)
        self.assertEqual(exchange(self.gateway.port, "POST", "/global/free", b"{}").status, 200)
        held.set()
        for client in [first, *waiting]:
            self.assertEqual(client.response().status, 200)

    def test_a_waiter_whose_client_left(self):
        """BC-080"""
        held, first = self.hold("one", "/v1/messages", "l0")
        leaver, stayer = self.start("one", "/v1/messages", "leaver"), self.start("one", "/v1/messages", "stayer")
        self.gateway.wait_waiting(2)
        leaver.close()
        self.gateway.wait_waiting(1)
        held.set()
        self.assertEqual([first.response().status, stayer.response().status], [200, 200])
        self.assertNotIn("leaver", [r.query for r in self.ups["one"].requests])

    def test_many_at_once(self):
        def ask():
            self.assertEqual(exchange(self.gateway.port, "POST", "/three/v1/messages", b"{}", timeout=60).status, 200)
        Together(*[ask] * 40).join()
        self.assertLessEqual(self.ups["three"].most_in_flight, 3)
        self.assertEqual(self.gateway.waiting(), 0)


class DrippingBodies(GatewayTest):
    """A body that comes byte by byte ends with `body_total`, as elsewhere, and its permit is free."""

    @classmethod
    def configure(cls):
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        return (Config(body_timeout=span(1), body_total=span(2))
                .mount("m", cls.raw, prefix="/m", concurrency=1, limit_all="yes", upstream_read=span(6)))

    def drip(self, client, stop):
        while not stop.wait(0.1):
            try:
                client.send(b"x")
            except OSError:
                return

    def dripping(self, path):
        client, stop = self.gateway.connect(), threading.Event()
        self.addCleanup(client.close)
        client.send(f"POST {path} HTTP/1.1\r\nHost: g\r\nContent-Length: 1000\r\n\r\n".encode())
        dripper = threading.Thread(target=self.drip, args=(client, stop))
        dripper.start()
        self.addCleanup(dripper.join)
        self.addCleanup(stop.set)
        return client

    def test_it_is_refused_and_its_permit_is_free(self):
        client = self.dripping("/m/x")
        with self.raw.accept() as first:
            response = client.response()
            self.assertEqual((response.status, response.get("x-watermaster-error")), (408, "request_timeout"))
            first.head()
        waiter = self.gateway.connect()
        self.addCleanup(waiter.close)
        waiter.request("GET", "/m/y")
        with self.raw.accept() as second:
            second.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            self.assertEqual(waiter.response().status, 200)

    def test_one_that_is_answered_meanwhile_may_go_on(self):
        client = self.dripping("/m/x")
        with self.raw.accept() as peer:
            peer.head()
            peer.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            self.assertEqual(client.head().status, 200)
            self.assertTrue(client.silent(scaled(3)))


class PermitsComeBack(GatewayTest):
    """C46 on a mount: after each ending the next request is served. BC-136"""

    @classmethod
    def configure(cls):
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        cls.reserved, port = refused_port()
        cls.addClassCleanup(cls.reserved.close)
        config = Config().mount("m", cls.raw, prefix="/m", concurrency=1, limit_all="yes", upstream_read=span(1), queue_timeout=span(5))
        return config.mount("dead", f"http://127.0.0.1:{port}", prefix="/dead", concurrency=1, limit_all="yes")

    def begin(self, text="POST /m/x HTTP/1.1\nHost: g\nContent-Length: 0\n\n"):
        client = self.gateway.connect()
        client.send(text.replace("\n", "\r\n").encode())
        peer = self.raw.accept()
        peer.head()
        return client, peer

    def test_C46_every_ending_gives_the_permit_back(self):
        ok = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        begun = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"
        endings = {
            "client aborts after the first chunk": lambda c, p: (p.send(begun), c.head(), c.abort()),
            "client leaves before the head": lambda c, p: c.close(),
            "a stream completes": lambda c, p: (p.send(begun + b"0\r\n\r\n"), c.response()),
            "an answer completes": lambda c, p: (p.send(ok), c.response()),
            "an upstream's 500": lambda c, p: (p.send(ok.replace(b"200", b"500")), c.response()),
            "the upstream resets": lambda c, p: (p.reset(), c.response()),
            "the upstream breaks off": lambda c, p: (p.send(begun), c.head(), p.close()),
            "the upstream says nothing": lambda c, p: self.assertEqual(c.response().status, 504),
        }
        for name, ending in endings.items():
            with self.subTest(name):
                client, peer = self.begin()
                waiter = self.gateway.connect()
                waiter.request("POST", "/m/next", b"")
                self.gateway.wait_waiting(1)
                ending(client, peer)
                peer.close()
                following = self.raw.accept()
                self.assertEqual(following.head()[0], "POST /next HTTP/1.1")
                following.send(ok)
                self.assertEqual(waiter.response().status, 200)
                for one in (client, waiter, following):
                    one.close()

    def test_C46_an_upstream_that_refuses(self):
        for _ in range(3):
            self.assertEqual(exchange(self.gateway.port, "POST", "/dead/x", b"").status, 502)

    def test_an_upgraded_connection_keeps_its_permit_until_it_closes(self):
        client, peer = self.begin("GET /m/ws HTTP/1.1\nHost: g\nConnection: Upgrade\nUpgrade: x\n\n")
        peer.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
        self.assertEqual(client.head().status, 101)
        waiter = self.gateway.connect()
        waiter.request("POST", "/m/next", b"")
        self.gateway.wait_waiting(1)
        client.send(b"still here")
        self.assertEqual(peer.exactly(10), b"still here")
        self.assertTrue(self.raw.quiet())
        client.close()
        peer.close()
        following = self.raw.accept()
        following.send(b"HTTP/1.1 204 No Content\r\n\r\n")
        self.assertEqual(waiter.response().status, 204)
        waiter.close()
        following.close()
