"""Requests that readers could understand differently, that are at a limit, or that are odd and legal.

A case says what is sent, which statuses come back in order, whether the connection can be used on, and which requests
the provider sees (by what their `user` says). Behind a case that closes, a further request is sent, not to be read.
"""
from typing import NamedTuple

from harness import chunk

from wire import (BAIT, CHUNKED, CLOSED, END, FIRST, HALF, LENGTH, ONCE, OPEN, PATH, SECOND, chunked, document, get,
                  head, post)


class Case(NamedTuple):
    id: str
    sent: object  # bytes, or a list of bytes and END
    answers: tuple
    fate: str
    forwarded: tuple
    why: str
    at_once: bool = False  # never byte by byte: the gateway gives the rest of a body that nobody wants one second


def refused(id, sent, why, status=400, forwarded=()):
    return Case(id, sent, (*(200 for _ in forwarded), status), CLOSED, forwarded, why)


def served(id, sent, why, fate=OPEN):
    return Case(id, sent, (200,), fate, ("once",), why)


def answered(id, sent, status, why, fate=OPEN):
    """By the gateway itself."""
    return Case(id, sent, (status,), fate, (), why)


def drained(id, sent, status, why):
    """Answered by the gateway itself, which reads the rest of the body to keep the connection."""
    return Case(id, sent, (status,), OPEN, (), why, True)


def silent(id, sent, why):
    return Case(id, sent, (), CLOSED, (), why)


def line(text):
    return post(line=text)


WHOLE = chunk(ONCE)
LAST = b"0\r\n\r\n"
TARGET = PATH.encode()

