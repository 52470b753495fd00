"""The metrics listener: its series count what happened, and its text keeps the rules of the format."""
import time
import unittest

from harness import (CHAT, MESSAGES, STALL, Answer, BadExposition, Config, Connection, Exposition, GatewayTest, RawUpstream,
                     eventually, exchange, json_answer, run_command, scaled, span)

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
BEGUN = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"


class Rules(unittest.TestCase):
    """The reader of the other tests refuses what Prometheus would."""

    HEAD = "# HELP a_total As.\n# TYPE a_total counter\n"
    HISTOGRAM = "# HELP h_seconds Hs.\n# TYPE h_seconds histogram\n"

    def test_good(self):
        read = Exposition((self.HEAD + 'a_total{p="x\\"y\\\\z\\n",q=""} 3\n').encode())
        self.assertEqual(read.series("a_total"), [({"p": 'x"y\\z\n', "q": ""}, 3)])

    def test_bad(self):
        buckets = 'h_seconds_bucket{le="1"} 2\nh_seconds_bucket{le="+Inf"} %d\nh_seconds_sum 1\nh_seconds_count 3\n'
        Exposition((self.HISTOGRAM + buckets % 3).encode())
        for name, text in {
                "no end": self.HEAD + "a_total 1",
                "no type": "a_total 1\n",
                "no help": "# TYPE a_total counter\na_total 1\n",
                "no samples": self.HEAD,
                "twice": self.HEAD + 'a_total{p="x"} 1\na_total{p="x"} 1\n',
                "two blocks": self.HEAD + "a_total 1\n# HELP b Bs.\n# TYPE b gauge\nb 1\n" + self.HEAD + "a_total 2\n",
                "another's block": self.HEAD + "b 1\n",
                "suffix": "# HELP a As.\n# TYPE a counter\na 1\n",
                "escape": self.HEAD + 'a_total{p="\\t"} 1\n',
                "quote": self.HEAD + 'a_total{p="x"y"} 1\n',
                "below zero": self.HEAD + "a_total -1\n",
                "count": self.HISTOGRAM + buckets % 4,
                "not cumulative": self.HISTOGRAM + buckets % 1,
                "no infinity": self.HISTOGRAM + 'h_seconds_bucket{le="1"} 2\nh_seconds_sum 1\nh_seconds_count 2\n',
        }.items():
            with self.subTest(name), self.assertRaises(BadExposition):
                Exposition(text.encode())
        with self.assertRaises(UnicodeDecodeError):
            Exposition(self.HEAD.encode() + b'a_total{p="\xff"} 1\n')


