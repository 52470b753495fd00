"""HTTP/1.1 as the standard has it: what is ambiguous is refused, what is legal works, slow senders cost little."""
import json
import threading
import time
import unittest

from harness import (CHAT, CLOSE, Answer, Closed, Config, GatewayTest, chunk, json_answer, scaled, span, sse_answer,
                     sse_head)

BODY = CHAT.body("m")
HEAD = "POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\nContent-Type: application/json\r\n"


class Strictness(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return Config(max_head="16KiB", max_fields=50).backend("a", cls.up).model("m", ["a"]).model("n", ["a"])

    def test_ambiguous_requests_are_refused_and_the_connection_closed(self):
        length, n = f"Content-Length: {len(BODY)}", len(BODY)
        end = "\r\n\r\n" + BODY.decode()
        chunked_body = f"\r\n\r\n{n:x}\r\n{BODY.decode()}\r\n0\r\n\r\n"
        rows = {
            "both framings": HEAD + length + "\r\nTransfer-Encoding: chunked" + chunked_body,
            "both framings, the other way round": HEAD + "Transfer-Encoding: chunked\r\n" + length + chunked_body,
            "two lengths": HEAD + f"{length}\r\nContent-Length: {n + 1}" + end,
            "the same length twice": HEAD + f"{length}\r\n{length}" + end,
            "a list of lengths": HEAD + f"Content-Length: {n}, {n}" + end,
            "a negative length": HEAD + "Content-Length: -1" + end,
            "a length with a plus": HEAD + f"Content-Length: +{n}" + end,
            "a hexadecimal length": HEAD + f"Content-Length: 0x{n:x}" + end,
            "an empty length": HEAD + "Content-Length: " + end,
            "a length beyond all numbers": HEAD + "Content-Length: 18446744073709551617" + end,
            "space before the colon": HEAD + f"Content-Length : {n}" + end,
            "chunked twice": HEAD + "Transfer-Encoding: chunked, chunked" + chunked_body,
            "chunked not last": HEAD + "Transfer-Encoding: chunked, gzip" + chunked_body,
            "identity coding": HEAD + "Transfer-Encoding: identity\r\n" + length + end,
            "disguised coding": HEAD + "Transfer-Encoding: xchunked" + chunked_body,
            "coding with a tab before": HEAD + "Transfer-Encoding:\x0bchunked" + chunked_body,
            "chunked in HTTP/1.0": HEAD.replace("1.1", "1.0") + "Transfer-Encoding: chunked" + chunked_body,
            "a chunk size of letters": HEAD + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "a chunk size with a sign":
                HEAD + f"Transfer-Encoding: chunked\r\n\r\n+{n:x}\r\n{BODY.decode()}\r\n0\r\n\r\n",
            "a chunk size with 0x": HEAD + f"Transfer-Encoding: chunked\r\n\r\n0x{n:x}\r\n{BODY.decode()}\r\n0\r\n\r\n",
            "a huge chunk size": HEAD + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
            "a chunk longer than it says":
                HEAD + f"Transfer-Encoding: chunked\r\n\r\n{n - 1:x}\r\n{BODY.decode()}\r\n0\r\n\r\n",
            "chunk lines that end with LF": HEAD + f"Transfer-Encoding: chunked\r\n\r\n{n:x}\n{BODY.decode()}\n0\n\n",
            "lines that end with LF": (HEAD + length).replace("\r\n", "\n") + "\n\n" + BODY.decode(),
            "a bare CR in a value": HEAD + f"X-A: a\rX-B: b\r\n{length}" + end,
            "NUL in a value": HEAD + f"X-A: a\x00b\r\n{length}" + end,
            "a folded line": HEAD + f"X-A: a\r\n b\r\n{length}" + end,
            "a line without a colon": HEAD + f"nonsense\r\n{length}" + end,
            "an empty name": HEAD + f": x\r\n{length}" + end,
            "a space in a name": HEAD + f"X A: 1\r\n{length}" + end,
            "no Host": HEAD.replace("Host: g\r\n", "") + length + end,
            "two Hosts": HEAD + "Host: other\r\n" + length + end,
            "no version": "GET /v1/models\r\nHost: g\r\n\r\n",
            "a version of the future": HEAD.replace("1.1", "3.0") + length + end,
            "HTTP/2 in the clear": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "two spaces in the request line": HEAD.replace("POST ", "POST  ") + length + end,
            "a method of odd characters": HEAD.replace("POST", "PO(ST") + length + end,
            "TLS spoken to a plain port": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        }
        before = len(self.up.requests)
        for name, raw in rows.items():
            with self.subTest(name), self.gateway.connect() as client:
                # A second request follows in the same bytes: it must not be answered as if framing were known.
                client.send(raw.encode("latin-1") + b"GET /v1/models HTTP/1.1\r\nHost: g\r\n\r\n")
                response = client.response()
                self.assertIn(response.status, (400, 411, 413, 431, 501, 505), response)
                self.assertEqual(response.get("connection"), "close")
                self.assertTrue(client.closed(), "the connection stayed open, or a second answer came")
        self.assertEqual(len(self.up.requests), before, "an ambiguous request reached the provider")

    def test_heads_are_bounded(self):
        for name, fields in {"many fields": "X-F: v\r\n" * 51, "one long field": "X-F: " + "v" * 17000 + "\r\n",
                             "a long target": None}.items():
            with self.subTest(name), self.gateway.connect() as client:
                head = HEAD + fields if fields else HEAD.replace("completions", "completions?" + "x" * 17000)
                client.send((head + f"Content-Length: {len(BODY)}\r\n\r\n").encode() + BODY)
                self.assertIn(client.response().status, (400, 414, 431))
                self.assertTrue(client.closed())

    def test_an_endless_head_is_cut_off(self):
        with self.gateway.connect() as client:
            try:
                client.send(HEAD.encode())
                for _ in range(2000):
                    client.send(b"X-Filler: " + b"y" * 1000 + b"\r\n")
            except OSError:
                pass  # cut off while it was still sending
            else:
                self.assertIn(client.response().status, (400, 431))

    def test_chunked_requests(self):
        for sizes in ([len(BODY)], [1] * len(BODY), [10, len(BODY) - 10]):
            raw, at = HEAD.encode() + b"Transfer-Encoding: chunked\r\n\r\n", 0
            for size in sizes:
                raw += b"%X;ext=1\r\n%s\r\n" % (size, BODY[at:at + size])
                at += size
            with self.subTest(pieces=len(sizes)), self.gateway.connect() as client:
                client.send(raw + b"0\r\nX-Trailer: t\r\n\r\n")
                self.check_answer(client.response(), CHAT)
                request = self.up.requests[-1]
                self.assertEqual(request.document, CHAT.ask("up-m"))
                self.assertNotIn(b"X-Trailer", request.raw)

    def test_every_split_of_a_request(self):
        raw = HEAD.encode() + f"Content-Length: {len(BODY)}\r\n\r\n".encode() + BODY
        with self.gateway.connect() as client:
            for at in range(1, len(raw), 5):
                client.send(raw[:at]).send(raw[at:])
                self.check_answer(client.response(), CHAT)

    def test_byte_by_byte(self):
        raw = HEAD.encode() + f"Content-Length: {len(BODY)}\r\n\r\n".encode() + BODY
        with self.gateway.connect() as client:
            for byte in raw:
                client.send(bytes([byte]))
            self.check_answer(client.response(), CHAT)

    def test_expect_continue(self):
        with self.gateway.connect() as client:
            client.send(HEAD.encode() + f"Expect: 100-continue\r\nContent-Length: {len(BODY)}\r\n\r\n".encode())
            self.assertEqual(client.line(), b"HTTP/1.1 100 Continue")
            self.assertEqual(client.line(), b"")
            client.send(BODY)
            self.check_answer(client.response(), CHAT)

    def test_pipelining_answers_in_order(self):
        self.up.always = lambda request: CHAT.plain(request, request.document["user"])
        raw = b""
        for i in range(30):
            body = CHAT.body("no-such" if i % 3 else "m", user=f"answer-{i}")
            raw += HEAD.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
        with self.gateway.connect() as client:
            client.send(raw)
            for i in range(30):
                response = client.response()
                if i % 3:
                    self.check_error(response, 404, CHAT, "model_not_found")
                else:
                    self.check_answer(response, CHAT, f"answer-{i}")
        self.up.always = None

    def test_pipelined_behind_a_stream(self):
        self.up.script("up-n", sse_answer(CHAT.stream("m", ["a", "b"])), json_answer(200, CHAT.document("m", "second")))
        first, second = CHAT.body("n", True), CHAT.body("n")
        with self.gateway.connect() as client:
            for body in (first, second):
                client.request("POST", CHAT.path, body)
            self.check_answer(client.response(), CHAT, "ab")
            self.check_answer(client.response(), CHAT, "second")

    def test_empty_lines_before_a_request(self):
        with self.gateway.connect() as client:
            client.send(b"\r\n")
            client.request("GET", "/v1/models")
            self.assertEqual(client.response().status, 200)

    def test_connection_close(self):
        with self.gateway.connect() as client:
            client.request("POST", CHAT.path, BODY, [("Connection", "close")])
            response = client.response()
            self.assertEqual(response.get("connection"), "close")
            self.check_answer(response, CHAT)
            self.assertTrue(client.closed())

    def test_http_10(self):
        for stream in (False, True):
            with self.subTest(stream=stream), self.gateway.connect() as client:
                client.request("POST", CHAT.path, CHAT.body("m", stream), version="HTTP/1.0")
                response = client.response()
                self.assertEqual(response.all("transfer-encoding"), [])
                self.check_answer(response, CHAT)
                self.assertTrue(client.closed())

    def test_http_10_without_host(self):
        with self.gateway.connect() as client:
            client.send(b"GET /healthz HTTP/1.0\r\n\r\n")
            self.assertEqual(client.response().status, 200)

    def test_odd_but_legal(self):
        with self.gateway.connect() as client:
            client.send("POST /v1/chat/completions HTTP/1.1\r\nhOST:g\r\nX-Empty:\r\nX-Tab:\ta\t\r\n"
                        f"content-length:\t{len(BODY)}  \r\n\r\n".encode() + BODY)
            self.check_answer(client.response(), CHAT)

    def test_a_refused_body_does_not_become_the_next_request(self):
        smuggled = b"GET /healthz HTTP/1.1\r\nHost: g\r\n\r\n"
        for path in ("/nothing", "/v1/models"):
            with self.subTest(path), self.gateway.connect() as client:
                client.request("POST", path, smuggled)
                self.assertIn(client.response().status, (404, 405))
                client.request("GET", "/v1/models")
                try:
                    self.assertIn(b'"object"', client.response().body)
                except (Closed, ConnectionError):
                    pass  # closing instead is fine

    def test_the_providers_framing_is_its_own(self):
        raw, kind = json.dumps(CHAT.document("m", "until close")).encode(), b"Content-Type: application/json\r\n"
        chunks = b"".join(b"1;x=y\r\n%c\r\n" % c for c in raw) + b"0\r\nX-T: 1\r\n\r\n"
        for name, answer in {
                "until close": Answer(b"HTTP/1.1 200 OK\r\n" + kind + b"Connection: close\r\n\r\n" + raw, CLOSE),
                "HTTP/1.0": Answer(b"HTTP/1.0 200 OK\r\n" + kind + b"\r\n" + raw, CLOSE),
                "chunked": Answer(b"HTTP/1.1 200 OK\r\n" + kind + b"Transfer-Encoding: chunked\r\n\r\n" + chunks),
        }.items():
            with self.subTest(name):
                self.up.script("up-m", answer, json_answer(200, CHAT.document("m", "Hello world")))
                response = self.gateway.ask(CHAT, "m")
                self.check_answer(response, CHAT, "until close")
                self.assertEqual(response.trailers, [])
                self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)


