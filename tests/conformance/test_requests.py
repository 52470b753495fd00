"""The table of requests against the real binary: status, fate of the connection, and what the provider saw."""
import unittest

from harness import CHAT, Config, GatewayTest

import request_cases
from wire import BAIT, CLOSED, END, OPEN, add_cases, document, post

PROBE = post(body=document("probe"))
LONG = 4000  # bytes that are not worth sending one by one


class Requests(GatewayTest):
    """Each case three times: in one piece with what follows it, in one piece before it, and byte by byte."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        cls.up.always = lambda request: CHAT.plain(request, request.document["user"])
        return (Config(max_inference_body="8KiB", max_head="32KiB", max_fields=50)
                .backend("a", cls.up).model("m", ["a"]))

    def run_case(self, case):
        follows = PROBE if case.fate == OPEN else BAIT
        steps = case.sent if isinstance(case.sent, list) else [case.sent]
        ended = END in steps
        self.run_steps(case, steps if ended else [*steps[:-1], steps[-1] + follows], ended)
        if not ended:
            self.run_steps(case, [*steps, follows], False)
        if not case.at_once and sum(len(step) for step in steps if step != END) < LONG:
            single = [bytes([byte]) for step in steps if step != END for byte in step]
            self.run_steps(case, [*single, END if ended else follows], ended)

    def run_steps(self, case, steps, ended):
        before = len(self.up.requests)
        with self.gateway.connect() as client:
            try:
                for step in steps:
                    if step == END:
                        client.end()
                    else:
                        client.send(step)
            except ConnectionError:
                pass  # refused while it was still sending; the answer is there all the same
            texts = []
            for status in case.answers:
                response = client.response()
                self.assertEqual(response.status, status, response)
                if status == 200 and b"choices" in response.body:
                    texts.append(CHAT.text_of(response))
                elif status >= 400:
                    self.assertIsNotNone(response.get("x-watermaster-error"), response)
            self.assertEqual(texts, list(case.forwarded), "answers")
            if case.fate == OPEN:
                self.assertNotEqual(response.get("connection"), "close")
                probe = client.response()
                self.assertEqual((probe.status, CHAT.text_of(probe)), (200, "probe"), "the next request's answer")
                texts.append("probe")
            else:
                if case.answers:
                    self.assertEqual(response.all("connection")[-1:], ["close"], response)
                self.assertTrue(client.closed(), "the connection stayed open, or more came")
        seen = [request.document["user"] for request in self.up.requests[before:]]
        self.assertEqual(seen, texts, "what the provider saw")
        for request in self.up.requests[before:]:
            self.assertEqual(request.raw.count(b"\r\n\r\n"), 1, "one head")
            self.assertEqual(request.all("content-length"), [str(len(request.body))])
            self.assertEqual(request.all("transfer-encoding"), [])


add_cases(Requests, request_cases.CASES)


class Table(unittest.TestCase):
    def test_is_as_long_as_it_should_be(self):
        self.assertGreaterEqual(len(request_cases.CASES), 150)
        for case in request_cases.CASES:
            self.assertTrue(case.why, case.id)
            self.assertIn(case.fate, (OPEN, CLOSED), case.id)


if __name__ == "__main__":
    unittest.main()
