"""Mounts beside each other: what one has, does or lost is not the other's."""
import threading

from harness import Config, GatewayTest, eventually, exchange, json_answer, span


class Apart(GatewayTest):
    @classmethod
    def configure(cls):
        cls.ups = {}
        for name in ("a", "b"):
            cls.ups[name] = cls.upstream()
            cls.ups[name].always = lambda request: json_answer(200, {})
        return cls.configured()

    @classmethod
    def configured(cls, **keys):
        config = Config(metrics_listen="127.0.0.1:0", admin_listen="127.0.0.1:0")
        for name, up in cls.ups.items():
            config.mount(name, up, prefix=f"/{name}", secret=f"secret-{name}", concurrency=1, queue_timeout=span(0.2), **keys)
        return config

    def ask(self, mount, headers=()):
        return exchange(self.gateway.port, "POST", f"/{mount}/v1/messages", b"{}", headers)

    def test_one_quota_is_one_mount(self):
        """BC-048: after a 429 no other key is tried, and the client stays who it says it is."""
        self.ups["a"].always = lambda request: json_answer(429, {"error": "later"})
        before = [len(up.requests) for up in self.ups.values()]
        response = self.ask("a", [("User-Agent", "curl/8 (mine)")])
        self.assertEqual((response.status, response.json()), (429, {"error": "later"}))
        self.ups["a"].always = lambda request: json_answer(200, {})
        self.assertEqual([len(up.requests) for up in self.ups.values()], [before[0] + 1, before[1]])
        request = self.ups["a"].requests[-1]
        self.assertEqual((request.get("User-Agent"), request.get("Authorization")), ("curl/8 (mine)", "Bearer secret-a"))

    def test_a_limiter_of_its_own(self):
        """BC-010: what fills one mount leaves the other's permits free."""
        held = threading.Event()
        self.addCleanup(held.set)
        self.ups["a"].always = lambda request: held.wait(20) and json_answer(200, {})
        with self.gateway.connect() as first:
            first.request("POST", "/a/v1/messages", b"{}")
            eventually(lambda: self.gateway.metrics().value("watermaster_active", provider="a") == 1, "a is full")
            self.assertEqual(self.ask("a").status, 504)
            self.assertEqual(self.ask("b").status, 200)
            held.set()
            self.assertEqual(first.response().status, 200)
        self.ups["a"].always = lambda request: json_answer(200, {})

    def test_a_reload_changes_limits(self):
        """BC-049: for those who come, and for those who wait already; who runs goes on."""
        held = threading.Event()
        self.addCleanup(held.set)
        self.ups["b"].always = lambda request: held.wait(20) and json_answer(200, {})
        self.gateway.reload(self.configured(queue_depth=9).text().replace(span(0.2), span(20)))
        clients = [self.gateway.connect() for _ in range(3)]
        for place, client in enumerate(clients):
            self.addCleanup(client.close)
            client.request("POST", "/b/v1/messages", b"{}")
            if place:
                self.gateway.wait_waiting(place)
            else:
                eventually(lambda: self.gateway.metrics().value("watermaster_active", provider="b") == 1, "the first runs")
        self.gateway.reload(self.configured().text().replace("concurrency = 1", "concurrency = 3"))
        eventually(lambda: self.gateway.metrics().value("watermaster_active", provider="b") == 3, "all three run")
        held.set()
        self.assertEqual([client.response().status for client in clients], [200] * 3)
        self.ups["b"].always = lambda request: json_answer(200, {})
        self.gateway.reload(self.configured().text())
