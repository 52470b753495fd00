"""What a broken or hostile provider answers, what the client gets of it, and whether the connection is used again.

Steps are those of the harness. `gets`: WHOLE is the answer that says "once", REFUSED an error of the gateway, CUT a
stream that began and ends with an error. A connection whose answer could end at two places is never reused.
"""
import json
from typing import NamedTuple

from harness import CHAT, CLOSE, RESET, STALL, Answer
from harness.steps import chunk

WHOLE, REFUSED, CUT = "whole", "refused", "cut"


class Case(NamedTuple):
    id: str
    answer: Answer
    gets: str
    reused: bool
    why: str
    stream: bool = False


BODY = json.dumps(CHAT.document("m", "once")).encode()
POISON = json.dumps(CHAT.document("m", "poison")).encode()
N = len(BODY)
TYPE = b"Content-Type: application/json"
LENGTH = b"Content-Length: %d" % N
CHUNKED = b"Transfer-Encoding: chunked"
LAST = b"0\r\n\r\n"
PIECES = chunk(BODY[:10]) + chunk(BODY[10:])


def head(*fields, line=b"HTTP/1.1 200 OK"):
    return b"\r\n".join([line, TYPE, *fields]) + b"\r\n\r\n"


OTHER = head(b"Content-Length: %d" % len(POISON)) + POISON


def refused(id, why, *steps):
    return Case(id, Answer(*steps), REFUSED, False, why)


def whole(id, why, *steps, reused=True):
    return Case(id, Answer(*steps), WHOLE, reused, why)


def bad_head(id, why, *fields, body=BODY, **parts):
    return refused(id, why, head(*fields, **parts) + body)


def bad_chunks(id, why, body):
    return refused(id, why, head(CHUNKED) + body)


