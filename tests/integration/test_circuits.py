"""Circuits as clients and providers notice them; the schedules themselves have unit tests with a clock of their own."""
import json
import os
import tempfile
import threading
import unittest

from harness import (CHAT, PROTOCOLS, Answer, Config, Gateway, GatewayTest, Together, Upstream, eventually, json_answer, span)

SERVER_ERROR = json_answer(500, CHAT.error_document())
LATER = [("Retry-After", "40")]  # keeps a circuit open for longer than a slow machine takes


class Circuits(GatewayTest):
    @classmethod
    def configure(cls):
        cls.a, cls.b = cls.upstream(), cls.upstream()
        config = Config(route_probe_wait=span(8))
        config.backend("a", cls.a, credentials=("k", "l")).backend("b", cls.b)
        config.pool("pair-", 10, ["a"], ["b"]).pool("single-", 20, ["a"]).pool("keys-", 2, ["a/k", "a/l"])
        for protocol in PROTOCOLS[1:]:
            config.backend(protocol.id, cls.a, protocol).pool(f"{protocol.id}-", 3, [protocol.id])
        return config

    def test_a_failed_target_rests(self):
        model = self.gateway.take("pair-")
        self.a.script(f"up-{model}", json_answer(500, CHAT.error_document(), LATER))
        for _ in range(3):
            self.check_answer(self.gateway.ask(CHAT, model), CHAT)
        self.assertEqual((len(self.a.of(f"up-{model}")), len(self.b.of(f"up-{model}"))), (1, 3))

    def test_and_is_probed_and_used_again(self):
        model = self.gateway.take("pair-")
        self.a.script(f"up-{model}", SERVER_ERROR, json_answer(200, CHAT.document("m", "again here")))
        self.check_answer(self.gateway.ask(CHAT, model), CHAT)
        eventually(lambda: CHAT.text_of(self.gateway.ask(CHAT, model)) == "again here", "the target in use again", 8)
        self.check_answer(self.gateway.ask(CHAT, model), CHAT, "again here")

    def test_all_circuits_open(self):
        for protocol, pool in zip(PROTOCOLS, ("single-", "openai-responses-", "anthropic-messages-")):
            for stream in (False, True):
                with self.subTest(protocol=protocol.id, stream=stream):
                    model = self.gateway.take(pool)
                    self.a.script(f"up-{model}", json_answer(500, protocol.error_document(), LATER))
                    self.assertEqual(self.gateway.ask(protocol, model, stream).status, 500)
                    response = self.gateway.ask(protocol, model, stream)
                    self.check_error(response, 503, protocol)
                    self.assertIn(int(response.get("retry-after")), range(30, 41))
                    self.assertEqual(len(self.a.of(f"up-{model}")), 1)

    def retry_after(self, status, fields=(), document=None):
        """The Retry-After of the 503 that follows a failure."""
        model = self.gateway.take("single-")
        self.a.script(f"up-{model}", json_answer(status, document or CHAT.error_document(), fields))
        self.gateway.ask(CHAT, model)
        response = self.gateway.ask(CHAT, model)
        self.check_error(response, 503, CHAT)
        return int(response.get("retry-after"))

    def test_the_schedule_follows_the_meaning(self):
        self.assertIn(self.retry_after(429), range(1, 6))
        self.assertIn(self.retry_after(401), range(290, 301))
        self.assertRegex("".join(list(self.gateway.errors)), r"Warning circuits: a/k up-single-\d+ is suspended for 300 s "
                         r"\(provider_auth\): look at its api_key;")
        self.assertIn(self.retry_after(402), range(3590, 3601))
        self.assertIn(self.retry_after(404), range(5, 11))
        quota = CHAT.error_document("out of it", "insufficient_quota", "insufficient_quota")
        self.assertIn(self.retry_after(429, (), quota), range(55, 61))

    def test_retry_after_is_honoured_within_limits(self):
        self.assertIn(self.retry_after(429, [("Retry-After", "40")]), range(35, 41))
        self.assertIn(self.retry_after(429, [("Retry-After", "86400")]), range(290, 301))
        self.assertIn(self.retry_after(503, [("Retry-After", "3600")]), range(55, 61))

    def test_a_retry_after_that_is_none_is_no_hint(self):
        for value, hint in (("2", 2000), ("soon", None)):
            with self.subTest(value):
                model = self.gateway.take("single-")
                self.a.script(f"up-{model}", json_answer(503, CHAT.error_document(), [("Retry-After", value)]))
                self.gateway.ask(CHAT, model)
                line = json.loads(eventually(lambda: [line for line in self.gateway.out if f'"{model}"' in line],
                                             "a line in the access log")[0])
                self.assertEqual(line["attempts"][0].get("retry_after_ms"), hint)

    def test_one_key_does_not_disable_another(self):
        model = self.gateway.take("keys-")
        refused = json_answer(401, CHAT.error_document())
        self.a.always = lambda request: refused if request.get("authorization") == "Bearer secret-a-k" else None
        for _ in range(20):
            self.check_answer(self.gateway.ask(CHAT, model), CHAT)
        self.a.always = None
        bad = [r for r in self.a.of(f"up-{model}") if r.get("authorization") == "Bearer secret-a-k"]
        self.assertEqual(len(bad), 1)

    def test_requests_at_once_wait_for_the_probe_of_one(self):
        model = self.gateway.take("single-")
        held = threading.Event()
        good = json_answer(200, CHAT.document("m", "back"))
        self.a.script(f"up-{model}", SERVER_ERROR, Answer(held, *good.steps), good)
        self.assertEqual(self.gateway.ask(CHAT, model).status, 500)
        probing, answers = threading.Event(), []

        def probe():
            while not probing.is_set():
                response = self.gateway.ask(CHAT, model)
                if response.status == 200:
                    answers.append(response)
                    return
        running = Together(probe)
        self.a.wait_for(2, f"up-{model}", 8)
        probing.set()
        for _ in range(5):
            running.start(lambda: answers.append(self.gateway.ask(CHAT, model)))
        eventually(lambda: self.gateway.get("/healthz").status == 200, "the gateway answers beside them")
        self.assertEqual(len(self.a.of(f"up-{model}")), 2, "a second request passed beside the probe")
        held.set()
        running.join()
        self.assertEqual([r.status for r in answers], [200] * 6)