class SlowSenders(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        return (Config(head_timeout=span(0.8), body_timeout=span(0.8), body_total=span(1.2), idle_timeout=span(0.8))
                .backend("a", cls.up).model("m", ["a"]))

    def drip(self, client, data, pause=0.05):
        """Sends byte by byte until the gateway has had enough: the seconds it took, or None if it never had."""
        started = time.monotonic()
        for byte in data:
            try:
                client.send(bytes([byte]))
            except OSError:
                break
            client.sock.settimeout(pause)
            try:
                client.fill()
                break
            except TimeoutError:
                continue
        else:
            return None
        return time.monotonic() - started

    def test_a_head_that_drips(self):
        with self.gateway.connect() as client:
            took = self.drip(client, (HEAD + "X: " + "y" * 1000).encode())
            self.assertIsNotNone(took, "a head that drips was read for ever")
            self.assertLess(took, scaled(2))

    def test_a_body_that_drips(self):
        with self.gateway.connect() as client:
            client.send(HEAD.encode() + b"Content-Length: 1000\r\n\r\n")
            took = self.drip(client, b"{" + b" " * 900)
            self.assertIsNotNone(took, "a body that drips was read for ever")
            self.assertLess(took, scaled(4))

    def test_half_a_body(self):
        before = len(self.up.requests)
        with self.gateway.connect() as client:
            client.send(HEAD.encode() + b"Content-Length: 1000\r\n\r\n" + BODY)
            self.assertEqual(client.response().status, 408)
            self.assertTrue(client.closed())
        self.assertEqual(len(self.up.requests), before)

    def test_nothing_at_all(self):
        with self.gateway.connect() as client:
            self.assertTrue(client.closed(5))

    def test_a_kept_connection_that_rests(self):
        with self.gateway.connect() as client:
            client.request("GET", "/healthz")
            self.assertEqual(client.response().status, 200)
            self.assertTrue(client.closed(5))

    def test_others_are_served_beside_them(self):
        slow = [self.gateway.connect() for _ in range(50)]
        for client in slow:
            client.send(b"POST /v1/chat")
        self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)
        for client in slow:
            client.close()

    def test_a_client_that_leaves_in_the_middle(self):
        for raw in (b"P", HEAD.encode()[:30], HEAD.encode() + b"Content-Length: 100\r\n\r\n{"):
            with self.gateway.connect() as client:
                client.send(raw)
        self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)


