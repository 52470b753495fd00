"""Mounts: one upstream under a path prefix, everything as it is, both ways and at once."""
import json
import os
import re
import threading
import unittest

from harness import (CHAT, MESSAGES, Answer, Closed, Config, GatewayTest, RawUpstream, Together, eventually, exchange,
                     json_answer, poll, raw_answer, refused_port, run_command, span)

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def echo(request):
    """What the upstream saw, as its answer."""
    return json_answer(200, {"method": request.method, "target": request.target, "fields": request.fields,
                             "body": request.body.decode("latin-1")})


class MountTest(GatewayTest):
    def ask(self, method, path, body=None, headers=()):
        return exchange(self.gateway.port, method, path, body, headers)


class Paths(MountTest):
    """BC-003 BC-045 BC-047"""

    @classmethod
    def configure(cls):
        cls.ups = {name: cls.upstream() for name in ("a", "b", "served")}
        for up in cls.ups.values():
            up.always = echo
        config = Config().mount("anthropic", cls.ups["a"], prefix="/anthropic")
        config.mount("openai", cls.ups["b"].url + "/base/", prefix="/team/openai")
        return config.backend("x", cls.ups["served"]).model("m", ["x"])

    def test_the_prefix_goes_and_the_rest_stays_byte_by_byte(self):
        """BC-011 BC-012 BC-137"""
        rows = [
            ("/anthropic/v1/messages", "a", "/v1/messages"), ("/anthropic", "a", "/"), ("/anthropic/", "a", "/"),
            ("/anthropic?x=1", "a", "/?x=1"), ("/anthropic/a?", "a", "/a?"), ("/anthropic//x/../y/", "a", "//x/../y/"),
            ("/anthropic/%2e%2F%41?q=%20+&&=&b", "a", "/%2e%2F%41?q=%20+&&=&b"), ("/anthropic/a:b;c=d@e", "a", "/a:b;c=d@e"),
            ("/anthropic/anthropic", "a", "/anthropic"), ("/anthropic/team/openai", "a", "/team/openai"),
            ("http://other.example/anthropic/x?y", "a", "/x?y"),
            ("/team/openai", "b", "/base/"), ("/team/openai/v1/x", "b", "/base/v1/x"), ("/team/openai?z", "b", "/base/?z"),
        ]
        for path, to, target in rows:
            with self.subTest(path):
                before = {name: len(up.requests) for name, up in self.ups.items()}
                self.assertEqual(self.ask("GET", path).json()["target"], target)
                after = {name: len(up.requests) for name, up in self.ups.items()}
                self.assertEqual(after, {**before, to: before[to] + 1})

    def test_only_whole_segments_match_and_the_rest_is_404(self):
        """BC-014 BC-017"""
        for path in ("/anthropic2", "/anthropic2/v1", "/anthropi", "/Anthropic/x", "/%61nthropic/x", "//anthropic", "/team",
                     "/team/", "/team/openai2", "/", "/v1/files", "/nothing?x=/anthropic/"):
            with self.subTest(path):
                before = sum(len(up.requests) for up in self.ups.values())
                self.check_error(self.ask("GET", path), 404, CHAT, "not_found")
                self.assertEqual(sum(len(up.requests) for up in self.ups.values()), before)

    def test_any_method_and_any_body(self):
        """BC-003 BC-137"""
        body = bytes(range(256)) * 3
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "REPORT", "x-odd"):
            for sent in (None, b"", body):
                with self.subTest(method=method, body=sent):
                    seen = self.ask(method, "/anthropic/any", sent, [("Content-Type", "x/y")]).json()
                    self.assertEqual((seen["method"], seen["body"].encode("latin-1")), (method, sent or b""))
                    lengths = [v for n, v in seen["fields"] if n.lower() == "content-length"]
                    self.assertEqual(lengths, [] if sent is None else [str(len(sent))])

    def test_served_models_go_on_beside_mounts(self):
        self.ups["served"].always = None
        self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)
        self.assertEqual(self.gateway.get("/healthz").status, 200)

    def test_an_upstreams_refusal_passes_as_it_is(self):
        """Also 403 and 429 are the upstream's own words."""
        for status in (400, 401, 403, 404, 429, 500, 529):
            self.ups["a"].always = lambda r, s=status: raw_answer(s, b"its own words", [("Retry-After", "7")], "text/plain")
            response = self.ask("POST", "/anthropic/v1/messages", b"{}")
            self.assertEqual((response.status, response.body, response.get("retry-after")), (status, b"its own words", "7"))
            self.assertIsNone(response.get("x-watermaster-error"))
        self.ups["a"].always = echo


