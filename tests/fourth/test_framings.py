"""Providers whose streams come in every framing, whole and cut anywhere, to clients of another protocol and of their own;
and clients that name the model in the path."""
import base64
import json
import os
import shutil
import struct
import tempfile
import unittest
import zlib

from harness import CHAT, CHUNKED_END, CLOSE, Config, Gateway, Upstream, eventually, json_answer, raw_answer, sse_answer
from harness.gateway import PLUGINS
from harness.protocols import compact

PATH = "/v1/wires"
PIECES = ({"wire": "w1", "by": "m"}, {"text": "Hello"}, {"text": " wörld\n"}, {"stop": "done", "spent": {"in": 9, "out": 2}})
FAULT = {"fault": {"kind": "overloaded", "text": "busy"}}
DOCUMENT = {"wire": "w1", "by": "m", "text": "Hello wörld\n", "orders": [], "stop": "done", "spent": {"in": 9, "out": 2}}


def ndjson(pieces):
    return b"".join(compact(p).encode() + b"\n" for p in pieces)


def json_array(pieces):
    return json.dumps(list(pieces), indent=1).encode()


def header(name, value):
    return bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()


def message(kind, name, payload):
    """One of Amazon's."""
    headers = header(f":{kind}-type", name) + header(":content-type", "application/json") + header(":message-type", kind)
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    checked = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + payload
    return checked + struct.pack(">I", zlib.crc32(checked))


def eventstream(pieces):
    return b"".join(message("event", "chunk", compact(p).encode()) for p in pieces)


def wrapped(pieces):
    return b"".join(message("event", "chunk", compact({"bytes": base64.b64encode(compact(p).encode()).decode()}).encode())
                    for p in pieces)


class Framing:
    def __init__(self, word, write, content_type, adapter="telegraph-branch", **settings):
        self.word, self.write, self.content_type, self.adapter = word, write, content_type, adapter
        self.settings = settings

    @property
    def backend(self):
        return "over-" + self.word


BRANCHES = [Framing(word, write, content_type, framing=word) for word, write, content_type in (
    ("ndjson", ndjson, "application/x-ndjson"), ("json-array", json_array, "application/json"),
    ("aws-eventstream", eventstream, "application/vnd.amazon.eventstream"))]
CABLE = Framing("cable", wrapped, "application/vnd.amazon.eventstream", adapter="telegraph-cable")
RAW = Framing("raw", ndjson, "application/x-telegraph", framing="raw")
WHOLE = Framing("document", lambda pieces: compact(DOCUMENT).encode(), "application/json", framing="document")
FRAMED = BRANCHES + [CABLE]


def told(events):
    """The pieces of a stream of telegraph's own."""
    return [json.loads(e.data) for e in events]


