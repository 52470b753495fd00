"""Server-sent events as the WHATWG standard reads them, byte by byte: LF, CR and CRLF end a line."""
import time
from dataclasses import dataclass, field


@dataclass
class Event:
    name: str = ""
    data: str = ""
    comment: str | None = None
    at: float = field(default_factory=time.monotonic)


class SseParser:
    """Feed bytes in any pieces; complete events and comments come out in order."""

    def __init__(self):
        self.line = bytearray()
        self.after_cr = False
        self.first_line = True
        self.name = ""
        self.data = []

    def feed(self, data):
        out = []
        for byte in data:
            if self.after_cr and byte == 0x0A:
                self.after_cr = False
                continue
            self.after_cr = byte == 0x0D
            if byte in (0x0A, 0x0D):
                self._end_of_line(out)
            else:
                self.line.append(byte)
        return out

    def _end_of_line(self, out):
        line = bytes(self.line).decode("utf-8")  # strict: a broken character is a failure of the gateway
        self.line.clear()
        if self.first_line:
            line = line.removeprefix("\ufeff")
            self.first_line = False
        if line == "":
            if self.data:
                out.append(Event(self.name, "\n".join(self.data)))
            self.name, self.data = "", []
        elif line.startswith(":"):
            out.append(Event(comment=line[1:].strip()))
        else:
            key, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if key == "event":
                self.name = value
            elif key == "data":
                self.data.append(value)