class Root(MountTest):
    """BC-004 BC-015"""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        cls.up.always = echo
        return Config().mount("only", cls.up)

    def test_every_path_is_the_upstreams(self):
        for path in ("/", "/healthz", "/readyz", "/v1/models", "/v1/chat/completions", "/v1/messages?x", "//a"):
            self.assertEqual(self.ask("GET", path).json()["target"], path)
        self.assertEqual(self.ask("OPTIONS", "*").json()["target"], "*")

    def test_a_start_says_how_many_mounts_are_open(self):
        """BC-044"""
        self.assertTrue(poll(lambda: "1 of 1 mounts configured without upstream authentication" in "".join(self.gateway.errors)))


class RootUnderModels(MountTest):
    """Served endpoints come first, the root mount gets the rest."""

    @classmethod
    def configure(cls):
        cls.up, cls.served = cls.upstream(), cls.upstream()
        cls.up.always = echo
        return Config(health_endpoints="yes").mount("rest", cls.up).backend("x", cls.served).model("m", ["x"])

    def test_order(self):
        self.check_answer(self.gateway.ask(CHAT, "m"), CHAT)
        self.assertEqual(self.gateway.get("/healthz").json()["status"], "ok")
        self.assertEqual(self.ask("GET", "/v1/chat/completions").status, 405)
        self.assertEqual(self.ask("GET", "/v1/files").json()["target"], "/v1/files")


class RawTest(MountTest):
    @classmethod
    def configure(cls):
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        return Config().mount("m", cls.raw, prefix="/m", upstream_read=span(3))

    def begin(self, text, body=b""):
        client = self.gateway.connect()
        client.send(text.replace("\n", "\r\n").encode("latin-1") + body)
        self.addCleanup(client.close)
        return client, self.peer()

    def peer(self):
        peer = self.raw.accept()
        self.addCleanup(peer.close)
        return peer


