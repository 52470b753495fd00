"""C29: the schemas of tools, however little or much they say."""
import json
import unittest

from cases import CASES
from conversation import request_of, tool_of
from harness import CHAT, MESSAGES, RESPONSES
from translating import PAIRS, TranslationTest, of, on, to

GIVEN = {tool["function"]["name"]: tool["function"].get("parameters") for tool in CASES["C29"]["tools"]}
EMPTY = {"type": "object", "properties": {}}


def schemas_of(protocol, document):
    """By the tool's name."""
    if protocol is MESSAGES:
        return {tool["name"]: tool["input_schema"] for tool in document["tools"]}
    functions = [tool["function"] if protocol is CHAT else tool for tool in document["tools"]]
    return {tool["name"]: tool.get("parameters") for tool in functions}


class Schemas(TranslationTest):
    def sent_schemas(self, client, other, names):
        tools = [tool_of(client, name, GIVEN[name]) for name in names]
        return schemas_of(other, self.accepted(client, other, request_of(client, [("user", "hi")], tools=tools)))

    @on(*PAIRS)
    def test_C29_what_is_missing_is_put_in_and_nothing_else(self, client, other):
        """A tool without any schema stays one where the target takes it."""
        names = "bcd" if client is MESSAGES else "abcd"
        schemas = self.sent_schemas(client, other, names)
        for name in "bc":
            self.assertEqual(schemas[name], EMPTY)
        if "a" in names:
            self.assertIn(schemas["a"], [EMPTY] if other is MESSAGES else [EMPTY, None])
        written = json.dumps(GIVEN["d"], separators=(",", ":"))
        self.assertEqual(json.dumps(schemas["d"], separators=(",", ":")), written)  # with the order of its members
        self.assertIn(written.encode(), self.sent().body)

    @on(*of(CHAT), *of(RESPONSES))
    def test_C29_e_a_choice_at_the_root_becomes_an_object(self, client, other):
        """Messages refuses a choice there: the properties of its branches are all allowed instead, which is told as a loss
        of strictness. Elsewhere the choice stays, with the two members that providers insist on."""
        schema = self.sent_schemas(client, other, "e")["e"]
        if other is not MESSAGES:
            return self.assertEqual(schema, {"type": "object", **GIVEN["e"], "properties": {}})
        self.assertEqual(schema, {"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}}})
        self.assertIn("tool_schema_strictness", self.recorded()["losses"])

    @on(*of(MESSAGES))
    def test_C29_the_reverse(self, client, other):
        tools = [CASES["C29"]["reverse"]["messages_tool"]]
        sent = self.accepted(client, other, request_of(client, [("user", "hi")], tools=tools))
        self.assertEqual(schemas_of(other, sent), {"c": EMPTY})

    @on((CHAT, RESPONSES), (MESSAGES, RESPONSES))
    def test_C29_strictness_is_neither_invented_nor_lost(self, client, other):
        """Where Responses would bind strictly unless it is told not to."""
        for strict in (None, False, True):
            with self.subTest(strict=strict):
                tool = tool_of(client, "d", GIVEN["d"])
                if strict is not None:
                    (tool["function"] if client is CHAT else tool)["strict"] = strict
                sent = self.accepted(client, other, request_of(client, [("user", "hi")], tools=[tool]))
                self.assertIs(sent["tools"][0]["strict"], bool(strict))

    @on(*to(MESSAGES))
    def test_C29_strictness_for_messages_servers(self, client, other):
        """Which bind strictly only where it is said."""
        for strict in (False, True):
            with self.subTest(strict=strict):
                tool = tool_of(client, "d", GIVEN["d"])
                (tool["function"] if client is CHAT else tool)["strict"] = strict
                sent = self.accepted(client, other, request_of(client, [("user", "hi")], tools=[tool]))
                self.assertIs(sent["tools"][0].get("strict", False), strict)

    @on(*to(CHAT))
    def test_C29_strictness_for_chat_servers(self, client, other):
        for strict in (False, True):
            with self.subTest(strict=strict):
                tool = {**tool_of(client, "d", GIVEN["d"]), "strict": strict}
                sent = self.accepted(client, other, request_of(client, [("user", "hi")], tools=[tool]))
                self.assertIs(sent["tools"][0]["function"].get("strict", False), strict)


if __name__ == "__main__":
    unittest.main()
