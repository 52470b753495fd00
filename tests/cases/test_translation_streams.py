"""C11, C15: the order of a stream's events, and of what it says by turns."""
import json
import unittest

from answers import stream_of
from cases import CASES
from conversation import request_of
from harness import CHAT, MESSAGES, RESPONSES
from said import said
from translating import PAIRS, SERVED, TranslationTest, of, on

CALL = ("call", "call_a", "{}")
TURNS = [("reasoning", ["one"]), CALL, ("reasoning", ["two"]), ("text", ["o", "k"])]


class Streams(TranslationTest):
    def answered(self, client, other, stream):
        request = {**request_of(client, [("user", "temp?")]), "stream": True}
        self.response = self.exchange(client, other, request, stream)
        return said(client, self.response)

    def types(self):
        return [json.loads(event.data)["type"].removeprefix("response.") for event in self.response.events()]

    def check_life_of_items(self):
        self.assertEqual(self.types(), [
            "created", "in_progress", "output_item.added", "content_part.added", "output_text.delta", "output_text.delta",
            "output_text.done", "content_part.done", "output_item.done", "output_item.added",
            "function_call_arguments.delta", "function_call_arguments.done", "output_item.done", "completed"])

    def test_C11_the_stream_of_the_case(self):
        self.response = self.exchange(RESPONSES, CHAT, CASES["C11"]["client_request"], CASES["C11"]["upstream_stream"])
        answer = said(RESPONSES, self.response)
        self.check_life_of_items()
        self.assertEqual(answer.blocks, [("text", "Check"), CALL])
        self.assertEqual(answer.usage, {"input_tokens": 7, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
                                        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 12})
        self.assertNotIn(b"[DONE]", self.response.body)

    @on(*of(RESPONSES))
    def test_C11_the_life_of_items_from_each_upstream(self, client, other):
        answer = self.answered(client, other, stream_of(other, [("text", ["Che", "ck"]), CALL]))
        self.check_life_of_items()
        self.assertEqual(answer.blocks, [("text", "Check"), CALL])
        self.assertEqual(answer.usage, {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 2,
                                        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 11})

    def test_C15_the_stream_of_the_case(self):
        """Reasoning that nobody signed is hidden on served models by default, and that is told."""
        answer = self.answered(MESSAGES, RESPONSES, CASES["C15"]["upstream_stream"])
        self.assertEqual((answer.blocks, answer.finish), ([CALL, ("text", "ok")], "tool_use"))
        self.assertEqual(answer.usage["output_tokens"], 4)
        self.assertIn("provider_reasoning_text", self.recorded()["losses"])

    def test_C15_the_stream_of_the_case_for_a_chat_client(self):
        answer = self.answered(CHAT, RESPONSES, CASES["C15"]["upstream_stream"])
        self.assertEqual((answer.content(), answer.finish),
                         ([("reasoning", "onetwo"), ("text", "ok"), ("call", "call_a", {})], "tool_calls"))

    @on(*of(RESPONSES))
    def test_C15_items_keep_their_turns(self, client, other):
        answer = self.answered(client, other, stream_of(other, TURNS))
        self.assertEqual(answer.blocks, [("reasoning", "one"), CALL, ("reasoning", "two"), ("text", "ok")])

    @on(*of(MESSAGES), *of(CHAT))
    def test_C15_all_that_is_said_by_turns_arrives(self, client, other):
        answer = self.answered(client, other, stream_of(other, TURNS))
        self.assertEqual((answer.texts(), answer.calls()), (["ok"], [("call_a", {})]))
        self.assertEqual("".join(answer.texts("reasoning")), "" if client is MESSAGES else "onetwo")

    @on(*PAIRS)
    def test_C15_interleaved_calls(self, client, other):
        """Two calls whose arguments come by turns, where the upstream's protocol can say so."""
        calls = [("call", "a", '{"city":"Oslo"}'), ("call", "b", '{"city":"Rome"}')]
        pieces = stream_of(other, calls, lambda text: [text[:4], text[4:]])
        if other is CHAT:  # preamble, begin a, more a, begin b, more b, …
            pieces[2], pieces[3] = pieces[3], pieces[2]
        elif other is MESSAGES:  # head, start a, two deltas, stop a, start b, two deltas, stop b, …
            pieces[3:7] = [pieces[5], pieces[6], pieces[3], pieces[4]]
        else:  # head (2), added a, two deltas, done a, added b, two deltas, done b, …
            pieces[4:8] = [pieces[6], pieces[7], pieces[4], pieces[5]]
        answer = self.answered(client, other, pieces)
        self.assertEqual(answer.calls(), [("a", {"city": "Oslo"}), ("b", {"city": "Rome"})])


class ShownThinking(TranslationTest):
    """C15 where reasoning that nobody signed is shown, as mounts do by default."""
    mounts = True
    terms = {**SERVED, "transcode_chat_capability": "provider_reasoning_thinking"}

    def answered(self, other, stream):
        request = {**request_of(MESSAGES, [("user", "temp?")]), "stream": True}
        return said(MESSAGES, self.exchange(MESSAGES, other, request, stream))

    def test_C15_the_stream_of_the_case(self):
        answer = self.answered(RESPONSES, CASES["C15"]["upstream_stream"])
        self.assertEqual(answer.blocks, [("reasoning", "one"), CALL, ("reasoning", "two"), ("text", "ok")])
        self.assertEqual((answer.finish, answer.usage["output_tokens"]), ("tool_use", 4))

    @on(*of(MESSAGES))
    def test_C15_blocks_keep_their_turns(self, _, other):
        answer = self.answered(other, stream_of(other, TURNS))
        self.assertEqual(answer.blocks, [("reasoning", "one"), CALL, ("reasoning", "two"), ("text", "ok")])


if __name__ == "__main__":
    unittest.main()
