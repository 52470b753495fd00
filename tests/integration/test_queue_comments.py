"""queue_comments: what a streaming client of a mount hears while it waits for a permit."""
import json
import threading

from harness import (CHAT, CLOSE, Answer, Config, GatewayTest, eventually, exchange, json_answer, scaled, span,
                     sse_answer, sse_head)

ACCEPT = [("Accept", "application/json;q=0.5, Text/Event-Stream; q=0.9")]
EVENTS = b"event: message_start\ndata: {}\n\nevent: message_stop\ndata: {}\n\n"


class QueueComments(GatewayTest):
    """BC-077"""

    @classmethod
    def configure(cls):
        cls.ups, config = {}, Config(body_timeout=span(0.5))
        for name, keys in {"told": {}, "hasty": {"queue_timeout": span(0.6)}, "silent": {"queue_comments": "0ms"},
                           "short": {"queue_depth": 1}}.items():
            cls.ups[name] = up = cls.upstream()
            up.always, up.event, up.answer = cls.holding(up), threading.Event(), None
            config.mount(name, up, prefix="/" + name, **{"concurrency": 1, "queue_comments": span(0.2), "retry": 0, **keys})
        return config

    @staticmethod
    def holding(up):
        def answer(request):
            if request.query == "first":
                up.event.wait(scaled(30))
                return json_answer(200, {})
            return up.answer or sse_answer([EVENTS])
        return answer

    def full(self, name, answer=None):
        """The mount's one permit is taken until `up.event`."""
        up = self.ups[name]
        up.event, up.answer = threading.Event(), answer
        self.addCleanup(up.event.set)
        before = len(up.requests)
        client = self.gateway.connect()
        self.addCleanup(client.close)
        client.request("POST", f"/{name}/v1/messages?first", b"{}")
        eventually(lambda: len(up.requests) > before, "the first upstream")
        return up, client

    def start(self, name, headers=ACCEPT, path="/v1/messages"):
        client = self.gateway.connect()
        self.addCleanup(client.close)
        client.request("POST", f"/{name}{path}?second", b'{"stream":true}', headers)
        return client

    def test_comments_and_then_the_answer(self):
        up, first = self.full("told")
        client = self.start("told")
        response = client.head()
        self.assertEqual((response.status, response.get("content-type")), (200, "text/event-stream"))
        pieces = client.pieces(response)
        heard = b"".join(next(pieces) for _ in range(3))
        self.assertTrue(heard.startswith(b": queue-wait elapsed=0\n\n"))
        self.assertEqual(heard.count(b": queue-wait elapsed="), 3)
        up.event.set()
        rest = b"".join(pieces)
        self.assertTrue(rest.endswith(EVENTS), rest)
        self.assertEqual(rest.count(b"event:"), 2)
        self.assertEqual(first.response().status, 200)
        self.assertEqual(up.requests[-1].body, b'{"stream":true}')

    def test_who_does_not_wait_gets_the_upstreams_own_head(self):
        up = self.ups["told"]
        up.answer = json_answer(400, {"error": "theirs"})
        response = exchange(self.gateway.port, "POST", "/told/v1/messages?x", b"{}", ACCEPT)
        self.assertEqual((response.status, response.json()), (400, {"error": "theirs"}))

    def test_who_would_be_one_too_many_is_refused_as_ever(self):
        """BC-073: nothing is said to who does not wait."""
        self.full("short")
        waiting = self.start("short")
        self.assertEqual(waiting.head().status, 200)
        self.gateway.wait_waiting(1)
        refused = self.start("short").response()
        self.assertEqual(refused.status, 429)
        self.assertGreaterEqual(int(refused.get("retry-after")), 1)

    def test_a_body_that_stops_coming_gives_the_permit_back(self):
        up, first = self.full("told")
        slow = self.gateway.connect()
        self.addCleanup(slow.close)
        accept = "".join(f"{name}: {value}\r\n" for name, value in ACCEPT)
        slow.send(f"POST /told/v1/messages?slow HTTP/1.1\r\nHost: g\r\n{accept}Content-Length: 100\r\n\r\n{{".encode())
        slow.head()
        up.event.set()
        self.assertEqual(first.response().status, 200)
        eventually(lambda: exchange(self.gateway.port, "POST", "/told/v1/messages?x", b"{}").status == 200, "the permit")

    def test_who_does_not_ask_for_events_waits_silently(self):
        """BC-079: and so does one that cannot take both at once."""
        up, first = self.full("told")
        silent = [self.start("told", headers) for headers in
                  ([], [("Accept", "*/*")], [("Accept", "text/event-stream;q=0")], [("Accept", "text/event-streams")],
                   [*ACCEPT, ("Expect", "100-continue")])]
        old = self.gateway.connect()
        self.addCleanup(old.close)
        old.send(b"POST /told/v1/messages HTTP/1.0\r\nAccept: text/event-stream\r\nContent-Length: 2\r\n\r\n{}")
        self.gateway.wait_waiting(6)
        for client in [*silent, old]:
            self.assertTrue(client.silent(0.05))
        up.event.set()
        for client in [first, *silent, old]:
            self.assertEqual(client.response().status, 200)
        self.full("silent")
        client = self.start("silent")
        self.gateway.wait_waiting(1)
        self.assertTrue(client.silent(0.3))

    def failed(self, name, answer, path="/v1/messages", release=True):
        up, first = self.full(name, answer)
        client = self.start(name, path=path)
        response = client.head()
        self.assertEqual((response.status, response.get("x-watermaster-error")), (200, None))
        self.gateway.wait_waiting(1)
        if release:
            up.event.set()
        return b"".join(client.pieces(response))

    def test_a_failure_is_the_streams(self):
        """BC-078: a comment says which, and the protocol's own error event ends it."""
        for answer in (json_answer(400, {"error": "theirs"}), json_answer(200, {}), Answer(CLOSE),
                       Answer(sse_head([("Content-Encoding", "gzip")]), b"0\r\n\r\n")):
            body = self.failed("told", answer)
            self.assertIn(b": queue-wait failed: upstream\n\n", body)
            self.assertIn(b"event: error\ndata: ", body)
            self.assertNotIn(b"theirs", body)
        def logged():
            return [json.loads(line)["status"] for line in list(self.gateway.out)
                    if '"mount":"told"' in line and '"error":"' in line]
        eventually(lambda: len(logged()) >= 4, "the log of the failures")
        self.assertEqual(set(logged()), {200})  # what its client got, whatever the upstream had said
        body = self.failed("told", json_answer(500, {}), CHAT.path)
        self.assertIn(b'data: {"error":', body)

    def test_a_wait_that_is_too_long(self):
        body = self.failed("hasty", None, release=False)
        self.assertIn(b": queue-wait failed: timeout\n\n", body)
        self.assertIn(b"event: error\ndata: ", body)

    def test_a_client_that_leaves(self):
        up, first = self.full("told")
        before = len(up.requests)
        client = self.start("told")
        client.head()
        self.gateway.wait_waiting(1)
        client.close()
        self.gateway.wait_waiting(0)
        up.event.set()
        self.assertEqual(first.response().status, 200)
        self.assertEqual(len(up.requests), before)