class Framings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        plugins = os.path.join(folder.name, "plugins")
        shutil.copytree(PLUGINS, plugins)
        fourth = os.environ["WATERMASTER_FOURTH"]
        shutil.copytree(fourth, os.path.join(plugins, os.path.basename(fourth)))
        cls.up = Upstream()
        cls.addClassCleanup(cls.up.close)
        config = Config(transcode_max_frame="32KiB", transcode_max_batch="64KiB")
        for framing in FRAMED + [RAW, WHOLE]:
            config.backend(framing.backend, cls.up, framing, **framing.settings)
            config.pool(f"at-{framing.word}-", 40, [framing.backend])
        office = Framing("office", None, None, adapter="telegraph-office")
        config.backend("office", cls.up, office).pool("at-office-", 9, ["office"])
        config.backend("chat", cls.up).pool("at-chat-", 9, ["chat"])
        cls.gateway = Gateway(config, plugins=plugins)
        cls.addClassCleanup(cls.gateway.stop)

    def setUp(self):
        self.up.always = None
        self.up.requests.clear()

    def model(self, framing, *pieces, end=CHUNKED_END):
        """Whose provider streams this."""
        model = self.gateway.take(f"at-{framing.word}-")
        self.up.script(f"up-{model}", sse_answer([p for p in pieces if p], end=end, content_type=framing.content_type))
        return model

    def wire(self, model, stream=True, path=PATH):
        wires = [{"from": "caller", "text": "hi"}]
        return self.gateway.post(path, compact({"model": model, "stream": stream, "wires": wires}).encode())

    def test_to_a_client_of_another_protocol(self):
        for framing in FRAMED + [RAW, WHOLE]:
            body = framing.write(PIECES)
            for cut in (0, 1, len(body) // 3, len(body) - 1):
                with self.subTest(framing.word, cut=cut):
                    model = self.model(framing, body[:cut], body[cut:])
                    response = self.gateway.ask(CHAT, model, True)
                    self.assertEqual(response.get("content-type"), "text/event-stream")
                    self.assertEqual(CHAT.text_of(response), "Hello wörld\n")
                    self.assertTrue(CHAT.is_end(response.events()[-1]))

    def test_to_a_client_of_its_own_as_events(self):
        for framing in FRAMED:
            body = framing.write(PIECES)
            for cut in (0, len(body) // 2, len(body) - 1):
                with self.subTest(framing.word, cut=cut):
                    response = self.wire(self.model(framing, body[:cut], body[cut:]))
                    self.assertEqual((response.status, response.get("content-type")), (200, "text/event-stream"))
                    self.assertEqual(told(response.events()), list(PIECES))

    def test_a_stream_that_its_protocol_frames_passes_as_it_is(self):
        body = ndjson(PIECES)
        response = self.wire(self.model(RAW, body[:25], body[25:70], body[70:]))
        self.assertEqual((response.get("content-type"), response.body), (RAW.content_type, body))
        response = self.wire(self.model(RAW, body[:60]))  # what closes it is its protocol's, unframed too
        self.assertTrue(response.body.startswith(body[:60]), response.body)
        self.assertIn(b'{"fault":', response.body[60:])

    def test_whole_answers(self):
        for framing in FRAMED + [RAW, WHOLE]:
            with self.subTest(framing.word):
                answer = json_answer(200, {"answer": DOCUMENT} if framing is CABLE else DOCUMENT)
                model = self.gateway.take(f"at-{framing.word}-")
                self.up.script(f"up-{model}", answer)
                self.assertEqual(self.wire(model, False).json(), DOCUMENT)
                response = self.gateway.ask(CHAT, model)
                self.assertEqual((response.status, CHAT.text_of(response)), (200, "Hello wörld\n"))

    def test_a_whole_answer_that_is_not_wrapped_is_malformed(self):
        for document in (DOCUMENT, ["answer"]):
            for ask in (lambda model: self.wire(model, False), lambda model: self.gateway.ask(CHAT, model)):
                model = self.gateway.take("at-cable-")
                self.up.script(f"up-{model}", json_answer(200, document))
                self.assertEqual(ask(model).status, 502)

    def test_a_whole_answer_is_not_described_as_its_wrapper(self):
        model = self.gateway.take("at-cable-")
        wrapped_up = compact({"answer": DOCUMENT}).encode()
        self.up.script(f"up-{model}", raw_answer(200, wrapped_up, content_type="application/x-cable"))
        response = self.wire(model, False)
        self.assertEqual((response.get("content-type"), response.json()), ("application/json", DOCUMENT))

    def recorded(self, model, stream, answer):
        """The line of a request that was answered so and failed, and what the log says of its attempt."""
        self.up.script(f"up-{model}", answer)
        self.assertEqual(self.wire(model, stream).status, 502)
        def lines(of):
            return [line for line in list(of) if model in line]
        eventually(lambda: lines(self.gateway.out) and lines(self.gateway.errors), "its lines")
        return json.loads(lines(self.gateway.out)[0]), lines(self.gateway.errors)[0]

    def test_an_empty_answer_is_told_as_one(self):
        _, said = self.recorded(self.gateway.take("at-cable-"), False, raw_answer(200, b""))
        self.assertIn("an empty answer", said)

    def test_a_fault_in_place_of_a_stream_is_unwrapped(self):
        record, _ = self.recorded(self.gateway.take("at-cable-"), True, json_answer(200, {"answer": FAULT}))
        self.assertEqual(record["attempts"][0]["error_class"], "provider_transient") # by its word

    def test_faults_before_and_in_the_answer(self):
        for framing in FRAMED:
            with self.subTest(framing.word):
                fault = message("exception", "throttlingException", b'{"message":"busy"}') if framing is CABLE else None
                at_once = fault or framing.write([FAULT])
                self.assertEqual(self.gateway.ask(CHAT, self.model(framing, at_once), True).status // 100, 5)
                later = framing.write(PIECES[:2]) + fault if fault else framing.write([*PIECES[:2], FAULT])
                events = self.gateway.ask(CHAT, self.model(framing, later), True).events()
                self.assertTrue(CHAT.is_error(events[-1]), events)
                pieces = told(self.wire(self.model(framing, later)).events())
                self.assertEqual((pieces[:2], list(pieces[2])), (list(PIECES[:2]), ["fault"]))

    def test_streams_that_are_cut(self):
        for framing in FRAMED:
            body = framing.write(PIECES[:3])
            for end in (CLOSE, CHUNKED_END):
                with self.subTest(framing.word, end=end):
                    pieces = told(self.wire(self.model(framing, body[:-3], end=end)).events())
                    self.assertEqual(pieces[:2], list(PIECES[:2]))
                    self.assertIn("fault", pieces[-1])
                    events = self.gateway.ask(CHAT, self.model(framing, body, end=end), True).events()
                    self.assertTrue(CHAT.is_error(events[-1]), events)

    def test_what_is_behind_a_complete_answer_changes_nothing(self):
        for framing in BRANCHES:
            body = framing.write(PIECES)
            for junk in (b"]]", body[:5], b'{"text":'):
                for end in (CLOSE, CHUNKED_END):
                    with self.subTest(framing.word, junk=junk, end=end):
                        self.assertEqual(told(self.wire(self.model(framing, body + junk, end=end)).events()), list(PIECES))
                        events = self.gateway.ask(CHAT, self.model(framing, body + junk, end=end), True).events()
                        self.assertFalse(any(map(CHAT.is_error, events)), events)

    def test_streams_that_are_not_what_they_should_be(self):
        array, lines, amazon = json_array(PIECES), ndjson(PIECES), eventstream(PIECES)
        for framing, body in ((BRANCHES[0], array), (BRANCHES[1], lines), (BRANCHES[2], amazon[:-1] + bytes([amazon[-1] ^ 1])),
                              (BRANCHES[2], lines), (CABLE, eventstream(PIECES)), (BRANCHES[0], b"x" * 40000)):
            with self.subTest(framing.word, body=body[:20]):
                response = self.wire(self.model(framing, body))
                if response.status == 200:
                    self.assertIn("fault", told(response.events())[-1])
                else:
                    self.assertEqual((response.status, list(response.json())), (502, ["fault"]))
        for framing in FRAMED:
            with self.subTest(framing.word):
                model = self.gateway.take(f"at-{framing.word}-")
                self.up.script(f"up-{model}", sse_answer([b'data: {"text":"hi"}\n\n']))
                self.assertEqual(self.wire(model).status, 502)

    def test_no_stream_is_made_of_a_document_for_a_client_of_its_own(self):
        self.assertEqual(self.wire(self.model(WHOLE, WHOLE.write(PIECES))).status, 502)

    def by_path(self, model, query=""):
        body = compact({"wires": [{"from": "caller", "text": "hi"}]}).encode()
        return self.gateway.post(f"/v1/offices/{model}/wires{query}", body)

    def test_the_path_names_the_model(self):
        self.up.always = lambda request: (sse_answer([b"data: " + compact(p).encode() + b"\n\n" for p in PIECES])
                                          if "stream=yes" in request.query else json_answer(200, DOCUMENT))
        model = self.gateway.take("at-office-")
        self.assertEqual(self.by_path(model).json(), DOCUMENT)
        sent = self.up.requests[-1]
        self.assertEqual((sent.target, sent.get("x-asked-office")), (f"/v1/offices/up-{model}/wires", model))
        self.assertEqual(sent.body, compact({"wires": [{"from": "caller", "text": "hi"}]}).encode())
        self.assertEqual(told(self.by_path(model, "?a=1&stream=yes").events()), list(PIECES))
        self.assertEqual(self.up.requests[-1].target, f"/v1/offices/up-{model}/wires?stream=yes")
        percent = "%61" + model[1:]  # what a path captures is decoded
        self.assertEqual(self.by_path(percent).json(), DOCUMENT)

    def test_a_model_of_the_path_is_asked_for_in_another_protocol(self):
        model = self.gateway.take("at-chat-")
        answer = self.by_path(model).json()
        self.assertEqual((answer["text"], answer["stop"]), ("Hello world", "done"))
        self.assertEqual(self.up.requests[-1].document["model"], f"up-{model}")
        pieces = told(self.by_path(model, "?stream=yes").events())
        self.assertEqual((pieces[0]["wire"][:0], pieces[-1]["stop"]), ("", "done"))
        self.assertTrue(self.up.requests[-1].stream)

    def test_paths_that_name_none(self):
        self.assertEqual(self.by_path("nowhere").status, 404)
        for path in ("/v1/offices//wires", "/v1/offices/a/b/wires", "/v1/offices/%zz/wires", "/v1/offices/wires"):
            self.assertEqual(self.gateway.post(path, b"{}").status, 404, path)
        self.assertEqual(self.gateway.get("/v1/offices/a/wires").status, 405)
        model = self.gateway.take("at-office-")
        for body in (b'{"model":"other","wires":[]}', b'{"Stream":true,"wires":[]}', b"[]"):
            self.assertEqual(self.gateway.post(f"/v1/offices/{model}/wires", body).status, 400, body)


if __name__ == "__main__":
    unittest.main()