class Streaming(RawTest):
    """BC-137 BC-138"""

    def test_both_directions_flow_as_they_come(self):
        client, peer = self.begin("POST /m/x HTTP/1.1\nHost: g\nTransfer-Encoding: chunked\n\n")
        line, fields = peer.head()
        self.assertEqual((line, fields["transfer-encoding"]), ("POST /x HTTP/1.1", ["chunked"]))
        client.send(b"3\r\nabc\r\n")
        self.assertEqual(peer.exactly(8), b"3\r\nabc\r\n")
        peer.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        response = client.head()  # while the request is still being sent
        pieces = client.pieces(response)
        for i in range(3):
            peer.send(b"1\r\n%d\r\n" % i)
            self.assertEqual(next(pieces), b"%d" % i)
            client.send(b"1\r\n%d\r\n" % i)
            self.assertEqual(peer.exactly(6), b"1\r\n%d\r\n" % i)
        client.send(b"0\r\n\r\n")
        self.assertEqual(peer.exactly(5), b"0\r\n\r\n")
        peer.send(b"0\r\n\r\n")
        self.assertEqual(list(pieces), [])
        client.request("GET", "/m/again")  # on the same connections
        self.assertEqual(peer.head()[0], "GET /again HTTP/1.1")
        peer.send(OK)
        self.assertEqual(client.response().body, b"ok")

    def test_a_body_of_a_declared_length_keeps_it(self):
        body = os.urandom(3 << 20)
        client, peer = self.begin(f"PUT /m/x HTTP/1.1\nHost: g\nContent-Length: {len(body)}\n\n")
        sender = Together(lambda: client.send(body))
        self.assertEqual(peer.head()[1]["content-length"], [str(len(body))])
        self.assertEqual(peer.exactly(len(body)), body)
        sender.join()
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        sender = Together(lambda: peer.send(head + body))
        response = client.response()
        sender.join()
        self.assertEqual((response.get("content-length"), response.body), (str(len(body)), body))

    def test_nothing_is_held_whole(self):
        """Whoever reads slowly holds back whoever sends."""
        size, piece = 96 << 20, bytes(1 << 20)
        before = self.gateway.memory()

        def send_all(sock):
            try:
                for _ in range(size >> 20):
                    sock.sendall(piece)
            except OSError:
                pass  # ended with the test

        client, peer = self.begin(f"PUT /m/x HTTP/1.1\nHost: g\nContent-Length: {size}\n\n")
        peer.head()
        up = threading.Thread(target=send_all, args=(client.sock,), daemon=True)
        up.start()
        peer.send(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode())
        client.head()
        down = threading.Thread(target=send_all, args=(peer.sock,), daemon=True)
        down.start()
        down.join(2)
        self.assertTrue(up.is_alive() and down.is_alive(), "somebody took 96 MiB that nobody read")
        self.assertLess(self.gateway.memory() - before, 16 << 20)
        client.abort()
        peer.reset()
        up.join()
        down.join()

    def test_trailers_pass_both_ways_but_not_those_that_come_too_late(self):
        client, peer = self.begin("POST /m/x HTTP/1.1\nHost: g\nTE: trailers\nTrailer: X-Sum\nTransfer-Encoding: chunked\n\n",
                                  b"1\r\na\r\n0\r\nX-Sum: 1\r\nContent-Length: 9\r\nX-Forwarded-For: 1\r\nX-Other:  two  \r\n\r\n")
        _, fields = peer.head()
        self.assertEqual((fields["te"], fields["trailer"]), (["trailers"], ["X-Sum"]))
        self.assertEqual(peer.until(b"\r\n\r\n"), b"1\r\na\r\n0\r\nX-Sum: 1\r\nX-Other: two\r\n\r\n")
        peer.send(b"HTTP/1.1 200 OK\r\nTrailer: X-End\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\nX-End: 2\r\n"
                  b"Set-Cookie: s\r\n\r\n")
        response = client.response()
        self.assertEqual((response.get("trailer"), response.body, response.trailers), ("X-End", b"b", [b"X-End: 2"]))

    def test_an_answer_before_the_requests_end(self):
        """It passes at once, and neither connection is used again."""
        client, peer = self.begin("POST /m/x HTTP/1.1\nHost: g\nContent-Length: 10000000\n\n", b"x" * 1000)
        peer.head()
        peer.exactly(1000)
        peer.send(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig")
        response = client.response()
        self.assertEqual((response.status, response.body), (413, b"big"))
        self.assertTrue(peer.left())
        self.assertTrue(client.closed())

    def test_interim_answers(self):
        client, peer = self.begin("POST /m/x HTTP/1.1\nHost: g\nExpect: 100-continue\nContent-Length: 4\n\n")
        self.assertEqual(peer.head()[1]["expect"], ["100-continue"])
        self.assertTrue(client.silent(0.1), "the 100 is the upstream's to give")
        peer.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: X-Up\r\nX-Up: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
        self.assertEqual([client.line() for _ in range(5)],
                         [b"HTTP/1.1 103 Early Hints", b"Link: </a>", b"", b"HTTP/1.1 100 Continue", b""])
        client.send(b"body")
        self.assertEqual(peer.exactly(4), b"body")
        peer.send(OK)
        self.assertEqual(client.response().body, b"ok")

    def test_no_interim_answer_for_an_old_client(self):
        client, peer = self.begin("GET /m/x HTTP/1.0\n\n")
        peer.head()
        peer.send(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nT: 1\r\n\r\n")
        response = client.response()
        self.assertEqual((response.interim, response.body, response.get("transfer-encoding")), ([], b"ok", None))

    def test_answers_without_a_body(self):
        rows = [("HEAD", b"HTTP/1.1 200 OK\r\nContent-Length: 12345\r\nETag: x\r\n\r\n", 200, "12345"),
                ("HEAD", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 200, None),
                ("GET", b"HTTP/1.1 204 No Content\r\n\r\n", 204, None),
                ("GET", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", 304, "7"),
                ("GET", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, "0")]
        client, peer = self.begin("GET /m/first HTTP/1.1\nHost: g\n\n")
        peer.head()
        peer.send(OK)
        client.response()
        for method, answer, status, length in rows:
            with self.subTest(method=method, answer=answer):
                client.request(method, "/m/x")
                peer.head()
                peer.send(answer)
                response = client.response(method == "HEAD")
                self.assertEqual((response.status, response.get("content-length"), response.body), (status, length, b""))

    def test_an_answer_that_ends_with_its_connection(self):
        client, peer = self.begin("GET /m/x HTTP/1.1\nHost: g\n\n")
        peer.head()
        peer.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall")
        peer.close()
        self.assertEqual(client.response().body, b"all")

    def test_a_kept_connection_that_is_closed(self):
        """The request goes out once more, body and all, on a fresh one."""
        client, peer = self.begin("POST /m/x HTTP/1.1\nHost: g\nContent-Length: 2\n\n", b"ab")
        peer.head()
        peer.exactly(2)
        peer.send(OK)
        client.response()
        client.request("POST", "/m/second", b"body")
        self.assertEqual(peer.head()[0], "POST /second HTTP/1.1")
        peer.exactly(4)
        peer.close()  # before a byte of an answer
        again = self.peer()
        self.assertEqual((again.head()[0], again.exactly(4)), ("POST /second HTTP/1.1", b"body"))
        again.send(OK)
        self.assertEqual(client.response().body, b"ok")


class Failures(RawTest):
    """What goes wrong on either side; nothing stays behind."""

    def setUp(self):
        self.before = None
        eventually(lambda: self.settled(), "descriptors come to rest")
        self.before = self.gateway.descriptors()

    def settled(self):
        count = self.gateway.descriptors()
        rest, self.before = count == self.before, count
        return rest

    def tearDown(self):
        super().tearDown()
        self.doCleanups()
        eventually(lambda: self.gateway.descriptors() <= self.before, "connections given back")

    def test_a_client_that_leaves(self):
        """BC-131: at each step the upstream's connection ends too."""
        chunked = "POST /m/x HTTP/1.1\nHost: g\nTransfer-Encoding: chunked\n\n"
        steps = [lambda p: None, lambda p: p.send(b"HTTP/1.1 100 Continue\r\n\r\n"),
                 lambda p: p.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
                 lambda p: p.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")]
        for text, body in (("GET /m/x HTTP/1.1\nHost: g\n\n", b""), (chunked, b"1\r\na\r\n")):
            for step in steps:
                for leave in ("abort", "close"):
                    with self.subTest(text=text, step=steps.index(step), leave=leave):
                        client, peer = self.begin(text, body)
                        peer.head()
                        peer.exactly(len(body))
                        step(peer)
                        getattr(client, leave)()
                        self.assertTrue(peer.left())
                        peer.close()

    def test_an_upstream_that_fails_before_its_answer(self):
        for fail in ("close", "reset"):
            client, peer = self.begin("POST /m/v1/messages HTTP/1.1\nHost: g\nContent-Length: 2\n\n", b"{}")
            peer.head()
            peer.exactly(2)
            getattr(peer, fail)()
            self.check_error(client.response(), 502, MESSAGES, "upstream_failed")
        for text in (b"HTTP/1.1 200 OK\n\n", b"SSH-2.0\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"):
            client, peer = self.begin("GET /m/v1/chat/completions HTTP/1.1\nHost: g\n\n")
            peer.head()
            peer.send(text)
            self.check_error(client.response(), 502, CHAT, "upstream_failed")
            self.assertTrue(peer.left())

    def test_an_upstream_that_says_nothing(self):
        client, peer = self.begin("GET /m/x HTTP/1.1\nHost: g\n\n")
        peer.head()
        self.check_error(client.response(), 504, CHAT, "upstream_timeout")
        self.assertTrue(peer.left())

    def test_an_answer_that_breaks_off(self):
        """A cut answer never looks whole."""
        for answer in (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"):
            for fail in ("close", "reset"):
                client, peer = self.begin("GET /m/x HTTP/1.1\nHost: g\n\n")
                peer.head()
                peer.send(answer)
                response = client.head()
                getattr(peer, fail)()
                with self.assertRaises(Closed):
                    list(client.pieces(response))

    def test_a_broken_request_body(self):
        client, peer = self.begin("POST /m/x HTTP/1.1\nHost: g\nTransfer-Encoding: chunked\n\n", b"1\r\na\r\n")
        peer.head()
        peer.exactly(6)
        client.send(b"zz\r\n")
        self.check_error(client.response(), 400, CHAT, "bad_framing")
        self.assertTrue(client.closed())
        self.assertTrue(peer.left(), "half a request was ended as if it were whole")


class Unreachable(MountTest):
    @classmethod
    def configure(cls):
        cls.reserved, port = refused_port()
        cls.addClassCleanup(cls.reserved.close)
        return Config().mount("m", f"http://127.0.0.1:{port}", prefix="/m")

    def test_502(self):
        self.check_error(self.ask("POST", "/m/v1/messages", b"{}"), 502, MESSAGES, "upstream_failed")
        self.check_error(self.ask("POST", "/m/api/v2/chat/completions", b"{}"), 502, CHAT, "upstream_failed")


WEBSOCKET = ("GET /m/ws HTTP/1.1\nHost: g\nConnection: keep-alive, Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n"
             "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\nSec-WebSocket-Protocol: a, b\n\n")
SWITCH = (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
          b"Sec-WebSocket-Accept: x=\r\nSec-WebSocket-Protocol: b\r\n\r\n")


class Upgrades(RawTest):
    """BC-133 BC-134 BC-135"""

    def upgraded(self, early=b""):
        client, peer = self.begin(WEBSOCKET, early)
        _, fields = peer.head()
        self.assertEqual((fields["upgrade"], fields["connection"]), (["websocket"], ["Upgrade"]))
        self.assertEqual(fields["sec-websocket-protocol"], ["a, b"])
        peer.send(SWITCH)
        response = client.head()
        self.assertEqual((response.status, response.get("upgrade"), response.get("connection")), (101, "WebSocket", "Upgrade"))
        self.assertEqual((response.get("sec-websocket-accept"), response.get("sec-websocket-protocol")), ("x=", "b"))
        return client, peer

    def test_bytes_pass_both_ways_until_both_have_ended(self):
        client, peer = self.upgraded(b"early")
        self.assertEqual(peer.exactly(5), b"early")
        for i in range(3):
            client.send(b"up%d" % i)
            self.assertEqual(peer.exactly(3), b"up%d" % i)
            peer.send(b"\x00down")
            self.assertEqual(client.exactly(5), b"\x00down")
        frame = os.urandom(1 << 20)
        sender = Together(lambda: client.send(frame))
        self.assertEqual(peer.exactly(len(frame)), frame)
        sender.join()
        peer.end()  # one half ends; the other goes on
        self.assertFalse(client.fill())
        client.send(b"last")
        self.assertEqual(peer.exactly(4), b"last")
        client.close()
        self.assertTrue(peer.left())

    def test_either_side_may_break_off(self):
        for first, fail in (("client", "abort"), ("client", "close"), ("peer", "reset"), ("peer", "close")):
            with self.subTest(first=first, fail=fail):
                client, peer = self.upgraded()
                getattr({"client": client, "peer": peer}[first], fail)()
                if first == "client":
                    self.assertTrue(peer.left())
                    peer.close()
                else:
                    self.assertTrue(client.closed())
                    client.close()
        self.assertTrue(poll(lambda: self.records(101)), "no record of an upgraded connection")
        self.assertTrue(all("error_class" not in r for r in self.records(101)), "an end after the switch is no failure")

    def records(self, status):
        lines = [json.loads(line) for line in self.gateway.out if line.startswith("{")]
        return [r for r in lines if r["status"] == status]

    def test_silence_of_both_sides_ends_it(self):
        client, peer = self.upgraded()
        self.assertTrue(client.closed(10))
        self.assertTrue(peer.left())

    def test_an_answer_that_does_not_switch(self):
        client, peer = self.begin(WEBSOCKET)
        peer.head()
        peer.send(b"HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
        response = client.response()
        self.assertEqual((response.status, response.body), (403, b"{}"))
        client.request("GET", "/m/again")
        self.assertEqual(peer.head()[0], "GET /again HTTP/1.1")
        peer.send(OK)
        self.assertEqual(client.response().body, b"ok")

    def test_a_switch_nobody_asked_for(self):
        for text in ("GET /m/x HTTP/1.1\nHost: g\n\n", WEBSOCKET.replace("websocket", "other"),
                     "GET /m/x HTTP/1.1\nHost: g\nConnection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMA\n\n"):
            client, peer = self.begin(text)
            _, fields = peer.head()
            if "other" not in text:
                self.assertFalse({"upgrade", "http2-settings", "connection"} & fields.keys(), fields)
            peer.send(SWITCH)
            self.check_error(client.response(), 502, CHAT, "upstream_failed")
            self.assertTrue(peer.left())


class Access(MountTest):
    """BC-018 BC-042: what is written down of an exchange through a mount."""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        cls.up.always = echo
        return Config().mount("named", cls.up, prefix="/p", secret="UPSTREAM-SECRET").client("alice", "CLIENT-SECRET")

    def test_names_and_numbers_and_no_content(self):
        self.ask("POST", "/p/v1/PATHSECRET?q=QUERYSECRET", b"BODYSECRET", [("Authorization", "Bearer CLIENT-SECRET"), ("X-Own", "FIELDSECRET")])
        def records():
            return [r for r in map(json.loads, self.gateway.out) if r["status"] == 200 and "mount" in r]
        eventually(records, "a record")
        (record,) = records()
        self.assertEqual((record["mount"], record["path"], record["principal"], record["status"], record["request_bytes"]),
                         ("named", "/p/", "alice", 200, 10))
        self.assertEqual([(a["backend"], a["status"]) for a in record["attempts"]], [("named", 200)])
        self.assertNotIn("SECRET", "".join(self.gateway.out + self.gateway.errors))

    def test_a_client_needs_its_key_first(self):
        """BC-046"""
        before = len(self.up.requests)
        for path in ("/p", "/p/v1/messages"):
            self.assertEqual(self.ask("GET", path).status, 401)
            upgrade = [("Connection", "Upgrade"), ("Upgrade", "websocket")]
            self.assertEqual(self.ask("GET", path, None, upgrade).status, 401)
        self.assertEqual(len(self.up.requests), before)


class Starts(unittest.TestCase):
    def test_the_examples_of_the_readme(self):
        """Each as typed, then those with a prefix together."""
        with open(os.path.join(os.path.dirname(__file__), "../../README.md"), encoding="utf-8") as file:
            examples = [text for text in re.findall(r"```ini\n(.*?)```", file.read(), re.S) if "[mount" in text]
        self.assertEqual(len(examples), 4)
        for text in [*examples, "".join(text for text in examples if "prefix" in text)]:
            status, said, _ = run_command("check", text, {"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "b", "CODER_API_KEY": "c"})
            self.assertEqual(status, 0, said)

    def check(self, text, env=None):
        return run_command("check", "[server]\n" + text, env)

    def test_what_refuses_the_start(self):
        """BC-006 BC-007 BC-008 BC-013 BC-016"""
        two = '[mount "a"]\nupstream = http://a\nprefix = {}\n[mount "b"]\nupstream = http://b\nprefix = {}\n'
        rows = [(two.format(*pair), ":7: [mount \"b\"] prefix: overlaps with") for pair in
                (("/x", "/x"), ("/x", "/x/y"), ("/x/y", "/x"), ("/", "/x"), ("/x", "/"))]
        rows += [('[mount "a"]\n', ':2: [mount "a"] upstream: missing'),
                 ('[mount "a"]\nupstream = http://a\n[mount "b"]\nupstream = http://b\n', ':2: [mount "a"] prefix: missing'),
                 ('[mount "a"]\nupstream = http://a\nlisten = 127.0.0.1:1\n', ":4: [mount \"a\"] listen: unknown key"),
                 ('concurrency = 3\n', ":2: [server] concurrency: unknown key")]
        for text, expected in rows:
            with self.subTest(text):
                status, said, path = self.check(text)
                self.assertEqual(status, 1, said)
                self.assertIn(path + expected, said)
        status, said, _ = self.check(two.format("/x", "/x2"))
        self.assertEqual(status, 0, said)
        self.assertEqual(run_command("nonsense", "")[0], 2)


if __name__ == "__main__":
    unittest.main()
