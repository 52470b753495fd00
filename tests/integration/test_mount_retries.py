"""Retries of mounts: what is sent again, what is passed on, and that the permit is held meanwhile."""
import threading
import time

from harness import (CLOSE, RESET, Answer, Config, GatewayTest, RawUpstream, Together, eventually, exchange,
                     json_answer, raw_answer, refused_port, span, sse_answer)

OK = json_answer(200, {"ok": True})
BUSY = json_answer(503, {"error": "busy"}, [("X-Tag", "last")])
LIMITED = json_answer(429, {"error": {"code": "rate_limit_exceeded"}})
SPENT = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
FAST = {"retry": -1, "retry_wait_min": span(0.02), "retry_wait_max": span(0.05), "retry_min_delay": "0ms"}


def answers(*all_of_them):
    """Each further request gets the next answer; the last one is repeated."""
    left = list(all_of_them)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]


class Retries(GatewayTest):
    @classmethod
    def configure(cls):
        cls.ups, config = {}, Config(access_log="-")
        for name, keys in {
                "plain": {"secret": "mounts-own"}, "twice": {"retry": 2}, "never": {"retry": 0}, "small": {"retry_max_body": "1KiB"},
                "polite": {"retry_skip_429": "no", "retry": 1}, "one": {"concurrency": 1, "limit_all": "yes"},
                "capped": {"retry_after_cap": span(0.3)}, "listed": {"retry_on": "429", "retry_429_waits": span(0.05)},
                "brief": {"retry_max_time": span(0.5)},
                "slow": {"retry_wait_min": span(20), "retry_wait_max": span(20), "concurrency": 1, "limit_all": "yes"}}.items():
            cls.ups[name] = up = cls.upstream()
            config.mount(name, up, prefix="/" + name, **{**FAST, **keys})
        cls.reserved, port = refused_port()
        cls.addClassCleanup(cls.reserved.close)
        return config.mount("dead", f"http://127.0.0.1:{port}", prefix="/dead", **{**FAST, "retry": 2})

    def ask(self, name, *script, body=b"{}", headers=(), method="POST"):
        """The answer, and the requests it took."""
        up = self.ups[name]
        before = len(up.requests)
        up.always = answers(*script)
        response = exchange(self.gateway.port, method, f"/{name}/v1/messages", body, headers)
        return response, up.requests[before:]

    def test_a_failed_answer_is_followed_by_another_try(self):
        """BC-120 BC-048: with the same head, credential and body; the client sees the last answer alone."""
        for failure in (BUSY, json_answer(500, {}), Answer(CLOSE), Answer(RESET), Answer(b"HTTP/1.1 200 OK\r\nbad\r\n\r\n"),
                        Answer(b"HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nhalf", CLOSE),
                        raw_answer(502, b"x" * 100_000)):
            response, requests = self.ask("plain", failure, failure, OK, body=b'{"a":1}')
            self.assertEqual((response.status, response.json()), (200, {"ok": True}))
            self.assertEqual(len(requests), 3)
            self.assertEqual({r.raw for r in requests}, {requests[0].raw})
            self.assertEqual(requests[0].body, b'{"a":1}')

    def test_when_tries_end_the_last_answer_passes_unchanged(self):
        """BC-120"""
        response, requests = self.ask("twice", BUSY)
        self.assertEqual((response.status, response.json(), response.get("x-tag")), (503, {"error": "busy"}, "last"))
        self.assertIsNone(response.get("x-watermaster-error"))
        self.assertEqual(len(requests), 3)
        response, requests = self.ask("never", BUSY)
        self.assertEqual((response.status, len(requests)), (503, 1))

    def test_what_is_no_failure_of_the_upstreams_passes_at_once(self):
        for status in (200, 400, 401, 403, 404, 429):
            response, requests = self.ask("plain", json_answer(status, {"s": status}))
            self.assertEqual((response.status, response.json(), len(requests)), (status, {"s": status}, 1))

    def test_bodies(self):
        """BC-121: a chunked one is kept too, up to the limit; beyond it a request is sent once."""
        chunks = [b"4\r\nabcd\r\n", b"3\r\nefg\r\n", b"0\r\n\r\n"]
        response, requests = self.chunked("small", chunks, BUSY, OK)
        self.assertEqual((response.status, [r.body for r in requests]), (200, [b"abcdefg"] * 2))
        response, requests = self.ask("small", BUSY, OK, body=b"x" * 1024)
        self.assertEqual((response.status, [len(r.body) for r in requests]), (200, [1024] * 2))
        response, requests = self.ask("small", BUSY, OK, body=b"x" * 1025)
        self.assertEqual((response.status, len(requests)), (503, 1))
        long = [b"300\r\n" + b"y" * 0x300 + b"\r\n"] * 2 + [b"0\r\n\r\n"]
        response, requests = self.chunked("small", long, BUSY, OK)
        self.assertEqual((response.status, len(requests)), (503, 1))

    def chunked(self, name, chunks, *script):
        up = self.ups[name]
        before = len(up.requests)
        up.always = answers(*script)
        with self.gateway.connect() as client:
            client.send(f"POST /{name}/v1/messages HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
            for piece in chunks:
                client.send(piece)
                time.sleep(0.01)
            return client.response(), up.requests[before:]

    def test_waits(self):
        """BC-122 BC-126"""
        began = time.monotonic()
        response, requests = self.ask("capped", json_answer(503, {}, [("Retry-After", "3600")]), OK)
        self.assertEqual((response.status, len(requests)), (200, 2))
        self.assertGreaterEqual(requests[1].arrived - requests[0].arrived, 0.29)
        self.assertLess(time.monotonic() - began, 30)

    def test_a_time_for_all(self):
        began = time.monotonic()
        response, requests = self.ask("brief", BUSY)
        self.assertEqual(response.status, 503)
        self.assertGreater(len(requests), 2)
        self.assertLess(time.monotonic() - began, 10)

    def test_a_429(self):
        """BC-124 BC-128: retried if that is said, by time and not by number, unless it says that the quota is used up."""
        response, requests = self.ask("polite", LIMITED, LIMITED, LIMITED, OK)
        self.assertEqual((response.status, len(requests)), (200, 4))
        for name in ("polite", "listed"):
            response, requests = self.ask(name, json_answer(429, SPENT, [("Retry-After", "1")]))
            self.assertEqual((response.status, response.json(), response.get("retry-after"), len(requests)), (429, SPENT, "1", 1))
        response, requests = self.ask("listed", LIMITED, LIMITED, OK)
        self.assertEqual((response.status, len(requests)), (200, 3))
        response, requests = self.ask("listed", BUSY)
        self.assertEqual((response.status, len(requests)), (503, 1))

    def test_a_429_that_is_read_and_passed_on_is_whole(self):
        long = b'{"code":"insufficient_quota","more":"' + b"z" * 300_000 + b'"}'
        for answer in (raw_answer(429, long), sse_answer([long[:5000], long[5000:]]),):
            answer = Answer(answer.steps[0].replace(b" 200 OK", b" 429 Too Many Requests"), *answer.steps[1:])
            response, requests = self.ask("polite", answer)
            self.assertEqual((response.status, response.body, len(requests)), (429, long, 1))

    def test_nothing_is_sent_again_once_the_answer_has_begun(self):
        """BC-127"""
        response, requests = self.ask("plain", json_answer(200, {}))
        up = self.ups["plain"]
        before = len(up.requests)
        up.always = lambda r: Answer(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", CLOSE)
        with self.gateway.connect() as client:
            client.request("POST", "/plain/v1/messages", b"{}")
            self.assertEqual(client.head().status, 200)
            self.assertEqual(client.exactly(4), b"half")
            self.assertTrue(client.closed())
        self.assertEqual(len(up.requests), before + 1)

    def test_the_permit_is_held_while_it_waits(self):
        """BC-125: whoever comes later comes later."""
        up = self.ups["one"]
        before = len(up.requests)
        up.always = lambda r: BUSY if r.query == "first" and len(up.requests) - before < 4 else OK
        def ask(tag):
            return lambda: self.assertEqual(exchange(self.gateway.port, "POST", f"/one/x?{tag}", b"{}").status, 200)
        first = Together(ask("first"))
        up.wait_for(before + 1)
        second = Together(ask("second"))
        first.join()
        second.join()
        self.assertEqual([r.query for r in up.requests[before:]], ["first"] * 4 + ["second"])

    def test_a_client_that_leaves_while_it_waits(self):
        """It ends at once, and frees the permit."""
        up = self.ups["slow"]
        up.always = answers(BUSY, OK)
        client = self.gateway.connect()
        client.request("POST", "/slow/x", b"{}")
        up.wait_for(1)[0].done.wait(5)
        began = time.monotonic()
        client.close()
        self.assertEqual(exchange(self.gateway.port, "POST", "/slow/x", b"{}").status, 200)
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(len(up.requests), 2)

    def test_nobody_there(self):
        response = exchange(self.gateway.port, "POST", "/dead/v1/messages", b"{}")
        self.assertEqual((response.status, response.get("x-watermaster-error")), (502, "upstream_failed"))
        eventually(lambda: any('"mount":"dead"' in line and line.count('"sequence"') == 3 for line in self.gateway.out),
                   "three attempts in the access log")


class Circuit(GatewayTest):
    """BC-010: a circuit, and tries, of each mount's own. Each failed try counts, and an open circuit ends the tries."""

    @classmethod
    def configure(cls):
        cls.failing, cls.well = cls.upstream(), cls.upstream()
        cls.failing.always, cls.well.always = lambda r: BUSY, lambda r: OK
        config = Config()
        for name, up in (("failing", cls.failing), ("well", cls.well)):
            config.mount(name, up, prefix="/" + name, circuit_breaker="yes", cb_threshold=3, cb_penalty="0ms", **FAST)
        return config

    def test_an_open_circuit_ends_the_tries(self):
        response = exchange(self.gateway.port, "POST", "/failing/x", b"{}")
        self.assertEqual((response.status, response.json(), response.get("x-tag")), (503, {"error": "busy"}, "last"))
        self.assertEqual(len(self.failing.requests), 3)
        refused = exchange(self.gateway.port, "POST", "/failing/x", b"{}")
        self.assertEqual((refused.status, refused.get("x-watermaster-error")), (503, "circuit_open"))
        self.assertEqual(len(self.failing.requests), 3)
        self.assertEqual(exchange(self.gateway.port, "POST", "/well/x", b"{}").status, 200)


class EarlyRefusals(GatewayTest):
    @classmethod
    def configure(cls):
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        return Config().mount("m", cls.raw, prefix="/m", **FAST)

    def test_an_answer_before_the_requests_end(self):
        """What came of the body so far is sent again, and the rest behind it."""
        with self.gateway.connect() as client:
            client.send(b"POST /m/x HTTP/1.1\r\nHost: g\r\nContent-Length: 8\r\n\r\nabcd")
            with self.raw.accept() as peer:
                peer.head()
                self.assertEqual(peer.exactly(4), b"abcd")
                peer.send(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
            with self.raw.accept() as peer:
                peer.head()
                self.assertEqual(peer.exactly(4), b"abcd")
                client.send(b"efgh")
                self.assertEqual(peer.exactly(4), b"efgh")
                peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                self.assertEqual(client.response().body, b"ok")

    def test_a_failed_answer_that_does_not_end(self):
        """It is dropped after a while, with its connection."""
        with self.gateway.connect() as client:
            client.request("POST", "/m/x", b"{}")
            with self.raw.accept() as peer:
                peer.head()
                peer.exactly(2)
                peer.send(b"HTTP/1.1 500 Bad\r\nContent-Length: 100\r\n\r\nhalf")
                with self.raw.accept() as second:
                    second.head()
                    second.exactly(2)
                    self.assertTrue(peer.left())
                    second.send(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                    self.assertEqual(client.response().body, b"ok")


class EarlyAnswers(GatewayTest):
    """An upstream that answers before it has the whole request."""

    @classmethod
    def configure(cls):
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        return Config().mount("m", cls.raw, prefix="/m", **{**FAST, "retry_max_body": "1KiB"})

    def test_what_outgrows_its_keeping_meanwhile_is_not_sent_again(self):
        """Without its head the rest of a body would be read as a request, of the client's own making."""
        with self.gateway.connect() as client:
            client.send(b"POST /m/v1/messages HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n")
            up = self.raw.accept()
            self.addCleanup(up.close)
            up.head()
            up.send(b"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbu")
            client.send(b"800\r\n" + b"GET /smuggled HTTP/1.1\r\n" + b"x" * (0x800 - 24) + b"\r\n")
            up.until(b"x" * 1000)
            up.send(b"sy")
            response = client.response()
            self.assertEqual((response.status, response.body), (503, b"busy"))
            self.assertTrue(self.raw.quiet(0.3))
