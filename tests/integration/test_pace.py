"""Who is slow, and whom it costs: clients that read slowly, providers that take a request slowly or not at all."""
import threading
import time

from harness import CHAT, MESSAGES, Answer, Config, GatewayTest, RawUpstream, chunk, json_answer, scaled, span, sse_head

MIB = 1 << 20
LONG = "y" * (3 * MIB)
BRIEF = {f"upstream_{what}": span(2) for what in ("read", "stream_read", "total")} | {"upstream_connect": span(1)}


class SlowReaders(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        cls.up.script("up-long", json_answer(200, CHAT.document("long", LONG)))
        config = Config(loops=1).backend("one", cls.up, concurrency=1, queue_timeout=span(5)).model("long", ["one"])
        cls.endless = cls.upstream()
        cls.endless.always = lambda _: Answer(sse_head(content_type="application/json"), *[chunk(b" " * MIB)] * 64)
        config.backend("endless", cls.endless, **BRIEF).model("endless", ["endless"])
        return config.mount("m", cls.endless, prefix="/m", upstream_connect=span(1), upstream_read=span(2), upstream_total=span(2))

    def slow(self, protocol, path, model):
        client = self.gateway.connect(receive_buffer=4096)
        self.addCleanup(client.close)
        return client.request("POST", path, protocol.body(model))

    def test_a_whole_answer_holds_nothing_of_the_provider(self):
        """It has been read and judged: the next request need not wait until the client has read it, too."""
        for protocol in (CHAT, MESSAGES):  # natively and translated
            with self.subTest(protocol.path):
                before, connections = len(self.up.requests), {r.connection for r in self.up.requests}
                first = self.slow(protocol, protocol.path, "long")
                self.up.wait_for(before + 1)
                second = self.gateway.ask(protocol, "long")
                self.assertEqual(second.status, 200, second)
                self.assertIn(LONG.encode(), second.body)
                self.assertIn(LONG.encode(), first.response().body)
                self.assertEqual(len({r.connection for r in self.up.requests} | connections), 1)

    def test_a_body_that_still_comes_has_its_time(self):
        """`upstream_total` holds, however slowly but surely the client reads."""
        for path in (CHAT.path, "/m/x"):
            with self.subTest(path):
                before = len(self.endless.requests)
                client, stop = self.slow(CHAT, path, "endless"), threading.Event()
                def drip(client=client, stop=stop):
                    while not stop.wait(0.02):
                        try:
                            if not client.sock.recv(4096):
                                return
                        except OSError:
                            return
                reader = threading.Thread(target=drip)
                reader.start()
                self.endless.wait_for(before + 1)
                self.assertTrue(self.endless.requests[-1].left.wait(scaled(6)), "it went on beyond its time")
                stop.set()
                reader.join()


class SlowProviders(GatewayTest):
    @classmethod
    def configure(cls):
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        config = Config().backend("brief", cls.raw, **BRIEF).model("brief", ["brief"])
        return config.backend("early", cls.raw, upstream_read=span(8), upstream_stream_read=span(8)).pool("early", 2, ["early"])

    def post(self, model):
        """A large request, which is on its way now."""
        client = self.gateway.connect(timeout=20)
        self.addCleanup(client.close)
        sender = threading.Thread(target=client.request, args=("POST", CHAT.path, CHAT.body(model, padding="x" * (30 * MIB))))
        sender.start()
        self.addCleanup(sender.join)
        peer = self.raw.accept()
        self.addCleanup(peer.close)
        return client, peer

    def test_one_that_takes_a_request_slowly_has_its_time(self):
        client, peer = self.post("brief")
        began, stop = time.monotonic(), threading.Event()
        def drip():
            try:
                while not stop.wait(0.1) and peer.sock.recv(256 * 1024):
                    pass
            except OSError:
                pass
        reader = threading.Thread(target=drip)
        reader.start()
        response = client.response()
        self.check_error(response, 504, CHAT, "upstream_timeout")
        self.assertLess(time.monotonic() - began, scaled(5))
        stop.set()
        reader.join()

    def test_an_early_refusal_is_heard(self):
        """It reads no more of the request, so the rest of it is not sent."""
        client, peer = self.post(self.gateway.take("early"))
        peer.head()
        body = b'{"error":{"message":"too large","type":"invalid_request_error","param":null,"code":null}}'
        began = time.monotonic()
        peer.send(b"HTTP/1.1 413 Content Too Large\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        response = client.response()
        self.check_error(response, 413, CHAT, by_gateway=False)
        self.assertLess(time.monotonic() - began, scaled(4))

    def test_an_early_success_waits_for_the_rest(self):
        client, peer = self.post(self.gateway.take("early"))
        _, fields = peer.head()
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
        answer = json_answer(200, CHAT.document("early", "hi")).steps[0].partition(b"\r\n\r\n")[2]
        peer.send(b"Content-Length: %d\r\n\r\n" % len(answer))
        peer.exactly(int(fields["content-length"][0]))
        peer.send(answer)
        self.check_answer(client.response(), CHAT, "hi")