HEADS = [
    bad_head("head-length-and-coding", "RFC 9112, 6.3: an attempt to split", LENGTH, CHUNKED, body=PIECES + LAST),
    bad_head("head-coding-and-length", "RFC 9112, 6.3", CHUNKED, b"Content-Length: 3", body=PIECES + LAST),
    bad_head("head-lengths-equal", "RFC 9112, 6.3", LENGTH, LENGTH),
    bad_head("head-lengths-different", "RFC 9112, 6.3: must be a 502", LENGTH, b"Content-Length: 2"),
    bad_head("head-length-list", "RFC 9112, 6.3", LENGTH + b", %d" % N),
    bad_head("head-length-negative", "RFC 9110, 8.6", b"Content-Length: -1"),
    bad_head("head-length-plus", "RFC 9110, 8.6", b"Content-Length: +%d" % N),
    bad_head("head-length-hexadecimal", "RFC 9110, 8.6", b"Content-Length: 0x%x" % N),
    bad_head("head-length-empty", "RFC 9110, 8.6", b"Content-Length:"),
    bad_head("head-length-overflow", "RFC 9110, 8.6", b"Content-Length: %d" % (2 ** 64 + N)),
    bad_head("head-coding-gzip", "RFC 9112, 6.1: was not asked for", b"Transfer-Encoding: gzip, chunked",
             body=PIECES + LAST),
    bad_head("head-coding-twice", "RFC 9112, 7.1", CHUNKED, CHUNKED, body=PIECES + LAST),
    bad_head("head-coding-disguised", "RFC 9112, 6.1", b"Transfer-Encoding: xchunked", body=PIECES + LAST),
    bad_head("head-coding-vertical-tab", "RFC 9110, 5.5", b"Transfer-Encoding:\x0bchunked", body=PIECES + LAST),
    bad_head("head-coding-in-1.0", "RFC 9112, 6.1", CHUNKED, line=b"HTTP/1.0 200 OK", body=PIECES + LAST),
    bad_head("head-folded", "RFC 9112, 5.2: discard and 502", b"X-A: b\r\n c", LENGTH),
    bad_head("head-space-before-colon", "RFC 9112, 5.1", b"Content-Length : 3", LENGTH),
    bad_head("head-no-colon", "RFC 9112, 5", b"nonsense", LENGTH),
    bad_head("head-name-space", "RFC 9110, 5.1", b"X A: b", LENGTH),
    bad_head("head-bare-lf", "RFC 9112, 2.2", b"X-A: b\nX-B: c", LENGTH),
    bad_head("head-bare-cr", "RFC 9110, 5.5", b"X-A: b\rX-B: c", LENGTH),
    bad_head("head-nul", "RFC 9110, 5.5", b"X-A: \x00", LENGTH),
    refused("head-lines-end-with-lf", "RFC 9112, 2.2", head(LENGTH).replace(b"\r\n", b"\n") + BODY),
    bad_head("head-connection-no-token", "RFC 9110, 7.6.1", b"Connection: keep alive", LENGTH),
    bad_head("line-status-two-digits", "RFC 9112, 4", LENGTH, line=b"HTTP/1.1 20 OK"),
    bad_head("line-status-four-digits", "RFC 9112, 4", LENGTH, line=b"HTTP/1.1 2000 OK"),
    bad_head("line-status-below-100", "RFC 9110, 15", LENGTH, line=b"HTTP/1.1 099 OK"),
    bad_head("line-status-above-599", "RFC 9110, 15", LENGTH, line=b"HTTP/1.1 600 OK"),
    bad_head("line-status-letters", "RFC 9112, 4", LENGTH, line=b"HTTP/1.1 2xx OK"),
    bad_head("line-status-sign", "RFC 9112, 4", LENGTH, line=b"HTTP/1.1 +20 OK"),
    bad_head("line-two-spaces", "RFC 9112, 4", LENGTH, line=b"HTTP/1.1  200 OK"),
    bad_head("line-version-2", "RFC 9112, 2.3", LENGTH, line=b"HTTP/2.0 200 OK"),
    bad_head("line-version-lower-case", "RFC 9112, 2.3", LENGTH, line=b"http/1.1 200 OK"),
    bad_head("line-version-shoutcast", "RFC 9112, 2.3", LENGTH, line=b"ICY 200 OK"),
    bad_head("line-reason-control", "RFC 9112, 4", LENGTH, line=b"HTTP/1.1 200 O\x01K"),
    bad_head("line-reason-bare-cr", "RFC 9112, 4: splits for some", LENGTH, line=b"HTTP/1.1 200 OK\rX: y"),
    refused("line-empty-first", "RFC 9112, 2.2: forgiven in requests only", b"\r\n" + head(LENGTH) + BODY),
    refused("line-http09", "RFC 9112, 4: a body without a head", BODY, CLOSE),
    refused("line-http2-settings", "RFC 9113, 3.4: HTTP/2 unasked", b"\x00\x00\x00\x04\x00\x00\x00\x00\x00", CLOSE),
    refused("line-tls-alert", "TLS spoken on a plain port", b"\x15\x03\x03\x00\x02\x02\x28", CLOSE),
    refused("head-endless", "bounded", head(LENGTH)[:-2] + b"X-A: " + b"v" * 70000),
    refused("head-many-fields", "bounded", head(*[b"X-%d: v" % i for i in range(120)], LENGTH) + BODY),
    refused("head-none", "RFC 9112, 8", CLOSE),
    refused("head-reset", "RFC 9112, 8", RESET),
    refused("head-cut-in-line", "RFC 9112, 8", b"HTTP/1.1 200", CLOSE),
    refused("head-cut-in-field", "RFC 9112, 8", head(LENGTH)[:-8], CLOSE),
    refused("head-cut-before-end", "RFC 9112, 8", head(LENGTH)[:-2], CLOSE),
    refused("head-cut-by-reset", "RFC 9112, 8", head(LENGTH)[:-2], RESET),
    whole("line-reason-empty", "RFC 9112, 4", head(LENGTH, line=b"HTTP/1.1 200 ") + BODY),
    whole("line-reason-missing", "RFC 9112, 4: with its space; without it, common",
          head(LENGTH, line=b"HTTP/1.1 200") + BODY),
    whole("line-reason-bytes", "RFC 9112, 4", head(LENGTH, line=b"HTTP/1.1 200 \xc3\xa4") + BODY),
    whole("line-minor-version", "RFC 9110, 2.5", head(LENGTH, line=b"HTTP/1.9 200 OK") + BODY),
    whole("head-split-everywhere", "RFC 9112, 2.2", *[bytes([b]) for b in head(LENGTH)], BODY),
    whole("head-hop-by-hop-named", "RFC 9110, 7.6.1: naming the length does not take it away",
          head(b"Connection: content-length", LENGTH) + BODY),
    whole("head-length-zeros", "RFC 9110, 8.6", head(b"Content-Length: 00000%d" % N) + BODY),
]

