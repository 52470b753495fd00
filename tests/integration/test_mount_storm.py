"""A storm over mounts: clients that leave, upstreams that fail, and reloads, all at random and all at once. Afterwards
every request has ended in one way, every counter of what is under way is at zero, and every permit is back.

WM_STORM_SECONDS is how long (default 4); WM_STORM_SEED repeats one, as far as threads allow.
"""
import collections
import os
import random
import threading
import time

from harness import (CHUNKED_END, CLOSE, RESET, STALL, Answer, Closed, Config, GatewayTest, Together, chunk,
                     eventually, exchange, json_answer, poll, raw_answer, scaled, span, sse_head)

SECONDS = float(os.environ.get("WM_STORM_SECONDS", "4"))
SEED = int(os.environ.get("WM_STORM_SEED", "0")) or random.SystemRandom().randrange(1, 1 << 32)
CLIENTS = 24
PATHS = ("/v1/messages", "/v1/messages", "/v1/chat/completions", "/v1/batches", "/free", "/models")
OVER = ("active", "queued", "retries_in_flight", "oldest_queued_seconds", "permits_in_use", "permits_held")


def weather(rng):
    """What the upstream does for one request."""
    def drip(request):
        time.sleep(rng.uniform(0, 0.03))
    begun = [sse_head(), chunk(b"data: a\n\n")]
    body = rng.randbytes(rng.choice((0, 10, 3000, 200_000)))
    return rng.choices((
        raw_answer(200, body),
        Answer(*begun, drip, chunk(b"data: b\n\n"), drip, chunk(b"data: c\n\n"), CHUNKED_END),
        json_answer(429, {"error": "later"}, [("Retry-After", "0")]),
        json_answer(rng.choice((500, 502, 503)), {"error": "down"}),
        json_answer(403, {"error": "limited"}, [("Retry-After", "1")]),
        Answer(CLOSE),
        Answer(RESET),
        Answer(*begun, drip, RESET),
        Answer(*begun, CLOSE),
        Answer(*begun, STALL),
        Answer(STALL),
    ), (40, 12, 6, 6, 2, 4, 6, 4, 4, 2, 2))[0]


class Client:
    """Asks again and again until the storm is over, and behaves badly at times. Counts by mount what it sent whole, and of
    that what it heard of."""

    def __init__(self, gateway, seed, names, over):
        self.gateway, self.rng, self.names, self.over = gateway, random.Random(seed), names, over
        self.sent, self.answered = collections.Counter(), collections.Counter()

    def __call__(self):
        while not self.over.is_set():
            connection = self.gateway.connect(timeout=30)
            try:
                for _ in range(self.rng.randrange(1, 6)):
                    if not self.ask(connection):
                        break
            except (OSError, Closed):
                pass  # the answer was cut, as some are
            finally:
                connection.close()

    def ask(self, connection):
        """One request, and whether the connection may be used again."""
        rng, mount = self.rng, self.rng.choice(self.names)
        body = rng.randbytes(rng.choice((0, 0, 100, 5000, 150_000)))
        path, priority = f"/{mount}{rng.choice(PATHS)}", rng.choice(("low", "medium", "high"))
        if rng.random() < 0.05:  # leaves in the middle of its body
            head = f"POST {path} HTTP/1.1\r\nHost: g\r\nContent-Length: 9999\r\n\r\n".encode()
            connection.send(head + b"x" * 999)
            self.sent[mount] += 1
            time.sleep(rng.uniform(0, 0.02))
            return False
        headers = [("x-middleman-priority", priority), ("Accept", rng.choice(("*/*", "text/event-stream")))]
        connection.request("POST", path, body, headers)
        self.sent[mount] += 1
        mood = rng.random()
        if mood < 0.1:
            time.sleep(rng.uniform(0, 0.05))
            connection.abort()
            return False
        response = connection.head()
        self.answered[mount] += 1
        if mood < 0.2:
            connection.abort()
            return False
        response.body = b"".join(connection.pieces(response))
        return response.get("connection") != "close"


