"""A client that sends exact bytes and reads answers strictly: framing the standard forbids is an error here."""
import json
import socket
import struct
import time

from .sse import SseParser
from .support import scaled


class Closed(Exception):
    """The gateway closed the connection where an answer was expected."""


class Response:
    def __init__(self, version, status, reason, fields):
        self.version, self.status, self.reason, self.fields = version, status, reason, fields
        self.interim = []  # 1xx answers that came before
        self.body = b""
        self.trailers = []

    def all(self, name):
        return [v for n, v in self.fields if n.lower() == name.lower()]

    def get(self, name, default=None):
        values = self.all(name)
        assert len(values) < 2, f"{name} appears {len(values)} times: {values}"
        return values[0] if values else default

    def json(self):
        return json.loads(self.body)

    def events(self):
        """The body as events, comments left out."""
        return [e for e in SseParser().feed(self.body) if e.comment is None]

    def __repr__(self):
        return f"<{self.status} {self.reason} {self.fields} {self.body[:400]!r}>"


class Connection:
    def __init__(self, port, tls=None, timeout=10.0, receive_buffer=None, host="127.0.0.1", server_name="localhost"):
        self.timeout = scaled(timeout)
        sock = socket.socket()
        sock.settimeout(self.timeout)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.connect((host, port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock = tls.wrap_socket(sock, server_hostname=server_name) if tls else sock
        self.buffer = bytearray()
        self.ended = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.sock.close()

    def abort(self):
        """Closes with a reset."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def send(self, data):
        self.sock.sendall(data)
        return self

    def end(self):
        """Sends no more, and still reads."""
        self.sock.shutdown(socket.SHUT_WR)
        return self

    def request(self, method, path, body=None, headers=(), version="HTTP/1.1", host="gateway"):
        lines = [f"{method} {path} {version}", f"Host: {host}"]
        lines += [f"{n}: {v}" for n, v in headers]
        if body is not None:
            if not any(n.lower() == "content-type" for n, _ in headers):
                lines.append("Content-Type: application/json")
            lines.append(f"Content-Length: {len(body)}")
        return self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b""))

    def fill(self):
        """Reads more; false at the end. A reset counts as the end."""
        if self.ended:
            return False
        try:
            data = self.sock.recv(65536)
        except ConnectionError:
            data = b""
        if not data:
            self.ended = True
            return False
        self.buffer += data
        return True

    def line(self):
        while (end := self.buffer.find(b"\r\n")) < 0:
            if not self.fill():
                raise Closed(f"closed in the middle of a line: {bytes(self.buffer)!r}")
        line = bytes(self.buffer[:end])
        del self.buffer[:end + 2]
        return line

    def exactly(self, count):
        while len(self.buffer) < count:
            if not self.fill():
                raise Closed(f"closed with {count - len(self.buffer)} bytes of the body missing")
        data = bytes(self.buffer[:count])
        del self.buffer[:count]
        return data

    def head(self):
        """The head of the next final answer."""
        interim = []
        while True:
            if not self.buffer and not self.fill():
                raise Closed("closed without an answer")
            version, status, *reason = self.line().decode("latin-1").split(" ", 2)
            fields = []
            while line := self.line():
                name, colon, value = line.decode("latin-1").partition(":")
                assert colon and name == name.strip(), f"bad field line: {line!r}"
                fields.append((name, value.strip()))
            response = Response(version, int(status), "".join(reason), fields)
            if response.status >= 200 or response.status == 101:
                response.interim = interim
                return response
            interim.append(response)

    def pieces(self, response, head_request=False):
        """The body as it comes."""
        length, coding = response.get("content-length"), response.get("transfer-encoding")
        assert not (length and coding), f"two framings: {response.fields}"
        if head_request or response.status in (204, 304):
            return
        if coding:
            assert coding == "chunked", coding
            while size := int(self.line().split(b";")[0], 16):
                piece = self.exactly(size + 2)
                assert piece.endswith(b"\r\n"), "a chunk does not end where it said"
                yield piece[:-2]
            while line := self.line():
                response.trailers.append(line)
        elif length is not None:
            left = int(length)
            while left:
                if not self.buffer and not self.fill():
                    raise Closed(f"closed with {left} bytes of the body missing")
                piece = self.exactly(min(left, len(self.buffer)))
                left -= len(piece)
                yield piece
        else:
            while self.buffer or self.fill():
                yield self.exactly(len(self.buffer))

    def response(self, head_request=False):
        response = self.head()
        response.body = b"".join(self.pieces(response, head_request))
        return response

    def events(self, response, comments=False):
        """Events as they come; `response.body` grows beside them."""
        parser = SseParser()
        for piece in self.pieces(response):
            response.body += piece
            for event in parser.feed(piece):
                if comments or event.comment is None:
                    yield event

    def closed(self, seconds=5.0):
        """Whether the gateway closes within the time, sending nothing more."""
        self.sock.settimeout(scaled(seconds))
        try:
            return not self.buffer and not self.fill()
        except TimeoutError:
            return False
        finally:
            self.sock.settimeout(self.timeout)

    def silent(self, seconds):
        """Whether nothing arrives and nothing closes for so long."""
        if self.buffer:
            return False
        self.sock.settimeout(seconds)
        try:
            self.fill()
            return False
        except TimeoutError:
            return True
        finally:
            self.sock.settimeout(self.timeout)


def exchange(port, method, path, body=None, headers=(), tls=None, timeout=10.0, host="gateway"):
    """One request on a connection of its own, with the seconds it took."""
    with Connection(port, tls, timeout) as connection:
        started = time.monotonic()
        connection.request(method, path, body, headers, host=host)
        response = connection.response(method == "HEAD")
        response.seconds = time.monotonic() - started
        return response
