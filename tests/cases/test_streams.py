"""C16, C17, C19, C21, C42, C53: streams."""
import json
import threading
import unittest

from cases import CASES
from harness import (CHAT, MESSAGES, PROTOCOLS, RESET, Config, GatewayTest, SseParser, eventually, poll, raw_answer, sse_answer)


class Streams(GatewayTest):
    seconds = {}  # a circuit that opened stays so

    @classmethod
    def configure(cls):
        cls.a, cls.b = cls.upstream(), cls.upstream()
        config = Config()
        for protocol in PROTOCOLS:
            p = protocol.id
            config.backend(f"a-{p}", cls.a, protocol).backend(f"b-{p}", cls.b, protocol)
            config.pool(f"{p}-", 60, [f"a-{p}"], [f"b-{p}"])
        config.pool("single-", 30, ["a-openai-chat"])
        return config

    def stream(self, pieces, end=b"0\r\n\r\n", protocol=CHAT, pool=None, **members):
        self.model = self.gateway.take(pool or f"{protocol.id}-")
        self.a.script(f"up-{self.model}", sse_answer(pieces, end=end))
        return self.gateway.ask(protocol, self.model, True, **members)

    def test_C16_character_split_over_reads(self):
        """Native rows; the others are in test_translation_framing."""
        chunks = [bytes.fromhex(c) for c in CASES["C16"]["upstream_body_chunks_hex"]]
        whole = b"".join(chunks)
        splits = [chunks, [whole[i:i + 1] for i in range(len(whole))], [whole]]
        for pieces in splits:
            with self.subTest(pieces=len(pieces)):
                response = self.stream(pieces)
                self.check_error_free(response)
        for at in range(1, len(whole), 3):
            model = self.model  # the target is healthy: one model serves all positions
            self.a.script(f"up-{model}", sse_answer([whole[:at], whole[at:]]))
            self.check_error_free(self.gateway.ask(CHAT, model, True))

    def check_error_free(self, response):
        """No finish_reason is in the case's stream, so what follows its last event is the gateway's own error."""
        self.assertEqual(response.status, 200, response)
        said = [CHAT.delta(e) for e in response.events() if not CHAT.is_error(e)]
        self.assertEqual("".join(said), "\u5317\U0001f642")
        self.assertNotIn("\ufffd", response.body.decode())

    def test_C17_line_endings(self):
        pieces = [p.encode() for p in CASES["C17"]["upstream_body_chunks"]]
        whole = b"".join(pieces)
        variants = {"as given": pieces, "lone CR": [whole.replace(b"\r\n", b"\r")],
                    "LF": [whole.replace(b"\r\n", b"\n")],
                    "BOM": [b"\xef\xbb\xbf" + pieces[0], *pieces[1:]], "BOM alone": [b"\xef\xbb\xbf", *pieces]}
        variants.update({f"{n}, byte by byte": [bytes([b]) for p in v for b in p] for n, v in list(variants.items())})
        for name, variant in variants.items():
            with self.subTest(name):
                # finish_reason is null in the case; [DONE] follows and is the end.
                response = self.stream(variant)
                events = [e for e in response.events() if not CHAT.is_error(e)]
                self.assertEqual([e.data == "[DONE]" for e in events], [False, True], response)
                self.assertEqual(CHAT.delta(events[0]), "hi")
                self.assertEqual(self.b.of(f"up-{self.model}"), [])

    def test_C17_events_are_delivered_as_they_arrive(self):
        go = threading.Event()
        pieces = [p.encode() for p in CASES["C17"]["upstream_body_chunks"]]
        self.model = self.gateway.take("openai-chat-")
        self.a.script(f"up-{self.model}", sse_answer([*pieces[:2], b"\n", go, pieces[2][1:]]))
        with self.gateway.connect() as client:
            client.request("POST", CHAT.path, CHAT.body(self.model, True))
            events = client.events(client.head())
            self.assertEqual(CHAT.delta(next(events)), "hi")
            go.set()
            self.assertIn("[DONE]", [e.data for e in events])

    def test_C19_a_the_last_blank_line_is_missing(self):
        """Native row; the other two client protocols are in test_translation_framing."""
        for end in (b"0\r\n\r\n",):
            given = CASES["C19"]["a_upstream_stream"].encode()
            response = self.stream([given], end, pool="single-")
            self.assertEqual(response.status, 200)
            self.assertTrue(response.body.startswith(given), response)
            self.assertTrue(CHAT.finished([e for e in _closed(response) if not CHAT.is_error(e)]), response)
            self.assertNotIn(b'"error"', response.body)
            # It was a success: the target stays in use.
            self.assertEqual(self.gateway.ask(CHAT, self.model, True).status, 200)

    def test_C19_b_c_an_end_in_the_middle(self):
        given = CASES["C19"]["b_upstream_stream"].encode()
        for name, end in (("end", b"0\r\n\r\n"), ("reset", RESET), ("not terminated", "close")):
            with self.subTest(name):
                response = self.stream([given], end, pool="single-")
                events = response.events()
                self.check_error_end(events, CHAT)
                self.assertEqual("".join(CHAT.delta(e) for e in events if not CHAT.is_error(e)), "AB")
                # The client may hear of the end a moment before the circuit does.
                eventually(lambda: self.gateway.ask(CHAT, self.model, True).status == 503, "an open circuit")

    def test_C19_natively_in_the_other_protocols(self):
        for protocol in PROTOCOLS[1:]:
            for name, end in (("end", b"0\r\n\r\n"), ("reset", RESET), ("not terminated", "close")):
                with self.subTest(protocol=protocol.id, end=name):
                    response = self.stream(protocol.preamble("m") + [protocol.word("m", "A")], end, protocol)
                    self.check_error_end(response.events(), protocol)
                    self.assertEqual(self.b.of(f"up-{self.model}"), [])

    def test_C19_a_plain_answer_cut_short(self):
        self.model = self.gateway.take("single-")
        self.a.script(f"up-{self.model}", raw_answer(200, b'{"id":"c1","choices":[{"index"'))
        self.check_error(self.gateway.ask(CHAT, self.model), 502, CHAT)

    def c21(self, row, **members):
        given = CASES["C21"][row].encode()
        response = self.stream([given], pool="single-", **members)
        self.assertEqual(response.status, 200)
        lines = [json.loads(line) for line in self.gateway.out if f'"{self.model}"' in line] if poll(
            lambda: any(f'"{self.model}"' in line for line in self.gateway.out)) else []
        self.assertEqual(len(lines), 1, "one line in the access log")
        return given, response, lines[0].get("usage", {})

    def test_C21_usage_chunks(self):
        """Native rows: what a chat client sees. The Messages client of the case is in test_translation_framing."""
        asked = {"stream_options": {"include_usage": True}}
        for row, said, usage in (("a", "A", {"input": 9, "output": 1}), ("b", "A", {}),
                                 ("c", "AB", {"input": 9, "output": 2}), ("d", "A", {})):
            with self.subTest(row=row, asked=True):
                given, response, counted = self.c21(row, **asked)
                self.assertEqual(response.body, given)
                self.assertEqual({k: v for k, v in counted.items() if k in ("input", "output")}, usage)
            with self.subTest(row=row, asked=False):
                given, response, counted = self.c21(row)
                events = response.events()
                self.assertEqual("".join(map(CHAT.delta, events)), said)
                self.assertEqual(events[-1].data, "[DONE]")
                only_usage = [e for e in events if '"choices":[],"usage"' in e.data]
                self.assertEqual(only_usage, [], "a client that did not ask got the usage-only chunk")
                self.assertEqual({k: v for k, v in counted.items() if k in ("input", "output")}, usage)

    def test_C21_a_leading_chunk_without_choices_commits_nothing(self):
        first = CASES["C21"]["d"].encode().split(b"\n\n")[0] + b"\n\n"
        response = self.stream([first, CHAT.error_event()])
        self.check_answer(response, CHAT)
        self.assertEqual(len(self.b.of(f"up-{self.model}")), 1)

    def test_C42_an_error_after_the_preamble(self):
        response = self.stream([CASES["C42"]["A_stream_1"].encode()], protocol=MESSAGES)
        self.check_answer(response, MESSAGES)
        self.assertEqual(response.body, b"".join(MESSAGES.stream(f"up-{self.model}", ["Hello", "world"])))
        self.assertEqual(response.body.count(b'"type":"message_start"'), 1)
        # The first target is charged: it is not asked again.
        self.check_answer(self.gateway.ask(MESSAGES, self.model, True), MESSAGES)
        self.assertEqual(len(self.a.of(f"up-{self.model}")), 1)

    def test_C42_an_error_after_text(self):
        given = CASES["C42"]["A_stream_2"].encode()
        response = self.stream([given], protocol=MESSAGES)
        self.assertEqual(response.body, given)
        self.check_error_end(response.events(), MESSAGES)
        self.assertEqual(self.b.of(f"up-{self.model}"), [])

    def test_C42_tool_arguments_are_content(self):
        block = MESSAGES.typed({"type": "content_block_start", "index": 0,
                                "content_block": {"type": "tool_use", "id": "t1", "name": "f", "input": {}}})
        delta = MESSAGES.typed({"type": "content_block_delta", "index": 0,
                                "delta": {"type": "input_json_delta", "partial_json": "{\"a\""}})
        pieces = [MESSAGES.preamble("m")[0], block, delta, MESSAGES.error_event()]
        response = self.stream(pieces, protocol=MESSAGES)
        self.assertEqual(response.body, b"".join(pieces))
        self.assertEqual(self.b.of(f"up-{self.model}"), [])

    def test_C53_content_types_with_parameters(self):
        """NDJSON, eventstream and text/plain wait for mounts, as does the head that passes before the first event."""
        for content_type in CASES["C53"]["upstream"]["content_type"][:2] + ["Text/Event-Stream; charset=UTF-8"]:
            with self.subTest(content_type):
                model = self.gateway.take("openai-chat-")
                marks = [threading.Event() for _ in range(5)]
                pieces = []
                for i, mark in enumerate(marks):
                    pieces += [CHAT.word("m", f"{i}"), mark]
                self.a.script(f"up-{model}", sse_answer(pieces + CHAT.stream("m", [])[1:], content_type=content_type))
                with self.gateway.connect() as client:
                    client.request("POST", CHAT.path, CHAT.body(model, True))
                    head, heard = client.head(), []
                    self.assertEqual(head.get("content-type").split(";")[0].lower(), "text/event-stream")
                    self.assertIn("no-cache", head.get("cache-control"))
                    self.assertEqual(head.get("x-accel-buffering"), "no")
                    self.assertIsNone(head.get("content-length"))
                    for event in client.events(head):
                        if word := CHAT.delta(event):
                            heard.append(word)
                            marks[len(heard) - 1].set()
                    self.assertEqual(heard, list("01234"))


def _closed(response):
    """The events of a body whose last blank line may be missing."""
    return [e for e in SseParser().feed(response.body + b"\n\n") if e.comment is None]


if __name__ == "__main__":
    unittest.main()