class MountStorm(GatewayTest):
    @classmethod
    def configure(cls):
        rng = random.Random(SEED)
        cls.up = cls.upstream()
        cls.up.always = lambda request: weather(rng)
        return cls.configured(1)

    @classmethod
    def configured(cls, size):
        """A reload changes how many permits there are, and nothing else."""
        config = Config(metrics_listen="127.0.0.1:0", admin_listen="127.0.0.1:0")
        common = {"upstream_read": span(0.4), "limit": ["POST /free:unlimited", f"POST /messages:{size}", "POST /chat/completions",
                                                        f"POST /batches:{size + 1}@b"]}
        held = {"release_cooldown": "5ms", "cancel_cooldown": "10ms", "failure_hold": "20ms"}
        again = {"retry": 2, "retry_wait_min": "5ms", "retry_wait_max": "20ms", "retry_min_delay": "5ms", "retry_after_cap": "30ms"}
        config.mount("tight", cls.up, prefix="/tight", concurrency=size, global_concurrency=size + 1, queue_timeout=span(0.2),
                     queue_depth=8, **held, **common)
        config.mount("all", cls.up, prefix="/all", limit_all="yes", concurrency=size + 2, queue_timeout=span(2),
                     queue_promote_after=span(0.05), queue_order="fifo", circuit_breaker="yes", cb_open_timeout=span(0.1),
                     cb_max_open_timeout=span(0.2), cb_penalty="10ms", cb_max_penalty="50ms", adaptive_headroom="yes",
                     adaptive_headroom_window=span(0.1), retry_skip_429="no", retry_429_max_time=span(0.3), **again, **held, **common)
        return config.mount("open", cls.up, prefix="/open", global_concurrency=6, queue_timeout="0s", queue_comments="20ms",
                            **again, **common)

    NAMES = ("tight", "all", "open")

    def test_nothing_is_left_of_it(self):
        over = threading.Event()
        clients = [Client(self.gateway, f"{SEED} {i}", self.NAMES, over) for i in range(CLIENTS)]
        reloads = 0
        with self.subTest(seed=SEED, seconds=SECONDS):
            storm = Together(*clients)
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                time.sleep(0.3)
                reloads += 1
                self.gateway.reload(self.configured(1 + reloads % 3).text())
                self.gateway.metrics()
            over.set()
            storm.join()
            self.check_calm(clients)

    def check_calm(self, clients):
        def left():
            metrics = self.gateway.metrics()
            found = [(name, labels, value) for name in OVER for labels, value in metrics.series(f"watermaster_{name}") if value]
            found += metrics.series("watermaster_route_queued")
            if exchanges := metrics.value("watermaster_exchanges", provider="gateway"):
                found.append(("exchanges", exchanges))
            return found
        poll(lambda: not left(), 10)
        self.assertEqual(left(), [])
        metrics = self.gateway.metrics()
        for mount in self.NAMES:
            ended = sum(metrics.value(f"watermaster_{name}_total", provider=mount) for name in
                        ("clean_proxied", "clean_passthrough", "aborted"))
            ended += sum(value for labels, value in metrics.series("watermaster_refused_total") if labels["provider"] == mount)
            self.assertLessEqual(ended, sum(client.sent[mount] for client in clients), mount)
            self.assertGreaterEqual(ended, sum(client.answered[mount] for client in clients), mount)
            self.assertGreater(ended, 0, mount)
        self.check_permits()

    def check_permits(self):
        """As many run at once as ever, of each mount: each of them waits for the others."""
        self.gateway.reload(self.configured(2).text())
        for mount in self.NAMES:
            self.up.always = lambda request: raw_answer(200, b"ok")
            eventually(lambda mount=mount: exchange(self.gateway.port, "POST", f"/{mount}/models", b"").status == 200,
                       "the circuit is closed")
            together = threading.Barrier(2, timeout=scaled(10))
            self.up.always = lambda request, met=together: Answer(lambda _: met.wait(), *raw_answer(200, b"ok").steps)
            def ask(mount=mount):
                self.assertEqual(exchange(self.gateway.port, "POST", f"/{mount}/v1/messages", b"").status, 200)
            Together(ask, ask).join()
        self.up.always = None
