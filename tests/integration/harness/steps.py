"""What a scripted upstream does for one request: a list of steps, played in order.

bytes are written as they are; a threading.Event is waited for; a callable is called with the request; CLOSE and RESET
end the connection; STALL says nothing more until the gateway leaves.
"""
import json

CLOSE, RESET, STALL = "close", "reset", "stall"
CHUNKED_END = b"0\r\n\r\n"
REASONS = {200: "OK", 400: "Bad Request", 429: "Too Many Requests", 500: "Internal Server Error"}


class Answer:
    def __init__(self, *steps):
        self.steps = steps


def head(status=200, fields=()):
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}"] + [f"{n}: {v}" for n, v in fields]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"


def raw_answer(status, body, fields=(), content_type="application/json"):
    return Answer(head(status, [("Content-Type", content_type), ("Content-Length", len(body)), *fields]) + body)


def json_answer(status, document, fields=()):
    return raw_answer(status, json.dumps(document).encode(), fields)


def sse_head(fields=(), content_type="text/event-stream"):
    return head(200, [("Content-Type", content_type), ("Transfer-Encoding", "chunked"), *fields])


def chunk(data, size=None, end=b"\r\n"):
    """`size`: its line, in place of the right one."""
    return (b"%x" % len(data) if size is None else size) + b"\r\n" + data + end


def chunked(pieces):
    """Steps that write each piece as a chunk of its own; other steps stay."""
    return [chunk(p) if isinstance(p, bytes) else p for p in pieces]


def sse_answer(pieces, fields=(), end=CHUNKED_END, content_type="text/event-stream"):
    return Answer(sse_head(fields, content_type), *chunked(pieces), end)
