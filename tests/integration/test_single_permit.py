"""config/single-permit.ini as it is shipped, but for its port, its upstream and shorter times."""
import os
import threading
import time

from harness import (CHAT, CLOSE, STALL, Answer, Config, GatewayTest, Together, eventually, exchange, json_answer, scaled,
                     span, sse_answer)

FILE = os.path.join(os.path.dirname(__file__), "..", "..", "config", "single-permit.ini")
SETTLE = 0.3
PATH = "/v1/chat/completions"


def broker(upstream, **keys):
    """The shipped file with these keys in place of its own."""
    with open(FILE, encoding="utf-8") as file:
        lines = file.read().splitlines()
    keys = {"listen": "127.0.0.1:0", "upstream": upstream.url, "settle": span(SETTLE), **keys}
    for key, value in keys.items():
        at = [i for i, line in enumerate(lines) if line.split(" = ")[0] == key]
        assert len(at) == 1, f"{FILE}: {key} stands there {len(at)} times"
        lines[at[0]] = f"{key} = {value}"
    config = Config()
    config.sections = ["\n".join(lines) + "\n"]
    return config


class Order(GatewayTest):
    """SP-014: nothing but arrival and the two priorities decides."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return broker(cls.up, settle="0ms")

    def held(self, tag):
        """A request that runs until it is told."""
        self.up.held = {tag: threading.Event()}
        def answer(request):
            event = self.up.held.get(request.query)
            if event:
                event.wait(scaled(30))
            return json_answer(200, {})
        self.up.always = answer
        client = self.start(tag)
        eventually(lambda: any(r.query == tag for r in self.up.requests), f"{tag} upstream")
        return self.up.held[tag], client

    def start(self, tag, prefix="", headers=()):
        client = self.gateway.connect()
        client.request("POST", f"{prefix}{PATH}?{tag}", b"{}", headers)
        self.addCleanup(client.close)
        return client

    def test_who_is_next(self):
        """SP-002 SP-003 SP-004 SP-005"""
        event, running = self.held("running")
        clients = [running]
        header = [("X-Middleman-Priority", "high")]  # no more than any other field here
        for place, (tag, prefix, fields) in enumerate((("n1", "", ()), ("n2", "", header), ("h1", "/prio", ()),
                                                       ("n3", "/priority", ()), ("h2", "/prio", ())), 1):
            clients.append(self.start(tag, prefix, fields))
            self.gateway.wait_waiting(place)
        event.set()
        for client in clients:
            self.assertEqual(client.response().status, 200)
        ran = self.up.requests[-6:]
        self.assertEqual([r.query for r in ran], ["running", "h1", "h2", "n1", "n2", "n3"])
        self.assertEqual([r.path for r in ran], [PATH, PATH, PATH, PATH, PATH, "/priority" + PATH])
        self.assertEqual(ran[4].get("x-middleman-priority"), "high")

    def test_prio_alone(self):
        """SP-003"""
        self.up.always = lambda r: json_answer(200, {})
        self.assertEqual(exchange(self.gateway.port, "GET", "/prio?a=b").status, 200)
        self.assertEqual(self.up.requests[-1].target, "/?a=b")
        self.assertEqual(exchange(self.gateway.port, "GET", "/prio/prio/x").status, 200)
        self.assertEqual(self.up.requests[-1].target, "/prio/x")

    def test_health(self):
        """SP-006: at once, and without the one that runs."""
        event, running = self.held("h")
        self.assertEqual((self.gateway.get("/healthz").json()["ok"], self.gateway.waiting()), (True, 0))
        waiting = self.start("w")
        self.gateway.wait_waiting(1)
        event.set()
        self.assertEqual([running.response().status, waiting.response().status], [200, 200])

    def test_one_at_a_time(self):
        """SP-001"""
        self.up.always = lambda r: json_answer(200, {})
        def ask():
            self.assertEqual(exchange(self.gateway.port, "POST", PATH, b"{}", timeout=60).status, 200)
        Together(*[ask] * 40).join()
        self.assertEqual(self.up.most_in_flight, 1)

    def test_a_waiter_and_a_runner_whose_clients_left(self):
        """SP-020"""
        event, running = self.held("r")
        leaver, stayer = self.start("leaver"), self.start("stayer")
        self.gateway.wait_waiting(2)
        leaver.close()
        self.gateway.wait_waiting(1)
        running.close()
        self.assertEqual(stayer.response().status, 200)
        self.assertNotIn("leaver", [r.query for r in self.up.requests])
        event.set()

    def test_what_goes_upstream(self):
        """SP-007 SP-008 SP-019: every field and byte of the client's, its key too, to the one upstream there is."""
        self.up.always = lambda r: sse_answer([b"data: 1\n\n", b"data: [DONE]\n\n"])
        fields = [("Authorization", "Bearer THE-CLIENTS"), ("X-Any", "thing"), ("Anthropic-Beta", "b"), ("Cookie", "c=1")]
        body = b'{"model": "any",  "stream":true }'
        response = exchange(self.gateway.port, "POST", PATH, body, [*fields, ("Connection", "X-Hop"), ("X-Hop", "1")])
        self.assertEqual(response.body, b"data: 1\n\ndata: [DONE]\n\n")
        request = self.up.requests[-1]
        self.assertEqual(request.body, body)
        for name, value in fields:
            self.assertEqual(request.all(name), [value])
        self.assertEqual(request.all("x-hop"), [])
        self.assertNotIn("THE-CLIENTS", "".join(self.gateway.out + self.gateway.errors))
        self.up.always = lambda r: json_answer(200, {"data": "the upstream's"})
        self.assertEqual(self.gateway.get("/v1/models").json(), {"data": "the upstream's"})