class Memory(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config(max_inference_body="4MiB", write_timeout=span(3)).backend("a", cls.up)
        return config.model("m", ["a"]).model("flood", ["a"]).model("deaf", ["a"])

    # An address sanitizer keeps freed memory for a while; the bound then only says "not without end".
    bound = (24 << 20) * (1 if scaled(1) == 1 else 20)

    def test_a_hundred_megabytes(self):
        self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)
        for name, head in {"with a length": b"Content-Length: 104857600\r\n\r\n",
                           "in chunks": b"Transfer-Encoding: chunked\r\n\r\n"}.items():
            with self.subTest(name), self.gateway.connect() as client:
                before = self.gateway.memory()
                client.send(HEAD.encode() + head)
                piece = b"x" * (1 << 20)
                if "chunks" in name:
                    piece = b"%x\r\n%s\r\n" % (len(piece), piece)
                try:
                    for _ in range(100):
                        client.send(piece)
                except OSError:
                    pass  # refused while it was still sending
                self.assertLess(self.gateway.memory() - before, self.bound)
                with self.gateway.connect() as other:
                    other.request("GET", "/healthz")
                    self.assertEqual(other.response().status, 200)
        self.assertEqual(len(self.up.of("up-m")), 1)

    def test_a_provider_that_floods_is_held_back(self):
        sent = [0]
        piece = b"10000\r\n" + b"data: " + b"y" * 65528 + b"\n\n" + b"\r\n"
        first = b"".join(CHAT.preamble("m") + [CHAT.word("m", "a")])

        def flood(request):
            sock = self.up.active[request]
            while sent[0] < 400 << 20:
                sock.sendall(piece)
                sent[0] += 65536
        self.up.script("up-flood", Answer(sse_head(), chunk(first), flood))
        before = self.gateway.memory()
        with self.gateway.connect(receive_buffer=65536) as client:
            client.request("POST", CHAT.path, CHAT.body("flood", True))
            self.assertEqual(client.head().status, 200)
            self.up.wait_for(1, "up-flood")
            still, since = -1, time.monotonic()
            while still != sent[0] and time.monotonic() - since < 20:
                still = sent[0]
                threading.Event().wait(0.3)  # the socket buffers on the way fill up
            self.assertEqual(still, sent[0], "the provider was never held back")
            self.assertLess(sent[0], 64 << 20)
            self.assertLess(self.gateway.memory() - before, self.bound)
        self.assertTrue(self.up.of("up-flood")[-1].left.wait(10))

    def test_a_client_that_never_reads_is_dropped(self):
        def flood(request):
            sock = self.up.active[request]
            while True:
                sock.sendall(b"10000\r\n" + b":" + b"y" * 65534 + b"\n" + b"\r\n")
        first = b"".join(CHAT.preamble("m") + [CHAT.word("m", "a")])
        self.up.script("up-deaf", Answer(sse_head(), chunk(first), flood))
        with self.gateway.connect(receive_buffer=8192) as client:
            client.request("POST", CHAT.path, CHAT.body("deaf", True))
            (request,) = self.up.wait_for(1, "up-deaf")
            self.assertTrue(request.left.wait(scaled(15)), "a client that reads nothing holds its provider for ever")


if __name__ == "__main__":
    unittest.main()
