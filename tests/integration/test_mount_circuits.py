"""The circuit of a mount's upstream, seen from its clients."""
import threading
import time

from harness import (CHAT, MESSAGES, Config, GatewayTest, RawUpstream, eventually, exchange, json_answer, refused_port,
                     scaled, span)

OPEN, LONGER = 1.0, 2.5


class MountCircuits(GatewayTest):
    """BC-100 BC-101 BC-102"""

    @classmethod
    def configure(cls):
        cls.released = threading.Event()
        cls.up = up = cls.upstream()
        up.always = cls.answer
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        cls.reserved, port = refused_port()
        cls.addClassCleanup(cls.reserved.close)
        circuit = {"circuit_breaker": "yes", "cb_threshold": 2, "cb_open_timeout": span(OPEN), "cb_penalty": "0s"}
        config = Config()
        for name in ("plain", "banned", "bare", "passing"):
            config.mount(name, up, prefix="/" + name, **circuit)
        config.mount("probed", up, prefix="/probed", **{**circuit, "cb_open_timeout": span(LONGER)})
        config.mount("reloaded", up, prefix="/reloaded", **{**circuit, "cb_open_timeout": "1h"})
        config.mount("off", up, prefix="/off", circuit_breaker="no")
        config.mount("dead", f"http://127.0.0.1:{port}", prefix="/dead", **circuit)
        config.mount("queued", cls.raw, prefix="/queued", concurrency=1, limit_all="yes", **{**circuit, "cb_threshold": 1})
        config.mount("upgraded", cls.raw, prefix="/upgraded", **{**circuit, "cb_threshold": 1})
        config.mount("usual", up, prefix="/usual", protected=True)
        return config

    @classmethod
    def answer(cls, request):
        if request.path == "/slow":
            cls.released.wait(scaled(30))
        status = int(request.query or 200)
        return json_answer(status, {}, [("X-RateLimit-Limit", "1")] if request.path.endswith("/limit") else ())

    def ask(self, path, method="POST"):
        return exchange(self.gateway.port, method, path, b"" if method == "GET" else b"{}")

    def open(self, failing, path="/v1/messages", method="POST"):
        """Two failures, and until the circuit has heard of them, which is after their clients have."""
        mount = "/" + failing.split("/")[1]
        for _ in range(2):
            self.ask(failing, method)
        eventually(lambda: self.ask(mount + path, method).get("x-watermaster-error") == "circuit_open", f"{mount} to open")

    def check_open(self, path, protocol=MESSAGES):
        response = self.ask(path)
        self.check_error(response, 503, protocol, "circuit_open")
        self.assertGreaterEqual(int(response.get("retry-after")), 1)
        return response

    def test_it_opens_and_closes_again(self):
        """BC-106 BC-010"""
        self.open("/plain/v1/messages?500")
        before = len(self.up.requests)
        self.check_open("/plain/v1/messages")
        self.check_open("/plain/v1/chat/completions", CHAT)
        self.assertEqual(len(self.up.requests), before)
        self.assertEqual(self.ask("/bare/v1/messages").status, 200, "another mount has another circuit")
        time.sleep(scaled(OPEN))
        self.assertEqual(self.ask("/plain/v1/messages").status, 200)
        self.assertEqual(self.ask("/plain/v1/messages").status, 200)

    def test_which_answers_count(self):
        """BC-104 BC-105"""
        for _ in range(6):
            self.assertEqual(self.ask("/bare/x?403").status, 403)
            self.assertEqual(self.ask("/bare/x?404").status, 404)
            self.assertEqual(self.ask("/off/x?503").status, 503)
        self.open("/banned/limit?403")
        self.open("/dead/x")

    def test_what_matches_no_pattern_is_subject_to_it(self):
        """BC-107"""
        self.open("/passing/v1/models?503", "/v1/models", "GET")

    def test_a_probe_whose_client_leaves_is_given_back(self):
        """BC-109 BC-110: long before it would be overdue."""
        self.open("/probed/x?500")
        time.sleep(scaled(LONGER))
        client = self.gateway.connect()
        client.request("POST", "/probed/slow", b"{}")
        eventually(lambda: any(r.path == "/slow" for r in self.up.requests), "the probe upstream")
        began = time.monotonic()
        self.check_open("/probed/v1/messages")
        client.close()
        eventually(lambda: self.ask("/probed/v1/messages").status == 200, "another probe")
        self.assertLess(time.monotonic() - began, scaled(LONGER - 0.5))
        self.released.set()

    def test_a_waiter_meets_a_circuit_that_opened_meanwhile(self):
        """BC-108"""
        first = self.gateway.connect()
        first.request("POST", "/queued/x", b"{}")
        peer = self.raw.accept()
        peer.head()
        waiter = self.gateway.connect()
        waiter.request("POST", "/queued/v1/messages", b"{}")
        self.gateway.wait_waiting(1)
        peer.send(b"HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n")
        self.assertEqual(first.response().status, 500)
        self.check_error(waiter.response(), 503, MESSAGES, "circuit_open")
        self.check_open("/queued/v1/messages")
        self.assertTrue(self.raw.quiet())
        for one in (peer, first, waiter):
            one.close()

    def test_an_upgrade_closes_it_with_its_handshake(self):
        first = self.gateway.connect()
        first.request("GET", "/upgraded/x")
        peer = self.raw.accept()
        peer.head()
        peer.send(b"HTTP/1.1 500 X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        self.assertEqual(first.response().status, 500)
        time.sleep(scaled(OPEN + 0.2))
        upgraded = self.gateway.connect()
        upgraded.send(b"GET /upgraded/ws HTTP/1.1\r\nHost: g\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
        tunnel = self.raw.accept()
        tunnel.head()
        tunnel.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
        self.assertEqual(upgraded.head().status, 101)
        second = self.gateway.connect()
        second.request("GET", "/upgraded/y")
        other = self.raw.accept()
        other.send(b"HTTP/1.1 204 No Content\r\n\r\n")
        self.assertEqual(second.response().status, 204)
        for one in (peer, tunnel, other, first, upgraded, second):
            one.close()

    def test_a_reload_leaves_it_open(self):
        self.open("/reloaded/x?500")
        self.gateway.reload()
        self.check_open("/reloaded/v1/messages")

    def test_as_shipped_five_failures_open_it(self):
        """BC-100 BC-103: no limit applies to these paths, so no permit is held."""
        for _ in range(5):
            self.assertEqual(self.ask("/usual/x?503").status, 503)
        eventually(lambda: self.ask("/usual/v1/messages").get("x-watermaster-error") == "circuit_open", "it to open")
        response = self.check_open("/usual/v1/messages")
        self.assertGreater(int(response.get("retry-after")), 5)
