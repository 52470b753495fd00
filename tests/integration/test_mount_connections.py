"""Which connections to its upstream a mount keeps."""
import threading

from harness import Config, GatewayTest, Together, exchange, json_answer, span


class Connections(GatewayTest):
    @classmethod
    def configure(cls):
        cls.kept, cls.single, cls.narrow, cls.wide = (cls.upstream() for _ in range(4))
        cls.kept.always = cls.single.always = lambda r: json_answer(200, {})
        config = Config(loops=1)
        config.mount("kept", cls.kept, prefix="/kept")
        config.mount("single", cls.single, prefix="/single", upstream_disable_keep_alives="yes")
        config.mount("narrow", cls.narrow, prefix="/narrow", concurrency=2)
        return config.mount("wide", cls.wide, prefix="/wide", concurrency=30, limit_all="yes", queue_timeout=span(30))

    def test_a_connection_of_its_own_for_each_request(self):
        """BC-097: and the upstream is told."""
        for name, up, connections, field in (("kept", self.kept, 1, []), ("single", self.single, 3, ["close"])):
            for _ in range(3):
                response = exchange(self.gateway.port, "POST", f"/{name}/x", b"{}")
                self.assertEqual((response.status, response.get("connection")), (200, None))
            self.assertEqual(len({r.connection for r in up.requests}), connections)
            self.assertEqual([r.all("connection") for r in up.requests], [field] * 3)

    def test_a_burst_finds_its_connections_again(self):
        """BC-098: as many as the limits add up to, but at least 20."""
        for name, up, connections in (("narrow", self.narrow, 25 + 5), ("wide", self.wide, 25)):
            gather = threading.Barrier(25)
            def answer(request):
                gather.wait(30)
                return json_answer(200, {})
            up.always = answer
            def ask():
                self.assertEqual(exchange(self.gateway.port, "POST", f"/{name}/x", b"{}", timeout=60).status, 200)
            for _ in range(2):
                Together(*[ask] * 25).join()
            self.assertEqual(len({r.connection for r in up.requests}), connections)
