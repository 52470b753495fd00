"""C07, C37: why an answer ended, plain and streamed."""
import json
import unittest

from answers import document_of, stream_of
from cases import CASES
from conversation import request_of
from harness import CHAT, MESSAGES, RESPONSES
from said import said
from translating import PAIRS, TranslationTest, of, on, to

CALL = ("call", "call_1", '{"city":"Oslo"}')
SECOND = ("call", "call_2", '{"city":"Rome"}')
HALVES = ("", '{"ci')  # of a call's input
CUT = {CHAT: {"finish_reason": "length"}, MESSAGES: {"stop_reason": "max_tokens"},
       RESPONSES: {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}}


class Ends(TranslationTest):
    def ended(self, client, other, blocks, **ending):
        """The answer as the client takes it, plain and streamed."""
        request = request_of(client, [("user", "count")])
        plain = said(client, self.exchange(client, other, request, document_of(other, blocks, **ending)))
        streamed = said(client, self.exchange(client, other, {**request, "stream": True},
                                              stream_of(other, blocks, **ending)))
        if not any(block[0] == "call" and block[2] in HALVES for block in blocks):
            self.assertEqual((streamed.content(), streamed.finish), (plain.content(), plain.finish))
        return plain, streamed

    def chat_answer(self, **choice):
        """The case's answer, plain and as a stream, with members of its choice replaced."""
        given = CASES["C07"]["upstream_response"]
        whole = {**{k: v for k, v in given["choices"][0].items() if k != "stop_reason"}, **choice}
        end = {"index": 0, "delta": {}, **{k: v for k, v in whole.items() if k not in ("index", "message")}}
        words = {"index": 0, "delta": whole["message"], "finish_reason": None}
        chunks = [{**given, "object": "chat.completion.chunk", "choices": [one]} for one in (words, end)]
        return {**given, "choices": [whole]}, "".join(f"data: {json.dumps(c)}\n\n" for c in chunks) + "data: [DONE]\n\n"

    def test_C07_the_sequence_that_stopped_it(self):
        request = CASES["C07"]["client_request"]
        variants = [{"stop_reason": "###"}, *CASES["C07"]["variants"]]
        for variant, stream in ((v, s) for v in variants for s in (False, True)):
            with self.subTest(**variant, stream=stream):
                answer = said(MESSAGES, self.exchange(MESSAGES, CHAT, {**request, "stream": stream},
                                                      self.chat_answer(**variant)[stream]))
                self.assertEqual(self.sent().document["stop"], ["###"])
                matched = "###" if "###" in variant.values() else None
                self.assertEqual((answer.finish, answer.ending["stop_sequence"]),
                                 ("stop_sequence" if matched else "end_turn", matched))
                self.assertEqual(answer.blocks, [("text", "1 2 ")])

    def test_C07_natively_and_for_chat_clients(self):
        answer = {**MESSAGES.document("m", "1 2 "), "stop_reason": "stop_sequence", "stop_sequence": "###"}
        request = {**request_of(CHAT, [("user", "count")]), "stop": "###"}
        self.assertEqual(said(CHAT, self.exchange(CHAT, MESSAGES, request, answer)).finish, "stop")
        self.assertEqual(self.sent().document["stop_sequences"], ["###"])
        native = said(MESSAGES, self.exchange(MESSAGES, MESSAGES, CASES["C07"]["client_request"], answer))
        self.assertEqual((native.finish, native.ending["stop_sequence"]), ("stop_sequence", "###"))

    def test_C07_more_sequences_than_the_target_takes(self):
        """Chat Completions takes four, Responses none."""
        for other, most in ((CHAT, 4), (RESPONSES, 0)):
            with self.subTest(upstream=other.id):
                request = {**CASES["C07"]["client_request"], "stop_sequences": [f"#{i}" for i in range(most + 1)]}
                error = self.refused(MESSAGES, other, request)
                self.assertIn("stop", error["message"])

    def test_C37_anthropic_reasons_for_chat_clients(self):
        """A refusal is `content_filter`, explained or not; a pause and a reason nobody knows are a plain end, unless calls were made."""
        words = {"refusal": "content_filter", "model_context_window_exceeded": "length", "pause_turn": "stop",
                 "something_new": "stop"}
        for row in CASES["C37"]["anthropic_to_chat"]:
            reason = {k: v for k, v in row.items() if k != "content"}
            for blocks in ([], [("text", "par")], [("text", "par"), CALL]):
                with self.subTest(reason["stop_reason"], blocks=len(blocks)):
                    for answer in self.ended(CHAT, MESSAGES, blocks, **reason):
                        self.assertEqual(answer.texts(), ["par"] if blocks else [])
                        self.assertEqual(len(answer.calls()), 1 if CALL in blocks else 0)
                        expected = words[reason["stop_reason"]]
                        if answer.calls() and expected == "stop":
                            expected = "tool_calls"
                        self.assertEqual(answer.finish, expected)
                        explained = reason.get("stop_details", {}).get("explanation")
                        self.assertEqual(answer.texts("refusal"), [explained] if explained else [])

    def test_C37_anthropic_reasons_for_responses_clients(self):
        """A refusal is one by its part, or the content filter's where the provider explains nothing."""
        words = {"refusal": "content_filter", "model_context_window_exceeded": "max_output_tokens"}
        for row in [*CASES["C37"]["anthropic_to_chat"], {"stop_reason": "refusal"}]:
            reason = {k: v for k, v in row.items() if k != "content"}
            explained = [reason["stop_details"]["explanation"]] if "stop_details" in reason else []
            with self.subTest(**reason):
                for answer in self.ended(RESPONSES, MESSAGES, [("text", "par"), CALL], **reason):
                    self.assertEqual((answer.texts(), len(answer.calls())), (["par"], 1))
                    self.assertEqual(answer.texts("refusal"), explained)
                    word = None if explained else words.get(reason["stop_reason"])
                    self.assertEqual(answer.ending["incomplete_details"], {"reason": word} if word else None)
                    self.assertEqual(answer.finish, "incomplete" if word else "completed")

    @on(*to(CHAT))
    def test_C37_filters_and_refusals_of_chat(self, client, other):
        filtered, refused = CASES["C37"]["chat_to_messages"]
        for answer in self.ended(client, other, [("text", ["par"])], finish_reason=filtered["finish_reason"]):
            self.assertEqual(answer.blocks, [("text", "par")])
            self.assertEqual(answer.finish, "refusal" if client is MESSAGES else "incomplete")
        for answer in self.ended(client, other, [("refusal", [refused["message"]["refusal"]])]):
            if client is MESSAGES:
                self.assertEqual((answer.blocks, answer.finish), ([("text", "I can't help.")], "refusal"))
            else:
                self.assertEqual((answer.blocks, answer.finish), ([("refusal", "I can't help.")], "completed"))

    @on(*to(RESPONSES))
    def test_C37_filters_and_refusals_of_responses(self, client, other):
        cut = {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
        for answer in self.ended(client, other, [("text", ["par"])], **cut):
            self.assertEqual(answer.blocks, [("text", "par")])
            self.assertEqual(answer.finish, "refusal" if client is MESSAGES else "content_filter")
        for answer in self.ended(client, other, [("refusal", ["I can't help."])]):
            if client is MESSAGES:
                self.assertEqual((answer.blocks, answer.finish), ([("text", "I can't help.")], "refusal"))
            else:
                self.assertEqual((answer.blocks, answer.finish), ([("refusal", "I can't help.")], "stop"))

    @on(*PAIRS)
    def test_C37_an_answer_cut_for_its_length_keeps_its_calls(self, client, other):
        for answer in self.ended(client, other, [("text", ["par"]), CALL], **CUT[other]):
            self.assertEqual((answer.texts(), len(answer.calls())), (["par"], 1))
            self.assertEqual(answer.finish, {CHAT: "length", MESSAGES: "max_tokens", RESPONSES: "incomplete"}[client])

    @on(*of(RESPONSES))
    def test_C37_what_a_limit_cuts_is_incomplete_for_responses_clients(self, client, other):
        rows = [([CALL], ["incomplete"]), ([CALL, SECOND], ["completed", "incomplete"])]
        if other is CHAT:  # whose calls may be written side by side; Messages has no words for half of one
            rows.append(([("call", "call_1", HALVES[1]), SECOND], ["incomplete", "incomplete"]))
        for blocks, statuses in rows:
            with self.subTest(statuses=statuses):
                for answer in self.ended(client, other, blocks, **CUT[other]):
                    self.assertEqual([item["status"] for item in answer.ending["output"]], statuses)
                    self.assertEqual((answer.finish, answer.ending["incomplete_details"]),
                                     ("incomplete", {"reason": "max_output_tokens"}))
                for answer in self.ended(client, other, [CALL, SECOND]):
                    self.assertEqual([item["status"] for item in answer.ending["output"]], ["completed"] * 2)

    @on(*PAIRS)
    def test_C37_a_stream_cut_within_a_call(self, client, other):
        pieces = stream_of(other, [CALL], cut=lambda text: [text[:4]], **CUT[other])
        if other is RESPONSES:
            pieces = [piece.replace(rb'{\"city\":\"Oslo\"}', rb'{\"ci') for piece in pieces]
        request = {**request_of(client, [("user", "count")]), "stream": True}
        answer = said(client, self.exchange(client, other, request, pieces))
        self.assertEqual(answer.finish, {CHAT: "length", MESSAGES: "max_tokens", RESPONSES: "incomplete"}[client])
        self.assertEqual(answer.blocks, [("call", "call_1", HALVES[1])])

    def test_C37_no_input_is_made_up_for_a_call_cut_before_it(self):
        for answer in self.ended(RESPONSES, CHAT, [("call", "call_1", HALVES[0])], **CUT[CHAT]):
            self.assertEqual(answer.blocks, [("call", "call_1", "")])


if __name__ == "__main__":
    unittest.main()
