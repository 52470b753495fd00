"""C30: signed reasoning in a tool loop. It goes back to its provider as it came, or not at all."""
import json
import unittest

from answers import document_of, stream_of
from cases import CASES
from conversation import request_of, tool_of
from harness import CHAT, MESSAGES, RESPONSES
from said import said
from translating import TranslationTest, of, on, served

SIGNATURE = "c2ln+/=="
FIRST = CASES["C30"]["turn1_upstream_stream"]
REDACTED = FIRST.replace('{"type":"thinking","thinking":"","signature":""}', '{"type":"redacted_thinking","data":"c2ln+/=="}')
REDACTED = "\n\n".join(event for event in REDACTED.split("\n\n") if '"index":0,"delta"' not in event)
USE = {"type": "tool_use", "id": "t1", "name": "get_temp", "input": {"city": "Oslo"}}
# The answer of the first turn, and what the second has to give back.
TURNS = {"as in the case": (FIRST, [{"type": "thinking", "thinking": "plan", "signature": SIGNATURE}, USE]),
         "a signature alone": (FIRST.replace('"thinking":"plan"', '"thinking":""'),
                               [{"type": "thinking", "thinking": "", "signature": SIGNATURE}, USE]),
         "redacted": (REDACTED, [{"type": "redacted_thinking", "data": SIGNATURE}, USE])}


