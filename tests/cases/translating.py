"""What the tests of translation share: every route between two protocols, on models or a mount of its own."""
import functools
import json
import os
import re

from harness import PROTOCOLS, Config, GatewayTest, eventually, json_answer, raw_answer, sse_answer
from harness.protocols import compact

PAIRS = tuple((client, other) for client in PROTOCOLS for other in PROTOCOLS if client is not other)
METADATA = [("x-relay-include-metadata", "1")]  # asks for what was lost
ROUTES = tuple((client, other) for client in PROTOCOLS for other in PROTOCOLS)  # with those that stay native


def on(*routes):
    """Runs a test for each (client, upstream) of the routes."""
    def decorate(test):
        @functools.wraps(test)
        def every(self):
            for client, other in routes:
                with self.subTest(client=client.id, upstream=other.id):
                    test(self, client, other)
        return every
    return decorate


def served(test):
    """Of a native route, which a mount passes on unread."""
    test.of_served_models = True
    return test


def to(other):
    return tuple(pair for pair in PAIRS if pair[1] is other)


def of(client):
    return tuple(pair for pair in PAIRS if pair[0] is client)


def approved_on_served_models():
    """Keys of losses; mounts that approve these lose what served models lose."""
    table = os.path.join(os.path.dirname(__file__), "..", "..", "sdk", "LOSSES.md")
    with open(table, encoding="utf-8") as file:
        return ", ".join(re.findall(r"(?m)^\| `(\w+)` \| \w+ \| served models", file.read()))


SERVED = {"transcode_allow_loss": approved_on_served_models(),
          "transcode_chat_capability": "image_input, structured_outputs, stop_sequences, reasoning_effort, "
                                       "!provider_reasoning_thinking"}


class TranslationTest(GatewayTest):
    models = 60  # of each route
    mounts = False  # the routes are mounts,
    terms = SERVED  # on these terms

    @classmethod
    def configure(cls):
        cls.a = cls.upstream()
        config = Config()
        for client, other in ROUTES:
            route = f"{client.id}-to-{other.id}"
            if not cls.mounts:
                config.backend(f"{route}-backend", cls.a, other).pool(f"{route}-", cls.models, [f"{route}-backend"])
                continue
            names = [f"up-{route}-{i}" for i in range(cls.models)]
            config.pools[f"{route}-"] = names
            keys = {"transcode_route": f"{client.id}@{client.path}={other.id}@{other.path}", **cls.terms}
            config.mount(route, cls.a, prefix=f"/{route}", **({} if client is other else keys))
        return config

    def begin(self, client, other):
        """A model of the route that no test has asked for, as `model`; its `path`, and its name upstream."""
        route = f"{client.id}-to-{other.id}"
        self.model = self.gateway.take(f"{route}-")
        self.upstream_model = self.model if self.mounts else f"up-{self.model}"
        self.path = f"/{route}{client.path}" if self.mounts else client.path

    def exchange(self, client, other, request, answer=None, headers=()):
        """Sends the request, whose model is put in. What the upstream says is the answer: a document, its
        bytes, a stream as one text or in pieces, or what an upstream's script takes."""
        self.begin(client, other)
        if isinstance(answer, str):
            answer = [answer.encode()]
        if isinstance(answer, list):
            answer = sse_answer(answer)
        elif isinstance(answer, bytes):
            answer = raw_answer(200, answer)
        elif isinstance(answer, dict):
            answer = json_answer(200, answer)
        if answer is not None:
            self.a.script(self.upstream_model, answer)
        return self.gateway.post(self.path, compact({**request, "model": self.model}).encode(), headers)

    def sent(self):
        """The one request that the upstream got for it."""
        (request,) = self.a.of(self.upstream_model)
        return request

    def recorded(self):
        """Its one line in the access log."""
        def lines():
            return [json.loads(line) for line in list(self.gateway.out) if f'"{self.model}"' in line]
        (line,) = eventually(lines, "a line in the access log")
        return line

    def accepted(self, client, other, request):
        """What the upstream gets for a request that is answered well."""
        response = self.exchange(client, other, request)
        self.check_answer(response, client)
        return self.sent().document

    def refused(self, client, other, request, code="untranslatable"):
        """The gateway's own 400, with nothing sent."""
        error = self.check_error(self.exchange(client, other, request), 400, client, code)
        self.assertEqual(self.a.of(self.upstream_model), [])
        return error
