"""C32: images and documents that a tool gives back."""
import unittest

from cases import CASES
from conversation import request_of, tool_of, turns_of
from harness import CHAT, MESSAGES, RESPONSES
from translating import PAIRS, TranslationTest, on

IMAGE, PDF = "data:image/png;base64,iVBORw0KGgo=", "data:application/pdf;base64,JVBERi0xLjQK"


def parts_of(client, url):
    """A result's text and image, as a client says them."""
    if client is MESSAGES:
        kind, _, data = url.removeprefix("data:").partition(";base64,")
        source = {"type": "base64", "media_type": kind, "data": data} if data else {"type": "url", "url": url}
        return [{"type": "text", "text": "page"}, {"type": "image", "source": source}]
    if client is RESPONSES:
        return [{"type": "input_text", "text": "page"}, {"type": "input_image", "image_url": url}]
    return [{"type": "text", "text": "page"}, {"type": "image_url", "image_url": {"url": url}}]


class Images(TranslationTest):
    def results(self, other):
        request = {**request_of(MESSAGES, [("user", "Look.")]), "tools": [tool_of(MESSAGES, "shot", None)]}
        request["messages"] += CASES["C32"]["a"]["tail"]
        return self.accepted(MESSAGES, other, request)

    def test_C32_a_for_a_chat_server(self):
        """Tool messages hold text alone: the rest follows in one message of the user, named by its call."""
        sent = self.results(CHAT)
        self.assertEqual([m["role"] for m in sent["messages"]], ["user", "assistant", "tool", "tool", "user"])
        self.assertEqual(turns_of(CHAT, sent)[-6:], [
            ("result", "t1", "page"), ("result", "t2", "[in the next message of the user]"),
            ("user", "[result of t1]"), ("media", IMAGE),
            ("user", "[result of t2]"), ("media", PDF)])

    def test_C32_a_for_a_responses_server(self):
        self.assertEqual(turns_of(RESPONSES, self.results(RESPONSES))[-2:], [
            ("result", "t1", [("text", "page"), ("media", IMAGE)]), ("result", "t2", [("media", PDF)])])

    @on(*PAIRS)
    def test_C32_b_in_the_other_pairs(self, client, other):
        """An address stays one: the gateway does not fetch it."""
        for url in (IMAGE, "https://example.com/page.png"):
            with self.subTest(url):
                turns = [("user", "Look."), ("call", "t1", "{}"), ("result", "t1", parts_of(client, url)), ("user", "Well?")]
                heard = turns_of(other, self.accepted(client, other, request_of(client, turns)))
                if other is CHAT:
                    self.assertEqual(heard[2:], [("result", "t1", "page"), ("user", "[result of t1]"),
                                                 ("media", url), ("user", "Well?")])
                else:
                    self.assertEqual(heard[2:], [("result", "t1", [("text", "page"), ("media", url)]), ("user", "Well?")])

    def test_C32_b_as_messages_has_it(self):
        """The message as the case gives it."""
        request = request_of(CHAT, [("user", "Look."), ("call", "t1", "{}")])
        request["messages"].append(CASES["C32"]["b"]["tool_message"])
        (result,) = self.accepted(CHAT, MESSAGES, request)["messages"][-1]["content"]
        self.assertEqual(result["content"], [
            {"type": "text", "text": "page"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}])


if __name__ == "__main__":
    unittest.main()
