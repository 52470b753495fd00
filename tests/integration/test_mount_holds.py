"""Permits that nobody gets for a time, so that an upstream that counts late does not see one request too many."""
import time

from harness import Config, GatewayTest, RawUpstream, eventually, exchange, json_answer, scaled, span

HOLD = 0.6  # each one's time here; a wait of less than its half was none
WAITED, NONE = scaled(HOLD) - 0.05, scaled(HOLD) / 2


class Holds(GatewayTest):
    """BC-090 BC-091 BC-092 BC-094"""

    @classmethod
    def configure(cls):
        cls.up = up = cls.upstream()
        limited = [("X-RateLimit-Limit", "1")]
        up.always = lambda request: json_answer(int(request.query or 200), {}, limited if request.query == "403" else ())
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        config = Config()
        for name, upstream, keys in (("released", up, {"release_cooldown": span(HOLD)}),
                                     ("failed", up, {"failure_hold": span(HOLD), "release_cooldown": span(HOLD)}),
                                     ("cancelled", cls.raw, {"cancel_cooldown": span(HOLD)}),
                                     ("settled", up, {"settle": span(HOLD)}), ("free", up, {}),
                                     ("retried", cls.raw, {"failure_hold": span(HOLD), "retry": 1,
                                                           "retry_min_delay": span(20)})):
            config.mount(name, upstream, prefix="/" + name, concurrency=1, limit_all="yes", **keys)
        return config

    def after(self, mount, first, following="/x"):
        """How long the next request had to wait, from the first one's answer."""
        self.assertEqual(exchange(self.gateway.port, "GET", f"/{mount}{first}").status, int(first.partition("?")[2] or 200))
        began = time.monotonic()
        self.assertEqual(exchange(self.gateway.port, "GET", f"/{mount}{following}").status, 200)
        return time.monotonic() - began

    def test_after_a_success(self):
        self.assertGreaterEqual(self.after("released", "/x"), WAITED)
        self.assertGreaterEqual(self.after("settled", "/x"), WAITED)
        self.assertLess(self.after("free", "/x"), NONE)

    def test_after_a_failure(self):
        for status in ("503", "429", "403"):
            waited = self.after("failed", f"/x?{status}")
            self.assertGreaterEqual(waited, scaled(2 * HOLD) - 0.05, status)
            time.sleep(scaled(HOLD * 1.1))  # the success of the next one is held too
        self.assertLess(self.after("settled", "/x?503"), NONE, "only a success settles")

    def test_after_a_client_that_left(self):
        client = self.gateway.connect()
        client.send(b"GET /cancelled/x HTTP/1.1\r\nHost: g\r\n\r\n")
        peer = self.raw.accept()
        peer.head()
        began = time.monotonic()
        client.close()
        following = self.gateway.connect()
        following.request("GET", "/cancelled/y", b"")
        second = self.raw.accept()
        self.assertGreaterEqual(time.monotonic() - began, WAITED)
        second.send(b"HTTP/1.1 204 No Content\r\n\r\n")
        self.assertEqual(following.response().status, 204)
        for one in (peer, second, following):
            one.close()

    def test_after_a_client_that_left_before_a_retry(self):
        """BC-109: the upstream had failed by then."""
        client = self.gateway.connect()
        client.send(b"GET /retried/x HTTP/1.1\r\nHost: g\r\n\r\n")
        peer = self.raw.accept()
        peer.head()
        peer.send(b"HTTP/1.1 503 X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        following = self.gateway.connect()
        following.request("GET", "/retried/y", b"")
        self.gateway.wait_waiting(1)
        time.sleep(0.1)
        began = time.monotonic()
        client.close()
        second = self.raw.accept()
        self.assertGreaterEqual(time.monotonic() - began, WAITED)
        self.assertEqual(second.head()[0], "GET /y HTTP/1.1")
        second.send(b"HTTP/1.1 204 No Content\r\n\r\n")
        self.assertEqual(following.response().status, 204)
        for one in (peer, second, following):
            one.close()

    def test_a_hold_outlives_a_reload(self):
        exchange(self.gateway.port, "GET", "/released/x")
        began = time.monotonic()
        self.gateway.reload()
        self.assertEqual(exchange(self.gateway.port, "GET", "/released/x").status, 200)
        self.assertGreaterEqual(time.monotonic() - began, WAITED - 0.05)


class Headroom(GatewayTest):
    """BC-095"""

    @classmethod
    def configure(cls):
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        keys = {"concurrency": 2, "limit_all": "yes", "adaptive_headroom": "yes", "adaptive_headroom_window": span(0.8)}
        config = Config(metrics_listen="127.0.0.1:0").mount("m", cls.raw, prefix="/m", **keys)
        return config.mount("retried", cls.raw, prefix="/retried", retry=1, retry_skip_429="no", retry_min_delay="20s", **keys)

    def out_of_use(self, mount):
        return self.gateway.metrics().value("watermaster_permits_held", provider=mount, limiter="concurrency")

    def begin(self, mount="m"):
        client = self.gateway.connect()
        client.send(f"GET /{mount}/x HTTP/1.1\r\nHost: g\r\n\r\n".encode())
        self.addCleanup(client.close)
        return client

    def answer(self, peer, client, status):
        peer.send(f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode())
        self.assertEqual(client.response().status, status)
        peer.close()

    def test_a_429_takes_one_permit_out_of_use(self):
        first = self.begin()
        self.answer(self.raw.accept(), first, 429)
        began = time.monotonic()
        second = self.begin()
        peer = self.raw.accept()
        third = self.begin()
        self.gateway.wait_waiting(1)
        self.assertTrue(self.raw.quiet())
        other = self.raw.accept()  # after the window, though nothing came back
        self.assertGreaterEqual(time.monotonic() - began, scaled(0.7))
        self.answer(peer, second, 200)
        self.answer(other, third, 200)

    def test_also_a_429_that_is_followed_by_another_try(self):
        first = self.begin("retried")
        peer = self.raw.accept()
        peer.head()
        peer.send(b"HTTP/1.1 429 X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        self.assertTrue(peer.left())
        eventually(lambda: self.out_of_use("retried"), "the permit out of use")
        second = self.begin("retried")
        self.gateway.wait_waiting(1)
        first.close()
        self.answer(self.raw.accept(), second, 200)
