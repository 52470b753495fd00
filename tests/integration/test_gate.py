"""A backend with concurrency = 1: one request upstream at a time, first come first served, nothing leaks."""
import os
import shutil
import tempfile
import threading
import unittest

from harness import CHAT, Answer, Config, Gateway, GatewayTest, Upstream, exchange, json_answer, scaled, span, sse_answer
from harness.gateway import POLICIES


class Gate(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config()
        config.backend("one", cls.up, concurrency=1).model("m", ["one"])
        cls.shallow, cls.hasty = cls.upstream(), cls.upstream()
        config.backend("shallow", cls.shallow, concurrency=1, queue_depth=1).model("shallow", ["shallow"])
        config.backend("hasty", cls.hasty, concurrency=1, queue_timeout=span(0.3)).model("hasty", ["hasty"])
        cls.lively = cls.upstream()
        for name, patience in (("lively", 30), ("late", 0.5)):
            config.backend(name, cls.lively, concurrency=1, queue_timeout=span(patience),
                           downstream_sse_heartbeat=span(0.1)).model(name, [name])
        cls.many = cls.upstream()
        config.backend("three", cls.many, concurrency=3).model("three", ["three"])
        cls.keyed = cls.upstream()
        config.backend("keyed", cls.keyed, credentials={"a": {"concurrency": 1}, "b": {"concurrency": 2}, "c": {}})
        config.model("keyed", ["keyed/a", "keyed/b"]).model("free", ["keyed/c"])
        return config

    def hold(self, upstream, model):
        """A request that keeps the permit until the returned event is set, on a connection of its own."""
        held = threading.Event()
        upstream.script(f"up-{model}", Answer(held, *json_answer(200, CHAT.document("m", "first")).steps),
                        json_answer(200, CHAT.document("m", "later")))
        before = len(upstream.of(f"up-{model}"))
        client = self.gateway.connect()
        client.request("POST", CHAT.path, CHAT.body(model))
        upstream.wait_for(before + 1, f"up-{model}")
        return held, client

    def test_first_come_first_served(self):
        before = len(self.up.requests)
        held, first = self.hold(self.up, "m")
        clients = []
        for i in range(8):
            client = self.gateway.connect()
            client.request("POST", CHAT.path, CHAT.body("m", user=f"u{i}"))
            clients.append(client)
            self.gateway.wait_waiting(i + 1)
        self.assertEqual(len(self.up.requests), before + 1)
        held.set()
        for client in [first, *clients]:
            self.assertEqual(client.response().status, 200)
            client.close()
        self.assertEqual([r.document.get("user") for r in self.up.requests[before + 1:]], [f"u{i}" for i in range(8)])
        self.assertEqual(self.up.most_in_flight, 1)
        self.assertEqual(self.gateway.waiting(), 0)

    def test_a_client_that_leaves_while_it_waits(self):
        held, first = self.hold(self.up, "m")
        leaver, stayer = self.gateway.connect(), self.gateway.connect()
        leaver.request("POST", CHAT.path, CHAT.body("m", user="leaver"))
        self.gateway.wait_waiting(1)
        stayer.request("POST", CHAT.path, CHAT.body("m", user="stayer"))
        self.gateway.wait_waiting(2)
        leaver.close()
        self.gateway.wait_waiting(1)
        held.set()
        self.assertEqual(first.response().status, 200)
        self.assertEqual(stayer.response().status, 200)
        first.close()
        stayer.close()
        self.assertNotIn("leaver", [r.document.get("user") for r in self.up.requests])

    def test_a_full_queue(self):
        held, first = self.hold(self.shallow, "shallow")
        with self.gateway.connect() as second:
            second.request("POST", CHAT.path, CHAT.body("shallow"))
            self.gateway.wait_waiting(1)
            response = self.gateway.ask(CHAT, "shallow")
            self.check_error(response, 429, CHAT)
            self.assertGreaterEqual(int(response.get("retry-after")), 1)
            held.set()
            self.assertEqual(first.response().status, 200)
            self.assertEqual(second.response().status, 200)
        first.close()
        self.check_answer(self.gateway.ask(CHAT, "shallow"), CHAT, "later")

    def test_waiting_too_long(self):
        held, first = self.hold(self.hasty, "hasty")
        self.check_error(self.gateway.ask(CHAT, "hasty"), 504, CHAT)
        self.check_error(self.gateway.ask(CHAT, "hasty", True), 504, CHAT)
        held.set()
        self.assertEqual(first.response().status, 200)
        first.close()
        self.check_answer(self.gateway.ask(CHAT, "hasty"), CHAT, "later")

    def test_a_stream_that_waits_is_kept_alive(self):
        held, first = self.hold(self.lively, "lively")
        with self.gateway.connect() as waiting:
            waiting.request("POST", CHAT.path, CHAT.body("lively", True))
            head = waiting.head()
            self.assertEqual(head.status, 200)
            events = waiting.events(head, comments=True)
            self.assertIsNotNone(next(events).comment)
            self.lively.script("up-lively", sse_answer(CHAT.stream("m", ["hi"])))
            held.set()
            self.assertEqual(first.response().status, 200)
            said = [e for e in events if e.comment is None]
            self.assertEqual("".join(map(CHAT.delta, said)), "hi")
        first.close()

    def test_a_stream_that_waits_too_long_after_its_head(self):
        held, first = self.hold(self.lively, "late")
        response = self.gateway.ask(CHAT, "late", True)
        self.assertEqual(response.status, 200)
        self.check_error_end(response.events(), CHAT)
        held.set()
        self.assertEqual(first.response().status, 200)
        first.close()

    def test_a_credentials_own_limit(self):
        held = threading.Event()
        self.keyed.script("up-keyed", Answer(held, *json_answer(200, CHAT.document("m", "x")).steps))
        self.keyed.script("up-free", json_answer(200, CHAT.document("m", "free")))
        clients = [self.gateway.connect() for _ in range(6)]
        for client in clients:
            client.request("POST", CHAT.path, CHAT.body("keyed"))
        self.keyed.wait_for(3, "up-keyed")
        self.gateway.wait_waiting(3)
        keys = sorted(r.get("authorization") for r in self.keyed.of("up-keyed"))
        self.assertEqual(keys, ["Bearer secret-keyed-a"] + 2 * ["Bearer secret-keyed-b"])
        self.check_answer(self.gateway.ask(CHAT, "free"), CHAT, "free") # an unbounded key waits for nothing
        held.set()
        for client in clients:
            self.assertEqual(client.response().status, 200)
            client.close()
        self.assertLessEqual(self.keyed.most_in_flight, 4)
        self.assertEqual(self.gateway.waiting(), 0)

    def test_several_permits(self):
        held = threading.Event()
        self.many.script("up-three", Answer(held, *json_answer(200, CHAT.document("m", "x")).steps))
        clients = [self.gateway.connect() for _ in range(10)]
        for client in clients:
            client.request("POST", CHAT.path, CHAT.body("three"))
        self.many.wait_for(3, "up-three")
        self.gateway.wait_waiting(7)
        held.set()
        for client in clients:
            self.assertEqual(client.response().status, 200)
            client.close()
        self.assertEqual(self.many.most_in_flight, 3)


class Order(GatewayTest):
    """Who goes next where requests wait: priority, then each client in its turn, then arrival."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config()
        config.backend("one", cls.up, concurrency=1).model("m", ["one"])
        config.backend("two", cls.up, concurrency=1, queue_order="fifo").model("queue", ["two"])
        return config.client("anna", "key-anna").client("ben", "key-ben", max_priority="medium")

    def arrive(self, model, arrivals):
        """The order in which the upstream saw the requests: (user, client, priority) each, the first before the others wait."""
        held = threading.Event()
        self.up.script(f"up-{model}", Answer(held, *json_answer(200, CHAT.document("m", "first")).steps),
                       json_answer(200, CHAT.document("m", "later")))
        before = len(self.up.requests)
        clients = []
        for waiting, (user, who, priority) in enumerate(arrivals):
            clients.append(self.gateway.connect())
            headers = [("x-api-key", f"key-{who}")] + ([("x-middleman-priority", priority)] if priority else [])
            clients[-1].request("POST", CHAT.path, CHAT.body(model, user=user), headers)
            if waiting == 0:
                self.up.wait_for(1, f"up-{model}")
            else:
                self.gateway.wait_waiting(waiting)
        held.set()
        for client in clients:
            self.assertEqual(client.response().status, 200)
            client.close()
        seen = self.up.requests[before:]
        self.assertFalse(any(r.get("x-middleman-priority") for r in seen))
        return [r.document.get("user") for r in seen]

    ARRIVALS = [("first", "anna", None), ("low", "anna", "low"), ("a1", "anna", None), ("a2", "anna", None),
                ("a3", "anna", None), ("b1", "ben", "HIGH"), ("b2", "ben", "medium"), ("high", "anna", "High"),
                ("late", "anna", "urgent")]

    def test_priority_then_turns_then_arrival(self):
        self.assertEqual(self.arrive("m", self.ARRIVALS), ["first", "high", "a1", "b1", "a2", "b2", "a3", "late", "low"])

    def test_fifo_knows_no_turns(self):
        self.assertEqual(self.arrive("queue", self.ARRIVALS),
                         ["first", "high", "a1", "a2", "a3", "b1", "b2", "late", "low"])


class GateHolds(GatewayTest):
    """Permits that nobody gets for a time after their requests."""
    TIME = 0.6

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config()
        for name, keys in (("released", {"release_cooldown": span(cls.TIME)}), ("failed", {"failure_hold": span(cls.TIME)})):
            config.backend(name, cls.up, concurrency=1, **keys)
            config.model(name, [name]).model(name + "-next", [name])
        return config.model("at-fault", ["failed"])

    def time_of_next(self, backend, model, first_status):
        self.up.script(f"up-{model}", json_answer(first_status, {"error": {"message": "no"}} if first_status != 200
                                                  else CHAT.document("m", "first")))
        self.assertEqual(self.ask(model).status, first_status)
        response = self.ask(backend + "-next")  # another target: its circuit is closed
        self.assertEqual(response.status, 200)
        return response.seconds

    def ask(self, model):
        return exchange(self.gateway.port, "POST", CHAT.path, CHAT.body(model))

    def test_a_success_is_held_for(self):
        self.assertGreaterEqual(self.time_of_next("released", "released", 200), scaled(self.TIME) - 0.05)

    def test_a_failure_is_held_for(self):
        self.assertGreaterEqual(self.time_of_next("failed", "failed", 429), scaled(self.TIME) - 0.05)

    def test_a_request_at_fault_is_not(self):
        self.assertLess(self.time_of_next("failed", "at-fault", 400), scaled(self.TIME) / 2)


TRIED_TWICE = """-- A provider's 429 says nothing: it is asked once more.
function classify(failure)
    return { class = "provider_capacity", fall_back = true, retry_in_place = failure.attempt == 0 }
end
"""


class Headroom(unittest.TestCase):
    """A permit that is taken out of use after a 429."""

    def setUp(self):
        self.up = Upstream()
        self.addCleanup(self.up.close)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.policies = os.path.join(self.folder.name, "policies")
        shutil.copytree(POLICIES, self.policies)

    def serve(self, **keys):
        config = Config(metrics_listen="127.0.0.1:0")
        config.backend("spared", self.up, concurrency=3, credentials={"a": {"concurrency": 2}, "b": {"concurrency": 2}},
                       adaptive_headroom="yes", **keys)
        config.model("s", ["spared/a"], ["spared/b"])
        self.gateway = Gateway(config, policies=self.policies)
        self.addCleanup(self.gateway.stop)
        self.up.script("up-s", json_answer(429, CHAT.error_document()), json_answer(200, CHAT.document("m", "x")))
        self.assertEqual(self.gateway.ask(CHAT, "s").status, 200)
        metrics = self.gateway.metrics()
        limiters = ("concurrency", "credential a", "credential b")
        return [metrics.value("watermaster_permits_held", provider="spared", limiter=name) for name in limiters]

    def test_the_limit_of_the_key_that_had_too_many_and_no_other(self):
        self.assertEqual(self.serve(), [0, 1, 0])

    def test_also_where_another_try_in_place_succeeds(self):
        with open(os.path.join(self.policies, "failure", "twice.lua"), "w", encoding="utf-8") as file:
            file.write(TRIED_TWICE)
        self.assertEqual(self.serve(failure_policy="twice"), [0, 1, 0])
        self.assertEqual([r.get("authorization") for r in self.up.of("up-s")], 2 * ["Bearer secret-spared-a"])


if __name__ == "__main__":
    unittest.main()
