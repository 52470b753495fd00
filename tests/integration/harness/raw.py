"""An upstream whose part the test plays, byte by byte: `accept()` gives the next connection."""
import socket
import struct

from .support import scaled


class RawPeer:
    def __init__(self, sock):
        self.sock, self.buffer = sock, bytearray()
        sock.settimeout(scaled(10))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _fill(self):
        data = self.sock.recv(65536)
        if not data:
            raise AssertionError(f"the gateway left after {bytes(self.buffer)!r}")
        self.buffer += data

    def until(self, mark):
        """What comes up to `mark`, and it."""
        while (end := self.buffer.find(mark)) < 0:
            self._fill()
        return self._take(end + len(mark))

    def exactly(self, count):
        while len(self.buffer) < count:
            self._fill()
        return self._take(count)

    def _take(self, count):
        data = bytes(self.buffer[:count])
        del self.buffer[:count]
        return data

    def head(self):
        """A request's line, and its fields by lower-case name."""
        line, *fields = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")[:-2]
        pairs = [(n.lower(), v.strip()) for n, _, v in (f.partition(":") for f in fields)]
        return line, {n: [v for m, v in pairs if m == n] for n, _ in pairs}

    def send(self, data):
        self.sock.sendall(data)
        return self

    def silent(self, seconds=0.2):
        """Whether nothing comes for so long."""
        if self.buffer:
            return False
        self.sock.settimeout(seconds)
        try:
            self.buffer += self.sock.recv(65536)
            return False
        except TimeoutError:
            return True
        finally:
            self.sock.settimeout(scaled(10))

    def left(self):
        """Waits until the gateway closes; false if it says anything or stays."""
        try:
            return not self.buffer and not self.sock.recv(65536)
        except ConnectionError:
            return True
        except TimeoutError:
            return False

    def end(self):
        self.sock.shutdown(socket.SHUT_WR)

    def reset(self):
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        self.sock.close()


class RawUpstream:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.listener.settimeout(scaled(10))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def accept(self):
        return RawPeer(self.listener.accept()[0])

    def quiet(self, seconds=0.2):
        """Whether nobody connects for so long."""
        self.listener.settimeout(seconds)
        try:
            self.listener.accept()[0].close()
            return False
        except TimeoutError:
            return True
        finally:
            self.listener.settimeout(scaled(10))

    def close(self):
        self.listener.close()
