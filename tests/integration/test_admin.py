"""The admin listener and `watermaster explain`: what they tell is what the gateway does, and holds nothing secret."""
import json
import os
import tempfile
import threading
import time
import unittest

from harness import (CHAT, MESSAGES, RESPONSES, STALL, Answer, Config, Connection, Gateway, GatewayTest, Upstream, eventually,
                     exchange, json_answer, run_command, span)

KEY, ADMIN = "client-CANARY", "admin-CANARY"


def question(model, protocol=CHAT, path=None, key=KEY, **members):
    return {"path": path or protocol.path, "headers": {"x-api-key": key},
            "body": json.loads(protocol.body(model, **members))}


class Live(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config(admin_listen="127.0.0.1:0", admin_key="env:ADMIN_KEY", drain_timeout="0s")
        config.env["ADMIN_KEY"] = ADMIN
        config.client("alice", KEY, tenant="team", priority="high")
        config.backend("one", cls.up).backend("two", cls.up, credentials=("k", "spare")).backend("held", cls.up, concurrency=1)
        config.model("m", ["one"], ["two", "two/spare"], aliases="em").model("gated", ["held"])
        config.model("chat-only", ["one"], protocols="openai-chat")
        return config.pool("p", 4, ["one"], ["two"])

    def begin_question(self, of, sent):
        client = Connection(self.gateway.admin_port)
        self.addCleanup(client.close)
        return client.send(f"POST /explain HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer {ADMIN}\r\n"
                           f"Content-Length: {of}\r\n\r\n".encode() + b" " * sent)

    def test_bodies_are_read_where_they_are_wanted_and_bounded_together(self):
        with Connection(self.gateway.admin_port) as client:
            client.send(f"GET /state HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer {ADMIN}\r\nContent-Length: 9\r\n\r\n".encode())
            self.assertEqual(client.response().status, 200)
        large, held = 40 << 20, []
        for _ in range(2):
            held.append(self.begin_question(large + 1, large))
        response = self.begin_question(large, 1 << 20).response()
        self.assertEqual((response.status, response.get("x-watermaster-error")), (503, "bodies_crowded"))
        for client in held:
            self.assertEqual(client.send(b" ").response().status, 400)

    def admin(self, method, path, document=None, headers=(("Authorization", f"Bearer {ADMIN}"),)):
        body = None if document is None else json.dumps(document).encode()
        response = exchange(self.gateway.admin_port, method, path, body, headers)
        self.assertNotIn(b"CANARY", response.body)
        self.assertNotIn(b"secret-", response.body)
        return response

    def state(self, part=""):
        response = self.admin("GET", f"/state/{part}" if part else "/state")
        self.assertEqual(response.status, 200, response)
        return response.json()

    def explain(self, document):
        response = self.admin("POST", "/explain", document)
        self.assertEqual(response.status, 200, response)
        return response.json()

    def circuit(self, backend, model):
        (row,) = [c for c in self.state("circuits")["circuits"] if (c["backend"], c["upstream_model"]) == (backend, model)]
        return row["circuit"]

    def test_the_key(self):
        for headers in ((), (("Authorization", "Bearer wrong"),), (("Authorization", ADMIN),), (("x-api-key", ADMIN),)):
            response = self.admin("GET", "/state", headers=headers)
            self.assertEqual((response.status, response.get("x-watermaster-error")), (401, "unauthorized"))

    def test_the_two_listeners_share_nothing(self):
        for path in ("/state", "/explain"):
            self.assertEqual(self.gateway.get(path, [("Authorization", f"Bearer {ADMIN}")]).status, 404)
        self.assertEqual(self.admin("GET", "/v1/models").status, 404)
        self.assertEqual(self.admin("POST", CHAT.path, {}).status, 404)

    def test_paths_and_methods(self):
        self.assertEqual(self.admin("GET", "/state/nothing").status, 404)
        self.assertEqual(self.admin("GET", "/stately").status, 404)
        response = self.admin("POST", "/state", {})
        self.assertEqual((response.status, response.get("allow")), (405, "GET, HEAD"))
        response = self.admin("GET", "/explain")
        self.assertEqual((response.status, response.get("allow")), (405, "POST"))
        response = self.admin("POST", "/explain", {"path": "nowhere"})
        self.assertEqual((response.status, response.get("x-watermaster-error")), (400, "invalid_body"))

    def test_health(self):
        health = self.admin("GET", "/healthz").json()
        self.assertEqual((health["status"], health["exchanges"], health["waiting"]), ("ok", 0, 0))

    def test_backends_policies_plugins(self):
        state = self.state()
        (two,) = [b for b in state["backends"] if b["backend"] == "two"]
        self.assertEqual((two["adapter"], two["credentials"], two["client_certificate"]), (CHAT.adapter, ["k", "spare"], False))
        self.assertEqual(two["address"], self.up.url)
        scripts = {s["name"]: s["file"] for s in state["policies"]["scripts"]}
        self.assertLessEqual({"allocation/random", "failure/generic", "failure/schedules"}, scripts.keys())
        self.assertTrue(scripts["allocation/random"].endswith("allocation/random.lua"))
        self.assertEqual((state["generation"], state["policies"]["generation"]), (1, 1))
        self.assertEqual(state["reloads"], {"accepted": 0, "refused": 0, "last": None})
        plugins = {p["plugin"]: p for p in state["plugins"]}
        self.assertLessEqual({"openai-chat", "openai-responses", "anthropic-messages", "custom"}, plugins.keys())
        self.assertRegex(plugins["custom"]["abi"], r"^\d+\.\d+$")
        self.assertTrue(plugins["custom"]["version"])
        self.assertTrue(os.path.isfile(plugins["custom"]["file"]))

    def test_a_failure_is_seen_explained_and_so_acted_upon(self):
        model = self.gateway.take("p")
        told = self.explain(question(model))
        self.assertEqual((told["decision"], told["target"]["backend"]), ("attempt", "one"))
        self.up.script(f"up-{model}", json_answer(429, CHAT.error_document()), json_answer(200, CHAT.document("m", "x")))
        response = self.gateway.ask(CHAT, model, headers=[("x-api-key", KEY), ("X-Relay-Include-Metadata", "1")])
        self.assertEqual((response.status, response.get("x-relay-backend")), (200, "two"))
        circuit = self.circuit("one", f"up-{model}")
        self.assertEqual((circuit["state"], circuit["level"], circuit["consecutive_failures"]), ("open", 1, 1))
        self.assertGreater(circuit["until_ms"], circuit["since_ms"])
        self.assertEqual(self.circuit("two", f"up-{model}"), {"state": "closed"})
        told = self.explain(question(model))
        self.assertEqual((told["decision"], told["target"]["backend"], told["target"]["layer"]), ("attempt", "two", "second"))
        (first,) = told["layers"][0]["targets"]
        self.assertEqual((first["standing"], first["circuit"]), ("circuit_open", circuit))
        response = self.gateway.ask(CHAT, model, headers=[("x-api-key", KEY), ("X-Relay-Include-Metadata", "1")])
        self.assertEqual(response.get("x-relay-backend"), "two")

    def test_what_providers_say_of_their_quotas(self):
        model = self.gateway.take("p")
        said = [("x-ratelimit-limit-tokens", "30000"), ("x-ratelimit-remaining-tokens", "29000"), ("x-ratelimit-reset-tokens", "6m0s")]
        self.up.script(f"up-{model}", json_answer(429, CHAT.error_document(), [("x-ratelimit-remaining-requests", "0")]),
                       json_answer(200, CHAT.document("m", "x"), said))
        self.assertEqual(self.gateway.ask(CHAT, model, headers=[("x-api-key", KEY)]).status, 200)
        rows = {(r["backend"], r["credential"], r["resource"]): r for r in self.state("rate_limits")["rate_limits"]}
        self.assertEqual(rows["one", "k", "requests"]["remaining"], 0)
        tokens = rows["two", "k", "tokens"]
        self.assertEqual((tokens["scope"], tokens["limit"], tokens["remaining"], tokens["reset_ms"]),
                         ("credential", 30000, 29000, 360000))
        self.assertLess(abs(tokens["at_ms"] / 1000 - time.time()), 60)

    def test_what_is_told_of_a_request(self):
        told = self.explain(question("em", stream=True))
        self.assertEqual(told["principal"], {"name": "alice", "tenant": "auth:team", "priority": "high"})
        self.assertEqual(told["model"], {"requested": "em", "served": "m", "alias": True})
        self.assertEqual((told["endpoint"]["kind"], told["protocol"], told["stream"]), ("inference", "openai-chat", True))
        self.assertEqual([layer["layer"] for layer in told["layers"]], ["first", "second"])
        self.assertEqual(sorted(t["credential"] for t in told["layers"][1]["targets"]), ["k", "spare"])
        for layer in told["layers"]:
            for target in layer["targets"]:
                self.assertEqual((target["protocol"], target["losses"], target["standing"]), ("native", [], "free"))

    def test_a_translation_is_tried(self):
        row = question("m", MESSAGES)
        row["body"]["unheard_of"] = 1
        told = self.explain(row)
        for layer in told["layers"]:
            for target in layer["targets"]:
                self.assertEqual((target["protocol"], target["asked_in"], target["losses"]),
                                 ("translated", "openai-chat", ["extension_members=unheard_of"]))

    def test_refusals_are_those_of_the_gateway(self):
        rows = [question("none"), question("m", key="wrong"), question("chat-only", RESPONSES), question("m", path="/v1/nothing"),
                {"path": CHAT.path, "headers": {"x-api-key": KEY}, "body": "{"}]
        for row in rows:
            with self.subTest(row=row):
                body = row["body"] if isinstance(row["body"], str) else json.dumps(row["body"])
                response = self.gateway.post(row["path"], body.encode(), list(row["headers"].items()))
                told = self.explain(row)
                self.assertEqual(told["decision"], "refuse")
                self.assertEqual((told["refusal"]["status"], told["refusal"]["code"]),
                                 (response.status, response.get("x-watermaster-error")))

    def test_a_client_by_name(self):
        told = self.explain({"path": CHAT.path, "client": "alice", "body": {"model": "m", "messages": []}})
        self.assertEqual((told["decision"], told["principal"]["name"]), ("attempt", "alice"))

    def test_a_gate_that_is_full(self):
        self.up.script("up-gated", Answer(STALL))
        with self.gateway.connect() as holder, self.gateway.connect() as waiter:
            holder.request("POST", CHAT.path, CHAT.body("gated"), [("x-api-key", KEY)])
            self.up.wait_for(1, "up-gated")
            told = self.explain(question("gated"))
            self.assertEqual((told["decision"], told["target"]["backend"]), ("wait_at_gate", "held"))
            waiter.request("POST", CHAT.path, CHAT.body("gated"), [("x-api-key", KEY)])

            def gate():
                (row,) = self.state("gates")["gates"]
                return row["gate"]
            eventually(lambda: gate()["waiting"] == 1, "a request waiting")
            self.assertEqual(gate(), {"limit": 1, "in_use": 1, "held": 0, "waiting": 1, "waits": 1})
        eventually(lambda: gate()["in_use"] == 0, "the permit given back")
        self.assertEqual(len(self.up.of("up-gated")), 1, "an explanation asked the provider")


class Mounts(GatewayTest):
    """BC-076: operators see of a mount what it does, who waits, in which order, and for how long."""

    @classmethod
    def configure(cls):
        cls.held = threading.Event()
        cls.up = cls.upstream()
        cls.up.always = lambda request: Answer(cls.held, *json_answer(200, {}).steps)
        config = Config(admin_listen="127.0.0.1:0")
        config.client("alice", "key-a", priority="low").client("bob", "key-b")
        config.mount("m", cls.up, prefix="/m", limit=["POST /messages:1", "POST /batches@b", "POST /free:unlimited"],
                     queue_depth=3, global_concurrency=5)
        return config.mount("guarded", cls.up, prefix="/guarded", circuit_breaker="yes", cb_threshold=1)

    def mount(self, name):
        document = exchange(self.gateway.admin_port, "GET", "/state/mounts", host="localhost").json()
        self.assertNotIn("key-", json.dumps(document))
        (row,) = [m for m in document["mounts"] if m["mount"] == name]
        return row

    def explain(self, path, key="key-b"):
        row = {"path": path, "headers": {"x-api-key": key}}
        response = exchange(self.gateway.admin_port, "POST", "/explain", json.dumps(row).encode(), host="localhost")
        return response.json()

    def start(self, path, key):
        client = self.gateway.connect()
        self.addCleanup(client.close)
        client.request("POST", path, b"{}", [("x-api-key", key)])
        return client

    def test_who_runs_and_who_waits(self):
        told = self.explain("/m/v1/messages")
        self.assertEqual((told["decision"], told["mount"], told["route"]), ("forward", "m", "POST /messages"))
        self.assertEqual([one["limiter"] for one in told["limiters"]], ["POST /messages:1", "global_concurrency"])
        clients = [self.start("/m/v1/messages", "key-a")]
        self.up.wait_for(1)
        for place, key in enumerate(("key-a", "key-b", "key-a"), 1):
            if place == 3:
                self.assertEqual(self.explain("/m/v1/messages")["decision"], "wait_at_gate")
            clients.append(self.start("/m/v1/messages", key))
            eventually(lambda place=place: self.mount("m")["gate"]["waiting"] == place, "one more waits")
        row = self.mount("m")
        self.assertEqual((row["prefix"], row["upstream"], row["queue_depth"], row["circuit"]), ("/m/", self.up.url, 3, None))
        self.assertEqual(row["gate"], {"limit": 5, "in_use": 1, "held": 0, "waiting": 3, "waits": 3})
        limiters = {one["limiter"]: one["gate"] for one in row["limiters"]}
        self.assertEqual(limiters["POST /messages:1"], {"limit": 1, "in_use": 1, "held": 0, "waiting": 3, "waits": 3})
        self.assertEqual(limiters.keys(), {"concurrency", "POST /messages:1", "@b", "global_concurrency"})
        self.assertEqual([(w["position"], w["principal"], w["route"]) for w in row["waiters"]],
                         [(1, "bob", "POST /messages"), (2, "alice", "POST /messages"), (3, "alice", "POST /messages")])
        waited = [w["waited_ms"] for w in row["waiters"]]
        self.assertGreaterEqual(waited[1], waited[2])
        health = exchange(self.gateway.admin_port, "GET", "/healthz", host="localhost").json()
        self.assertEqual(health["waiting"], 3)
        told = self.explain("/m/v1/messages")
        refused = exchange(self.gateway.port, "POST", "/m/v1/messages", b"{}", [("x-api-key", "key-b")])
        self.assertEqual((told["decision"], told["refusal"]["status"], told["refusal"]["code"]),
                         ("refuse", refused.status, refused.get("x-watermaster-error")))
        self.assertEqual((self.explain("/m/free")["decision"], self.explain("/m/free")["limiters"]), ("forward", []))
        self.assertEqual(self.explain("/m/v1/batches")["decision"], "forward")
        self.held.set()
        self.assertEqual([client.response().status for client in clients], [200] * 4)
        eventually(lambda: self.mount("m")["gate"]["in_use"] == 0, "the permits are back")
        self.assertEqual(self.mount("m")["waiters"], [])

    def test_a_circuit(self):
        self.assertEqual(self.mount("guarded")["circuit"], {"state": "closed", "failures_in_a_row": 0, "failures": 0})
        always, self.up.always = self.up.always, lambda request: json_answer(500, {})
        self.start("/guarded/v1/messages", "key-b").response()
        self.up.always = always
        eventually(lambda: self.mount("guarded")["circuit"]["state"] == "open", "the circuit is open")
        circuit = self.mount("guarded")["circuit"]
        self.assertEqual(circuit["failures_in_a_row"], 1)
        self.assertGreater(circuit["until_probe_ms"], 0)
        told = self.explain("/guarded/anything")
        self.assertEqual((told["decision"], told["refusal"]["code"], told["circuit"]["state"]), ("refuse", "circuit_open", "open"))
        self.assertGreaterEqual(told["refusal"]["retry_after_s"], 1)


class WithoutKey(GatewayTest):
    @classmethod
    def configure(cls):
        return Config(admin_listen="127.0.0.1:0").backend("one", cls.upstream()).model("m", ["one"])

    def test_only_under_an_address(self):
        for host, status in (("localhost", 200), ("localhost:1", 200), ("127.0.0.1:8081", 200), ("[::1]:8081", 200),
                             ("evil.example", 403), ("evil.example:8081", 403), ("127.0.0.1.evil.example", 403)):
            with self.subTest(host):
                response = exchange(self.gateway.admin_port, "GET", "/state", None, (), host=host)
                self.assertEqual(response.status, status)


class Draining(unittest.TestCase):
    def test_the_drain_is_told(self):
        upstream = Upstream()
        self.addCleanup(upstream.close)
        upstream.script("up-m", Answer(STALL))
        config = Config(admin_listen="127.0.0.1:0", drain_timeout=span(2)).backend("a", upstream).model("m", ["a"])
        gateway = Gateway(config)
        with gateway.connect() as client:
            client.request("POST", CHAT.path, CHAT.body("m"))
            upstream.wait_for(1)
            gateway.terminate()
            port = gateway.admin_port
            eventually(lambda: exchange(port, "GET", "/state", host="localhost").json()["status"]
                       == "draining", "a gateway that says it drains")
            told = exchange(port, "POST", "/explain", json.dumps({"path": CHAT.path, "body": {}}).encode(),
                            (), host="localhost").json()
            self.assertEqual(told["refusal"]["code"], "draining")
        gateway.stop()


class Offline(unittest.TestCase):
    """`watermaster explain` on a configuration alone."""

    def run_explain(self, document, *options, config=None):
        config = config or (Config().client("alice", KEY).backend("one", "http://127.0.0.1:9").backend("two", "http://127.0.0.1:9")
                            .model("m", ["one"], ["two"], aliases="em"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "request.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(document if isinstance(document, str) else json.dumps(document))
            status, said, _ = run_command("explain", config.text(), config.env, arguments=[path, *options])
        self.assertNotIn("CANARY", said)
        self.assertNotIn("secret-", said)
        return status, said

    def test_text(self):
        status, said = self.run_explain(question("em"))
        self.assertEqual(status, 0, said)
        self.assertTrue(said.startswith("decision  try one/k up-m, in layer first\n"), said)
        self.assertIn("model     em, an alias of m\n", said)

    def test_json(self):
        status, said = self.run_explain(question("m"), "--json")
        self.assertEqual(status, 0, said)
        told = json.loads(said)
        self.assertEqual((told["decision"], told["target"]["backend"]), ("attempt", "one"))

    def test_a_mount(self):
        config = Config().mount("m", "http://127.0.0.1:9", prefix="/m", limit="POST /messages:2@g", global_concurrency=3)
        status, said = self.run_explain({"path": "/m/v1/messages"}, config=config)
        self.assertEqual(status, 0, said)
        self.assertEqual(said, "decision  forward to the upstream of mount m\n"
                               "principal anonymous, tenant anonymous, priority medium\n"
                               "mount     m, limited as POST /messages\n"
                               "limiter   @g: 0 of 2 permits in use\n"
                               "limiter   global_concurrency: 0 of 3 permits in use\n")

    def test_a_mount_that_translates(self):
        config = Config().mount("m", "http://127.0.0.1:9", prefix="/m", transcode_messages_chat="yes", transcode_model="m=qwen")
        row = question("m", MESSAGES, path="/m/v1/messages")
        row["body"]["thinking"] = {"type": "enabled", "budget_tokens": 2000}
        status, said = self.run_explain(row, "--json", config=config)
        self.assertEqual(status, 0, said)
        told = json.loads(said)
        self.assertEqual((told["decision"], told["asked_in"], told["asked_at"]), ("forward", "openai-chat", "/v1/chat/completions"))
        self.assertIn("asked     in openai-chat at /v1/chat/completions", self.run_explain(row, config=config)[1])
        row["body"]["unheard_of"] = 1
        status, said = self.run_explain(row, "--json", config=config)
        told = json.loads(said)
        self.assertEqual((told["decision"], told["refusal"]["code"], told["refusal"]["param"]),
                         ("refuse", "untranslatable", "unheard_of"))
        del row["body"]["unheard_of"]
        row["path"] += "?x=1"
        self.assertIn("client_query=x", json.loads(self.run_explain(row, "--json", config=config)[1])["losses"])
        config.mount("s", "http://127.0.0.1:9", prefix="/s", transcode_messages_chat="yes", transcode_strict_defaults="yes")
        row["path"] = row["path"].replace("/m/", "/s/")
        del row["body"]["thinking"]
        self.assertEqual(json.loads(self.run_explain(row, "--json", config=config)[1])["refusal"]["param"], "?x")
        del row["body"]["model"]
        self.assertIn("refuse with 400 ", self.run_explain(row, config=config)[1])

    def test_a_refusal_is_an_answer(self):
        status, said = self.run_explain(question("none"))
        self.assertEqual(status, 0, said)
        self.assertIn("refuse with 404 model_not_found", said)

    def test_what_cannot_be_read(self):
        status, said = self.run_explain("{")
        self.assertEqual(status, 1)
        self.assertIn("request.json: not valid JSON at byte 1", said)
        status, said = self.run_explain(question("m"), config=Config().backend("one", "nowhere"))
        self.assertEqual(status, 1)
        self.assertIn("[backend \"one\"]", said)

    def test_help(self):
        status, said, _ = run_command("explain", "", arguments=["--help"])
        self.assertEqual(status, 0, said)
        for word in ("path", "headers", "client", "body", "--json"):
            self.assertIn(word, said)


if __name__ == "__main__":
    unittest.main()