INTERIM = [
    whole("interim-100", "RFC 9110, 15.2: skipped", b"HTTP/1.1 100 Continue\r\n\r\n" + head(LENGTH) + BODY),
    whole("interim-103", "RFC 8297: skipped", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + head(LENGTH) + BODY),
    whole("interim-unknown", "RFC 9110, 15.2: any 1xx", b"HTTP/1.1 199 x\r\n\r\n" + head(LENGTH) + BODY),
    whole("interim-eight", "a few may come", b"HTTP/1.1 102 Processing\r\n\r\n" * 8 + head(LENGTH) + BODY),
    refused("interim-nine", "bounded", b"HTTP/1.1 102 Processing\r\n\r\n" * 9 + head(LENGTH) + BODY),
    refused("interim-flood", "bounded", b"HTTP/1.1 100 Continue\r\n\r\n" * 20000),
    refused("interim-with-body", "RFC 9112, 6.3: has none; its bytes are no answer",
            b"HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nhello" + head(LENGTH) + BODY),
    refused("interim-hides-an-answer", "RFC 9112, 6.3: the first head is not the answer's body",
            b"HTTP/1.1 100 Continue\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(OTHER) + LAST + head(LENGTH) + BODY),
    refused("interim-101", "RFC 9110, 15.2.2: not asked for",
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n" + head(LENGTH) + BODY),
    refused("interim-only", "RFC 9110, 15.2", b"HTTP/1.1 100 Continue\r\n\r\n", CLOSE),
    refused("interim-bad", "RFC 9112, 5.1", b"HTTP/1.1 100 Continue\r\nX : y\r\n\r\n" + head(LENGTH) + BODY),
]

BODIES = [
    whole("body-length", "RFC 9112, 6.2", head(LENGTH) + BODY),
    whole("body-length-and-more", "RFC 9112, 6.3: bytes of nobody", head(LENGTH) + BODY + b"x", reused=False),
    whole("body-length-and-line-end", "RFC 9112, 6.3", head(LENGTH) + BODY + b"\r\n", reused=False),
    whole("body-length-and-an-answer", "a waiting answer is not the next request's", head(LENGTH) + BODY + OTHER,
          reused=False),
    whole("body-chunked", "RFC 9112, 7.1", head(CHUNKED) + PIECES + LAST),
    whole("body-chunked-and-an-answer", "a waiting answer is not the next request's",
          head(CHUNKED) + PIECES + LAST + OTHER, reused=False),
    whole("body-chunked-and-line-end", "RFC 9112, 7.1", head(CHUNKED) + PIECES + LAST + b"\r\n", reused=False),
    whole("body-chunked-trailers", "RFC 9112, 7.1.2", head(CHUNKED) + PIECES + b"0\r\nX-T: v\r\nSet-Cookie: c\r\n\r\n"),
    whole("body-chunked-extensions", "RFC 9112, 7.1.1",
          head(CHUNKED) + b"%x;a=\"b\"\r\n%s\r\n" % (N, BODY) + b"0;last\r\n\r\n"),
    whole("body-chunked-of-one", "RFC 9112, 7.1", head(CHUNKED), *[chunk(BODY[i:i + 1]) for i in range(N)], LAST),
    whole("body-until-close", "RFC 9112, 6.3", head() + BODY, CLOSE, reused=False),
    whole("body-until-close-1.0", "RFC 9112, 6.3", head(line=b"HTTP/1.0 200 OK") + BODY, CLOSE, reused=False),
    whole("body-close-said-not-done", "RFC 9112, 9.6", head(LENGTH, b"Connection: close") + BODY, reused=False),
    whole("body-1.0", "RFC 9112, 9.3: does not stay open", head(LENGTH, line=b"HTTP/1.0 200 OK") + BODY, reused=False),
    whole("body-1.0-keep-alive", "RFC 9112, 9.3",
          head(LENGTH, b"Connection: keep-alive", line=b"HTTP/1.0 200 OK") + BODY),
    refused("body-short", "RFC 9112, 8: incomplete", head(LENGTH) + BODY[:-1], CLOSE),
    refused("body-short-reset", "RFC 9112, 8", head(LENGTH) + BODY[:-1], RESET),
    refused("body-short-silent", "upstream_read", head(LENGTH) + BODY[:-1], STALL),
    refused("body-none", "RFC 9112, 8", head(LENGTH), CLOSE),
    refused("body-chunked-no-last", "RFC 9112, 8", head(CHUNKED) + PIECES, CLOSE),
    refused("body-chunked-cut-in-chunk", "RFC 9112, 8", head(CHUNKED) + PIECES[:-5], CLOSE),
    refused("body-chunked-cut-in-last", "RFC 9112, 8", head(CHUNKED) + PIECES + b"0\r\n", CLOSE),
    refused("body-chunked-silent", "upstream_read", head(CHUNKED) + PIECES, STALL),
    Case("body-length-zero", Answer(head(b"Content-Length: 0")), REFUSED, True, "an empty answer is none"),
    Case("body-204", Answer(head(line=b"HTTP/1.1 204 No Content")), REFUSED, True, "RFC 9110, 15.3.5: has none"),
    Case("body-204-with-length", Answer(head(LENGTH, line=b"HTTP/1.1 204 No Content") + OTHER), REFUSED, False,
         "RFC 9112, 6.3: has none, whatever it says"),
    Case("body-204-chunked", Answer(head(CHUNKED, line=b"HTTP/1.1 204 No Content") + chunk(OTHER) + LAST), REFUSED,
         False,
         "RFC 9112, 6.3: has none, whatever it says"),
    Case("body-304-with-length", Answer(head(LENGTH, line=b"HTTP/1.1 304 Not Modified") + BODY), REFUSED, False,
         "RFC 9112, 6.3: has none, and these bytes are nobody's"),
    bad_chunks("chunk-size-letters", "RFC 9112, 7.1", b"xyz\r\n" + BODY + b"\r\n" + LAST),
    bad_chunks("chunk-size-none", "RFC 9112, 7.1", b"\r\n" + BODY + b"\r\n" + LAST),
    bad_chunks("chunk-size-negative", "RFC 9112, 7.1", b"-1\r\n" + BODY + b"\r\n" + LAST),
    bad_chunks("chunk-size-0x", "RFC 9112, 7.1", b"0x%x\r\n" % N + BODY + b"\r\n" + LAST),
    bad_chunks("chunk-size-space", "RFC 9112, 7.1", b"%x \r\n" % N + BODY + b"\r\n" + LAST),
    bad_chunks("chunk-size-overflow", "RFC 9112, 7.1", b"1%016x\r\n" % N + BODY + b"\r\n" + LAST),
    bad_chunks("chunk-too-long", "RFC 9112, 7.1", b"%x\r\n" % (N - 2) + BODY + b"\r\n" + LAST),
    bad_chunks("chunk-too-short", "RFC 9112, 7.1", b"%x\r\n" % (N + 2) + BODY + b"\r\n" + LAST),
    bad_chunks("chunk-lf", "RFC 9112, 7.1", b"%x\n" % N + BODY + b"\n0\n\n"),
    bad_chunks("chunk-extension-lf", "RFC 9112, 7.1.1", b"%x;a\nb\r\n" % N + BODY + b"\r\n" + LAST),
    bad_chunks("chunk-extension-open-quote", "RFC 9110, 5.6.4", b'%x;a="b\r\n' % N + BODY + b"\r\n" + LAST),
    bad_chunks("chunk-extension-endless", "bounded", b"1;" + b"a" * 70000),
    bad_chunks("chunk-trailer-folded", "RFC 9112, 5.2", PIECES + b"0\r\nX: y\r\n z\r\n\r\n"),
    bad_chunks("chunk-trailer-answer", "RFC 9112, 7.1.2: an answer in the trailers", PIECES + b"0\r\n" + OTHER),
    bad_chunks("chunk-trailers-endless", "bounded", PIECES + b"0\r\n" + b"X: y\r\n" * 20000),
]

WORDS = CHAT.stream("m", ["on", "ce"])
SSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
BEGUN = SSE + CHUNKED + b"\r\n\r\n" + b"".join(chunk(word) for word in WORDS[:2])
REST = b"".join(chunk(word) for word in WORDS[2:])
ALL = b"".join(WORDS)


def stream(id, gets, reused, why, *steps):
    return Case(id, Answer(*steps), gets, reused, why, True)


STREAMS = [
    stream("stream-chunked", WHOLE, True, "RFC 9112, 7.1", BEGUN + REST + LAST),
    stream("stream-length", WHOLE, True, "RFC 9112, 6.2", SSE + b"Content-Length: %d\r\n\r\n" % len(ALL) + ALL),
    stream("stream-until-close", WHOLE, False, "RFC 9112, 6.3", SSE + b"\r\n" + ALL, CLOSE),
    stream("stream-and-an-answer", WHOLE, False, "a waiting answer is not the next request's",
           BEGUN + REST + LAST + OTHER),
    stream("stream-bad-chunk", CUT, False, "RFC 9112, 7.1", BEGUN, b"xyz\r\n" + REST),
    stream("stream-bad-chunk-end", CUT, False, "RFC 9112, 7.1", BEGUN + chunk(WORDS[2])[:-2] + b"XX" + LAST),
    stream("stream-chunk-overflow", CUT, False, "RFC 9112, 7.1", BEGUN, b"f" * 17 + b"\r\n"),
    stream("stream-cut", CUT, False, "RFC 9112, 8", BEGUN, CLOSE),
    stream("stream-cut-by-last-chunk", CUT, True, "the protocol's own end is missing", BEGUN + LAST),
    stream("stream-reset", CUT, False, "RFC 9112, 8", BEGUN, RESET),
    stream("stream-short", CUT, False, "RFC 9112, 8",
           SSE + b"Content-Length: %d\r\n\r\n" % (len(ALL) + 9) + b"".join(WORDS[:2]), CLOSE),
    stream("stream-length-and-coding", REFUSED, False, "RFC 9112, 6.3",
           SSE + LENGTH + b"\r\n" + BEGUN[len(SSE):] + REST + LAST),
]

CASES = [*HEADS, *INTERIM, *BODIES, *STREAMS]
