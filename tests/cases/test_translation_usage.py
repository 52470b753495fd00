"""C34: what an answer took, however its provider splits and repeats it; and the cases of other usage in translation."""
import json
import unittest

from answers import stream_of
from cases import CASES
from conversation import request_of
from harness import CHAT, MESSAGES, RESPONSES
from said import said
from translating import PAIRS, TranslationTest, of, on, served, to


def split(case):
    """A Messages stream whose usage comes as the case has it."""
    head, *content, end, stop = stream_of(MESSAGES, [("text", ["hi"])])
    message = {**MESSAGES.document("m", ""), "content": [], "stop_reason": None, "usage": case["start"]}
    deltas = [{"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": usage}
              for usage in case["deltas"]]
    return [MESSAGES.typed({"type": "message_start", "message": message}), *content, *map(MESSAGES.typed, deltas), stop]


class Usage(TranslationTest):
    def counted(self, client, other, stream, **members):
        """What the client and the access log are told: (input, cached, output)."""
        asked = {"stream_options": {"include_usage": True}} if client is CHAT else {}
        request = {**request_of(client, [("user", "hi")]), "stream": True, **asked, **members}
        answer = said(client, self.exchange(client, other, request, stream))
        self.assertEqual(answer.texts(), ["hi"])
        usage = self.recorded()["usage"]
        return answer, (usage["input"], usage.get("input_cached", 0), usage["output"])

    @on(*to(MESSAGES))
    def test_C34_later_members_replace_earlier_ones(self, client, other):
        for case in CASES["C34"]["cases"]:
            want = (case["want"]["prompt"], case["want"]["cached"], case["want"]["completion"])
            with self.subTest(**case):
                answer, recorded = self.counted(client, other, split(case))
                self.assertEqual((answer.counted(), recorded), (want, want))

    @served
    def test_C34_natively(self):
        for case in CASES["C34"]["cases"]:
            with self.subTest(**case):
                pieces = split(case)
                request = {**request_of(MESSAGES, [("user", "hi")]), "stream": True}
                response = self.exchange(MESSAGES, MESSAGES, request, pieces)
                self.assertEqual(response.body, b"".join(pieces))
                usage = self.recorded()["usage"]
                self.assertEqual((usage["input"], usage["output"]), (case["want"]["prompt"], case["want"]["completion"]))

    def test_C34_a_chat_client_that_did_not_ask(self):
        for other in (MESSAGES, RESPONSES):
            with self.subTest(upstream=other.id):
                request = {**request_of(CHAT, [("user", "hi")]), "stream": True}
                answer = said(CHAT, self.exchange(CHAT, other, request, stream_of(other, [("text", ["hi"])])))
                self.assertIsNone(answer.usage)
                self.assertEqual(self.recorded()["usage"]["input"], 9)

    @on(*to(CHAT))
    def test_C34_usage_in_every_chunk_is_not_summed(self, client, other):
        """So it is in the case C21."""
        for row, want in (("a", (9, 0, 1)), ("c", (9, 0, 2))):
            with self.subTest(row=row):
                request = {**request_of(client, [("user", "hi")]), "stream": True}
                answer = said(client, self.exchange(client, other, request, CASES["C21"][row]))
                self.assertEqual(answer.counted(), want)

    @on(*PAIRS)
    def test_C34_what_was_cached_is_told_as_each_protocol_counts_it(self, client, other):
        pieces = [piece.replace(b'"input_tokens":9', b'"input_tokens":9,"cache_read_input_tokens":91')
                  .replace(b'"prompt_tokens":9', b'"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":91}')
                  for piece in stream_of(other, [("text", ["hi"])])]
        if other is RESPONSES:
            pieces = [piece.replace(b'"input_tokens":9,"cache_read_input_tokens":91',
                                    b'"input_tokens":100,"input_tokens_details":{"cached_tokens":91}') for piece in pieces]
        answer, recorded = self.counted(client, other, pieces)
        self.assertEqual((answer.counted(), recorded), ((100, 91, 2), (100, 91, 2)))

    @on(*of(MESSAGES))
    def test_C34_usage_is_written_though_the_provider_says_none(self, client, other):
        pieces = [piece for piece in stream_of(other, [("text", ["hi"])]) if b'"choices":[]' not in piece]
        pieces = [piece.replace(json.dumps({"input_tokens": 9, "output_tokens": 2, "total_tokens": 11}, separators=(",", ":"))
                                .encode(), b"null").replace(b'"usage":{"output_tokens":2}', b'"usage":null')
                  .replace(b'"usage":{"input_tokens":9,"output_tokens":1}', b'"usage":null') for piece in pieces]
        request = {**request_of(client, [("user", "hi")]), "stream": True}
        answer = said(client, self.exchange(client, other, request, pieces))
        self.assertEqual(answer.counted(), (0, 0, 0))
        self.assertIn("usage_unknown", self.recorded()["losses"])


if __name__ == "__main__":
    unittest.main()
