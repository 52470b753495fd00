"""C23, C25, C27: tool calls as lenient servers write them, for each client."""
import json
import re
import unittest

from answers import document_of, stream_of
from cases import CASES
from conversation import request_of, turns_of
from harness import CHAT, MESSAGES, RESPONSES
from said import said
from translating import METADATA, PAIRS, TranslationTest, of, on, to

FINISH = {CHAT: ("stop", "tool_calls"), RESPONSES: ("completed", "completed"), MESSAGES: ("end_turn", "tool_use")}
OSLO, ROME = {"city": "Oslo"}, {"city": "Rome"}


class Tools(TranslationTest):
    def answered(self, client, other, answer):
        request = request_of(client, [("user", "Temps?")])
        stream = {"stream": True} if isinstance(answer, (str, list)) else {}
        return said(client, self.exchange(client, other, {**request, **stream}, answer))

    @on(*to(CHAT))
    def test_C23_empty_and_null_members_are_absent(self, client, other):
        answer = self.answered(client, other, CASES["C23"]["upstream_stream"])
        self.assertEqual((answer.blocks, answer.finish), ([("text", "Hello")], FINISH[client][0]))

    @on(*PAIRS)
    def test_C23_nothing_said_in_a_piece(self, client, other):
        pieces = stream_of(other, [("text", ["Hel", "", "lo"])])
        self.assertEqual(self.answered(client, other, pieces).blocks, [("text", "Hello")])

    @on(*to(CHAT))
    def test_C25_whole_calls_without_an_index(self, client, other):
        given = CASES["C25"]["upstream_stream"]
        for name, stream in (("no index", given), ("always 0", given.replace('[{"id":"g', '[{"index":0,"id":"g'))):
            with self.subTest(name):
                answer = self.answered(client, other, stream)
                self.assertEqual((answer.calls(), answer.finish), ([("g1", OSLO), ("g2", ROME)], FINISH[client][1]))

    @on(*to(CHAT))
    def test_C25_a_call_without_an_id_before_one_with(self, client, other):
        stream = CASES["C25"]["upstream_stream"].replace('"id":"g1",', "")
        (first, oslo), second = self.answered(client, other, stream).calls()
        self.assertEqual((oslo, second), (OSLO, ("g2", ROME)))
        self.assertTrue(first)

    @on(*PAIRS)
    def test_C25_whole_calls_in_every_pair(self, client, other):
        """In one piece, in none but the block's or the item's own, and in many."""
        for name, cut in (("one", lambda text: [text]), ("none", None), ("many", list)):
            with self.subTest(pieces=name):
                pieces = stream_of(other, [("call", "g1", '{"city":"Oslo"}'), ("call", "g2", '{"city":"Rome"}')], cut)
                answer = self.answered(client, other, pieces)
                self.assertEqual((answer.calls(), answer.finish), ([("g1", OSLO), ("g2", ROME)], FINISH[client][1]))

    @on(*PAIRS)
    def test_C27_a_the_same_id_twice_and_none(self, client, other):
        given = CASES["C27"]["a"]["upstream_tool_calls"]
        calls = [("call", call["id"], call["function"]["arguments"]) for call in given]
        for name, answer in (("plain", document_of(other, calls)), ("streamed", stream_of(other, calls))):
            with self.subTest(name):
                answered = self.answered(client, other, answer)
                self.assertEqual([arguments for _, arguments in answered.calls()], [OSLO, ROME, {}])
                ids = [call for call, _ in answered.calls()]
                self.assertEqual((len(set(ids)), ids[0]), (3, "call_1"))
                for call in ids:
                    self.assertRegex(call, re.compile(r"\A[A-Za-z0-9_-]+\Z"))

    def test_C27_b_a_call_said_twice(self):
        """A part of the content that is not Chat Completions' is a loss, which is told; the call itself goes once."""
        message = CASES["C27"]["b"]["assistant_message"]
        request = request_of(CHAT, [("user", "Temp?"), ("call", "t1", json.dumps(OSLO)), ("result", "t1", "3")])
        user, _, result = request["messages"]
        request["messages"] = [user, message, result]
        for other in (MESSAGES, RESPONSES):
            with self.subTest(upstream=other.id):
                response = self.exchange(CHAT, other, request, headers=METADATA)
                self.check_answer(response, CHAT)
                self.assertEqual(turns_of(other, self.sent().document), [
                    ("user", "Temp?"), ("call", "t1", OSLO), ("result", "t1", "3")])
                self.assertIn("messages.raw", response.get("x-relay-loss"))

    @on(*to(MESSAGES))
    def test_C27_ids_that_the_target_cannot_take(self, client, other):
        turns = [("user", "Temp?"), ("call", "fn:0/é", json.dumps(OSLO)), ("result", "fn:0/é", "3")]
        heard = turns_of(other, self.accepted(client, other, request_of(client, turns)))
        self.assertRegex(heard[1][1], re.compile(r"\A[A-Za-z0-9_-]+\Z"))
        self.assertEqual(heard[1:], [("call", heard[1][1], OSLO), ("result", heard[1][1], "3")])

    @on(*PAIRS)
    def test_C27_an_id_that_a_history_has_twice(self, client, other):
        """Each result stays with its call; where ids must differ, those that come again are numbered."""
        turns = [("user", "Temps?"), ("call", "c.1", json.dumps(OSLO)), ("call", "c.1", json.dumps(ROME)),
                 ("result", "c.1", "3"), ("result", "c.1", "9"), ("call", "c.1", json.dumps(OSLO)), ("result", "c.1", "4"),
                 ("call", "c_1", "{}"), ("call", "c.1", json.dumps(ROME)), ("result", "c.1", "8"), ("result", "c_1", "-")]
        first, second, third, fourth, fifth = ["c.1", "c.1", "c.1", "c_1", "c.1"]
        if other is MESSAGES:
            first, second, third, fourth, fifth = ["c_1", "c_1_2", "c_1_3", "c_1_4", "c_1_5"]
        for _ in range(2):
            heard = turns_of(other, self.accepted(client, other, request_of(client, turns)))
            self.assertEqual(heard[1:], [
                ("call", first, OSLO), ("call", second, ROME), ("result", first, "3"), ("result", second, "9"),
                ("call", third, OSLO), ("result", third, "4"),
                ("call", fourth, {}), ("call", fifth, ROME), ("result", fifth, "8"), ("result", fourth, "-")])

    @on(*of(MESSAGES))
    def test_C27_ids_of_an_answer_that_only_become_equal_when_legal(self, client, other):
        calls = [("call", "a.1", '{"city":"Oslo"}'), ("call", "a_1", '{"city":"Rome"}')]
        for name, answer in (("plain", document_of(other, calls)), ("streamed", stream_of(other, calls))):
            with self.subTest(name):
                self.assertEqual(self.answered(client, other, answer).calls(), [("a_1", OSLO), ("a_1_2", ROME)])


if __name__ == "__main__":
    unittest.main()
