"""A protocol that was dropped in, from and to each of the three, as client and as provider."""
import json
import os
import shutil
import tempfile
import unittest

from harness import CHAT, MESSAGES, PROTOCOLS, RESPONSES, Config, Gateway, Upstream, json_answer, sse_answer
from harness.gateway import PLUGINS, POLICIES
from harness.protocols import event

PATH = "/v1/wires"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}


class Office:
    adapter = "telegraph-office"


def ask(model, stream=False, **members):
    return json.dumps({"model": model, "stream": stream, "limit": 16,
                       "wires": [{"from": "office", "text": "Be terse."}, {"from": "caller", "text": "hi"}],
                       **members}).encode()


def document(text="Hello world", orders=(), stop="done"):
    return {"wire": "w1", "by": "m", "text": text, "orders": list(orders), "stop": stop, "spent": {"in": 9, "out": 2}}


def stream(*pieces):
    return sse_answer([event({"wire": "w1", "by": "m"}), *(event(p) for p in pieces)])


class Fourth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        plugins = os.path.join(cls.folder.name, "plugins")
        shutil.copytree(PLUGINS, plugins)
        fourth = os.environ["WATERMASTER_FOURTH"]
        shutil.copytree(fourth, os.path.join(plugins, os.path.basename(fourth)))
        cls.up = Upstream()
        cls.addClassCleanup(cls.up.close)
        config = Config()
        for protocol in PROTOCOLS:
            config.backend(protocol.id, cls.up, protocol).pool(f"at-{protocol.id}-", 10, [protocol.id])
        config.backend("office", cls.up, Office).pool("at-office-", 20, ["office"])
        cls.gateway = Gateway(config, plugins=plugins)
        cls.addClassCleanup(cls.gateway.stop)

    def setUp(self):
        self.up.requests.clear()

    def office(self, answer):
        """A model of its provider that answers so."""
        model = self.gateway.take("at-office-")
        self.up.script(f"up-{model}", answer)
        return model

    def wired(self, protocol, stream=False, **members):
        response = self.gateway.post(PATH, ask(self.gateway.take(f"at-{protocol.id}-"), stream, **members))
        self.assertEqual(response.status, 200, response)
        return response

    def test_its_clients_are_served_by_each(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                answer = self.wired(protocol).json()
                self.assertEqual((answer["text"], answer["stop"], answer["spent"]), ("Hello world", "done", {"in": 9, "out": 2}))
                pieces = [json.loads(e.data) for e in self.wired(protocol, True).events()]
                self.assertEqual("".join(p.get("text", "") for p in pieces), "Helloworld")
                self.assertEqual(pieces[-1]["stop"], "done")
                sent = self.up.requests[-1].document
                self.assertEqual(sent[protocol.limit], 16)
                self.assertIn("Be terse.", json.dumps(sent))

    def test_its_orders_are_calls_of_tools(self):
        forms = [{"name": "weather", "about": "Look it up", "fields": SCHEMA}]
        wires = [{"from": "caller", "text": "hi"}, {"order": {"id": "c1", "form": "weather", "with": {"city": "Oslo"}}},
                 {"report": {"id": "c1", "text": "rain"}}]
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                self.wired(protocol, forms=forms, wires=wires)
                sent = json.dumps(self.up.requests[-1].document)
                for word in ("weather", "Look it up", "Oslo", "c1", "rain"):
                    self.assertIn(word, sent)

    def test_each_is_served_by_its_provider(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                response = self.gateway.ask(protocol, self.office(json_answer(200, document())))
                self.assertEqual((response.status, protocol.text_of(response)), (200, "Hello world"))
                self.assertEqual(self.up.requests[-1].path, PATH)
                said = stream({"text": "Hello"}, {"text": " you"}, {"stop": "done", "spent": {"in": 9, "out": 2}})
                response = self.gateway.ask(protocol, self.office(said), True)
                self.assertEqual(protocol.text_of(response), "Hello you")
                self.assertTrue(protocol.is_end(response.events()[-1]))

    def test_its_provider_calls_tools_of_each(self):
        pieces = ({"order": {"id": "c1", "form": "weather"}}, {"with": '{"city":', "of": "c1"}, {"with": '"Oslo"}', "of": "c1"},
                  {"stop": "orders", "spent": {"in": 9, "out": 2}})
        for protocol, words in ((CHAT, ('"name":"weather"', '"finish_reason":"tool_calls"')),
                                (RESPONSES, ('"type":"function_call"', '"call_id":"c1"', "response.completed")),
                                (MESSAGES, ('"type":"tool_use"', '"stop_reason":"tool_use"'))):
            with self.subTest(protocol.id):
                body = self.gateway.ask(protocol, self.office(stream(*pieces)), True).body.decode()
                for word in words:
                    self.assertIn(word, body)

    def test_faults_both_ways(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol.id):
                broken = stream({"text": "Hello"}, {"fault": {"kind": "overloaded", "text": "busy"}})
                events = self.gateway.ask(protocol, self.office(broken), True).events()
                self.assertTrue(protocol.is_error(events[-1]), events)
                model = self.gateway.take(f"at-{protocol.id}-")
                refusal = protocol.error_document("too hot", "invalid_request_error")
                self.up.script(f"up-{model}", json_answer(400, refusal))
                response = self.gateway.post(PATH, ask(model))
                self.assertEqual((response.status, response.json()["fault"]["text"]), (400, "too hot"))
        response = self.gateway.post(PATH, ask("nowhere"))
        self.assertEqual((response.status, list(response.json())), (404, ["fault"]))
        response = self.gateway.post(PATH, ask(self.gateway.take(f"at-{CHAT.id}-"), wires=[{"from": "stranger", "text": "x"}]))
        self.assertEqual(response.status, 400)
        self.assertIn("wires[0].from", response.json()["fault"]["text"])


class Attempts(unittest.TestCase):
    """A plugin counts attempts from 1, a policy from 0."""

    AMBIGUOUS = """
function classify(failure)
    return { class = "ambiguous", retry_in_place = failure.attempt == 0, fall_back = true }
end
"""

    def test_a_first_try_is_the_first(self):
        with tempfile.TemporaryDirectory() as folder:
            plugins, policies = os.path.join(folder, "plugins"), os.path.join(folder, "policies")
            fourth = os.environ["WATERMASTER_FOURTH"]
            shutil.copytree(PLUGINS, plugins)
            shutil.copytree(fourth, os.path.join(plugins, os.path.basename(fourth)))
            shutil.copytree(POLICIES, policies)
            with open(os.path.join(policies, "failure", "generic.lua"), "w", encoding="utf-8") as file:
                file.write(self.AMBIGUOUS)
            shutil.rmtree(os.path.join(policies, "spec"))
            up = Upstream()
            self.addCleanup(up.close)
            gateway = Gateway(Config().backend("office", up, Office).pool("at-office-", 2, ["office"]), plugins=plugins,
                              policies=policies)
            self.addCleanup(gateway.stop)
            up.always = lambda request: json_answer(418, {})
            for native in (True, False):
                model = gateway.take("at-office-")
                response = gateway.post(PATH, ask(model)) if native else gateway.ask(CHAT, model, False)
                self.assertGreaterEqual(response.status, 400)
                sent = up.wait_for(2, f"up-{model}")
                self.assertEqual([dict(r.fields).get("x-try") for r in sent], ["1", "2"])
                if not native:
                    self.assertEqual([r.document.get("try") for r in sent], [None, 2])
                self.assertEqual(len([r for r in up.requests if r.model == f"up-{model}"]), 2)


if __name__ == "__main__":
    unittest.main()
