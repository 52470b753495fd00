"""C39, C41, C42, C52, C55, C56 on mounts: everything passes as it is, but for what belongs to the hop or to the gateway."""
import threading
import time

from cases import CASES
from harness import (MESSAGES, RESET, STALL, Answer, Config, GatewayTest, RawUpstream, Together, chunk, eventually, exchange,
                     json_answer, scaled, span, sse_head)

CREDENTIAL = "MOUNTS-OWN"


class Passing(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config().mount("m", cls.up, prefix="/px", secret=CREDENTIAL)
        return config.mount("patient", cls.up, prefix="/patient", retry=-1, retry_skip_429="no", retry_wait_min="10ms", retry_min_delay="0ms")

    def ask(self, path, body=b"{}", headers=()):
        return exchange(self.gateway.port, "POST", path, body, headers)

    def test_C39_the_providers_429_passes_with_its_code(self):
        """BC-128: no retry of an exhausted quota, the client gets it at once and can stop; nor, unless that is said, of a
        rate limit."""
        for prefix in ("/px", "/patient"):
            for case in CASES["C39"]["A_answers"][:1 if prefix == "/patient" else None]:
                before = len(self.up.requests)
                self.up.always = lambda r, c=case: json_answer(c["status"], c["body"], list(c["headers"].items()))
                response = self.ask(prefix + "/v1/chat/completions")
                self.assertEqual((response.status, response.json()), (429, case["body"]))
                self.assertEqual(response.get("retry-after"), case["headers"].get("retry-after"))
                self.assertEqual(len(self.up.requests), before + 1)

    def test_C39_a_short_limit_is_waited_for(self):
        """Its Retry-After is the least to wait; the permit is held meanwhile, so nobody else asks either."""
        case = CASES["C39"]["A_answers"][1]
        before = len(self.up.requests)
        left = [json_answer(case["status"], case["body"], list(case["headers"].items()))]
        self.up.always = lambda r: left.pop() if left else json_answer(200, {"ok": 1})
        self.assertEqual(self.ask("/patient/v1/chat/completions").json(), {"ok": 1})
        first, second = self.up.requests[before:]
        self.assertGreaterEqual(second.arrived - first.arrived, 1.0)

    def test_C42_a_stream_passes_as_it_is_with_its_error(self):
        """On a mount the head passes at once, so nothing is ever sent again."""
        for name in ("A_stream_1", "A_stream_2"):
            stream = CASES["C42"][name].encode()
            before = len(self.up.requests)
            self.up.always = lambda r, s=stream: Answer(sse_head(), *[chunk(s[i:i + 7]) for i in range(0, len(s), 7)], b"0\r\n\r\n")
            self.assertEqual(self.ask("/px/v1/messages").body, stream)
            self.assertEqual(len(self.up.requests), before + 1)

    def test_C52_hop_by_hop_fields(self):
        fields = list(CASES["C52"]["upstream_response_headers"].items())
        interim = b"HTTP/1.1 103 Early Hints\r\nConnection: X-Up\r\nX-Up: 1\r\nLink: </x>\r\n\r\n"
        self.up.always = lambda r: Answer(interim, *json_answer(200, {}, fields).steps)
        with self.gateway.connect() as client:
            client.send(CASES["C52"]["raw_request"].encode())
            response = client.response()
        request = self.up.requests[-1]
        self.assertEqual(request.target, "/x")
        for name in ("x-debug", "keep-alive", "proxy-authorization", "upgrade", "http2-settings", "x-forwarded-for"):
            self.assertEqual(request.all(name), [], name)
        self.assertEqual((request.all("connection"), request.all("te")), (["TE"], ["trailers"]))
        self.assertEqual(request.all("authorization"), ["Bearer " + CREDENTIAL])
        self.assertEqual([(r.status, r.get("link")) for r in response.interim], [(103, "</x>")])
        for message in [response, *response.interim]:
            for name in ("x-up", "keep-alive", "proxy-authenticate"):
                self.assertEqual(message.all(name), [], name)


class Upgrades(GatewayTest):
    """C55 on a route that upgrades. That its slot is held until the close is in integration's test_mount_limits."""

    @classmethod
    def configure(cls):
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        return Config().mount("m", cls.raw, secret=CREDENTIAL).client("tenant", "tenant-1")

    def test_C55_no_key(self):
        with self.gateway.connect() as client:
            client.send(CASES["C55"]["raw_request"].replace("Authorization: Bearer tenant-1\r\n", "").encode())
            self.assertEqual(client.response().status, 401)
        self.assertTrue(self.raw.quiet())

    def upgrade(self, answer):
        client = self.gateway.connect()
        client.send(CASES["C55"]["raw_request"].encode())
        peer = self.raw.accept()
        self.addCleanup(client.close)
        self.addCleanup(peer.close)
        line, fields = peer.head()
        self.assertEqual((line, fields["authorization"]), ("GET /v1/responses HTTP/1.1", ["Bearer " + CREDENTIAL]))
        self.assertEqual(fields["sec-websocket-key"], ["MDEyMzQ1Njc4OWFiY2RlZg=="])
        peer.send(answer)
        return client, peer

    def test_C55_frames_and_closes_pass_both_ways(self):
        client, peer = self.upgrade(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                    b"Sec-WebSocket-Accept: right=\r\nSec-WebSocket-Protocol: b\r\n\r\n")
        response = client.head()
        self.assertEqual((response.status, response.get("sec-websocket-accept"), response.get("sec-websocket-protocol")),
                         (101, "right=", "b"))
        self.assertEqual((response.get("upgrade"), response.get("connection")), ("websocket", "Upgrade"))
        ping, close_1001, close_1011 = b"\x89\x80mask", b"\x88\x82mask\x03\xe9", b"\x88\x02\x03\xf3"
        for frame in (ping, close_1001):
            client.send(frame)
            self.assertEqual(peer.exactly(len(frame)), frame)
        peer.send(close_1011)
        self.assertEqual(client.exactly(4), close_1011)
        peer.close()
        self.assertTrue(client.closed())

    def test_C55_another_answer_is_an_ordinary_one(self):
        client, _ = self.upgrade(b"HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"error\":\"x\"}")
        response = client.response()
        self.assertEqual((response.status, response.json()), (403, {"error": "x"}))
        self.assertEqual(response.all("upgrade"), [])


class Credentials(GatewayTest):
    """C56, with the keys that make a mount stricter than it is by default."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        cls.up.always = lambda r: json_answer(200, {})
        strict = {"forward_cookies": "no", "strip_query": "key"}
        config = Config().client("tenant", "TENANT")
        config.mount("messages", cls.up, prefix="/messages", secret=CREDENTIAL, auth_mode="x-api-key",
                     forward_headers="anthropic-beta, !x-gateway-*", **strict)
        return config.mount("openai", cls.up, prefix="/openai", secret=CREDENTIAL, forward_headers="!x-gateway-*", **strict)

    def test_C56_one_credential_goes_upstream_and_it_is_the_mounts(self):
        headers, query = list(CASES["C56"]["client_headers"].items()), CASES["C56"]["query"]
        for name, field in (("messages", "x-api-key"), ("openai", "authorization")):
            with self.subTest(name):
                response = exchange(self.gateway.port, "POST", f"/{name}/v1/x{query}", b"{}", headers)
                self.assertEqual(response.status, 200, response)
                request = self.up.requests[-1]
                for canary in (b"TENANT", b"CANARY"):
                    self.assertNotIn(canary, request.raw)
                self.assertEqual(request.target, "/v1/x?beta=true")
                self.assertEqual(request.raw.count(CREDENTIAL.encode()), 1)
                self.assertTrue(request.get(field).endswith(CREDENTIAL))
                native = name == "messages"
                self.assertEqual(request.all("anthropic-version"), ["2023-06-01"] if native else [])
                self.assertEqual(",".join(request.all("anthropic-beta")), "f1-2026-01-01,f2-2026-01-01" if native else "")


class Probes(GatewayTest):
    """C41 on mounts. Any answer that is no failure of the upstream closes a circuit, so 400 and 401 do; 429 is one."""

    OUTCOMES = ("400", "401", "429", "left", "reset", "200", "crowd")
    OPEN = 5 * CASES["C41"]["breaker"]["open_ms"] / 1000  # or it would end before a busy machine has looked

    @classmethod
    def configure(cls):
        steps = CASES["C41"]["breaker"]
        cls.ups, config = {}, Config(admin_listen="127.0.0.1:0")
        for name in cls.OUTCOMES:
            cls.ups[name] = up = cls.upstream()
            up.always = lambda r: json_answer(500, {})
            config.mount(name, up, prefix="/" + name, circuit_breaker="yes", cb_threshold=steps["failures_to_open"],
                         cb_open_timeout=span(cls.OPEN), cb_max_open_timeout="10m", cb_penalty="0ms")
        return config

    def ask(self, name):
        return exchange(self.gateway.port, "POST", f"/{name}/v1/messages", b"{}")

    def circuit(self, name):
        mounts = exchange(self.gateway.admin_port, "GET", "/state/mounts", host="localhost").json()["mounts"]
        return next(mount["circuit"]["state"] for mount in mounts if mount["mount"] == name)

    def opened(self, name):
        """The mount's upstream, once its circuit has opened and a probe is due."""
        up = self.ups[name]
        for _ in range(2):
            self.assertEqual(self.ask(name).status, 500)
        eventually(lambda: self.circuit(name) == "open", "the circuit has heard of them, after their clients have")
        refused = self.ask(name)
        self.check_error(refused, 503, MESSAGES, "circuit_open")
        self.assertGreaterEqual(int(refused.get("retry-after")), 1)
        self.assertEqual(len(up.requests), 2)
        time.sleep(scaled(1.05 * self.OPEN))
        return up

    def test_C41_a_probe_that_is_answered_closes(self):
        for status in (400, 401, 200):
            up = self.opened(str(status))
            up.always = lambda r, s=status: json_answer(s, {})
            for _ in range(3):
                self.assertEqual(self.ask(str(status)).status, status)

    def test_C41_a_probe_that_fails_opens_it_again_for_longer(self):
        for name, answer, status in (("429", json_answer(429, {}), 429), ("reset", Answer(RESET), 502)):
            up = self.opened(name)
            up.always = lambda r, a=answer: a
            self.assertEqual(self.ask(name).status, status)
            self.check_error(self.ask(name), 503, MESSAGES, "circuit_open")
            up.always = lambda r: json_answer(200, {})
            eventually(lambda n=name: self.ask(n).status == 200, "the next probe")

    def test_C41_a_client_that_leaves_gives_the_probe_back(self):
        up = self.opened("left")
        up.always = lambda r: Answer(STALL)
        client = self.gateway.connect()
        client.request("POST", "/left/v1/messages", b"{}")
        up.wait_for(3)
        up.always = lambda r: json_answer(200, {})
        client.close()
        eventually(lambda: self.ask("left").status == 200, "another probe")

    def test_C41_one_of_a_crowd_is_the_probe(self):
        up, statuses, go = self.opened("crowd"), [], threading.Event()
        def answer(request):
            go.wait(scaled(20))
            return json_answer(200, {})
        up.always = answer
        crowd = Together(*[lambda: statuses.append(self.ask("crowd").status)] * 20)
        eventually(lambda: len(statuses) == 19, "19 refusals")
        self.assertEqual((statuses, len(up.requests)), ([503] * 19, 3))
        go.set()
        crowd.join()
        self.assertEqual((statuses[-1], self.ask("crowd").status), (200, 200))