class Recovery(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return broker(cls.up, retry_429_waits=f"{span(0.1)}, {span(0.2)}", retry_429_max_time=span(1.5), upstream_read=span(1.0))

    def ask(self, tag, status=200, **options):
        def run():
            response = exchange(self.gateway.port, "POST", f"{PATH}?{tag}", b"{}", timeout=60, **options)
            self.assertEqual(response.status, status, response)
            return response
        return run

    def times(self, *tags):
        return [r.arrived for r in self.up.requests if r.query in tags]

    def test_a_429_is_retried_behind_the_permit(self):
        """SP-009"""
        left = [json_answer(429, {}), json_answer(429, {})]
        self.up.always = lambda r: left.pop(0) if r.query == "a1" and left else json_answer(200, {})
        before = len(self.up.requests)
        first = Together(self.ask("a1"))
        self.up.wait_for(before + 1)
        second = Together(self.ask("a2"))
        first.join()
        second.join()
        self.assertEqual([r.query for r in self.up.requests[before:]], ["a1"] * 3 + ["a2"])
        one, two, three = self.times("a1")
        self.assertGreaterEqual(two - one, scaled(0.09))
        self.assertGreaterEqual(three - two, scaled(0.19))

    def test_the_last_429_passes_unchanged(self):
        """SP-011"""
        refusal = json_answer(429, {"error": {"code": "busy"}}, [("Retry-After", "0"), ("X-Tag", "t")])
        self.up.always = lambda r: refusal
        began = time.monotonic()
        response = self.ask("b", 429)()
        self.assertEqual((response.json(), response.get("x-tag")), ({"error": {"code": "busy"}}, "t"))
        self.assertIsNone(response.get("x-watermaster-error"))
        self.assertGreater(len(self.times("b")), 3)
        self.assertLess(time.monotonic() - began, scaled(15))

    def test_connection_errors(self):
        """SP-012 SP-015: three retries, then 502, and the permit is free. If the first went over a kept connection, that one
        counts for nothing."""
        self.up.always = lambda r: Answer(CLOSE) if r.query == "c" else json_answer(200, {})
        response = self.ask("c", 502)()
        self.check_error(response, 502, CHAT, "upstream_failed")
        self.assertIn(len(self.times("c")), (4, 5))
        self.ask("d")()
        self.up.always = lambda r: Answer(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", CLOSE)
        with self.gateway.connect() as client:
            client.request("POST", f"{PATH}?e", b"{}")
            client.head()
            self.assertEqual(client.exactly(4), b"half")
            self.assertTrue(client.closed())
        self.assertEqual(len(self.times("e")), 1)

    def test_the_pause_behind_a_success(self):
        """SP-013: none behind a failure."""
        ends = {}
        def answer(request):
            ends[request.query] = time.monotonic()
            return json_answer(500 if request.query == "f2" else 200, {})
        self.up.always = answer
        for tag, status in (("f1", 200), ("f2", 500), ("f3", 200)):
            self.ask(tag, status)()
        self.assertGreaterEqual(self.times("f2")[0] - ends["f1"], scaled(SETTLE) - 0.02)
        self.assertLess(self.times("f3")[0] - ends["f2"], scaled(SETTLE))

    def test_a_silent_upstream(self):
        """SP-016"""
        self.up.always = lambda r: Answer(STALL) if r.query == "g" else json_answer(200, {})
        first = Together(self.ask("g", 504))
        eventually(lambda: self.times("g"), "g upstream")
        second = Together(self.ask("h"))
        first.join()
        second.join()
        self.assertEqual(len(self.times("g")), 1)
