"""A mount as one hop of several: what ends at it, and that a cut answer never looks whole."""
import contextlib
import os
import signal
import socket
import ssl
import unittest

from harness import CHAT, Config, Connection, Gateway, GatewayTest, RawUpstream, exchange
from harness.certificates import Authority

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
BEGUN = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class HopTest(GatewayTest):
    @classmethod
    def configure(cls):
        cls.raw = RawUpstream()
        cls.addClassCleanup(cls.raw.close)
        return Config().mount("m", cls.raw, prefix="/m", secret="PROVIDERS")

    def begin(self, text, body=b""):
        client = self.gateway.connect()
        self.addCleanup(client.close)
        client.send(text.replace("\n", "\r\n").encode("latin-1") + body)
        peer = self.raw.accept()
        self.addCleanup(peer.close)
        return client, peer


class Requests(HopTest):
    def fields(self, text, body=b""):
        """What the upstream sees of a request."""
        client, peer = self.begin(text, body)
        fields = peer.head()[1]
        peer.send(OK.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
        self.assertEqual(client.response().body, b"ok")
        return fields

    def test_TRACE_goes_nowhere(self):
        """An upstream would answer with the request it saw, and the credential in it. RFC 9110, 9.3.8"""
        for hops in ((), [("Max-Forwards", "0")]):
            response = exchange(self.gateway.port, "TRACE", "/m/x", None, hops)
            self.check_error(response, 405, CHAT, "method_not_allowed")
            self.assertIn("OPTIONS", response.get("allow"))
            self.assertTrue(self.raw.quiet())

    def test_OPTIONS_count_their_hops(self):
        """RFC 9110, 7.6.2"""
        for value in ("0", "000"):
            response = exchange(self.gateway.port, "OPTIONS", "/m/x", None, [("Max-Forwards", value)])
            self.assertEqual((response.status, response.body), (204, b""))
            self.assertIn("POST", response.get("allow"))
        self.assertTrue(self.raw.quiet())
        rows = [("OPTIONS", "Max-Forwards: 3", ["2"]), ("OPTIONS", "Max-Forwards: 7\nMax-Forwards: 4", ["3"]),
                ("OPTIONS", "Max-Forwards: 99999999999999999999", ["18446744073709551614"]),
                ("OPTIONS", "Max-Forwards: -1", ["-1"]), ("GET", "Max-Forwards: 0", ["0"]), ("OPTIONS", "X-A: b", None)]
        for method, line, seen in rows:
            with self.subTest(line):
                self.assertEqual(self.fields(f"{method} /m/x HTTP/1.1\nHost: g\n{line}\n\n").get("max-forwards"), seen)

    def test_an_old_client_expects_nothing(self):
        """RFC 9110, 10.1.1"""
        for expectation in ("100-continue", "tea"):
            fields = self.fields(f"POST /m/x HTTP/1.0\nHost: g\nExpect: {expectation}\nContent-Length: 2\n\n", b"hi")
            self.assertNotIn("expect", fields)

    def test_trailers_obey_what_fields_obey(self):
        client, peer = self.begin("POST /m/x HTTP/1.1\nHost: g\nTransfer-Encoding: chunked\nConnection: X-Hop\n\n",
                                  b"2\r\nhi\r\n0\r\nX-Hop: 1\r\nX_Api_Key: theirs\r\nX-Watermaster-Key: k\r\nX-Sum: 2\r\n\r\n")
        peer.head()
        self.assertEqual(peer.until(b"\r\n\r\n"), b"2\r\nhi\r\n0\r\nX-Sum: 2\r\n\r\n")
        peer.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: X-Theirs\r\n\r\n2\r\nok\r\n0\r\n"
                  b"X-Watermaster-Error: forged\r\nX-Theirs: 1\r\nX-End: 3\r\n\r\n")
        self.assertEqual(client.response().trailers, [b"X-End: 3"])


class Answers(HopTest):
    @contextlib.contextmanager
    def halted(self):
        process = self.gateway.process
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        yield
        process.send_signal(signal.SIGCONT)

    def test_nobody_is_led_past_the_gateway(self):
        client, peer = self.begin("GET /m/x HTTP/1.1\nHost: g\n\n")
        peer.send(OK.replace(b"\r\n", b'\r\nAlt-Svc: h3=":443"\r\n', 1))
        self.assertEqual(client.response().all("alt-svc"), [])

    def test_one_that_breaks_before_its_first_byte_is_an_error(self):
        """Nothing of it has been seen: the client gets a plain 502, not a connection that closes."""
        broken = {"malformed": BEGUN + b"zz\r\n", "gone at once": BEGUN, "short": OK[:-2]}
        for name, answer in broken.items():
            for version in ("1.1", "1.0"):
                with self.subTest(name, version=version):
                    client, peer = self.begin(f"GET /m/x HTTP/{version}\nHost: g\n\n")
                    peer.head()
                    with self.halted():  # so that it finds both at once
                        peer.send(answer)
                        peer.close()
                    self.check_error(client.response(), 502, CHAT, "upstream_failed")

    def test_a_head_waits_for_no_body(self):
        client, peer = self.begin("GET /m/x HTTP/1.1\nHost: g\n\n")
        peer.send(BEGUN)
        self.assertEqual(client.head().status, 200)
        peer.send(b"0\r\n\r\n")

    def test_a_cut_one_does_not_look_whole_to_an_old_client(self):
        """Its end is the connection's: a cut is a reset."""
        client, peer = self.begin("GET /m/x HTTP/1.0\nHost: g\n\n")
        peer.send(BEGUN + b"5\r\nhello\r\n")
        response = client.head()
        self.assertEqual((response.status, response.all("transfer-encoding"), client.exactly(5)), (200, [], b"hello"))
        peer.close()
        self.assertRaises(ConnectionResetError, client.sock.recv, 1)


class CutOverTls(unittest.TestCase):
    def test_without_a_goodbye(self):
        authority, raw = Authority(), RawUpstream()
        self.addCleanup(authority.close)
        self.addCleanup(raw.close)
        certificate, key = authority.issue("gateway", "DNS:localhost")
        gateway = Gateway(Config(tls_certificate=certificate, tls_key=key).mount("m", raw, prefix="/m"))
        self.addCleanup(gateway.stop)
        with socket.create_connection(("127.0.0.1", gateway.port)) as plain:
            client = authority.client().wrap_socket(plain, server_hostname="localhost", suppress_ragged_eofs=False)
            client.sendall(b"GET /m/x HTTP/1.0\r\nHost: g\r\n\r\n")
            with raw.accept() as peer:
                peer.send(BEGUN + b"5\r\nhello\r\n")
                seen = b""
                while not seen.endswith(b"hello"):
                    seen += client.recv(4096)
            self.assertRaises((ConnectionResetError, ssl.SSLEOFError), client.recv, 1)
