"""A client that leaves takes its upstream request and its permit along; a gateway that stops leaves nobody hanging."""
import json
import threading
import unittest

from harness import (CHAT, PROTOCOLS, STALL, Answer, Closed, Config, Connection, Gateway, GatewayTest, Upstream, eventually,
                     json_answer, span, sse_answer)


class Disconnects(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return Config().backend("one", cls.up, concurrency=1).pool("m", 10, ["one"])

    def leaves(self, answer, stream, reads_first=False, reset=False):
        """A client leaves at a point of an exchange; the provider is told, and the permit serves the next at once."""
        model = self.gateway.take("m")
        self.up.script(f"up-{model}", answer, json_answer(200, CHAT.document("m", "Hello world")))
        client = self.gateway.connect()
        client.request("POST", CHAT.path, CHAT.body(model, stream))
        (request,) = self.up.wait_for(1, f"up-{model}")
        if reads_first:
            first = next(e for e in client.events(client.head()) if CHAT.delta(e))
            self.assertEqual(CHAT.delta(first), "a")
        client.abort() if reset else client.close()
        self.assertTrue(request.left.wait(5), "the provider was left working for nobody")
        self.check_answer(self.gateway.ask(CHAT, model), CHAT)

    def test_before_the_head(self):
        for reset in (False, True):
            for stream in (False, True):
                with self.subTest(reset=reset, stream=stream):
                    self.leaves(Answer(STALL), stream, reset=reset)

    def test_during_the_preamble(self):
        self.leaves(sse_answer(CHAT.preamble("m"), end=STALL), True)

    def test_in_the_middle_of_a_stream(self):
        for reset in (False, True):
            with self.subTest(reset=reset):
                self.leaves(sse_answer(CHAT.preamble("m") + [CHAT.word("m", "a")], end=STALL), True, True, reset)

    def test_in_the_middle_of_a_plain_answer(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
        self.leaves(Answer(head + b"{", STALL), False)

    def test_a_client_that_ends_its_sending_side(self):
        """The two ends of a connection look the same from here until one writes: it counts as gone."""
        model = self.gateway.take("m")
        self.up.script(f"up-{model}", Answer(STALL), json_answer(200, CHAT.document("m", "Hello world")))
        with self.gateway.connect() as client:
            client.request("POST", CHAT.path, CHAT.body(model))
            (request,) = self.up.wait_for(1, f"up-{model}")
            client.end()
            self.assertTrue(request.left.wait(5))
            self.assertTrue(client.closed())
        self.check_answer(self.gateway.ask(CHAT, model), CHAT)

    def test_no_circuit_opens_for_it(self):
        model = self.gateway.take("m")
        self.up.script(f"up-{model}", Answer(STALL))
        for i in range(3):
            with self.gateway.connect() as client:
                client.request("POST", CHAT.path, CHAT.body(model))
                request = self.up.wait_for(i + 1, f"up-{model}")[i]
            self.assertTrue(request.left.wait(5))
        self.up.script(f"up-{model}", json_answer(200, CHAT.document("m", "Hello world")))
        self.check_answer(self.gateway.ask(CHAT, model), CHAT)


class Drain(GatewayTest):
    @classmethod
    def setUpClass(cls):
        pass  # a gateway for each test, which is stopped in it

    tearDownClass = setUpClass

    def setUp(self):
        self.up = Upstream()
        self.addCleanup(self.up.close)

    def start(self, **server):
        self.gateway = Gateway(Config(**server).backend("a", self.up).model("m", ["a"]))
        return self.gateway

    def refuses_new_work(self):
        """New connections are refused, closed or told that the gateway is not ready; never served."""
        try:
            with Connection(self.gateway.port) as client:
                client.request("GET", "/readyz")
                return client.response().status == 503
        except (ConnectionError, Closed):
            return True

    def test_streams_finish(self):
        gateway, go = self.start(), threading.Event()
        words = CHAT.stream("m", ["a", "b"])
        self.up.script("up-m", sse_answer(words[:2] + [go] + words[2:]))
        client, idle = gateway.connect(), gateway.connect()
        idle.request("GET", "/readyz")
        self.assertEqual(idle.response().status, 200)
        client.request("POST", CHAT.path, CHAT.body("m", True))
        events = client.events(client.head())
        self.assertEqual(CHAT.delta(next(e for e in events if CHAT.delta(e))), "a")
        gateway.terminate()
        eventually(self.refuses_new_work, "a gateway that stops accepting")
        self.assertTrue(gateway.alive())
        go.set()
        rest = list(events)
        self.assertEqual("".join(map(CHAT.delta, rest)), "b")
        self.assertEqual(rest[-1].data, "[DONE]")
        self.assertTrue(client.closed())
        client.close()
        idle.close()
        gateway.stop()

    def test_plain_requests_finish(self):
        gateway, go = self.start(), threading.Event()
        self.up.script("up-m", Answer(go, *json_answer(200, CHAT.document("m", "in time")).steps))
        with gateway.connect() as client:
            client.request("POST", CHAT.path, CHAT.body("m"))
            self.up.wait_for(1)
            gateway.terminate()
            eventually(self.refuses_new_work, "a gateway that stops accepting")
            go.set()
            response = client.response()
            self.assertEqual(CHAT.text_of(response), "in time")
            self.assertTrue(client.closed())
        gateway.stop()

    def test_readiness_turns_on_a_kept_connection(self):
        gateway, go = self.start(), threading.Event()
        self.up.script("up-m", Answer(go, *json_answer(200, CHAT.document("m", "x")).steps))
        with gateway.connect() as busy, gateway.connect() as probe:
            probe.request("GET", "/readyz")
            self.assertEqual(probe.response().status, 200)
            busy.request("POST", CHAT.path, CHAT.body("m"))
            self.up.wait_for(1)
            gateway.terminate()
            eventually(self.refuses_new_work, "a gateway that stops accepting")
            try:
                probe.request("GET", "/readyz")
                status = probe.response().status
            except (ConnectionError, Closed):
                status = None  # closed: as good as not ready
            self.assertIn(status, (None, 503))
            go.set()
            self.assertEqual(busy.response().status, 200)
        gateway.stop()

    def test_the_deadline(self):
        """Streams that have begun end with their protocol's error; who has no answer yet is told to try again."""
        config = Config(drain_timeout=span(0.5), downstream_sse_heartbeat=span(0.05))
        config.each_protocol(self.up, model=True)
        config.backend("full", self.up, concurrency=1).model("full", ["full"]).model("plain", ["openai-chat"])
        config.model("quiet", ["openai-chat"])
        gateway = Gateway(config)
        begun, waiting = [], []
        for protocol in PROTOCOLS:
            pieces = protocol.preamble("m") + [protocol.word("m", "a")]
            self.up.script(f"up-{protocol.id}", sse_answer(pieces + [b"data: half an ev"], end=STALL))
            client = gateway.connect()
            client.request("POST", protocol.path, protocol.body(protocol.id, True))
            events = client.events(client.head())
            begun.append((protocol, client, events, []))
            while not begun[-1][3] or not protocol.delta(begun[-1][3][-1]):
                begun[-1][3].append(next(events))
        for model in ("full", "plain"):
            self.up.script(f"up-{model}", Answer(STALL))
        for model in ("full", "full", "plain"):
            client = gateway.connect()
            client.request("POST", CHAT.path, CHAT.body(model))
            waiting.append(client)
        self.up.script("up-quiet", Answer(STALL))
        quiet = gateway.connect()
        quiet.request("POST", CHAT.path, CHAT.body("quiet", True))
        head = quiet.head()  # a heartbeat sent it
        self.up.wait_for(len(PROTOCOLS) + 3)
        gateway.wait_waiting(1)
        gateway.stop(10)
        for protocol, client, events, heard in begun:
            with self.subTest(protocol.id):
                document = self.check_error_end(heard + list(events), protocol)
                self.assertIn("shutting down", json.dumps(document))
                self.assertTrue(client.closed())
            client.close()
        for client in waiting:
            response = client.response()
            self.check_error(response, 503, CHAT, "draining")
            self.assertEqual(response.get("retry-after"), "1")
            client.close()
        self.check_error_end(list(quiet.events(head)), CHAT)
        quiet.close()
        for request in self.up.requests:
            self.assertTrue(request.left.wait(5))
        lines = [json.loads(line) for line in gateway.out if line.startswith("{")]
        lines = [line for line in lines if line["method"] == "POST"]
        self.assertEqual(len(lines), len(begun) + len(waiting) + 1)
        self.assertEqual({(line.get("error"), line.get("error_class")) for line in lines}, {("draining", "local")})

    def test_waiting_and_connecting_and_idle_ones_do_not_hold_it(self):
        gateway = Gateway(Config(drain_timeout=span(0.5)).backend("a", self.up, concurrency=1).model("m", ["a"]))
        self.up.script("up-m", Answer(STALL))
        clients = [gateway.connect() for _ in range(20)]
        for client in clients[:10]:
            client.request("POST", CHAT.path, CHAT.body("m"))
        for client in clients[10:15]:
            client.send(b"POST /v1/chat/comple")
        self.up.wait_for(1)
        gateway.wait_waiting(9)
        gateway.stop(10)
        for client in clients:
            client.close()

    def test_idle(self):
        gateway = self.start()
        with gateway.connect() as client:
            client.request("GET", "/healthz")
            client.response()
            gateway.stop(5)
            self.assertTrue(client.closed())


class Descriptors(GatewayTest):
    descriptors = 100

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return Config().backend("a", cls.up).pool("m", 4, ["a"])

    def test_running_out_is_survived(self):
        model = self.gateway.take("m")
        self.check_answer(self.gateway.ask(CHAT, model), CHAT)
        for _ in range(2):
            crowd = [self.gateway.connect() for _ in range(150)]
            eventually(lambda: self.gateway.descriptors() >= 50, "as many connections as there may be")
            self.assertTrue(self.gateway.alive())
            for client in crowd:
                client.close()
            eventually(lambda: self.gateway.descriptors() < 45, "descriptors given back")
            self.check_answer(self.gateway.ask(CHAT, model), CHAT)

    def test_a_crowd_leaves_descriptors_for_the_provider(self):
        model = self.gateway.take("m")
        with self.gateway.connect() as client:
            client.request("GET", "/healthz")
            client.response()
            crowd = [self.gateway.connect() for _ in range(150)]
            eventually(lambda: self.gateway.descriptors() >= 50, "as many connections as there may be")
            client.request("POST", CHAT.path, CHAT.body(model))
            self.check_answer(client.response(), CHAT)
            for other in crowd:
                other.close()
            eventually(lambda: self.gateway.descriptors() < 45, "descriptors given back")
        self.check_answer(self.gateway.ask(CHAT, model), CHAT)

    def test_many_exchanges_leave_no_descriptor_behind(self):
        model = self.gateway.take("m")
        self.check_answer(self.gateway.ask(CHAT, model), CHAT)
        before = self.gateway.descriptors()
        for _ in range(300):
            self.check_answer(self.gateway.ask(CHAT, model), CHAT)
        eventually(lambda: self.gateway.descriptors() <= before + 2, "descriptors given back")


if __name__ == "__main__":
    unittest.main()
