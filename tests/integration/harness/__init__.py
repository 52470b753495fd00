"""What the integration tests share: the real binary, scripted upstreams, a raw HTTP client. Standard library only."""
from .client import Closed, Connection, Response, exchange
from .config import Config
from .exposition import BadExposition, Exposition
from .gateway import Gateway, run_command
from .protocols import CHAT, MESSAGES, PROTOCOLS, RESPONSES
from .raw import RawUpstream
from .sse import SseParser
from .steps import (CHUNKED_END, CLOSE, RESET, STALL, Answer, chunk, chunked, json_answer, raw_answer, sse_answer,
                    sse_head)
from .support import SLOW, Together, eventually, poll, scaled, span
from .testcase import GatewayTest, error_fields
from .upstream import Blackhole, Upstream, refused_port

__all__ = [
    "Answer", "BadExposition", "Blackhole", "CHAT", "CHUNKED_END", "CLOSE", "Closed", "Config", "Connection", "Exposition", "Gateway", "GatewayTest",
    "MESSAGES", "PROTOCOLS", "RESET", "RawUpstream", "RESPONSES", "Response", "SLOW", "STALL", "SseParser", "Together", "Upstream",
    "chunk",
    "chunked", "error_fields", "eventually", "exchange", "json_answer", "poll", "raw_answer", "refused_port",
    "run_command", "scaled", "span", "sse_answer", "sse_head",
]
