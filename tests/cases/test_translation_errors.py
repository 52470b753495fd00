"""C35, C44, translated: a provider's error in the caller's shape, and its headers."""
import unittest

from answers import stream_of
from cases import CASES
from conversation import request_of
from harness import MESSAGES, json_answer, sse_answer
from translating import PAIRS, TranslationTest, on

STATUSES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
            413: "request_too_large", 429: "rate_limit_error"}


class Errors(TranslationTest):
    def asked(self, client, other, stream, answer):
        return self.exchange(client, other, {**request_of(client, [("user", "hi")]), "stream": stream}, answer)

    @on(*PAIRS)
    def test_C35_a_providers_error(self, client, other):
        """Of the case. That the provider knows no such model or key is the operator's matter: its text is constant."""
        given = CASES["C35"]["upstream_anthropic" if other is MESSAGES else "upstream_openai"]
        for stream in (False, True):
            with self.subTest(stream=stream):
                answer = json_answer(given["status"], given["body"], list(given.get("headers", {}).items()))
                response = self.asked(client, other, stream, answer)
                if other is MESSAGES:
                    self.check_error(response, 404, client)
                    continue
                self.assertIn("slow down", self.check_error(response, 429, client, by_gateway=False)["message"])
                self.assertEqual(response.get("retry-after"), "7")

    @on(*PAIRS)
    def test_C35_by_status(self, client, other):
        for status in (400, 413, 429):
            for stream in (False, True):
                with self.subTest(status=status, stream=stream):
                    document = other.error_document("too much", STATUSES[status])
                    error = self.check_error(self.asked(client, other, stream, json_answer(status, document)), status, client,
                                             by_gateway=False)
                    self.assertEqual(error["message"], "too much")

    @on(*PAIRS)
    def test_C44_headers_of_refusals_and_answers(self, client, other):
        given = CASES["C44"]["upstream"]["headers"]
        hidden = ("set-cookie", "server")
        for stream in (False, True):
            good = sse_answer(stream_of(other, [("text", ["hi"])]), list(given.items())) if stream else json_answer(
                200, other.document("m", "hi"), list(given.items()))
            refused = json_answer(429, other.error_document("slow down", "rate_limit_error"), list(given.items()))
            for name, answer in (("refused", refused), ("answered", good)):
                with self.subTest(name, stream=stream):
                    response = self.asked(client, other, stream, answer)
                    self.assertEqual(response.status, 429 if answer is refused else 200)
                    for field, value in given.items():
                        self.assertEqual(response.get(field), None if field in hidden else value, field)


if __name__ == "__main__":
    unittest.main()
