"""Words for the tables: requests and answers as exact bytes."""
import json

OPEN, CLOSED = "open", "closed"  # what becomes of the connection
END = "end of what the client sends"

PATH = "/v1/chat/completions"


def document(user="once", **members):
    """A request's body; the provider answers with what `user` says."""
    return json.dumps({"model": "m", "user": user, "messages": [{"role": "user", "content": "hi"}], **members},
                      separators=(",", ":")).encode()


ONCE = document()
LENGTH = b"Content-Length: %d" % len(ONCE)
CHUNKED = b"Transfer-Encoding: chunked"


def head(*fields, line=b"POST " + PATH.encode() + b" HTTP/1.1", host=b"Host: g"):
    lines = [line] + ([host] if host else []) + list(fields)
    return b"\r\n".join(lines) + b"\r\n\r\n"


def post(*fields, body=ONCE, **parts):
    """With the body's length unless a field says how long it is."""
    known = [f for f in fields if f.lower().startswith((b"content-length", b"transfer-encoding"))]
    return head(*fields, *([] if known else [b"Content-Length: %d" % len(body)]), **parts) + body


def get(target=b"/healthz", *fields, version=b"HTTP/1.1", method=b"GET", host=b"Host: g"):
    return head(*fields, line=method + b" " + target + b" " + version, host=host)


def chunked(*parts, fields=(), last=b"0\r\n\r\n"):
    """A request whose body is these chunks, already framed."""
    return head(CHUNKED, *fields) + b"".join(parts) + last


HALF = len(ONCE) // 2
FIRST, SECOND = ONCE[:HALF], ONCE[HALF:]

# Follows what is refused: must never be answered and never reach the provider.
BAIT = post(body=document("smuggled"))


def add_cases(test_class, cases):
    """One test for each case of a table, called by its id; `run_case` of the class runs it."""
    def test_of(case):
        def test(self):
            self.run_case(case)
        test.__doc__ = f"{case.id}: {case.why}"
        return test

    for case in cases:
        name = "test_" + case.id.replace("-", "_").replace(".", "_")
        assert not hasattr(test_class, name), f"two cases are called {case.id}"
        setattr(test_class, name, test_of(case))
