"""The frame of a test class: one gateway and its upstreams for all tests of the class."""
import json
import unittest

from .gateway import POLICIES, Gateway
from .protocols import MESSAGES
from .schedules import policies_with_schedule
from .upstream import Upstream

# A Messages error's type, by status.
MESSAGES_TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
                  404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error",
                  529: "overloaded_error"}


def error_fields(protocol, document):
    """The error object of a document, once its shape is right for the protocol."""
    if protocol is MESSAGES:
        assert document["type"] == "error", document
        error = document["error"]
        assert isinstance(error["type"], str) and isinstance(error["message"], str), document
    else:
        error = document["error"]
        assert {"message", "type", "param", "code"} <= error.keys(), document
        assert isinstance(error["message"], str) and isinstance(error["type"], str), document
    assert error["message"] and error["type"], document
    return error


class GatewayTest(unittest.TestCase):
    """Subclasses say `configure(cls)`: make upstreams with `cls.upstream()` and return a Config."""

    descriptors = None
    seconds = None  # by failure class: a schedule of its own, see schedules.py

    @classmethod
    def setUpClass(cls):
        cls.upstreams = []
        policies = POLICIES
        if cls.seconds is not None:
            folder = policies_with_schedule(**cls.seconds)
            cls.addClassCleanup(folder.cleanup)
            policies = folder.name
        try:
            cls.gateway = Gateway(cls.configure(), cls.descriptors, policies=policies)
        except BaseException:
            for upstream in cls.upstreams:
                upstream.close()
            raise

    @classmethod
    def tearDownClass(cls):
        try:
            cls.gateway.stop()
        finally:
            for upstream in cls.upstreams:
                upstream.close()

    @classmethod
    def upstream(cls, **options):
        upstream = Upstream(**options)
        cls.upstreams.append(upstream)
        return upstream

    def check_error(self, response, status, protocol, code=None, by_gateway=True):
        """An error in the protocol's shape; the gateway's own carry X-Watermaster-Error, a provider's never do."""
        self.assertEqual(response.status, status, response)
        self.assertEqual(response.get("content-type", "").split(";")[0], "application/json", response)
        error = error_fields(protocol, response.json())
        if protocol is MESSAGES and status in MESSAGES_TYPES:
            self.assertEqual(error["type"], MESSAGES_TYPES[status], response)
        if by_gateway:
            self.assertIsNotNone(response.get("x-watermaster-error"), response)
        else:
            self.assertIsNone(response.get("x-watermaster-error"), response)
        if code:
            self.assertEqual(response.get("x-watermaster-error"), code, response)
        return error

    def check_answer(self, response, protocol, text="Hello world"):
        self.assertEqual(response.status, 200, response)
        said = protocol.text_of(response)
        self.assertEqual(said.replace(" ", ""), text.replace(" ", ""), response)

    def check_error_end(self, events, protocol):
        """The stream ended with the protocol's error and does not claim to be complete."""
        self.assertTrue(events, "no events at all")
        errors = [e for e in events if protocol.is_error(e)]
        self.assertEqual(len(errors), 1, events)
        self.assertTrue(events[-1] is errors[0] or (protocol.id == "openai-chat" and events[-2] is errors[0]), events)
        self.assertFalse(protocol.finished(events), events)
        document = json.loads(errors[0].data)
        if protocol.id == "anthropic-messages":
            self.assertEqual(errors[0].name, "error")
            error_fields(protocol, document)
        elif protocol.id == "openai-chat":
            self.assertTrue(document["error"]["message"])
        else:
            self.assertEqual(document["type"], "response.failed", events)
            self.assertEqual(document["response"]["status"], "failed", events)
            numbers = [json.loads(e.data)["sequence_number"] for e in events]
            self.assertEqual(numbers, list(range(len(events))), events)
        return document
