"""C16, C17, C19, C21, C53, translated: how a stream is cut, ended and passed on."""
import threading
import unittest

from answers import document_of, stream_of
from cases import CASES
from conversation import request_of
from harness import CHAT, CLOSE, MESSAGES, RESET, RESPONSES, sse_answer
from harness.protocols import compact
from said import said
from translating import PAIRS, TranslationTest, on, to

CLIENTS = to(CHAT)  # of a chat server, as the cases have it


class Framing(TranslationTest):
    def streamed(self, client, other, pieces):
        return self.exchange(client, other, {**request_of(client, [("user", "hi")]), "stream": True}, pieces)

    @on(*CLIENTS)
    def test_C16_character_split_over_reads(self, client, other):
        chunks = [bytes.fromhex(c) for c in CASES["C16"]["upstream_body_chunks_hex"]]
        whole = b"".join(chunks)
        halves = [[whole[:at], whole[at:]] for at in range(1, len(whole), 9)]
        for pieces in (chunks, [whole[at:at + 1] for at in range(len(whole))], *halves):
            with self.subTest(pieces=len(pieces), first=len(pieces[0])):
                self.assertEqual(said(client, self.streamed(client, other, pieces)).texts(), ["\u5317\U0001f642"])

    @on(*PAIRS)
    def test_C16_in_every_pair(self, client, other):
        whole = b"".join(stream_of(other, [("text", ["\u5317", "\U0001f642"])]))
        answer = said(client, self.streamed(client, other, [whole[i:i + 1] for i in range(len(whole))]))
        self.assertEqual(answer.texts(), ["\u5317\U0001f642"])

    @on(*CLIENTS)
    def test_C17_line_endings(self, client, other):
        given = "".join(CASES["C17"]["upstream_body_chunks"]).encode()
        for name, whole in (("CRLF", given), ("CR", given.replace(b"\r\n", b"\r")), ("LF", given.replace(b"\r\n", b"\n")),
                            ("BOM", b"\xef\xbb\xbf" + given)):
            for pieces in ([whole], [bytes([byte]) for byte in whole]):
                with self.subTest(name, pieces=len(pieces)):
                    self.assertEqual(said(client, self.streamed(client, other, pieces)).texts(), ["hi"])

    @on(*CLIENTS)
    def test_C19_a_the_last_blank_line_is_missing(self, client, other):
        answer = said(client, self.streamed(client, other, CASES["C19"]["a_upstream_stream"]))
        self.assertEqual((answer.texts(), answer.finish), (["A"], "end_turn" if client is MESSAGES else "completed"))

    @on(*CLIENTS)
    def test_C19_b_c_an_end_in_the_middle(self, client, other):
        given = CASES["C19"]["b_upstream_stream"].encode()
        for name, end in (("end", b"0\r\n\r\n"), ("reset", RESET), ("not terminated", CLOSE)):
            with self.subTest(name):
                events = self.streamed(client, other, sse_answer([given], end=end)).events()
                self.check_error_end(events, client)
                self.assertEqual("".join(client.delta(e) for e in events if not client.is_error(e)), "AB")

    @on(*PAIRS)
    def test_C19_a_plain_answer_cut_short(self, client, other):
        whole = compact(document_of(other, [("text", "Hello")])).encode()
        response = self.exchange(client, other, request_of(client, [("user", "hi")]), whole[:-9])
        self.check_error(response, 502, client)

    @on(*CLIENTS)
    def test_C21_usage_alone_on_each_chunk_or_never(self, client, other):
        for row, text, usage in (("a", "A", (9, 0, 1)), ("b", "A", None), ("c", "AB", (9, 0, 2)), ("d", "A", None)):
            with self.subTest(row=row):
                answer = said(client, self.streamed(client, other, CASES["C21"][row]))
                self.assertEqual(answer.texts(), [text])
                self.assertEqual(answer.finish, "end_turn" if client is MESSAGES else "completed")
                if usage:
                    self.assertEqual(answer.counted(), usage)
                elif client is RESPONSES:  # where it may be absent
                    self.assertIsNone(answer.usage)

    @on(*PAIRS)
    def test_C53_each_event_arrives_before_the_next_is_written(self, client, other):
        head, tail = _around_words(other)
        marks = [threading.Event() for _ in range(5)]
        pieces = list(head)
        for number, mark in enumerate(marks):
            pieces += [other.word("m", f"{number}"), mark]
        self.begin(client, other)
        self.a.script(self.upstream_model, sse_answer(pieces + tail, content_type=CASES["C53"]["upstream"]["content_type"][0]))
        request = {**request_of(client, [("user", "hi")]), "stream": True, "model": self.model}
        with self.gateway.connect() as connection:
            connection.request("POST", self.path, compact(request).encode())
            answer, heard = connection.head(), []
            self.assertEqual(answer.get("content-type").split(";")[0], "text/event-stream")
            self.assertIn("no-cache", answer.get("cache-control"))
            self.assertEqual(answer.get("x-accel-buffering"), "no")
            self.assertIsNone(answer.get("content-length"))
            for event in connection.events(answer):
                if word := client.delta(event):
                    heard.append(word)
                    marks[len(heard) - 1].set()
        self.assertEqual(heard, list("01234"))


def _around_words(protocol):
    """A stream's pieces before and after what is said."""
    whole = protocol.stream("m", ["01234"])
    at = whole.index(next(piece for piece in whole if b"01234" in piece))
    return whole[:at], whole[at + 1:]


if __name__ == "__main__":
    unittest.main()
