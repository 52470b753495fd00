"""C48 on translated routes: what a client gets is plain, and says so."""
import gzip
import json
import unittest

from cases import CASES
from conversation import request_of
from harness import raw_answer, sse_answer
from translating import PAIRS, TranslationTest, on


class Encodings(TranslationTest):
    models = 30

    def each(self, client, stream):
        """The request, with each of the case's Accept-Encoding."""
        request = {**request_of(client, [("user", "hi")]), "stream": stream}
        for accept in CASES["C48"]["client_accept_encoding"]:
            with self.subTest(accept=accept, stream=stream):
                yield request, [("Accept-Encoding", accept)] if accept else []

    def check_plain(self, response):
        self.assertIsNone(response.get("content-encoding"))
        if (length := response.get("content-length")) is not None:
            self.assertEqual(int(length), len(response.body))

    @on(*PAIRS)
    def test_C48_the_gateway_asks_for_identity(self, client, other):
        for stream in (False, True):
            for request, headers in self.each(client, stream):
                response = self.exchange(client, other, request, headers=headers)
                self.check_answer(response, client)
                self.check_plain(response)
                self.assertEqual(self.sent().get("accept-encoding"), "identity")

    @on(*PAIRS)
    def test_C48_an_answer_compressed_all_the_same(self, client, other):
        """It cannot be read here, so it is the provider's failure; its bytes do not pass as something else."""
        packed = gzip.compress(json.dumps(other.document("m", "packed")).encode())
        stream = gzip.compress(b"".join(other.stream("m", ["packed"])))
        encoding = [("Content-Encoding", "gzip")]
        for answer, streamed in ((raw_answer(200, packed, encoding), False), (sse_answer([stream], encoding), True)):
            for request, headers in self.each(client, streamed):
                response = self.exchange(client, other, request, headers=headers)
                self.check_answer(response, client)
                response = self.exchange(client, other, request, answer, headers)
                self.check_error(response, 502, client)
                self.check_plain(response)

    @on(*PAIRS)
    def test_C48_a_compressed_error(self, client, other):
        packed = gzip.compress(json.dumps(other.error_document("slow down")).encode())
        for request, headers in self.each(client, False):
            answer = raw_answer(429, packed, [("Content-Encoding", "gzip")])
            response = self.exchange(client, other, request, answer, headers)
            self.check_error(response, 429, client, by_gateway=False)
            self.check_plain(response)


if __name__ == "__main__":
    unittest.main()
