#!/usr/bin/env python3
"""The mock provider does what its README says: mock_test.py PATH_TO_MOCK_PROVIDER"""
import http.client
import json
import subprocess
import sys
import time
import unittest

PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "messages": "/v1/messages"}
SENTENCE = "Hello from the mock provider."


class Mock:
    def __init__(self, binary):
        self.process = subprocess.Popen([binary, "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def stop(self):
        self.process.terminate()
        status = self.process.wait(timeout=10)
        self.process.stdout.close()
        return status


def ask(protocol, model, stream=False, **more):
    """Status, header fields, body and whether the body came whole."""
    connection = http.client.HTTPConnection("127.0.0.1", MOCK.port, timeout=10)
    connection.request("POST", PATHS[protocol], json.dumps({"model": model, "stream": stream, **more}),
                       {"Content-Type": "application/json"})
    answer = connection.getresponse()
    try:
        body, whole = answer.read().decode(), True
    except http.client.IncompleteRead as broken:
        body, whole = broken.partial.decode(), False
    connection.close()
    return answer.status, answer.headers, body, whole


def events(body):
    """The data of each event, parsed, and the event names beside it."""
    found = []
    for block in filter(None, body.split("\n\n")):
        fields = dict(line.split(": ", 1) for line in block.split("\n"))
        found.append((fields.get("event"), fields["data"]))
    return found


def text_of(protocol, body):
    if protocol == "chat":
        return body["choices"][0]["message"]["content"]
    return (body["output"][-1] if protocol == "responses" else body)["content"][-1]["text"]


def streamed_text(protocol, body):
    text = ""
    for _, data in events(body):
        if data == "[DONE]":
            continue
        data = json.loads(data)
        if protocol == "chat":
            text += "".join(choice["delta"].get("content", "") for choice in data["choices"])
        elif data["type"] == "response.output_text.delta":
            text += data["delta"]
        elif data["type"] == "content_block_delta":
            text += data["delta"].get("text", "")
    return text


class MockTest(unittest.TestCase):
    def each(self):
        for protocol in PATHS:
            with self.subTest(protocol):
                yield protocol

    def test_whole_answer(self):
        for protocol in self.each():
            status, _, body, _ = ask(protocol, "mock-ok")
            self.assertEqual((200, SENTENCE), (status, text_of(protocol, json.loads(body))))
            self.assertIn("usage", json.loads(body))

    def test_streamed_answer_and_its_last_event(self):
        last = {"chat": (None, "[DONE]"), "responses": "response.completed", "messages": "message_stop"}
        for protocol in self.each():
            status, headers, body, whole = ask(protocol, "mock-ok", stream=True)
            self.assertEqual((200, "text/event-stream", True), (status, headers["Content-Type"], whole))
            self.assertEqual(SENTENCE, streamed_text(protocol, body))
            end = events(body)[-1]
            self.assertEqual(last[protocol], end if protocol == "chat" else end[0])

    def test_sequence_numbers_count_up(self):
        for model in ("mock-stream-3-1", "mock-reason"):
            _, _, body, _ = ask("responses", model, stream=True)
            numbers = [json.loads(data)["sequence_number"] for _, data in events(body)]
            self.assertEqual(list(range(len(numbers))), numbers)

    def test_a_thought_before_the_answer(self):
        for protocol in self.each():
            for stream in (False, True):
                body = ask(protocol, "mock-reason", stream=stream)[2]
                self.assertIn("Let me think.", body)
                said = streamed_text(protocol, body) if stream else text_of(protocol, json.loads(body))
                self.assertEqual(SENTENCE, said)

    def test_usage_chunk_only_when_asked_for(self):
        plain = ask("chat", "mock-ok", stream=True)[2]
        asked = ask("chat", "mock-ok", stream=True, stream_options={"include_usage": True})[2]
        self.assertNotIn("usage", plain)
        self.assertEqual(6, json.loads(events(asked)[-2][1])["usage"]["completion_tokens"])

    def test_chunks_and_their_pace(self):
        begun = time.monotonic()
        body = ask("chat", "mock-stream-5-20", stream=True)[2]
        self.assertGreaterEqual(time.monotonic() - begun, 0.08)
        self.assertEqual("token " * 5, streamed_text("chat", body))

    def test_slow_head(self):
        begun = time.monotonic()
        self.assertEqual(200, ask("messages", "mock-slow-100")[0])
        self.assertGreaterEqual(time.monotonic() - begun, 0.1)

    def test_errors_in_each_shape(self):
        for protocol in self.each():
            for name, expected in (("mock-fail-500", 500), ("mock-fail-429", 429), ("mock-fail-401", 401),
                                   ("mock-bad-request", 400), ("mock-error-under-200", 200)):
                status, headers, body, _ = ask(protocol, name)
                error = json.loads(body)["error"]
                self.assertEqual(expected, status)
                self.assertEqual("1" if expected == 429 else None, headers["Retry-After"])
                self.assertIn("message", error)
                if name == "mock-bad-request":
                    self.assertIn("temperature", error["message"])
                    self.assertEqual(None if protocol == "messages" else "temperature", error.get("param"))

    def test_broken_streams(self):
        for protocol in self.each():
            self.assertEqual((200, ""), ask(protocol, "mock-empty-stream", stream=True)[0::2])
            with self.assertRaises(json.JSONDecodeError):
                json.loads(events(ask(protocol, "mock-malformed", stream=True)[2])[0][1])
            _, _, body, whole = ask(protocol, "mock-cut", stream=True)
            self.assertEqual((False, "Hello from the"), (whole, streamed_text(protocol, body)))
            self.assertFalse(ask(protocol, "mock-cut")[3])
            self.assertIn("asked to fail", events(ask(protocol, "mock-error-first", stream=True)[2])[-1][1])

    def test_hang_says_nothing(self):
        connection = http.client.HTTPConnection("127.0.0.1", MOCK.port, timeout=0.2)
        connection.request("POST", PATHS["chat"], json.dumps({"model": "mock-hang"}))
        with self.assertRaises(TimeoutError):
            connection.getresponse()
        connection.close()

    def test_tool_call_then_answer(self):
        for protocol in self.each():
            tool = {"type": "function", "name": "weather"}
            tools = [{"type": "function", "function": tool}] if protocol == "chat" else [tool]
            for stream in (False, True):
                self.assertIn("weather", ask(protocol, "mock-ok", stream=stream, tools=tools)[2])
            result = {"chat": {"messages": [{"role": "tool", "content": "rain"}]},
                      "responses": {"input": [{"type": "function_call_output", "output": "rain"}]},
                      "messages": {"messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}}[protocol]
            self.assertEqual(SENTENCE, text_of(protocol, json.loads(ask(protocol, "mock-ok", tools=tools, **result)[2])))

    def test_chunked_request_and_kept_connection(self):
        connection = http.client.HTTPConnection("127.0.0.1", MOCK.port, timeout=10)
        for _ in range(2):
            connection.request("POST", PATHS["chat"], iter([b'{"model":', b'"mock-ok"}']), encode_chunked=True,
                               headers={"Transfer-Encoding": "chunked"})
            self.assertEqual(SENTENCE, text_of("chat", json.loads(connection.getresponse().read())))
        connection.close()

    def test_body_that_is_no_object(self):
        connection = http.client.HTTPConnection("127.0.0.1", MOCK.port, timeout=10)
        connection.request("POST", PATHS["messages"], "[1")
        answer = connection.getresponse()
        self.assertEqual((400, "error"), (answer.status, json.loads(answer.read())["type"]))
        connection.close()


if __name__ == "__main__":
    MOCK = Mock(sys.argv.pop(1))
    program = unittest.main(exit=False)
    sys.exit(0 if MOCK.stop() == 0 and program.result.wasSuccessful() else 1)
