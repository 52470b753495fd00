"""C04: no parameter vanishes. It reaches the upstream, or its loss is told, or the request is refused by its name."""
import unittest

from cases import CASES
from conversation import request_of
from harness import CHAT, MESSAGES, RESPONSES
from translating import METADATA, PAIRS, TranslationTest, on

# What changes the answer, and so is never lost; by client.
BINDING = {CHAT: {"n": 2, "logprobs": True, "response_format": {"type": "json_object"}, "modalities": ["text", "audio"],
                  "stop": ["#"]},
           RESPONSES: {"include": ["message.output_text.logprobs"], "top_logprobs": 3,
                       "text": {"format": {"type": "json_object"}}},
           MESSAGES: {"stop_sequences": ["#"]}}
# What a target may do without, if that is said.
OTHERS = {CHAT: {"temperature": 0.2, "top_p": 0.9, "seed": 7, "presence_penalty": 0.5, "frequency_penalty": 0.5,
                 "logit_bias": {"50256": -100}, "user": "u-7", "metadata": {"k": "v-7"}, "verbosity": "low",
                 "prompt_cache_key": "key-7", "service_tier": "flex", "reasoning_effort": "high", "store": True,
                 "prediction": {"type": "content", "content": "x"}, "unheard_of": {"a": 1}},
          RESPONSES: {"temperature": 0.2, "top_p": 0.9, "user": "u-7", "metadata": {"k": "v-7"}, "truncation": "auto",
                      "prompt_cache_key": "key-7", "service_tier": "flex", "reasoning": {"effort": "high"}, "store": True,
                      "text": {"verbosity": "low"}, "max_tool_calls": 3, "safety_identifier": "s-7", "unheard_of": {"a": 1}},
          MESSAGES: {"temperature": 0.2, "top_p": 0.9, "top_k": 5, "metadata": {"user_id": "u-7"},
                     "service_tier": "standard_only", "thinking": {"type": "enabled", "budget_tokens": 1024},
                     "unheard_of": {"a": 1}}}
# The same thing by its name elsewhere.
NAMES = {"response_format": ("text", "output_config"), "stop": ("stop_sequences",), "stop_sequences": ("stop",),
         "include": ("logprobs",), "top_logprobs": ("logprobs",), "text": ("response_format", "output_config", "verbosity"),
         "user": ("metadata", "safety_identifier"), "metadata": ("user", "safety_identifier"), "verbosity": ("text",),
         "reasoning_effort": ("reasoning", "output_config"), "reasoning": ("reasoning_effort", "output_config"),
         "thinking": ("reasoning_effort", "reasoning"), "safety_identifier": ("user", "metadata"),
         "prompt_cache_key": ("cache_key",), "logprobs": ("include", "top_logprobs")}

OWN = {"safety_identifier": "user"}  # of two names for one thing


class Parameters(TranslationTest):
    models = 150

    def test_C04_the_request_of_the_case(self):
        request = CASES["C04"]["client_request"]
        error = self.refused(CHAT, MESSAGES, request)
        self.assertEqual((error["type"], error["param"]), ("invalid_request_error", "n"))
        for member in ("n", "logprobs", "top_logprobs"):
            one = {k: v for k, v in request.items() if k not in ("n", "logprobs", "top_logprobs") or k == member}
            if member == "top_logprobs":
                one["logprobs"] = True
            with self.subTest(member):
                self.assertIn(self.refused(CHAT, MESSAGES, one)["param"], (member, "logprobs"))
        plain = {k: v for k, v in request.items() if k not in ("n", "logprobs", "top_logprobs")}
        sent = self.accepted(CHAT, MESSAGES, plain)
        self.assertEqual((sent["temperature"], sent["top_p"]), (0.2, 0.9))

    def test_C04_natively_all_of_it(self):
        request = CASES["C04"]["client_request"]
        self.assertEqual({**self.accepted(CHAT, CHAT, request), "model": "m"}, request)

    def carried(self, client, other, member, value):
        """Whether the target got it: its request differs from that without the member."""
        plain = self.accepted(client, other, request_of(client, [("user", "hi")]))
        response = self.exchange(client, other, request_of(client, [("user", "hi")], **{member: value}), headers=METADATA)
        if response.status == 400:
            error = self.check_error(response, 400, client, "untranslatable")
            self.assertRegex(error["message"], rf"at '{OWN.get(member, member)}\b")
            return "refused", response
        self.check_answer(response, client)
        sent = self.sent().document
        known = (member, *NAMES.get(member, ()))
        return any(sent.get(name) != plain.get(name) for name in known), response

    @on(*PAIRS)
    def test_C04_what_changes_the_answer_is_never_lost(self, client, other):
        for member, value in BINDING[client].items():
            with self.subTest(member):
                carried, response = self.carried(client, other, member, value)
                self.assertTrue(carried, response)

    @on(*PAIRS)
    def test_C04_what_is_lost_is_told(self, client, other):
        for member, value in OTHERS[client].items():
            with self.subTest(member):
                carried, response = self.carried(client, other, member, value)
                if carried is False:
                    losses = response.get("x-relay-loss") or ""
                    self.assertRegex(losses, rf"={OWN.get(member, member)}\b")


if __name__ == "__main__":
    unittest.main()
