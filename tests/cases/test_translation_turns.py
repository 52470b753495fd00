"""C01, C02, C05, C06, C09, C12: whose turn it is, and the order of turns, in every pair."""
import unittest

from cases import CASES
from conversation import TOOL, instructions_of, request_of, turns_of
from harness import CHAT, MESSAGES, RESPONSES
from harness.protocols import compact
from translating import METADATA, PAIRS, TranslationTest, of, on, to

CALLS = [("user", "Temps?"), ("call", "call_a", '{"city":"Oslo"}'), ("call", "call_b", '{"city":"Rome"}'),
         ("result", "call_a", "3"), ("result", "call_b", "17"), ("user", "Compare them.")]
HEARD = [("user", "Temps?"), ("call", "call_a", {"city": "Oslo"}), ("call", "call_b", {"city": "Rome"}),
         ("result", "call_a", "3"), ("result", "call_b", "17"), ("user", "Compare them.")]


class Turns(TranslationTest):
    def test_C01_results_of_parallel_calls_are_one_turn(self):
        sent = self.accepted(CHAT, MESSAGES, CASES["C01"]["client_request"])
        use = {"type": "tool_use", "name": TOOL}
        self.assertEqual(sent["messages"], [
            {"role": "user", "content": "Temps?"},
            {"role": "assistant", "content": [{**use, "id": "call_a", "input": {"city": "Oslo"}},
                                              {**use, "id": "call_b", "input": {"city": "Rome"}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_a", "content": "3"},
                                         {"type": "tool_result", "tool_use_id": "call_b", "content": "17"},
                                         {"type": "text", "text": "Compare them."}]}])

    @on(*PAIRS)
    def test_C01_calls_and_results_in_every_pair(self, client, other):
        sent = self.accepted(client, other, request_of(client, CALLS))
        self.assertEqual(turns_of(other, sent), HEARD)
        if other is MESSAGES:
            self.assertEqual([m["role"] for m in sent["messages"]], ["user", "assistant", "user"])

    def test_C02_nothing_said_beside_a_call(self):
        request = CASES["C02"]["client_request"]
        for said in CASES["C02"]["variants_of_assistant_content"]:
            for other in (MESSAGES, RESPONSES):
                with self.subTest(said=said, upstream=other.id):
                    user, assistant, result = request["messages"]
                    sent = self.accepted(CHAT, other, {**request, "messages": [user, {**assistant, "content": said}, result]})
                    self.check_nothing_said(other, sent)

    def test_C02_nothing_said_by_the_other_clients(self):
        turns = [("user", "Temp in Oslo?"), ("assistant", " \n"), *CALLS[1:2], ("result", "call_a", "")]
        for client, other in of(RESPONSES) + of(MESSAGES):
            with self.subTest(client=client.id, upstream=other.id):
                self.check_nothing_said(other, self.accepted(client, other, request_of(client, turns)))

    def check_nothing_said(self, other, sent):
        """Messages takes no text of white space alone; the others keep it, but nothing empty."""
        heard = turns_of(other, sent)
        self.assertEqual([turn for turn in heard if turn[0] != "assistant"], [
            ("user", "Temp in Oslo?"), ("call", "call_a", {"city": "Oslo"}), ("result", "call_a", "")])
        self.assertEqual([turn for turn in heard if turn[0] == "assistant" and (other is MESSAGES or not turn[1])], [])

    @on(*of(MESSAGES))
    def test_C05_text_before_results_and_a_result_without_content(self, client, other):
        """The sign of a failed result is the documented one."""
        sent = self.accepted(client, other, CASES["C05"]["client_request"])
        self.assertEqual(turns_of(other, sent), [
            ("user", "Temps?"), ("call", "t1", {"city": "Oslo"}), ("call", "t2", {"city": "Rome"}), ("result", "t1", "3"),
            ("result", "t2", "[tool_result_error] "), ("user", "and hurry"), ("user", "please")])
        if other is CHAT:
            self.assertEqual([m["role"] for m in sent["messages"]], ["user", "assistant", "tool", "tool", "user"])

    @on(*of(MESSAGES))
    def test_C06_system_blocks_and_a_reminder_in_the_middle(self, client, other):
        """Chat servers take one system message, so there the reminder joins it, which is a loss that is told."""
        request = CASES["C06"]["client_request"]
        response = self.exchange(client, other, request, headers=METADATA)
        self.check_answer(response, client)
        first = self.sent()
        turns = turns_of(other, first.document)
        self.assertEqual(instructions_of(turns), ["You are terse.", "Use metric.", "Reminder: answer in French."])
        self.assertEqual([turn for turn in turns if turn[0] not in ("system", "developer")],
                         [("user", "2+2?"), ("user", "Go.")])
        self.assertIn(turns[0][0], ("system", "developer"))
        self.assertNotIn(b"cache_control", first.body)
        losses = response.get("x-relay-loss")
        self.assertIn("cache_markers", losses)
        self.assertEqual("mid_conversation_system" in losses, other is CHAT)
        if other is RESPONSES:
            self.assertEqual(turns[-2], ("system", "Reminder: answer in French."))

        self.gateway.post(self.path, compact({**request, "model": self.model}).encode())  # the same body twice
        _, again = self.a.of(self.upstream_model)
        self.assertEqual(again.body, first.body)

    def test_C06_natively_as_it_came(self):
        request = CASES["C06"]["client_request"]
        sent = self.accepted(MESSAGES, MESSAGES, request)
        self.assertEqual({**sent, "model": "m"}, request)

    @on(*to(MESSAGES), (RESPONSES, CHAT))
    def test_C09_the_developer_is_the_system_elsewhere(self, client, other):
        request = CASES["C09"]["client_request"] if client is RESPONSES else request_of(
            client, [("system", "Be terse."), ("developer", "Use metric."), ("user", "How tall is 6ft?")])
        sent = self.accepted(client, other, request)
        turns = turns_of(other, sent)
        self.assertEqual(instructions_of(turns), ["Be terse.", "Use metric."])
        self.assertEqual({turn[0] for turn in turns[:-1]}, {"system"})
        self.assertEqual(turns[-1], ("user", "How tall is 6ft?"))
        if other is MESSAGES:
            self.assertEqual([m["role"] for m in sent["messages"]], ["user"])

    def test_C12_the_developer_among_the_turns(self):
        sent = self.accepted(CHAT, RESPONSES, CASES["C12"]["client_request"])
        self.assertEqual(turns_of(RESPONSES, sent), [
            ("system", "A."), ("developer", "B."), ("user", "hi"), ("assistant", "yo"), ("developer", "C."), ("user", "go")])
        kinds = {item["role"]: item["content"][0]["type"] for item in sent["input"]}
        self.assertEqual((kinds["assistant"], kinds["user"]), ("output_text", "input_text"))

    @on(*PAIRS)
    def test_C12_no_instruction_is_lost_in_any_pair(self, client, other):
        """Where the target takes no instruction among the turns, it stands with the first ones, in order."""
        said = [("system", "A."), ("developer", "B."), ("user", "hi"), ("assistant", "yo"), ("developer", "C."),
                ("user", "go")]
        turns = turns_of(other, self.accepted(client, other, request_of(client, said)))
        self.assertEqual(instructions_of(turns), ["A.", "B.", "C."])
        self.assertEqual([turn for turn in turns if turn[0] not in ("system", "developer")],
                         [("user", "hi"), ("assistant", "yo"), ("user", "go")])


if __name__ == "__main__":
    unittest.main()