class ProbeWait(GatewayTest):
    @classmethod
    def configure(cls):
        cls.a = cls.upstream()
        return Config(route_probe_wait=span(0.3)).backend("a", cls.a).pool("m", 2, ["a"])

    def test_waiting_for_a_probe_is_bounded(self):
        model = self.gateway.take("m")
        held = threading.Event()
        good = json_answer(200, CHAT.document("m", "back"))
        self.a.script(f"up-{model}", SERVER_ERROR, Answer(held, *good.steps), good)
        self.assertEqual(self.gateway.ask(CHAT, model).status, 500)
        answers = []

        def probe():
            while not answers or answers[-1].status != 200:
                answers.append(self.gateway.ask(CHAT, model))
        prober = Together(probe)
        self.a.wait_for(2, f"up-{model}", 8)
        response = self.gateway.ask(CHAT, model)
        self.check_error(response, 503, CHAT)
        self.assertEqual(int(response.get("retry-after")), -(-int(span(0.3)[:-2]) // 1000))
        held.set()
        prober.join()
        self.assertEqual(self.gateway.ask(CHAT, model).status, 200)


class Restart(unittest.TestCase):
    """A key that its provider refused is not tried again because the gateway was restarted; another key is."""

    def setUp(self):
        self.folder, self.up = tempfile.TemporaryDirectory(), Upstream()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(self.up.close)

    def ask(self, key="refused"):
        config = Config(data_dir=os.path.join(self.folder.name, "state")).backend("a", self.up).model("m", ["a"])
        config.env["KEY_A_K"] = key
        gateway = Gateway(config)
        try:
            return gateway.ask(CHAT, "m")
        finally:
            gateway.stop()

    def test_circuits_outlive_the_process(self):
        self.up.script("up-m", json_answer(401, CHAT.error_document()), json_answer(200, CHAT.document("m", "x")))
        self.assertEqual(self.ask().status, 502)
        again = self.ask()
        self.assertEqual((again.status, again.get("x-watermaster-error")), (503, "circuit_open"))
        self.assertIn(int(again.get("retry-after")), range(200, 301))
        self.assertEqual(len(self.up.of("up-m")), 1)
        self.assertEqual(self.ask("another").status, 200)
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder.name, "state"))), ["circuits.json"])


if __name__ == "__main__":
    unittest.main()
