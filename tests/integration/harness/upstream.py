"""Providers for the tests: raw sockets on a port the system picks, exact records of what arrived."""
import json
import socket
import ssl
import struct
import threading
import time

from .protocols import by_path
from .steps import CLOSE, RESET, STALL
from .support import scaled


class Request:
    def __init__(self, raw, head_length, body, connection):
        self.raw, self.body, self.connection = raw, body, connection
        lines = raw[:head_length].decode("latin-1").split("\r\n")
        self.method, self.target, self.version = lines[0].split(" ")
        self.path, _, self.query = self.target.partition("?")
        self.fields = [(n, v.strip()) for n, _, v in (line.partition(":") for line in lines[1:] if line)]
        try:
            self.document = json.loads(body)
        except ValueError:
            self.document = None
        known = self.document if isinstance(self.document, dict) else {}
        self.model, self.stream = known.get("model"), known.get("stream") is True
        self.certificate = None  # the client's, as ssl gives it
        self.left = threading.Event()  # the gateway closed before the answer was complete
        self.done = threading.Event()  # the answer is written, or given up
        self.arrived = time.monotonic()

    def all(self, name):
        return [v for n, v in self.fields if n.lower() == name.lower()]

    def get(self, name):
        values = self.all(name)
        assert len(values) < 2, f"{name} appears {len(values)} times: {values}"
        return values[0] if values else None

    def __repr__(self):
        return f"<{self.raw[:600]!r}>"


class PeerLeft(Exception):
    pass


class Upstream:
    """Answers by script: `script(model, first, second, …)`, the last one repeated; else the protocol's plain answer.

    `lock` guards the lists; a request is recorded before its answer starts. With a `greeting` it says that to whoever
    connects, and no more.
    """

    def __init__(self, tls=None, listener=None, greeting=None):
        self.tls, self.greeting = tls, greeting
        self.lock = threading.Condition()
        self.requests, self.scripts, self.active = [], {}, {}
        self.connections = self.most_in_flight = 0
        self.always = None
        self.listener = listener or socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self):
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    def script(self, model, *answers):
        """For the upstream model `model`: what each further request gets."""
        with self.lock:
            self.scripts[model] = list(answers)

    def of(self, model):
        with self.lock:
            return [r for r in self.requests if r.model == model]

    def wait_for(self, count, model=None, seconds=5.0):
        """The first `count` requests (for a model), once they are there."""
        def matching():
            return [r for r in self.requests if model is None or r.model == model]
        with self.lock:
            if not self.lock.wait_for(lambda: len(matching()) >= count, scaled(seconds)):
                raise AssertionError(f"expected {count} requests upstream, found {len(matching())}")
            return matching()[:count]

    def close(self):
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()
        with self.lock:
            left = list(self.active.values())
        for sock in left:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                self.connections += 1
                number = self.connections
            threading.Thread(target=self._serve, args=(sock, number), daemon=True).start()

    def _serve(self, sock, number):
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            certificate = None
            if self.tls:
                sock = self.tls.wrap_socket(sock, server_side=True)
                certificate = sock.getpeercert()
            if self.greeting:
                sock.sendall(self.greeting)
                return
            buffer = bytearray()
            while request := read_request(sock, buffer, number):
                request.certificate = certificate
                if not self._answer(sock, request):
                    break
        except OSError:
            pass  # the gateway left between requests
        finally:
            sock.close()

    def _answer(self, sock, request):
        """Plays the answer; whether the connection stays."""
        with self.lock:
            self.requests.append(request)
            answers = self.scripts.get(request.model)
            answer = None
            if answers:
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
            self.active[request] = sock  # and it too may have been given up before it was read here
            self.active = {r: s for r, s in self.active.items() if not r.done.is_set() and not gone(s)}
            self.most_in_flight = max(self.most_in_flight, len(self.active))
            self.lock.notify_all()
        answer = answer or (self.always and self.always(request)) or by_path(request.path).plain(request)
        try:
            for step in answer.steps:
                if step is answer.steps[-1] and step != STALL and not callable(step):
                    request.done.set()  # the gateway may have the last byte before this thread runs again
                if not play(sock, request, step):
                    return False
            return True
        except (PeerLeft, OSError):
            request.left.set()
            return False
        finally:
            with self.lock:
                self.active.pop(request, None)
            request.done.set()


def gone(sock):
    """Whether the gateway has closed. With TLS it says so in a record first; nothing else comes during an answer."""
    try:
        data = socket.socket.recv(sock, 1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        return data == b"" or isinstance(sock, ssl.SSLSocket)
    except BlockingIOError:
        return False
    except OSError:
        return True


def play(sock, request, step):
    if isinstance(step, bytes):
        sock.sendall(step)
    elif step == CLOSE:
        sock.close()
        return False
    elif step == RESET:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.close()
        return False
    elif step == STALL:
        wait(sock, threading.Event())
    elif isinstance(step, threading.Event):
        wait(sock, step)
    else:
        step(request)
    return True


def wait(sock, event):
    end = time.monotonic() + scaled(60)
    while not event.wait(0.002):
        if gone(sock) or time.monotonic() > end:
            raise PeerLeft


def read_request(sock, buffer, number):
    """The next request with its exact bytes; None when the gateway closed first."""
    def need(count):
        while len(buffer) < count:
            data = sock.recv(262144)
            if not data:
                return False
            buffer.extend(data)
        return True

    def until(mark, start):
        while (at := buffer.find(mark, start)) < 0:
            if not need(len(buffer) + 1):
                return -1
        return at + len(mark)

    head_end = until(b"\r\n\r\n", 0)
    if head_end < 0:
        return None
    fields = [line.partition(b":") for line in bytes(buffer[:head_end]).lower().split(b"\r\n")[1:]]
    lengths = [v.strip() for n, _, v in fields if n == b"content-length"]
    codings = [v.strip() for n, _, v in fields if n == b"transfer-encoding"]
    end, body = head_end, b""
    if codings:
        while True:
            line_end = until(b"\r\n", end)
            if line_end < 0:
                return None
            size = int(bytes(buffer[end:line_end]).split(b";")[0], 16)
            if not need(line_end + size + 2):
                return None
            body += bytes(buffer[line_end:line_end + size])
            end = line_end + size + 2
            if not size:
                break
    elif lengths:
        end = head_end + int(lengths[0])
        if not need(end):
            return None
        body = bytes(buffer[head_end:end])
    request = Request(bytes(buffer[:end]), head_end - 4, body, number)
    del buffer[:end]
    return request


class Blackhole:
    """A port where connecting neither succeeds nor fails: its queue of waiting connections is full.

    `open()` turns it into a plain upstream.
    """

    def __init__(self):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(0)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.fill = []
        for _ in range(4):
            sock = socket.socket()
            sock.setblocking(False)
            sock.connect_ex(("127.0.0.1", self.port))
            self.fill.append(sock)
        self.served = None

    def open(self):
        for sock in self.fill:
            sock.close()
        self.listener.listen(64)
        self.served = Upstream(listener=self.listener)
        return self.served

    def close(self):
        for sock in self.fill:
            sock.close()
        (self.served or self.listener).close()


def refused_port():
    """A loopback port nobody listens on, with the socket that keeps it reserved."""
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    return sock, sock.getsockname()[1]
