"""C58: numbers, the order of members and strings go through as they are."""
import json
import unittest

from answers import document_of, stream_of
from cases import CASES
from conversation import SCHEMA, request_of, tool_of
from harness import MESSAGES, PROTOCOLS
from harness.protocols import compact
from said import said
from translating import ROUTES, TranslationTest, on

TEXT = CASES["C58"]["tool_arguments_text"]
PLACE = '{"place":0}'
ORDERED = {"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "number"}, "m": {"type": "null"}}}


def exact(text):
    """JSON as a value whose numbers keep their digits and whose members keep their order."""
    return json.loads(text, parse_int=str, parse_float=str, object_pairs_hook=list)


def exactly(protocol, document):
    """Its bytes, with the case's arguments where PLACE stands."""
    place, text = (PLACE, TEXT) if protocol is MESSAGES else (json.dumps(PLACE), json.dumps(TEXT))
    written = compact(document)
    assert written.count(place) == 1, written
    return written.replace(place, text).encode()


def arguments_in(protocol, body):
    """The text of a call's arguments in these bytes."""
    name = b'"input":' if protocol is MESSAGES else b'"arguments":'
    text = body[body.index(name) + len(name):].decode()
    value, end = json.JSONDecoder().raw_decode(text)
    return text[:end] if protocol is MESSAGES else value


class Numbers(TranslationTest):
    def check_arguments(self, client, other, arrived):
        self.assertEqual(exact(arrived), exact(TEXT))
        if MESSAGES not in (client, other):  # there it is a text on both sides
            self.assertEqual(arrived, TEXT)

    @on(*ROUTES)
    def test_C58_arguments_in_requests(self, client, other):
        self.begin(client, other)
        turns = [("user", "hi"), ("call", "c1", PLACE), ("result", "c1", "3")]
        request = exactly(client, {**request_of(client, turns), "model": self.model})
        self.check_answer(self.gateway.post(self.path, request), client)
        self.check_arguments(client, other, arguments_in(other, self.sent().body))
        if client is other:  # nothing but the model is another
            self.assertEqual(self.sent().body, request.replace(self.model.encode(), self.upstream_model.encode()))

    @on(*ROUTES)
    def test_C58_arguments_in_answers(self, client, other):
        request = request_of(client, [("user", "hi")])
        plain = exactly(other, document_of(other, [("call", "c1", PLACE)]))
        for name, answer in (("plain", plain), ("in one piece", stream_of(other, [("call", "c1", TEXT)])),
                             ("in many", stream_of(other, [("call", "c1", TEXT)], list))):
            with self.subTest(name):
                response = self.exchange(client, other, {**request, "stream": answer is not plain}, answer)
                arrived = arguments_in(client, response.body) if answer is plain else said(client, response).blocks[0][2]
                self.check_arguments(client, other, arrived)

    @on(*ROUTES)
    def test_C58_fifty_times_the_same(self, client, other):
        self.begin(client, other)
        tools = [tool_of(client, "d", ORDERED), tool_of(client, "c", SCHEMA)]
        body = client.body(self.model, tools=tools, **{client.limit: 16})
        for _ in range(50):
            self.check_answer(self.gateway.post(self.path, body), client)
        bodies = {request.body for request in self.a.of(self.upstream_model)}
        self.assertEqual(len(bodies), 1)
        self.assertIn(compact(ORDERED).encode(), bodies.pop())

    def test_C58_unknown_members_natively(self):
        for client in PROTOCOLS:
            with self.subTest(client=client.id):
                self.begin(client, client)
                extra = '"unheard_of":{"b":18446744073709551616,"a":[1.0,-0,1E2,"\\u00e9/"]}'
                body = client.body(self.model, **{client.limit: 16})[:-1] + f",{extra}}}".encode()
                self.check_answer(self.gateway.post(self.path, body), client)
                self.assertEqual(self.sent().body, body.replace(self.model.encode(), self.upstream_model.encode()))


if __name__ == "__main__":
    unittest.main()