class Reasoning(TranslationTest):
    def first_turn(self, client, other, stream):
        request = {**request_of(client, [("user", "Temp?")], tools=[tool_of(client)]), "stream": True}
        return said(client, self.exchange(client, other, request, stream))

    def assistant_of(self, sent):
        (content,) = [message["content"] for message in sent["messages"] if message["role"] == "assistant"]
        return content

    def test_C30_a_responses_client_carries_it(self):
        for name, (stream, back) in TURNS.items():
            for asked in ({}, {"reasoning": {"effort": "high"}, "include": ["reasoning.encrypted_content"]}):
                with self.subTest(name, asked=bool(asked)):
                    answer = self.first_turn(RESPONSES, MESSAGES, stream)
                    request = request_of(RESPONSES, [("user", "Temp?")], tools=[tool_of(RESPONSES)], **asked)
                    request["input"] += answer.ending["output"] + [
                        {"type": "function_call_output", "call_id": "t1", "output": "3"}]
                    self.assertEqual(self.assistant_of(self.accepted(RESPONSES, MESSAGES, request)), back)

    def test_C30_the_same_for_an_answer_in_one_document(self):
        for name, (_, back) in TURNS.items():
            with self.subTest(name):
                document = {**MESSAGES.document("m", ""), "content": back, "stop_reason": "tool_use"}
                answer = said(RESPONSES, self.exchange(RESPONSES, MESSAGES, request_of(RESPONSES, [("user", "Temp?")]), document))
                request = request_of(RESPONSES, [("user", "Temp?")], tools=[tool_of(RESPONSES)])
                request["input"] += answer.ending["output"] + [
                    {"type": "function_call_output", "call_id": "t1", "output": "3"}]
                self.assertEqual(self.assistant_of(self.accepted(RESPONSES, MESSAGES, request)), back)

    def test_C30_a_chat_client_cannot(self):
        """Its protocol has no member for a signature: the next turn is one without thinking, and none is made up."""
        for name, (stream, _) in TURNS.items():
            for echoed in ({}, {"reasoning_content": "plan"}):
                with self.subTest(name, echoed=bool(echoed)):
                    answer = self.first_turn(CHAT, MESSAGES, stream)
                    self.assertEqual(answer.calls(), [("t1", {"city": "Oslo"})])
                    self.assertIn("authenticated_thinking", self.recorded()["losses"])
                    call, result = CASES["C30"]["turn2_client_tail"]
                    request = request_of(CHAT, [("user", "Temp?")], tools=[tool_of(CHAT)], reasoning_effort="high")
                    request["messages"] += [{**call, **echoed}, result]
                    sent = self.accepted(CHAT, MESSAGES, request)
                    self.assertEqual(self.assistant_of(sent), [USE])
                    self.assertNotIn("thinking", sent)

    def test_C30_a_responses_client_that_leaves_it_out(self):
        turns = [("user", "Temp?"), ("call", "t1", json.dumps({"city": "Oslo"})), ("result", "t1", "3")]
        request = request_of(RESPONSES, turns, reasoning={"effort": "high"})
        sent = self.accepted(RESPONSES, MESSAGES, request)
        self.assertEqual(self.assistant_of(sent), [USE])
        self.assertNotIn("thinking", sent)

    def test_C30_natively_as_it_is(self):
        for name, (stream, back) in TURNS.items():
            with self.subTest(name):
                request = {**request_of(MESSAGES, [("user", "Temp?")], tools=[tool_of(MESSAGES)]), "stream": True}
                response = self.exchange(MESSAGES, MESSAGES, request, stream)
                self.assertEqual(response.body, stream.encode())
                turns = [*request["messages"], {"role": "assistant", "content": back}]
                sent = self.accepted(MESSAGES, MESSAGES, {**request, "messages": turns, "stream": False})
                self.assertEqual(sent["messages"], turns)

    def test_C30_encrypted_reasoning_natively(self):
        item = {"type": "reasoning", "id": "rs_7", "summary": [], "encrypted_content": "gAAA+/=="}
        request = request_of(RESPONSES, [("user", "Temp?")])
        request["input"].insert(0, item)
        self.assertEqual(self.accepted(RESPONSES, RESPONSES, request)["input"][0], item)

    @served
    @on(*of(RESPONSES))
    def test_C30_what_was_translated_does_not_go_to_a_native_target(self, client, other):
        """Its provider knows neither the id of such reasoning nor its mark."""
        for stream in (False, True):
            with self.subTest(stream=stream):
                answer = (stream_of if stream else document_of)(other, [("reasoning", ["plan"]), ("call", "t1", "{}")])
                first = {**request_of(client, [("user", "Temp?")], tools=[tool_of(client)]), "stream": stream}
                output = said(client, self.exchange(client, other, first, answer)).ending["output"]
                self.assertEqual([item["type"] for item in output], ["reasoning", "function_call"])
                result = {"type": "function_call_output", "call_id": "t1", "output": "3"}
                sent = self.accepted(client, client, {**first, "stream": False, "input": first["input"] + output + [result]})
                self.assertEqual(sent["input"], [*first["input"], output[1], result])

    @served
    def test_C30_thinking_made_of_another_providers_does_not_go_to_a_native_target(self):
        made = [{"type": "thinking", "thinking": "plan", "signature": f"wm1.{mark}"}
                for mark in ("none.", "openai-responses+opaque.Z0FB", "broken")]
        request = request_of(MESSAGES, [("user", "Temp?"), ("call", "t1", "{}"), ("result", "t1", "3")])
        for thinking, sent_thinking in (({"type": "enabled", "budget_tokens": 1024}, {"type": "disabled"}),
                                        ({"type": "adaptive"}, {"type": "adaptive"})):
            with self.subTest(thinking["type"]):
                user, call, result = request["messages"]
                marked = [user, {**call, "content": made + call["content"]}, result, {"role": "assistant", "content": made}, result]
                sent = self.accepted(MESSAGES, MESSAGES, {**request, "messages": marked, "thinking": thinking})
                self.assertEqual(sent["messages"], [user, call, result, result])
                self.assertEqual(sent["thinking"], sent_thinking)

    @on(*of(RESPONSES))
    def test_C30_what_another_provider_has_sealed_is_not_for_this_one(self, client, other):
        request = request_of(client, [("user", "Temp?")])
        request["input"].insert(0, {"type": "reasoning", "id": "rs_7", "summary": [], "encrypted_content": "gAAA+/=="})
        self.check_answer(self.exchange(client, other, request), client)
        self.assertNotIn(b"gAAA", self.sent().body)
        self.assertIn("authenticated_thinking", self.recorded()["losses"])

    @on((MESSAGES, RESPONSES), (CHAT, RESPONSES))
    def test_C30_encrypted_reasoning_is_not_shown_as_something_else(self, client, other):
        pieces = [piece.replace(b'"summary":[{', b'"encrypted_content":"gAAA+/==","summary":[{')
                  for piece in stream_of(other, [("reasoning", ["plan"]), ("call", "t1", "{}")])]
        self.assertIn(b"gAAA", b"".join(pieces))
        answer = self.first_turn(client, other, pieces)
        self.assertEqual(answer.calls(), [("t1", {})])
        self.assertNotIn("gAAA", repr(answer))
        self.assertIn("authenticated_thinking", self.recorded()["losses"])


if __name__ == "__main__":
    unittest.main()