REQUEST_LINE = [
    refused("line-none", b"\r\n\r\n", "RFC 9112, 2.2: one empty line is forgiven, a second is no request"),
    refused("line-method-only", line(b"POST"), "RFC 9112, 3: three parts"),
    refused("line-http09", b"GET /healthz\r\n\r\n", "RFC 9112, 3: no version is HTTP/0.9, which is not spoken"),
    refused("line-two-spaces-before-target", line(b"POST  " + TARGET + b" HTTP/1.1"), "RFC 9112, 3: single spaces"),
    refused("line-two-spaces-before-version", line(b"POST " + TARGET + b"  HTTP/1.1"), "RFC 9112, 3: single spaces"),
    refused("line-tab", line(b"POST\t" + TARGET + b"\tHTTP/1.1"), "RFC 9112, 3: SP, not any white space"),
    refused("line-vertical-tab", line(b"POST " + TARGET + b"\x0bHTTP/1.1"), "RFC 9112, 3: lenient readers split here"),
    refused("line-leading-space", line(b" POST " + TARGET + b" HTTP/1.1"), "RFC 9112, 3: nothing before the method"),
    refused("line-trailing-space", line(b"POST " + TARGET + b" HTTP/1.1 "), "RFC 9112, 3: nothing after the version"),
    refused("line-space-in-target", line(b"POST " + TARGET + b" x HTTP/1.1"), "RFC 9112, 3.2: no white space inside"),
    refused("line-two-versions", line(b"POST " + TARGET + b" HTTP/1.1 HTTP/1.1"), "RFC 9112, 3: smuggles a target"),
    refused("line-bare-lf", b"POST " + TARGET + b" HTTP/1.1\nHost: g\r\n" + LENGTH + b"\r\n\r\n" + ONCE,
            "RFC 9112, 2.2: a lone LF may be taken for a line end; here none may differ"),
    refused("line-bare-cr", b"POST " + TARGET + b" HTTP/1.1\rHost: g\r\n" + LENGTH + b"\r\n\r\n" + ONCE,
            "RFC 9112, 2.2: a bare CR is invalid"),
    refused("line-cr-cr-lf", b"POST " + TARGET + b" HTTP/1.1\r\r\nHost: g\r\n" + LENGTH + b"\r\n\r\n" + ONCE,
            "RFC 9112, 2.2: a bare CR is invalid"),
    refused("line-nul-in-target", line(b"POST " + TARGET + b"\x00 HTTP/1.1"), "RFC 3986, 2: no such character"),
    refused("line-control-in-target", line(b"POST " + TARGET + b"\x1f HTTP/1.1"), "RFC 3986, 2: no such character"),
    refused("line-byte-in-target", line(b"POST /v1/\xc3\xa4 HTTP/1.1"), "RFC 3986, 2: percent-encode it"),
    refused("line-quote-in-target", line(b'POST /v1/"x" HTTP/1.1'), "RFC 3986, 2: percent-encode it"),
    refused("line-backslash-in-target", line(b"POST /v1\\chat HTTP/1.1"), "RFC 3986, 2: some take it for a slash"),
    refused("line-fragment", line(b"POST " + TARGET + b"#x HTTP/1.1"), "RFC 9112, 3.2.1: no fragment is sent"),
    refused("line-method-empty", line(b" " + TARGET + b" HTTP/1.1"), "RFC 9110, 9.1: a token"),
    refused("line-method-separator", line(b"PO(ST " + TARGET + b" HTTP/1.1"), "RFC 9110, 9.1: a token"),
    refused("line-method-colon", line(b"POST: " + TARGET + b" HTTP/1.1"), "RFC 9110, 9.1: a token"),
    refused("line-method-byte", line(b"P\xd6ST " + TARGET + b" HTTP/1.1"), "RFC 9110, 9.1: a token"),
    answered("line-method-lower-case", line(b"post " + TARGET + b" HTTP/1.1"), 405, "RFC 9110, 9.1: case-sensitive"),
    answered("line-method-unknown", line(b"BREW " + TARGET + b" HTTP/1.1"), 405, "RFC 9110, 15.5.6"),
    answered("line-method-long", line(b"A" * 60 + b" " + TARGET + b" HTTP/1.1"), 405, "RFC 9110, 9.1: any token"),
    answered("line-method-get", get(TARGET), 405, "RFC 9110, 15.5.6: with Allow"),
    answered("line-method-trace", get(TARGET, method=b"TRACE"), 405, "RFC 9110, 9.3.8: never echoed"),
    answered("line-method-options", get(TARGET, method=b"OPTIONS"), 405, "RFC 9110, 15.5.6"),
    refused("version-lower-case", line(b"POST " + TARGET + b" http/1.1"), "RFC 9112, 2.3: case-sensitive"),
    refused("version-two-digits", line(b"POST " + TARGET + b" HTTP/1.10"), "RFC 9112, 2.3: one digit each"),
    refused("version-leading-zero", line(b"POST " + TARGET + b" HTTP/01.1"), "RFC 9112, 2.3: one digit each"),
    refused("version-comma", line(b"POST " + TARGET + b" HTTP/1,1"), "RFC 9112, 2.3"),
    refused("version-no-minor", line(b"POST " + TARGET + b" HTTP/1"), "RFC 9112, 2.3"),
    refused("version-letter", line(b"POST " + TARGET + b" HTTP/1.x"), "RFC 9112, 2.3"),
    refused("version-other-protocol", line(b"POST " + TARGET + b" ICAP/1.1"), "RFC 9112, 2.3"),
    refused("version-0", line(b"POST " + TARGET + b" HTTP/0.9"), "RFC 9110, 15.6.6", 505),
    refused("version-2", line(b"POST " + TARGET + b" HTTP/2.0"), "RFC 9110, 15.6.6", 505),
    refused("version-3", line(b"POST " + TARGET + b" HTTP/3.1"), "RFC 9110, 15.6.6", 505),
    refused("version-h2-preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "RFC 9113, 3.4: cannot be a request", 505),
    served("version-minor-of-the-future", line(b"POST " + TARGET + b" HTTP/1.9"), "RFC 9110, 2.5: read as 1.1"),
    refused("line-tls", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "TLS spoken to a plain port"),
    served("line-empty-before", b"\r\n" + post(), "RFC 9112, 2.2: one empty line before a request is ignored"),
    refused("line-empty-twice-before", b"\r\n\r\n" + post(), "RFC 9112, 2.2: at least one; more is not read on"),
    refused("line-lf-before", b"\n" + post(), "RFC 9112, 2.2: the empty line is CR LF"),
]

TARGETS = [
    served("target-query", line(b"POST " + TARGET + b"?a=b&c HTTP/1.1"), "RFC 9112, 3.2.1"),
    served("target-empty-query", line(b"POST " + TARGET + b"? HTTP/1.1"), "RFC 9112, 3.2.1"),
    served("target-question-marks", line(b"POST " + TARGET + b"?a?b?c HTTP/1.1"), "RFC 3986, 3.4"),
    served("target-bad-escape-in-query", line(b"POST " + TARGET + b"?a=%zz&b=% HTTP/1.1"), "RFC 3986, 2.1: not needed"),
    served("target-absolute", line(b"POST http://g" + TARGET + b" HTTP/1.1"),
           "RFC 9112, 3.2.2: servers must accept it"),
    served("target-absolute-https", line(b"POST HTTPS://g:443" + TARGET + b" HTTP/1.1"), "RFC 9112, 3.2.2"),
    served("target-absolute-other-host", line(b"POST http://other" + TARGET + b" HTTP/1.1"),
           "RFC 9112, 3.2.2: Host is ignored"),
    refused("target-absolute-without-host", post(line=b"POST http://g" + TARGET + b" HTTP/1.1", host=None),
            "RFC 9112, 3.2: Host is sent with every form"),
    refused("target-absolute-userinfo", line(b"POST http://u:p@g" + TARGET + b" HTTP/1.1"), "RFC 9110, 4.2.4"),
    refused("target-absolute-no-authority", line(b"POST http://" + TARGET + b" HTTP/1.1"), "RFC 9110, 4.2.1"),
    refused("target-absolute-bad-port", line(b"POST http://g:99999" + TARGET + b" HTTP/1.1"), "RFC 9110, 4.2.1"),
    refused("target-absolute-scheme", line(b"POST ftp://g" + TARGET + b" HTTP/1.1"), "RFC 9112, 3.2.2"),
    refused("target-absolute-fragment", line(b"POST http://g" + TARGET + b"#f HTTP/1.1"), "RFC 9112, 3.2.2"),
    answered("target-absolute-root", get(b"http://g"), 404, "RFC 9112, 3.2.2: an empty path is /"),
    refused("target-authority", line(b"POST g:80 HTTP/1.1"), "RFC 9112, 3.2.3: for CONNECT only"),
    refused("target-connect", get(b"g:443", method=b"CONNECT"), "RFC 9110, 9.3.6: no tunnels", 501),
    refused("target-connect-path", get(TARGET, method=b"CONNECT"), "RFC 9110, 9.3.6: no tunnels", 501),
    refused("target-asterisk", line(b"POST * HTTP/1.1"), "RFC 9112, 3.2.4: for OPTIONS only"),
    answered("target-asterisk-options", get(b"*", method=b"OPTIONS"), 404, "RFC 9112, 3.2.4"),
    refused("target-asterisk-path", line(b"OPTIONS *" + TARGET + b" HTTP/1.1"), "RFC 9112, 3.2.4"),
    refused("target-relative", line(b"POST v1/chat/completions HTTP/1.1"), "RFC 9112, 3.2.1: begins with a slash"),
    refused("target-empty", line(b"POST  HTTP/1.1"), "RFC 9112, 3.2"),
    answered("target-encoded-slash", line(b"POST /v1%2Fchat/completions HTTP/1.1"), 404,
             "RFC 3986, 2.2: an encoded slash is another path"),
    answered("target-encoded-letter", line(b"POST /v1/%63hat/completions HTTP/1.1"), 404,
             "RFC 3986, 6.2.2.2: equivalent, but a path guarded elsewhere by its spelling must not be reached"),
    answered("target-dot-segments", line(b"POST /x/../v1/chat/completions HTTP/1.1"), 404, "RFC 3986, 5.2.4: as above"),
    answered("target-double-slash", line(b"POST /" + TARGET + b" HTTP/1.1"), 404, "RFC 9112, 3.2.1: no authority"),
    answered("target-trailing-slash", line(b"POST " + TARGET + b"/ HTTP/1.1"), 404, "another path"),
    answered("target-encoded-nul", line(b"POST " + TARGET + b"%00 HTTP/1.1"), 404, "another path"),
    answered("target-path-parameter", line(b"POST " + TARGET + b";x=y HTTP/1.1"), 404, "RFC 3986, 3.3: another path"),
    answered("target-upper-case", line(b"POST /V1/chat/completions HTTP/1.1"), 404, "RFC 9110, 4.2.3: case-sensitive"),
    served("target-at-the-limit", line(b"POST " + TARGET + b"?" + b"x" * (16384 - len(TARGET) - 1) + b" HTTP/1.1"),
           "RFC 9112, 3: at least 8000 octets"),
    refused("target-beyond-the-limit", line(b"POST " + TARGET + b"?" + b"x" * (16384 - len(TARGET)) + b" HTTP/1.1"),
            "RFC 9110, 15.5.15", 414),
    refused("target-endless", b"POST /" + b"x" * 40000, "RFC 9110, 15.5.15: refused before it ends", 414),
]


def hosted(value):
    return post(host=b"Host:" + value)


HOST = [
    refused("host-none", post(host=None), "RFC 9112, 3.2"),
    refused("host-twice", post(b"Host: g"), "RFC 9112, 3.2: even if they are equal"),
    refused("host-two-different", post(b"Host: other"), "RFC 9112, 3.2"),
    refused("host-empty", hosted(b""), "RFC 9112, 3.2: the target has an authority"),
    refused("host-list", hosted(b" a, b"), "RFC 9112, 3.2: one value"),
    refused("host-space", hosted(b" a b"), "RFC 9110, 7.2"),
    refused("host-userinfo", hosted(b" u@g"), "RFC 9110, 7.2: no userinfo"),
    refused("host-path", hosted(b" g/x"), "RFC 9110, 7.2"),
    refused("host-scheme", hosted(b" http://g"), "RFC 9110, 7.2"),
    refused("host-port-letters", hosted(b" g:http"), "RFC 9110, 7.2"),
    refused("host-port-sign", hosted(b" g:+80"), "RFC 9110, 7.2"),
    refused("host-port-range", hosted(b" g:65536"), "RFC 9110, 7.2"),
    refused("host-ipv6-bare", hosted(b" ::1"), "RFC 3986, 3.2.2: in brackets"),
    refused("host-ipv6-open", hosted(b" [::1"), "RFC 3986, 3.2.2"),
    refused("host-ipv6-zone", hosted(b" [fe80::1%25eth0]"), "RFC 9110, 7.2: a zone is local to the sender"),
    refused("host-ipv6-trailing", hosted(b" [::1]x"), "RFC 3986, 3.2.2"),
    refused("host-byte", hosted(b" g\xff"), "RFC 3986, 3.2.2"),
    refused("host-too-long", hosted(b" " + b"a" * 256), "RFC 1035, 2.3.4"),
    served("host-port-empty", hosted(b" g:"), "RFC 3986, 3.2.3"),
    served("host-ipv6-port-empty", hosted(b" [::1]:"), "RFC 3986, 3.2.3"),
    served("host-port", hosted(b" g:8080"), "RFC 9110, 7.2"),
    served("host-ipv4", hosted(b" 127.0.0.1:1"), "RFC 9110, 7.2"),
    served("host-ipv6", hosted(b" [::1]:80"), "RFC 9110, 7.2"),
    served("host-tabs-around", hosted(b"\tg\t "), "RFC 9112, 5.1: optional white space"),
    served("host-name-of-any-case", post(host=b"hOsT: G"), "RFC 9110, 5.1"),
    served("host-last", head(LENGTH, b"Host: g", host=None) + ONCE, "RFC 9110, 5.3: order does not matter"),
    answered("host-none-in-1.0", get(version=b"HTTP/1.0", host=None), 200, "RFC 9112, 3.2: HTTP/1.0 has none", CLOSED),
]

FIELDS = [
    refused("field-space-before-colon", post(b"X-A : b"), "RFC 9112, 5.1: 400, as proxies and servers differ"),
    refused("field-tab-before-colon", post(b"X-A\t: b"), "RFC 9112, 5.1"),
    refused("field-length-space-before-colon", head(b"Content-Length : %d" % len(ONCE)) + ONCE, "RFC 9112, 5.1"),
    refused("field-coding-space-before-colon", head(CHUNKED.replace(b":", b" :"), LENGTH) + ONCE, "RFC 9112, 5.1"),
    refused("field-folded", post(b"X-A: b\r\n c"), "RFC 9112, 5.2: obs-fold is refused"),
    refused("field-folded-tab", post(b"X-A: b\r\n\tc"), "RFC 9112, 5.2"),
    refused("field-folded-coding", head(b"Transfer-Encoding:\r\n chunked", LENGTH) + ONCE, "RFC 9112, 5.2"),
    refused("field-folded-empty", post(b"X-A: b\r\n "), "RFC 9112, 5.2"),
    refused("field-first-line-folded", head(b" X-A: b", LENGTH, host=None) + ONCE,
            "RFC 9112, 2.2: white space before the first field"),
    refused("field-no-colon", post(b"nonsense"), "RFC 9112, 5"),
    refused("field-no-name", post(b": x"), "RFC 9112, 5.1"),
    refused("field-name-space", post(b"X A: b"), "RFC 9110, 5.1"),
    refused("field-name-nul", post(b"X\x00A: b"), "RFC 9110, 5.1"),
    refused("field-name-byte", post(b"X-\xe4: b"), "RFC 9110, 5.1"),
    refused("field-name-quotes", post(b'"X": b'), "RFC 9110, 5.1"),
    refused("field-name-brackets", post(b"X[1]: b"), "RFC 9110, 5.1"),
    refused("field-name-control", head(b"\x01" + CHUNKED, LENGTH) + ONCE, "RFC 9110, 5.1: a disguised coding"),
    refused("field-value-nul", post(b"X-A: a\x00b"), "RFC 9110, 5.5: reject or replace"),
    refused("field-value-bare-cr", post(b"X-A: a\rX-B: b"), "RFC 9110, 5.5"),
    refused("field-value-bare-cr-coding", head(b"X-A: a\r" + CHUNKED, LENGTH) + ONCE, "RFC 9112, 2.2: a hidden coding"),
    refused("field-value-cr-at-end", post(b"X-A: a\r"), "RFC 9112, 2.2"),
    refused("field-value-bare-lf", post(b"X-A: a\nX-B: b"), "RFC 9112, 2.2"),
    refused("field-value-escape", post(b"X-A: \x1b[1m"), "RFC 9110, 5.5: CTL"),
    refused("field-value-delete", post(b"X-A: a\x7fb"), "RFC 9110, 5.5: CTL"),
    refused("field-value-form-feed", post(b"X-A: a\x0cb"), "RFC 9110, 5.5: CTL"),
    refused("field-lines-end-with-lf", post().replace(b"\r\n", b"\n"), "RFC 9112, 2.2"),
    refused("field-head-ends-with-lf", head(LENGTH)[:-2] + b"\n" + ONCE, "RFC 9112, 2.2"),
    refused("field-head-ends-with-cr-cr-lf", head(LENGTH)[:-2] + b"\r\r\n" + ONCE, "RFC 9112, 2.2"),
    served("field-value-empty", post(b"X-A:"), "RFC 9110, 5.5"),
    served("field-value-tab-inside", post(b"X-A: a\tb"), "RFC 9110, 5.5"),
    served("field-value-bytes", post(b"X-A: \x80\xff\xc3\xa4"), "RFC 9110, 5.5: obs-text"),
    served("field-value-colons", post(b"X-A: a:b::c"), "RFC 9110, 5.5"),
    served("field-value-spaces-around", post(b"X-A: \t a \t "), "RFC 9112, 5.1: optional white space"),
    served("field-no-space-after-colon", post(b"X-A:b"), "RFC 9112, 5.1"),
    served("field-name-odd-token", post(b"!#$%&'*+-.^_`|~09aZ: b"), "RFC 9110, 5.6.2"),
    served("field-repeated", post(b"X-A: a", b"X-A: b"), "RFC 9110, 5.3"),
    served("field-underscore-length", post(b"Content_Length: 3"), "CGI takes it for Content-Length: it is not"),
    served("field-underscore-coding", post(b"Transfer_Encoding: chunked"), "as above"),
    served("fields-at-the-limit", head(*[b"X-%d: v" % i for i in range(48)], LENGTH) + ONCE, "max_fields"),
    refused("fields-beyond-the-limit", head(*[b"X-%d: v" % i for i in range(49)], LENGTH) + ONCE,
            "RFC 6585, 5", 431),
    served("field-as-long-as-may-be", post(b"X-A: " + b"v" * 16000, body=ONCE), "RFC 9110, 5.4"),
    refused("field-too-long", post(b"X-A: " + b"v" * 40000), "RFC 6585, 5", 431),
    refused("field-endless", head(LENGTH)[:-2] + b"X-A: " + b"v" * 70000, "RFC 6585, 5: refused before it ends", 431),
]


def lengths(*values):
    return head(*[b"Content-Length:" + v for v in values]) + ONCE


N = len(ONCE)
CONTENT_LENGTH = [
    refused("length-twice-equal", lengths(b" %d" % N, b" %d" % N), "RFC 9112, 6.3: reject or collapse"),
    refused("length-twice-different", lengths(b" %d" % N, b" %d" % (N + 1)), "RFC 9112, 6.3"),
    refused("length-twice-zero-first", lengths(b" 0", b" %d" % N), "RFC 9112, 6.3"),
    refused("length-list-equal", lengths(b" %d, %d" % (N, N)), "RFC 9112, 6.3: reject or collapse"),
    refused("length-list-different", lengths(b" %d, 0" % N), "RFC 9112, 6.3"),
    refused("length-list-empty-element", lengths(b" %d," % N), "RFC 9110, 8.6"),
    refused("length-empty", lengths(b""), "RFC 9110, 8.6: 1*DIGIT"),
    refused("length-space", lengths(b" "), "RFC 9110, 8.6"),
    refused("length-negative", lengths(b" -1"), "RFC 9110, 8.6"),
    refused("length-minus-zero", lengths(b" -0"), "RFC 9110, 8.6"),
    refused("length-plus", lengths(b" +%d" % N), "RFC 9110, 8.6"),
    refused("length-hexadecimal", lengths(b" 0x%x" % N), "RFC 9110, 8.6"),
    refused("length-letters-after", lengths(b" %da" % N), "RFC 9110, 8.6"),
    refused("length-fraction", lengths(b" %d.0" % N), "RFC 9110, 8.6"),
    refused("length-exponent", lengths(b" 1e2"), "RFC 9110, 8.6"),
    refused("length-space-inside", lengths(b" 1 0"), "RFC 9110, 8.6"),
    refused("length-underscore", lengths(b" 1_0"), "RFC 9110, 8.6"),
    refused("length-quoted", lengths(b' "%d"' % N), "RFC 9110, 8.6"),
    refused("length-fullwidth-digits", lengths(b" \xef\xbc\x91"), "RFC 9110, 8.6"),
    refused("length-vertical-tab", lengths(b"\x0b%d" % N), "RFC 9110, 5.5"),
    refused("length-64-bits", lengths(b" 18446744073709551616"), "RFC 9110, 8.6: no overflow"),
    refused("length-64-bits-plus", lengths(b" %d" % (2 ** 64 + N)), "RFC 9110, 8.6: wraps to the right length"),
    refused("length-32-bits-plus-huge", lengths(b" " + b"9" * 400), "RFC 9110, 8.6"),
    refused("length-beyond-the-limit", lengths(b" 4294967296"), "RFC 9110, 15.5.14: not read", 413),
    refused("length-63-bits", lengths(b" 9223372036854775807"), "RFC 9110, 15.5.14: not read", 413),
    served("length-leading-zeros", lengths(b" 000000000%d" % N), "RFC 9110, 8.6: 1*DIGIT"),
    served("length-tabs-around", lengths(b"\t%d \t" % N), "RFC 9112, 5.1"),
    answered("length-zero", post(b"Content-Length: 0", body=b""), 400, "an empty body is no document"),
    answered("length-none", head(), 400, "RFC 9112, 6.3: no body, so no document"),
    answered("length-short", head(b"Content-Length: 5") + ONCE[:5], 400, "five bytes are no document"),
    drained("length-on-get", get(b"/healthz", b"Content-Length: 5") + b"hello", 200,
            "RFC 9110, 9.3.1: read and dropped"),
    drained("length-too-large-but-short", head(b"Content-Length: 9000") + b"x" * 9000, 413,
             "RFC 9110, 15.5.14: a small rest is read, to keep the connection"),
    answered("length-at-the-limit", post(body=document() + b" " * (8192 - N)), 200, "max_inference_body")._replace(
        forwarded=("once",)),
]

CODING = [
    refused("coding-and-length", head(CHUNKED, LENGTH) + WHOLE + LAST, "RFC 9112, 6.1: ought to be an error"),
    refused("coding-and-length-reversed", head(LENGTH, CHUNKED) + WHOLE + LAST, "RFC 9112, 6.1"),
    refused("coding-and-length-zero", head(CHUNKED, b"Content-Length: 0") + WHOLE + LAST, "RFC 9112, 6.1"),
    refused("coding-and-bad-length", head(CHUNKED, b"Content-Length: x") + WHOLE + LAST, "RFC 9112, 6.1"),
    refused("coding-twice", head(CHUNKED, CHUNKED) + WHOLE + LAST, "RFC 9112, 7.1: chunked is applied once"),
    refused("coding-twice-in-list", head(CHUNKED + b", chunked") + WHOLE + LAST, "RFC 9112, 6.1", 501),
    refused("coding-chunked-not-last", head(CHUNKED + b", gzip") + WHOLE + LAST, "RFC 9112, 6.3", 501),
    refused("coding-gzip-chunked", head(b"Transfer-Encoding: gzip, chunked") + WHOLE + LAST, "RFC 9112, 6.1", 501),
    refused("coding-two-lines", head(b"Transfer-Encoding: gzip", CHUNKED) + WHOLE + LAST, "RFC 9112, 6.1"),
    refused("coding-identity", head(b"Transfer-Encoding: identity") + WHOLE + LAST, "RFC 9112, 6.1: withdrawn", 501),
    refused("coding-identity-first", head(b"Transfer-Encoding: identity, chunked") + WHOLE + LAST, "RFC 9112, 6.1",
            501),
    refused("coding-unknown", head(b"Transfer-Encoding: cow") + WHOLE + LAST, "RFC 9112, 6.1", 501),
    refused("coding-prefix", head(b"Transfer-Encoding: xchunked") + WHOLE + LAST, "RFC 9112, 6.1", 501),
    refused("coding-suffix", head(b"Transfer-Encoding: chunkedx") + WHOLE + LAST, "RFC 9112, 6.1", 501),
    refused("coding-parameter", head(b"Transfer-Encoding: chunked;q=1") + WHOLE + LAST, "RFC 9112, 7", 501),
    refused("coding-quoted", head(b'Transfer-Encoding: "chunked"') + WHOLE + LAST, "RFC 9112, 7", 501),
    refused("coding-leading-comma", head(b"Transfer-Encoding: , chunked") + WHOLE + LAST, "RFC 9110, 5.6.1", 501),
    refused("coding-trailing-comma", head(b"Transfer-Encoding: chunked,") + WHOLE + LAST, "RFC 9110, 5.6.1", 501),
    refused("coding-empty", head(b"Transfer-Encoding:") + WHOLE + LAST, "RFC 9112, 6.1", 501),
    refused("coding-vertical-tab", head(b"Transfer-Encoding:\x0bchunked") + WHOLE + LAST, "RFC 9110, 5.5"),
    refused("coding-nul", head(b"Transfer-Encoding: chunked\x00") + WHOLE + LAST, "RFC 9110, 5.5"),
    refused("coding-no-break-space", head(b"Transfer-Encoding:\xa0chunked") + WHOLE + LAST, "RFC 9110, 5.5", 501),
    refused("coding-in-1.0", head(CHUNKED, line=b"POST " + TARGET + b" HTTP/1.0") + WHOLE + LAST,
            "RFC 9112, 6.1: faulty framing"),
    refused("coding-on-get", get(b"/healthz", b"Transfer-Encoding: gzip"), "RFC 9112, 6.1: also without need", 501),
    served("coding-any-case", head(b"transfer-ENCODING: CHUNKED") + WHOLE + LAST, "RFC 9112, 7"),
    served("coding-tabs-around", head(b"Transfer-Encoding:\tchunked \t") + WHOLE + LAST, "RFC 9112, 5.1"),
    drained("coding-chunked-on-get", get(b"/healthz", CHUNKED) + chunk(b"hello") + LAST, 200, "RFC 9110, 9.3.1"),
    answered("coding-te-field", get(b"/healthz", b"TE: trailers, chunked"), 200, "RFC 9110, 10.1.4: of answers"),
    served("coding-in-connection", post(b"Connection: transfer-encoding"), "RFC 9110, 7.6.1: says nothing of a body"),
    refused("coding-length-in-connection", head(b"Connection: content-length", LENGTH, CHUNKED) + WHOLE + LAST,
            "RFC 9110, 7.6.1: naming it does not take it away"),
]

CHUNKS = [
    served("chunks-two", chunked(chunk(FIRST), chunk(SECOND)), "RFC 9112, 7.1"),
    served("chunks-of-one", chunked(*[chunk(ONCE[i:i + 1]) for i in range(len(ONCE))]), "RFC 9112, 7.1"),
    served("chunk-size-upper-case", chunked(chunk(ONCE, b"%X" % N)), "RFC 9112, 7.1: HEXDIG of any case"),
    served("chunk-size-leading-zeros", chunked(chunk(ONCE, b"0000000000000000000%x" % N)), "RFC 9112, 7.1: 1*HEXDIG"),
    served("chunk-last-zeros", chunked(WHOLE, last=b"0000\r\n\r\n"), "RFC 9112, 7.1: 1*(\"0\")"),
    served("chunk-extension", chunked(chunk(ONCE, b"%x;a=b" % N)), "RFC 9112, 7.1.1: unknown ones are ignored"),
    served("chunk-extension-quoted", chunked(chunk(ONCE, b'%x;a="b;c"' % N)), "RFC 9112, 7.1.1"),
    served("chunk-extension-quoted-pair", chunked(chunk(ONCE, b'%x;a="b\\";c"' % N)), "RFC 9110, 5.6.4"),
    refused("chunk-extension-open-quote", chunked(chunk(ONCE, b'%x;a="b' % N)), "RFC 9110, 5.6.4: it ends with its quote"),
    refused("chunk-extension-open-pair", chunked(chunk(ONCE, b'%x;a="b\\' % N)), "RFC 9110, 5.6.4"),
    served("chunk-extension-bare", chunked(chunk(ONCE, b"%x;a" % N)), "RFC 9112, 7.1.1"),
    served("chunk-extension-last", chunked(WHOLE, last=b"0;a=b\r\n\r\n"), "RFC 9112, 7.1.1"),
    served("chunk-extension-of-a-size", chunked(chunk(ONCE, b"%x;0\\r\\n" % N)), "RFC 9112, 7.1.1: never read"),
    served("chunk-trailer", chunked(WHOLE, last=b"0\r\nX-T: v\r\n\r\n"), "RFC 9112, 7.1.2: dropped"),
    served("chunk-trailer-of-framing", chunked(WHOLE, last=b"0\r\nContent-Length: 3\r\nHost: x\r\n\r\n"),
           "RFC 9110, 6.5.1: means nothing there"),
    served("chunk-trailer-empty-value", chunked(WHOLE, last=b"0\r\nX-T:\r\n\r\n"), "RFC 9112, 7.1.2"),
    refused("chunk-size-none", chunked(chunk(ONCE, b"")), "RFC 9112, 7.1"),
    refused("chunk-size-letters", chunked(chunk(ONCE, b"xyz")), "RFC 9112, 7.1"),
    refused("chunk-size-plus", chunked(chunk(ONCE, b"+%x" % N)), "RFC 9112, 7.1"),
    refused("chunk-size-minus", chunked(chunk(ONCE, b"-%x" % N)), "RFC 9112, 7.1"),
    refused("chunk-size-0x", chunked(chunk(ONCE, b"0x%x" % N)), "RFC 9112, 7.1"),
    refused("chunk-size-space-before", chunked(chunk(ONCE, b" %x" % N)), "RFC 9112, 7.1"),
    refused("chunk-size-space-after", chunked(chunk(ONCE, b"%x " % N)), "RFC 9112, 7.1: some read on, some do not"),
    refused("chunk-size-tab-after", chunked(chunk(ONCE, b"%x\t" % N)), "RFC 9112, 7.1"),
    refused("chunk-size-space-before-extension", chunked(chunk(ONCE, b"%x ;a=b" % N)),
            "RFC 9112, 7.1.1: bad white space, which readers treat differently"),
    refused("chunk-size-comma", chunked(chunk(ONCE, b"%x,%x" % (N, N))), "RFC 9112, 7.1"),
    refused("chunk-size-nul", chunked(chunk(ONCE, b"%x\x00" % N)), "RFC 9112, 7.1"),
    refused("chunk-size-64-bits", chunked(chunk(ONCE, b"1%016x" % N)), "RFC 9112, 7.1: no overflow", 413),
    refused("chunk-size-65-bits", chunked(chunk(ONCE, b"fffffffffffffffff")), "RFC 9112, 7.1: no overflow", 413),
    refused("chunk-size-negative-as-hex", chunked(chunk(ONCE, b"ffffffffffffffff")), "RFC 9112, 7.1: no overflow", 413),
    refused("chunk-size-beyond-the-limit", chunked(chunk(ONCE, b"7fffffff")), "RFC 9110, 15.5.14", 413),
    refused("chunk-size-endless-zeros", chunked(chunk(ONCE, b"0" * 5000 + b"%x" % N)), "RFC 9112, 7.1: bounded"),
    refused("chunk-size-ends-with-lf", chunked(b"%x\n" % N + ONCE + b"\r\n"), "RFC 9112, 7.1"),
    refused("chunk-size-ends-with-cr", chunked(b"%x\r" % N + ONCE + b"\r\n"), "RFC 9112, 7.1"),
    refused("chunk-size-cr-cr-lf", chunked(b"%x\r\r\n" % N + ONCE + b"\r\n"), "RFC 9112, 7.1"),
    refused("chunk-lines-end-with-lf", chunked(b"%x\n" % N + ONCE + b"\n", last=b"0\n\n"), "RFC 9112, 7.1"),
    refused("chunk-longer-than-it-says", chunked(chunk(ONCE, b"%x" % (N - 1))), "RFC 9112, 7.1: CR LF where it ends"),
    refused("chunk-shorter-than-it-says", chunked(chunk(ONCE, b"%x" % (N + 1))), "RFC 9112, 7.1: CR LF where it ends"),
    refused("chunk-data-ends-with-lf", chunked(chunk(ONCE, end=b"\n")), "RFC 9112, 7.1"),
    refused("chunk-data-ends-with-cr", chunked(chunk(ONCE, end=b"\r")), "RFC 9112, 7.1"),
    refused("chunk-data-ends-with-cr-other", chunked(chunk(ONCE, end=b"\rX")), "RFC 9112, 7.1"),
    refused("chunk-data-without-end", chunked(chunk(ONCE, end=b"")), "RFC 9112, 7.1"),
    refused("chunk-data-two-ends", chunked(chunk(ONCE, end=b"\r\n\r\n")), "RFC 9112, 7.1"),
    refused("chunk-data-other-end", chunked(chunk(FIRST, end=b"XX"), chunk(SECOND)),
            "RFC 9112, 7.1: not skipped unread"),
    refused("chunk-extension-lf", chunked(b"%x;a\nb\r\n" % N + ONCE + b"\r\n"),
            "RFC 9112, 7.1.1: a line end to some: the rest is a body or a request"),
    refused("chunk-extension-cr", chunked(b"%x;a\rb\r\n" % N + ONCE + b"\r\n"), "RFC 9112, 7.1.1"),
    refused("chunk-extension-nul", chunked(chunk(ONCE, b"%x;a=\x00" % N)), "RFC 9112, 7.1.1"),
    refused("chunk-extension-long", chunked(chunk(ONCE, b"%x;" % N + b"a" * 5000)), "RFC 9112, 7.1.1: bounded"),
    refused("chunk-extensions-many", chunked(*[chunk(ONCE[i:i + 1], b"1;" + b"a" * 900) for i in range(40)]),
            "RFC 9112, 7.1.1: bounded in total"),
    refused("chunk-trailer-folded", chunked(WHOLE, last=b"0\r\nX-T: v\r\n w\r\n\r\n"), "RFC 9112, 5.2"),
    refused("chunk-trailer-space-before-colon", chunked(WHOLE, last=b"0\r\nX-T : v\r\n\r\n"), "RFC 9112, 5.1"),
    refused("chunk-trailer-no-colon", chunked(WHOLE, last=b"0\r\nnonsense\r\n\r\n"), "RFC 9112, 5"),
    refused("chunk-trailer-no-name", chunked(WHOLE, last=b"0\r\n: v\r\n\r\n"), "RFC 9112, 5"),
    refused("chunk-trailer-lf", chunked(WHOLE, last=b"0\r\nX-T: v\n\r\n"), "RFC 9112, 2.2"),
    refused("chunk-trailer-nul", chunked(WHOLE, last=b"0\r\nX-T: \x00\r\n\r\n"), "RFC 9110, 5.5"),
    refused("chunk-trailer-request-line", chunked(WHOLE, last=b"0\r\nGET /healthz HTTP/1.1\r\nHost: g\r\n\r\n"),
            "RFC 9112, 7.1.2: a request behind a body without its end"),
    refused("chunk-trailers-long", chunked(WHOLE, last=b"0\r\nX-T: " + b"v" * 17000 + b"\r\n\r\n"), "RFC 9112, 7.1.2"),
    refused("chunk-last-ends-with-lf", chunked(WHOLE, last=b"0\r\n\n"), "RFC 9112, 7.1"),
    refused("chunk-last-cr-other", chunked(WHOLE, last=b"0\r\n\rX"), "RFC 9112, 7.1"),
    answered("chunks-none", chunked(), 400, "an empty body is no document"),
    drained("chunks-too-large-but-short", chunked(*[chunk(b"x" * 1000)] * 9), 413, "RFC 9110, 15.5.14"),
]

CONNECTION = [
    served("connection-close", post(b"Connection: close"), "RFC 9112, 9.6", CLOSED),
    served("connection-close-any-case", post(b"connection: CLOSE"), "RFC 9110, 7.6.1", CLOSED),
    served("connection-close-in-list", post(b"Connection: x, close ,y"), "RFC 9110, 5.6.1", CLOSED),
    served("connection-close-second-line", post(b"Connection: x", b"Connection: close"), "RFC 9110, 5.3", CLOSED),
    served("connection-close-and-keep-alive", post(b"Connection: close, keep-alive"), "RFC 9112, 9.3: close wins",
           CLOSED),
    served("connection-keep-alive", post(b"Connection: keep-alive"), "RFC 9112, 9.3"),
    served("connection-empty-elements", post(b"Connection: , ,keep-alive,,"), "RFC 9110, 5.6.1.2: ignored"),
    served("connection-names-host", post(b"Connection: host, content-length, authorization"),
           "RFC 9110, 7.6.1: end-to-end fields do not vanish"),
    refused("connection-no-token", post(b"Connection: keep alive"), "RFC 9110, 7.6.1"),
    refused("connection-quoted", post(b'Connection: "close"'), "RFC 9110, 7.6.1"),
    served("connection-1.0", line(b"POST " + TARGET + b" HTTP/1.0"), "RFC 9112, 9.3", CLOSED),
    served("connection-1.0-keep-alive", post(b"Connection: keep-alive", line=b"POST " + TARGET + b" HTTP/1.0"),
           "RFC 9112, 9.3: and the answer says so"),
    served("connection-1.0-both", post(b"Connection: keep-alive, close", line=b"POST " + TARGET + b" HTTP/1.0"),
           "RFC 9112, 9.3", CLOSED),
    served("connection-proxy-connection", post(b"Proxy-Connection: close"), "RFC 9112, C.2.2: means nothing"),
    Case("pipelined-three", post(body=document("one")) + get() + post(body=document("two")), (200, 200, 200), OPEN,
         ("one", "two"), "RFC 9112, 9.3.2: answered in order"),
    Case("pipelined-empty-line-between", post(body=document("one")) + b"\r\n" + post(body=document("two")), (200, 200),
         OPEN, ("one", "two"), "RFC 9112, 2.2: some clients send one after a body"),
    Case("pipelined-behind-chunks", chunked(WHOLE) + post(body=document("two")), (200, 200), OPEN, ("once", "two"),
         "RFC 9112, 9.3.2"),
    Case("pipelined-behind-refused-body",
         head(b"Content-Length: %d" % len(BAIT), line=b"POST /x HTTP/1.1") + BAIT + get(),
         (404, 200), OPEN, (), "RFC 9112, 9.3: an unread body is no request", True),
    Case("pipelined-behind-ignored-body", get(b"/healthz", b"Content-Length: %d" % len(BAIT)) + BAIT + get(),
         (200, 200),
         OPEN, (), "RFC 9112, 9.3: a body of GET is no request", True),
    Case("pipelined-behind-close", post(b"Connection: close") + BAIT, (200,), CLOSED, ("once",),
         "RFC 9112, 9.6: what follows is not processed"),
    Case("pipelined-length-too-short", post(b"Content-Length: %d" % HALF), (400, 400), CLOSED, (),
         "RFC 9112, 6.2: the half is no document, and the rest no request"),
    refused("pipelined-byte-between", post(body=document("one")) + b"X" + b"\r\n\r\n", "RFC 9112, 3",
            forwarded=("one",)),
    refused("pipelined-body-too-long", post(b"Content-Length: %d" % N, body=ONCE + b"\x00\r\n\r\n"), "RFC 9112, 6.2",
            forwarded=("once",)),
    Case("pipelined-many", get() * 100, (200,) * 100, OPEN, (),
         "RFC 9112, 9.3.2: held back by the socket, not refused"),
    silent("end-at-once", [END], "RFC 9112, 8"),
    silent("end-in-the-line", [b"POST /v1/chat", END], "RFC 9112, 8: an incomplete request is not served"),
    silent("end-in-the-fields", [head(LENGTH)[:-4], END], "RFC 9112, 8"),
    silent("end-after-the-head", [head(LENGTH), END], "RFC 9112, 8"),
    silent("end-in-the-body", [head(LENGTH) + FIRST, END], "RFC 9112, 8: not forwarded in part"),
    silent("end-in-a-chunk", [head(CHUNKED) + chunk(FIRST) + b"%x\r\n" % len(SECOND) + SECOND[:3], END], "RFC 9112, 8"),
    silent("end-before-the-last-chunk", [head(CHUNKED) + WHOLE, END], "RFC 9112, 8: the last chunk is missing"),
    silent("end-in-the-trailers", [head(CHUNKED) + WHOLE + b"0\r\n", END], "RFC 9112, 8"),
    silent("end-after-an-empty-line", [b"\r\n", END], "RFC 9112, 8"),
]

EXPECTATIONS = [
    served("expect-with-body", post(b"Expect: 100-continue"), "RFC 9110, 10.1.1: may be left out if the body is there"),
    served("expect-any-case", post(b"eXPECT: 100-CONTINUE"), "RFC 9110, 10.1.1: case-insensitive"),
    served("expect-in-1.0",
           post(b"Expect: 100-continue", b"Connection: keep-alive", line=b"POST " + TARGET + b" HTTP/1.0"),
           "RFC 9110, 10.1.1: ignored"),
    refused("expect-other", post(b"Expect: tea"), "RFC 9110, 10.1.1", 417),
    refused("expect-both", post(b"Expect: 100-continue, tea"), "RFC 9110, 10.1.1", 417),
    refused("expect-empty", post(b"Expect:"), "RFC 9110, 10.1.1", 417),
    answered("expect-without-body", get(b"/healthz", b"Expect: 100-continue"), 200,
             "RFC 9110, 10.1.1: no interim answer"),
    refused("expect-too-large", head(b"Expect: 100-continue", b"Content-Length: 9000"),
            "RFC 9110, 10.1.1: refused instead of continued, and whether the body comes is unknown", 413),
    refused("expect-not-found", head(b"Expect: 100-continue", b"Content-Length: 10", line=b"POST /x HTTP/1.1"),
            "RFC 9110, 10.1.1", 404),
    refused("upgrade-websocket", post(b"Connection: Upgrade", b"Upgrade: websocket"), "RFC 9110, 7.8: not done", 426),
    refused("upgrade-h2c", post(b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABk"),
            "RFC 9113, 3.1: h2c smuggling", 426),
    answered("upgrade-on-health", get(b"/healthz", b"Connection: Upgrade", b"Upgrade: websocket"), 200,
             "RFC 9110, 7.8: a server may ignore it"),
    served("upgrade-without-connection", post(b"Upgrade: websocket"), "RFC 9110, 7.8: then it means nothing"),
    served("upgrade-without-protocol", post(b"Connection: upgrade"), "RFC 9110, 7.8"),
]

CASES = [*REQUEST_LINE, *TARGETS, *HOST, *FIELDS, *CONTENT_LENGTH, *CODING, *CHUNKS, *CONNECTION, *EXPECTATIONS]
