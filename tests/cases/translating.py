"""What the tests of translation share: every route between two protocols, on models of its own."""
import functools
import json

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


def to(other):
    return tuple(pair for pair in PAIRS if pair[1] is other)


def of(client):
    return tuple(pair for pair in PAIRS if pair[0] is client)


class TranslationTest(GatewayTest):
    models = 60  # of each route

    @classmethod
    def configure(cls):
        cls.a = cls.upstream()
        config = Config()
        for client, other in ROUTES:
            route = f"{client.id}-to-{other.id}-"
            config.backend(f"{route}backend", cls.a, other).pool(route, cls.models, [f"{route}backend"])
        return config

    def exchange(self, client, other, request, answer=None, headers=()):
        """Sends the request, whose model is put in. What the upstream says is the answer: a document, its
        bytes, a stream as one text or in pieces, or what an upstream's script takes."""
        self.model = self.gateway.take(f"{client.id}-to-{other.id}-")
        if isinstance(answer, str):
            answer = [answer.encode()]
        if isinstance(answer, list):
            answer = sse_answer(answer)
        elif isinstance(answer, bytes):
            answer = raw_answer(200, answer)
        elif isinstance(answer, dict):
            answer = json_answer(200, answer)
        if answer is not None:
            self.a.script(f"up-{self.model}", answer)
        return self.gateway.post(client.path, compact({**request, "model": self.model}).encode(), headers)

    def sent(self):
        """The one request that the upstream got for it."""
        (request,) = self.a.of(f"up-{self.model}")
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
        self.assertEqual(self.a.of(f"up-{self.model}"), [])
        return error