class Mounts(GatewayTest):
    """BC-152 BC-158: that each series has a provider, and each name one block, is looked at in every scrape."""

    @classmethod
    def configure(cls):
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        config = Config(metrics_listen="127.0.0.1:0")
        config.mount("m", cls.raw, prefix="/m", limit=["POST /free:unlimited", "POST /messages"], concurrency=1,
                     queue_depth=1, queue_timeout=span(5), upstream_read=span(5))
        config.mount("guarded", cls.raw, prefix="/guarded", circuit_breaker="yes", cb_threshold=1, cb_penalty="0s",
                     cb_open_timeout=span(0.5))
        config.mount("again", cls.raw, prefix="/again", retry=1, retry_min_delay="0ms", retry_wait_min="1ms")
        config.mount("narrow", cls.raw, prefix="/narrow", global_concurrency=1)
        config.mount("cooled", cls.raw, prefix="/cooled", release_cooldown="1s")
        return config.mount("hasty", cls.raw, prefix="/hasty", concurrency=1, global_concurrency=9, queue_timeout=span(0.3))

    def scrape(self):
        metrics = self.gateway.metrics()
        for name in metrics.families:
            self.assertTrue(name.startswith("watermaster_"), name)
            for suffix in ("", "_bucket", "_sum", "_count"):
                for labels, _ in metrics.series(name, suffix):
                    self.assertIn("provider", labels, name)
        return metrics

    def counted(self, provider="m"):
        """What has changed since the last call: the counters of one provider, by name and further label."""
        now = {}
        metrics = self.scrape()
        for name, family in metrics.families.items():
            if family.kind != "counter":
                continue
            for labels, value in metrics.series(name):
                if labels.pop("provider") == provider:
                    now[(name.removeprefix("watermaster_").removesuffix("_total"), *labels.values())] = value
        before, self.before = getattr(self, "before", {}), now
        return {key: value - before.get(key, 0) for key, value in now.items() if value != before.get(key, 0)}

    def begin(self, path="/m/v1/messages", text="POST {} HTTP/1.1\r\nHost: g\r\nContent-Length: 0\r\n\r\n"):
        client = self.gateway.connect()
        client.send(text.format(path).encode())
        peer = self.raw.accept()
        peer.head()
        self.addCleanup(client.close)
        self.addCleanup(peer.close)
        return client, peer

    def settled(self, provider="m"):
        """As counted(), once nothing is under way."""
        eventually(lambda: self.gateway.metrics().value("watermaster_exchanges", provider="gateway") == 0, "no exchange is left")
        return self.counted(provider)

    def test_endings(self):
        """BC-064 BC-130 BC-132 BC-154: each exchange is clean, aborted or refused, whichever class its status has."""
        ok, bad = ("attempts", "", "ok"), ("attempts", "", "stream_failure")
        left = ("attempts", "", "client_cancelled")
        endings = {
            "limited": ("/m/v1/messages", lambda c, p: (p.send(OK), c.response()),
                        {("clean_proxied",): 1, ("requests", "2xx"): 1, ok: 1}),
            "matched by nothing": ("/m/other", lambda c, p: (p.send(OK), c.response()),
                                   {("clean_passthrough",): 1, ("requests", "2xx"): 1, ok: 1}),
            "exempt": ("/m/free", lambda c, p: (p.send(OK), c.response()),
                       {("clean_passthrough",): 1, ("requests", "2xx"): 1, ok: 1}),
            "the client leaves an answer": ("/m/v1/messages", lambda c, p: (p.send(BEGUN), c.head(), c.abort(), p.left()),
                                            {("aborted",): 1, ("requests", "2xx"): 1, left: 1}),
            "the client leaves before it": ("/m/v1/messages", lambda c, p: (c.abort(), p.left()), {("aborted",): 1, left: 1}),
            "the upstream breaks off": ("/m/other", lambda c, p: (p.send(BEGUN), c.head(), p.close()),
                                        {("aborted",): 1, ("requests", "2xx"): 1, bad: 1}),
            "no answer": ("/m/other", lambda c, p: (p.close(), c.response()),
                          {("refused", "upstream_failed"): 1, ("requests", "5xx"): 1, ("attempts", "", "transport"): 1}),
        }
        self.settled()
        for name, (path, ending, expected) in endings.items():
            with self.subTest(name):
                client, peer = self.begin(path)
                ending(client, peer)
                peer.close()
                self.assertEqual(self.settled(), expected)

    def test_an_upgrade(self):
        self.settled()
        ask = "GET {} HTTP/1.1\r\nHost: g\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
        client, peer = self.begin("/m/ws", ask)
        peer.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
        client.head()
        client.close()
        peer.close()
        self.assertEqual(self.settled(), {("clean_passthrough",): 1, ("requests", "1xx"): 1, ("attempts", "", "ok"): 1})
        client, peer = self.begin("/m/ws", ask)
        peer.send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: y\r\nConnection: Upgrade\r\n\r\n")
        self.assertEqual(client.response().status, 502)
        self.assertEqual(self.settled(), {("aborted",): 1, ("requests", "5xx"): 1, ("attempts", "", "local"): 1})

    def test_those_who_wait(self):
        """BC-153 BC-156: who runs, who waits, since when and for what, who was refused, and what the wait was."""
        self.settled()
        client, peer = self.begin()
        waiter = self.gateway.connect()
        self.addCleanup(waiter.close)
        waiter.request("POST", "/m/v1/messages", b"")
        self.gateway.wait_waiting(1)
        self.assertEqual(exchange(self.gateway.port, "POST", "/m/v1/messages", b"").status, 429)
        passing, other = self.begin("/m/other")
        metrics = self.scrape()
        limiter = {"provider": "m", "limiter": "concurrency"}
        route = {"provider": "m", "method": "POST", "path": "/messages"}
        self.assertEqual(metrics.value("watermaster_route_queued", **route), 1)
        self.assertEqual(len(metrics.series("watermaster_route_queued")), 1)
        oldest = metrics.value("watermaster_oldest_queued_seconds", provider="m")
        self.assertGreater(oldest, 0)
        self.assertEqual(metrics.value("watermaster_route_oldest_queued_seconds", **route), oldest)
        self.assertEqual(metrics.value("watermaster_oldest_queued_seconds", provider="hasty"), 0)
        for name, labels, value in (("active", {"provider": "m"}, 2), ("queued", {"provider": "m"}, 1),
                                    ("active", {"provider": "hasty"}, 0), ("queued", {"provider": "hasty"}, 0),
                                    ("retries_in_flight", {"provider": "m"}, 0),
                                    ("permits", limiter, 1), ("permits_in_use", limiter, 1)):
            self.assertEqual(metrics.value(f"watermaster_{name}", **labels), value, name)
        before = metrics.value("watermaster_queue_wait_seconds", "_count", provider="m")
        for one in (peer, other):
            one.send(OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        following = self.raw.accept()
        following.send(OK)
        self.assertEqual([c.response().status for c in (client, passing, waiter)], [200] * 3)
        following.close()
        self.assertEqual(self.settled(), {("clean_proxied",): 2, ("clean_passthrough",): 1, ("queue_rejected",): 1,
                                          ("refused", "queue_full"): 1, ("requests", "2xx"): 3, ("requests", "4xx"): 1,
                                          ("attempts", "", "ok"): 3, ("permit_waits", "concurrency"): 1})
        metrics = self.scrape()
        self.assertEqual(metrics.value("watermaster_queue_wait_seconds", "_count", provider="m"), before + 2)
        self.assertEqual([metrics.value(f"watermaster_{name}", provider="m") for name in
                          ("active", "queued", "oldest_queued_seconds")], [0, 0, 0])
        self.assertEqual(metrics.series("watermaster_route_queued") + metrics.series("watermaster_route_oldest_queued_seconds"), [])
        self.assertEqual(metrics.value("watermaster_permits_in_use", **limiter), 0)

    def test_a_wait_that_is_too_long(self):
        self.settled("hasty")
        client, peer = self.begin("/hasty/v1/messages")
        self.assertEqual(exchange(self.gateway.port, "POST", "/hasty/v1/messages", b"").status, 504)
        peer.send(OK)
        client.response()
        counted = self.settled("hasty")
        self.assertEqual(counted[("refused", "queue_timeout")], 1)
        metrics = self.scrape()
        long = sum(value for labels, value in metrics.series("watermaster_queue_wait_seconds", "_bucket")
                   if labels["provider"] == "hasty" and labels["le"] == "0.1")
        self.assertEqual(metrics.value("watermaster_queue_wait_seconds", "_count", provider="hasty") - long, 1)
        self.assertEqual(metrics.value("watermaster_permits", provider="hasty", limiter="global_concurrency"), 9)

    def test_times_of_the_upstream(self):
        def sums():
            metrics = self.scrape()
            return [metrics.value(f"watermaster_{name}_seconds", "_sum", provider="m") for name in ("upstream_first_byte", "upstream")]
        before = sums()
        client, peer = self.begin()
        time.sleep(0.1)
        peer.send(BEGUN)
        client.head()
        time.sleep(0.1)
        peer.send(b"0\r\n\r\n")
        self.settled()
        first_byte, total = (now - then for now, then in zip(sums(), before))
        self.assertGreaterEqual(first_byte, 0.09)
        self.assertGreaterEqual(total, first_byte + 0.09)

    def test_the_breaker(self):
        """BC-155: 0 closed, 2 open, 1 while it is probed; no series where there is none."""
        def states():
            return {labels["provider"]: value for labels, value in self.scrape().series("watermaster_breaker_state")}
        self.assertEqual(states(), {"guarded": 0})
        self.settled("guarded")
        for status in (b"500", b"200"):
            client, peer = self.begin("/guarded/v1/messages")
            if status == b"200":
                self.assertEqual(states(), {"guarded": 1})
            peer.send(OK.replace(b"200", status).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            client.response()
            peer.close()
            if status == b"500":
                eventually(lambda: states() == {"guarded": 2}, "it is open")
                self.assertEqual(exchange(self.gateway.port, "POST", "/guarded/v1/messages", b"").status, 503)
                time.sleep(scaled(0.5))
        eventually(lambda: states() == {"guarded": 0}, "it is closed")
        counted = self.settled("guarded")
        self.assertEqual((counted[("circuit_rejected",)], counted[("refused", "circuit_open")]), (1, 1))

    def test_who_waits_for_the_global_limit_alone(self):
        """BC-153: a request that no limiter of its own bounds counts as queued, and has no age and no route."""
        client, peer = self.begin("/narrow/other")
        with self.gateway.connect() as waiter:
            waiter.request("POST", "/narrow/other", b"")
            self.gateway.wait_waiting(1)
            metrics = self.scrape()
            self.assertEqual(metrics.value("watermaster_queued", provider="narrow"), 1)
            self.assertEqual(metrics.value("watermaster_oldest_queued_seconds", provider="narrow"), 0)
            self.assertEqual(metrics.series("watermaster_route_queued"), [])
        peer.send(OK)
        client.response()

    def test_a_permit_that_is_held(self):
        client, peer = self.begin("/cooled/v1/messages")
        peer.send(OK)
        client.response()
        limiter = {"provider": "cooled", "limiter": "concurrency"}
        eventually(lambda: self.scrape().value("watermaster_permits_held", **limiter) == 1, "it is held")
        self.assertEqual(self.scrape().value("watermaster_permits_in_use", **limiter), 0)
        eventually(lambda: self.scrape().value("watermaster_permits_held", **limiter) == 0, "it is free again")

    def test_a_body_is_not_waited_for(self):
        """Nothing here takes one, so none is held either."""
        with Connection(self.gateway.metrics_port) as client:
            client.send(b"GET /metrics HTTP/1.1\r\nHost: g\r\nContent-Length: 67000000\r\n\r\nx")
            self.assertEqual(client.response().status, 200)

    def test_the_listener_has_nothing_else(self):
        port = self.gateway.metrics_port
        self.assertEqual(exchange(port, "GET", "/").status, 404)
        self.assertEqual(exchange(port, "GET", "/healthz").status, 404)
        self.assertEqual(exchange(port, "GET", "/m/v1/messages").status, 404)
        response = exchange(port, "POST", "/metrics", b"")
        self.assertEqual((response.status, response.get("allow")), (405, "GET, HEAD"))
        self.assertEqual(exchange(port, "GET", "/metrics").get("content-type"), "text/plain; version=0.0.4; charset=utf-8")

    def test_a_retry_in_flight(self):
        """BC-153: from the failure on, while it waits and while it is tried again; each attempt is counted."""
        def retrying():
            return self.scrape().value("watermaster_retries_in_flight", provider="again")
        self.settled("again")
        client, peer = self.begin("/again/v1/messages")
        self.assertEqual(retrying(), 0)
        peer.send(OK.replace(b"200", b"500").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        second = self.raw.accept()
        self.addCleanup(second.close)
        second.head()
        self.assertEqual(retrying(), 1)
        second.send(OK)
        self.assertEqual(client.response().status, 200)
        self.assertEqual(self.settled("again"), {("clean_proxied",): 1, ("requests", "2xx"): 1, ("attempts", "", "ok"): 1,
                                                 ("attempts", "", "provider_transient"): 1})
        self.assertEqual(retrying(), 0)

    def test_a_reload_forgets_nothing(self):
        client, peer = self.begin()
        peer.send(OK)
        client.response()
        self.settled()
        before = self.scrape().value("watermaster_clean_proxied_total", provider="m")
        self.gateway.reload()
        metrics = self.scrape()
        self.assertEqual(metrics.value("watermaster_clean_proxied_total", provider="m"), before)
        self.assertGreaterEqual(metrics.value("watermaster_reloads_total", provider="gateway", outcome="accepted"), 1)
        self.assertEqual(metrics.value("watermaster_generation", provider="gateway"), self.gateway.generation())


class ServedModels(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config(metrics_listen="127.0.0.1:0")
        config.backend("one", cls.up, credentials=("k", "spare")).backend("gated", cls.up, concurrency=1)
        config.backend("spared", cls.up, credentials={"a": {"concurrency": 2}, "b": {"concurrency": 2}}, adaptive_headroom="yes")
        config.backend("hasty", cls.up, concurrency=1, queue_timeout=span(0.3)).model("h", ["hasty"])
        return config.model("m", ["one"], ["one/spare"]).model("g", ["gated"]).model("s", ["spared/a"], ["spared/b"])

    def test_attempts_by_credential_and_the_circuit(self):
        self.up.script("up-m", json_answer(429, CHAT.error_document()), json_answer(200, CHAT.document("m", "x")))
        self.assertEqual(self.gateway.ask(CHAT, "m").status, 200)
        eventually(lambda: self.gateway.metrics().series("watermaster_attempts_total"), "the exchange is settled")
        metrics = self.gateway.metrics()
        attempts = {(a["credential"], a["outcome"]): n for a, n in metrics.series("watermaster_attempts_total") if a["provider"] == "one"}
        self.assertEqual(attempts, {("k", "provider_capacity"): 1, ("spare", "ok"): 1})
        circuits = {c["credential"]: n for c, n in metrics.series("watermaster_circuit_state") if c["provider"] == "one"}
        self.assertEqual(circuits, {"k": 2, "spare": 0})
        self.assertEqual(metrics.value("watermaster_requests_total", provider="one", status="2xx"), 1)
        self.assertEqual(metrics.value("watermaster_upstream_seconds", "_count", provider="one"), 2)
        self.assertEqual(metrics.value("watermaster_clean_passthrough_total", provider="one"), 1)
        self.assertEqual(metrics.value("watermaster_fallbacks_total", provider="one"), 1)
        tokens = {t["kind"]: n for t, n in metrics.series("watermaster_tokens_total") if t["provider"] == "one"}
        self.assertEqual((tokens["input"], tokens["output"], tokens["output_reasoning"]), (9, 2, 0))

    def test_a_gate_and_a_translated_route(self):
        """BC-065: in whichever protocol it is asked, a limited backend's request waits at the same gate."""
        self.up.script("up-g", Answer(STALL))
        with self.gateway.connect() as holder, self.gateway.connect() as waiter:
            holder.request("POST", CHAT.path, CHAT.body("g"))
            self.up.wait_for(1, "up-g")
            waiter.request("POST", MESSAGES.path, MESSAGES.body("g"))
            self.gateway.wait_waiting(1)
            metrics = self.gateway.metrics()
            for name, value in (("active", 1), ("queued", 1)):
                self.assertEqual(metrics.value(f"watermaster_{name}", provider="gated"), value)
            gate = {"provider": "gated", "limiter": "concurrency"}
            self.assertEqual([metrics.value(f"watermaster_permits{part}", **gate) for part in ("", "_in_use")], [1, 1])
            waiter.close() # first, or it would have the permit for a moment
            self.gateway.wait_waiting(0)
        eventually(lambda: self.gateway.metrics().value("watermaster_aborted_total", provider="gated") == 1, "an abort is counted")
        eventually(lambda: self.gateway.metrics().value("watermaster_active", provider="gated") == 0, "nothing is active")

    def test_a_wait_that_is_too_long(self):
        def waits():
            return self.gateway.metrics().value("watermaster_queue_wait_seconds", "_count", provider="gateway") or 0
        before = waits()
        self.up.script("up-h", Answer(STALL))
        with self.gateway.connect() as holder:
            holder.request("POST", CHAT.path, CHAT.body("h"))
            self.up.wait_for(1, "up-h")
            self.assertEqual(self.gateway.ask(CHAT, "h").status, 504)
            eventually(lambda: waits() == before + 1, "a wait is counted")

    def test_a_key_that_had_too_many_is_spared_alone(self):
        self.up.script("up-s", json_answer(429, CHAT.error_document()), json_answer(200, CHAT.document("m", "x")))
        self.assertEqual(self.gateway.ask(CHAT, "s").status, 200)
        metrics = self.gateway.metrics()
        held = {key: metrics.value("watermaster_permits_held", provider="spared", limiter=f"credential {key}") for key in "ab"}
        self.assertEqual(held, {"a": 1, "b": 0})

    def test_what_is_left_of_a_quota(self):
        said = [("x-ratelimit-limit-requests", "500"), ("x-ratelimit-remaining-requests", "499")]
        self.up.script("up-g", json_answer(200, CHAT.document("g", "x"), said))
        self.assertEqual(self.gateway.ask(CHAT, "g").status, 200)
        metrics = self.gateway.metrics()
        whose = {"provider": "gated", "credential": "k", "resource": "requests", "scope": "credential"}
        self.assertEqual([metrics.value(f"watermaster_rate_limit{part}", **whose) for part in ("", "_remaining")], [500, 499])

    def test_what_has_no_upstream(self):
        def refused(cause):
            return self.gateway.metrics().value("watermaster_refused_total", provider="gateway", cause=cause) or 0
        before = refused("model_not_found")
        self.assertEqual(self.gateway.ask(CHAT, "nobody's").status, 404)
        eventually(lambda: refused("model_not_found") == before + 1, "a refusal is counted")
        self.assertGreaterEqual(self.gateway.metrics().value("watermaster_policy_calls_total", provider="gateway"), 1)
        failures = self.gateway.metrics().series("watermaster_policy_failures_total")
        self.assertEqual({f["cause"] for f, _ in failures}, {"error", "instructions", "memory", "nonsense"})


class ALimitThatIsGone(GatewayTest):
    @classmethod
    def config_with(cls, **limit):
        return Config(metrics_listen="127.0.0.1:0").backend("b", cls.up, **limit).model("m", ["b"])

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return cls.config_with(concurrency=1)

    def test_bounds_nobody(self):
        def clean():
            metrics = self.gateway.metrics()
            return [metrics.value(f"watermaster_clean_{how}_total", provider="b") or 0 for how in ("proxied", "passthrough")]
        self.up.script("up-m", json_answer(200, CHAT.document("m", "x")))
        for limit, expected in (None, [1, 0]), ({}, [1, 1]):
            if limit is not None:
                self.gateway.reload(self.config_with(**limit).text())
            self.assertEqual(self.gateway.ask(CHAT, "m").status, 200)
            eventually(lambda: sum(clean()) == sum(expected), "it is counted")
            self.assertEqual(clean(), expected)


class RootMount(GatewayTest):
    """BC-150 BC-151"""

    @classmethod
    def configure(cls):
        up = cls.upstream()
        up.always = lambda request: json_answer(200, {"path": request.path})
        return Config(metrics_listen="127.0.0.1:0").mount("root", up)

    def test_it_keeps_every_path(self):
        response = exchange(self.gateway.port, "GET", "/metrics")
        self.assertEqual((response.status, response.json()), (200, {"path": "/metrics"}))
        eventually(lambda: self.gateway.metrics().value("watermaster_clean_passthrough_total", provider="root") == 1, "it is counted")


class Off(GatewayTest):
    """BC-150"""

    @classmethod
    def configure(cls):
        return Config().mount("m", cls.upstream(), prefix="/m")

    def test_it_is_off_by_default(self):
        self.assertIsNone(self.gateway.metrics_port)
        self.assertEqual(exchange(self.gateway.port, "GET", "/metrics").status, 404)


class Binding(GatewayTest):
    """BC-159"""

    @classmethod
    def configure(cls):
        return Config(metrics_listen="127.0.0.1:0").mount("m", cls.upstream(), prefix="/m")

    def start(self, **server):
        text = Config(**server).mount("m", "http://127.0.0.1:1", prefix="/m").text()
        return run_command("serve", text)

    def test_a_taken_address_of_either_listener_ends_the_start(self):
        data, metrics = self.gateway.port, self.gateway.metrics_port
        status, said, _ = self.start(metrics_listen=f"127.0.0.1:{metrics}")
        self.assertEqual(status, 1, said)
        self.assertIn("[server] metrics_listen", said)
        self.assertNotIn("listening on", said)
        status, said, _ = self.start(listen=f"127.0.0.1:{data}", metrics_listen=f"127.0.0.1:{metrics}")
        self.assertEqual(status, 1, said)
        self.assertIn("Set [server] listen", said)  # this one was tried first
