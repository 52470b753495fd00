"""A target that speaks another protocol: answers, fallback, errors and records are as they are natively."""
import functools
import json
import unittest

from harness import (CHAT, CLOSE, MESSAGES, PROTOCOLS, RESET, RESPONSES, STALL, Answer, Config, GatewayTest, eventually, exchange, json_answer, raw_answer, span,
                     sse_answer, sse_head)

PAIRS = tuple((client, other) for client in PROTOCOLS for other in PROTOCOLS if client is not other)
METADATA = [("x-relay-include-metadata", "1")]
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}


def ask(protocol, model, stream=False, **members):
    """A request that says how much it wants, which the other protocol may need."""
    return protocol.body(model, stream, **{protocol.limit: 16, **members})


def pool(client, other, kind="alone"):
    return f"{client.id}-to-{other.id}-{kind}-"


def said(protocol, text):
    """How a request says one text of the user."""
    if protocol is RESPONSES:
        return {"input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}]}
    return {"messages": [{"role": "user", "content": text}]}


def tools_of(protocol):
    if protocol is CHAT:
        return [{"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}]
    if protocol is RESPONSES:
        return [{"type": "function", "name": "weather", "parameters": SCHEMA}]
    return [{"name": "weather", "input_schema": SCHEMA}]


def tool_call(protocol):
    """A whole answer that calls a tool."""
    if protocol is CHAT:
        document = CHAT.document("m", None)
        document["choices"][0]["message"]["tool_calls"] = [
            {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Paris"}'}}]
        document["choices"][0]["finish_reason"] = "tool_calls"
        return document
    if protocol is RESPONSES:
        document = RESPONSES.document("m", "x")
        document["output"] = [{"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "weather",
                               "status": "completed", "arguments": '{"city": "Paris"}'}]
        return document
    document = MESSAGES.document("m", "")
    document["content"] = [{"type": "tool_use", "id": "call_1", "name": "weather", "input": {"city": "Paris"}}]
    document["stop_reason"] = "tool_use"
    return document

# Models with a capability set, or without one that is: client, upstream, and which.
CAPABLE = {"free": (RESPONSES, CHAT, "custom_tools"), "effortless": (CHAT, RESPONSES, "!reasoning_effort"),
           "unsealed": (CHAT, RESPONSES, "!encrypted_reasoning"), "remembering": (CHAT, RESPONSES, "reasoning_history")}


def each_pair(test):
    """Runs a test for every pair, each on a model of its own."""
    @functools.wraps(test)
    def every(self):
        for client, other in PAIRS:
            with self.subTest(client=client.id, upstream=other.id):
                test(self, client, other, self.gateway.take(pool(client, other)))
    return every


class Translation(GatewayTest):
    @classmethod
    def configure(cls):
        cls.a, cls.b = cls.upstream(), cls.upstream()
        config = Config(admin_listen="127.0.0.1:0")
        for client, other in PAIRS:
            p = f"{client.id}-{other.id}"
            short = {"upstream_read": span(1), "upstream_stream_read": span(1)}
            config.backend(f"foreign-{p}", cls.a, other, **short).backend(f"native-{p}", cls.b, client)
            config.backend(f"foreign-b-{p}", cls.b, other)
            config.pool(pool(client, other), 60, [f"foreign-{p}"])
            config.pool(pool(client, other, "then-native"), 40, [f"foreign-{p}"], [f"native-{p}"])
            config.pool(pool(client, other, "native-then-foreign"), 10, [f"native-{p}"], [f"foreign-b-{p}"])
        shown = f"foreign-{MESSAGES.id}-{CHAT.id}"
        config.upstream_model(shown, "up-shown", capabilities="provider_reasoning_thinking, !image_input")
        config.model("shown", [shown])
        for name, (client, other, capability) in CAPABLE.items():
            backend = f"foreign-{client.id}-{other.id}"
            config.upstream_model(backend, f"up-{name}", capabilities=capability)
            config.model(name, [backend])
        return config

    def lines_of(self, model):
        lines = [json.loads(line) for line in list(self.gateway.out) if line.startswith("{")]
        return [line for line in lines if line.get("served_model") == model]

    @each_pair
    def test_whole_answers(self, client, other, model):
        response = self.gateway.post(client.path, ask(client, model, user_extension=1), METADATA)
        self.check_answer(response, client)
        self.assertEqual(response.get("content-type"), "application/json")
        (sent,) = self.a.of(f"up-{model}")
        self.assertEqual((sent.path, sent.document[other.limit]), (other.path, 16))
        self.assertEqual(sent.document, {**sent.document, **said(other, "hi")})
        self.assertEqual(response.get("x-relay-ingress-protocol"), client.id)
        self.assertEqual(response.get("x-relay-egress-protocol"), other.id)
        self.assertEqual(response.get("x-relay-translated"), "true")
        self.assertIn("extension_members=user_extension", response.get("x-relay-loss"))

    @each_pair
    def test_streams(self, client, other, model):
        members = {"stream_options": {"include_usage": True}} if client is CHAT else {}
        self.a.script(f"up-{model}", sse_answer(other.stream("m", ["Hello", "world"], **({"usage": True} if other is CHAT else {}))))
        response = self.gateway.post(client.path, ask(client, model, True, **members), METADATA)
        self.check_answer(response, client, "Helloworld")
        events = response.events()
        self.assertTrue(client.is_end(events[-1]), events)
        self.assertIn('_tokens":2', "".join(e.data for e in events))
        (sent,) = self.a.of(f"up-{model}")
        self.assertIs(sent.document["stream"], True)
        self.assertEqual(sent.document.get("stream_options"), {"include_usage": True} if other is CHAT else None)
        self.assertEqual(response.get("x-relay-translated"), "true")

    @each_pair
    def test_streams_of_any_framing(self, client, other, model):
        whole = b"".join(other.stream("m", ["Grüße", "\U0001F600"])).replace(b"\n", b"\r\n")
        pieces = [bytes([byte]) for byte in whole]
        self.a.script(f"up-{model}", sse_answer(pieces))
        response = self.gateway.post(client.path, ask(client, model, True))
        self.check_answer(response, client, "Grüße\U0001F600")

    @each_pair
    def test_tools(self, client, other, model):
        self.a.script(f"up-{model}", json_answer(200, tool_call(other)))
        response = self.gateway.post(client.path, ask(client, model, tools=tools_of(client)))
        self.assertEqual(response.status, 200)
        (sent,) = self.a.of(f"up-{model}")
        (tool,) = sent.document["tools"]
        if other is RESPONSES:  # where a tool binds strictly unless it says otherwise
            self.assertIs(tool.pop("strict"), False)
        self.assertEqual([tool], tools_of(other))
        answer, wanted = response.json(), tool_call(client)
        if client is CHAT:
            self.assertEqual(answer["choices"][0]["message"]["tool_calls"],
                             wanted["choices"][0]["message"]["tool_calls"])
            self.assertEqual(answer["choices"][0]["finish_reason"], "tool_calls")
        elif client is RESPONSES:
            (call,) = answer["output"]
            self.assertEqual({**call, "id": "fc_1"}, wanted["output"][0])
            self.assertEqual(answer["status"], "completed")
        else:
            self.assertEqual((answer["content"], answer["stop_reason"]), (wanted["content"], "tool_use"))

    def check_explained(self, client, document, status, code, param):
        """An explanation tells the same of it."""
        row = json.dumps({"path": client.path, "body": document.decode()}).encode()
        told = exchange(self.gateway.admin_port, "POST", "/explain", row, host="localhost").json()
        self.assertEqual(told["decision"], "refuse", told)
        said = told["refusal"]
        self.assertEqual((said["status"], said["code"], said.get("param")), (status, code, param))

    def test_what_the_target_cannot_do_is_refused_by_name(self):
        for client, other, members, member in (
                (CHAT, MESSAGES, {"n": 2}, "n"), (CHAT, MESSAGES, {"logprobs": True}, "logprobs"),
                (CHAT, MESSAGES, {"response_format": {"type": "json_object"}}, "response_format"),
                (CHAT, RESPONSES, {"stop": "END"}, "stop"), (RESPONSES, MESSAGES, {"top_logprobs": 1}, "top_logprobs"),
                (RESPONSES, CHAT, {"previous_response_id": "resp_1"}, "previous_response_id"),
                (RESPONSES, CHAT, {"conversation": "conv_1"}, "conversation"),
                (RESPONSES, MESSAGES, {"background": True}, "background"),
                (RESPONSES, MESSAGES, {"prompt": {"id": "p"}}, "prompt")):
            for stream in (False, True):
                with self.subTest(member=member, stream=stream):
                    model = self.gateway.take(pool(client, other))
                    document = ask(client, model, stream, **members)
                    error = self.check_error(self.gateway.post(client.path, document), 400, client, "untranslatable")
                    self.assertEqual(error["param"], member)
                    self.check_explained(client, document, 400, "untranslatable", member)
                    self.assertEqual(self.a.of(f"up-{model}"), [])

    def test_malformed_requests_are_refused_by_name(self):
        for client, bad, member in ((CHAT, {"messages": [{"role": "robot", "content": "x"}]}, "messages[0].role"),
                                    (RESPONSES, {"input": [{"type": "function_call"}]}, "input[0].call_id"),
                                    (MESSAGES, {"messages": [{"role": "user", "content": [{"type": "image"}]}]},
                                     "messages[0].content[0].source")):
            for other in PROTOCOLS:
                if other is client:
                    continue
                with self.subTest(client=client.id, upstream=other.id):
                    model = self.gateway.take(pool(client, other))
                    document = ask(client, model, **bad)
                    error = self.check_error(self.gateway.post(client.path, document), 400, client, "untranslatable")
                    self.assertIn(member, error["message"])
                    self.check_explained(client, document, 400, "untranslatable", member)
                    self.assertEqual(self.a.of(f"up-{model}"), [])

    def test_where_those_who_could_are_out(self):
        """What failed before stands: it is at fault, whoever else is out."""
        model = self.gateway.take(pool(CHAT, MESSAGES, "then-native"))
        self.b.script(f"up-{model}", json_answer(500, CHAT.error_document()))
        document = ask(CHAT, model, n=2)
        self.gateway.post(CHAT.path, document)
        self.assertEqual(self.check_error(self.gateway.post(CHAT.path, document), 400, CHAT, "untranslatable")["param"], "n")
        self.check_explained(CHAT, document, 400, "untranslatable", "n")

    def test_a_native_target_does_what_a_foreign_one_cannot(self):
        for client, other, members in ((CHAT, MESSAGES, {"n": 2}), (RESPONSES, CHAT, {"previous_response_id": "r"})):
            with self.subTest(client=client.id):
                model = self.gateway.take(pool(client, other, "then-native"))
                response = self.gateway.post(client.path, ask(client, model, **members), METADATA)
                self.check_answer(response, client)
                self.assertEqual(response.get("x-relay-translated"), "false")
                self.assertIsNone(response.get("x-relay-loss"))
                # The one that could not is not to blame.
                self.check_answer(self.gateway.post(client.path, ask(client, model), METADATA), client)
                self.assertEqual(len(self.a.of(f"up-{model}")), 1)

    def test_a_limit_where_the_client_has_none(self):
        for client in (CHAT, RESPONSES):
            model = self.gateway.take(pool(client, MESSAGES))
            self.check_answer(self.gateway.post(client.path, client.body(model)), client)
            (sent,) = self.a.of(f"up-{model}")
            self.assertEqual(sent.document["max_tokens"], 4096)

    @each_pair
    def test_refusals_of_the_provider(self, client, other, model):
        refusal = other.error_document("temperature: too high", "invalid_request_error")
        self.a.script(f"up-{model}", json_answer(400, refusal, [("request-id", "req-1")]))
        response = self.gateway.post(client.path, ask(client, model))
        error = self.check_error(response, 400, client, by_gateway=False)
        self.assertEqual(error["message"], "temperature: too high")
        self.assertEqual(response.get("request-id"), "req-1")

    @each_pair
    def test_capacity_of_the_provider(self, client, other, model):
        slow = json_answer(429, other.error_document("slow down", "rate_limit_error"), [("retry-after", "7")])
        self.a.script(f"up-{model}", slow)
        response = self.gateway.post(client.path, ask(client, model))
        self.check_error(response, 429, client, by_gateway=False)
        self.assertEqual(response.get("retry-after"), "7")

    def check_fallback(self, client, other, answer, stream):
        model = self.gateway.take(pool(client, other, "then-native"))
        self.a.script(f"up-{model}", answer)
        response = self.gateway.post(client.path, ask(client, model, stream), METADATA)
        self.check_answer(response, client)
        self.assertEqual(response.get("x-relay-fallback"), "true")
        self.assertEqual(response.get("x-relay-translated"), "false")

    def test_fallback_of_whole_answers(self):
        for client, other in PAIRS:
            for name, answer in (("status 500", json_answer(500, other.error_document())),
                                 ("an error under 200", json_answer(200, other.error_document())),
                                 ("another document", json_answer(200, {"hello": 1})),
                                 ("half a document", raw_answer(200, b'{"id":"c1","choi')),
                                 ("an empty body", raw_answer(200, b"")),
                                 ("a stream", sse_answer(other.stream("m", ["x"]))),
                                 ("a reset", Answer(RESET)), ("silence", Answer(STALL))):
                with self.subTest(client=client.id, failure=name):
                    self.check_fallback(client, other, answer, False)

    def test_fallback_of_streams(self):
        for client, other in PAIRS:
            preamble = other.preamble("m")
            for name, answer in (("status 500", json_answer(500, other.error_document())),
                                 ("a plain error", json_answer(200, other.error_document())),
                                 ("a document", json_answer(200, other.document("m", "x"))),
                                 ("an error after the preamble", sse_answer(preamble + [other.error_event()])),
                                 ("an end after the preamble", sse_answer(preamble)),
                                 ("garbage", sse_answer(preamble + [b"data: {broken\n\n"])),
                                 ("a reset after the preamble", sse_answer(preamble, end=RESET)),
                                 ("silence after the preamble", sse_answer(preamble, end=STALL))):
                with self.subTest(client=client.id, failure=name):
                    self.check_fallback(client, other, answer, True)

    def test_fallback_from_native_to_foreign(self):
        for client, other in PAIRS:
            for stream in (False, True):
                with self.subTest(client=client.id, stream=stream):
                    model = self.gateway.take(pool(client, other, "native-then-foreign"))
                    self.b.script(f"up-{model}", json_answer(500, client.error_document()),
                                  other.plain(type("Asked", (), {"model": "m", "stream": stream})))
                    response = self.gateway.post(client.path, ask(client, model, stream), METADATA)
                    self.check_answer(response, client)
                    self.assertEqual(response.get("x-relay-egress-protocol"), other.id)

    def test_nothing_falls_back_after_commitment(self):
        for client, other in PAIRS:
            begun = other.preamble("m") + [other.word("m", "Hello")]
            for name, answer in (("an error event", sse_answer(begun + [other.error_event()])),
                                 ("an end", sse_answer(begun)), ("a reset", sse_answer(begun, end=RESET)),
                                 ("garbage", sse_answer(begun + [b"data: {broken\n\n"])),
                                 ("silence", sse_answer(begun, end=STALL))):
                with self.subTest(client=client.id, failure=name):
                    model = self.gateway.take(pool(client, other, "then-native"))
                    self.a.script(f"up-{model}", answer)
                    response = self.gateway.post(client.path, ask(client, model, True))
                    self.assertEqual(response.status, 200)
                    self.check_error_end(response.events(), client)
                    self.assertEqual(self.b.of(f"up-{model}"), [])

    @each_pair
    def test_an_end_without_the_end_marker(self, client, other, model):
        self.a.script(f"up-{model}", sse_answer(other.stream("m", ["Hello"])[:-1], end=CLOSE))
        response = self.gateway.post(client.path, ask(client, model, True))
        if other is RESPONSES:  # whose end says that the answer is whole
            return self.check_error_end(response.events(), client)
        self.check_answer(response, client, "Hello")
        self.assertTrue(client.is_end(response.events()[-1]))

    def test_a_success_that_breaks_its_contract_is_asked_for_once(self):
        for client, other in PAIRS:
            for stream in (False, True):
                with self.subTest(client=client.id, stream=stream):
                    model = self.gateway.take(pool(client, other))
                    broken = sse_answer([b"data: {broken\n\n"]) if stream else raw_answer(200, b'{"id":"c1","choi')
                    self.a.script(f"up-{model}", broken)
                    self.check_error(self.gateway.post(client.path, ask(client, model, stream)), 502, client)
                    self.check_error(self.gateway.post(client.path, ask(client, model, stream)), 503, client, "circuit_open")
                    self.assertEqual(len(self.a.of(f"up-{model}")), 1)

    def test_capabilities_of_an_upstream_model(self):
        """Synthetic thinking is shown with its capability alone; an image is lost where the model takes none."""
        document = CHAT.document("m", "Hello world")
        document["choices"][0]["message"]["reasoning"] = "hm"
        image = {"type": "image", "source": {"type": "url", "url": "https://e.example/a"}}
        for model, shown, losses in (("shown", True, "image_input=messages.image"),
                                     (self.gateway.take(pool(MESSAGES, CHAT)), False,
                                      "provider_reasoning_text=content.reasoning")):
            with self.subTest(model=model):
                self.a.script(f"up-{model}", json_answer(200, document))
                messages = [{"role": "user", "content": [{"type": "text", "text": "x"}, image]}]
                response = self.gateway.post(MESSAGES.path, ask(MESSAGES, model, messages=messages), METADATA)
                kinds = [block["type"] for block in response.json()["content"]]
                self.assertEqual(kinds, ["thinking", "text"] if shown else ["text"])
                self.assertEqual(response.get("x-relay-loss"), losses)
                self.assertEqual(b"e.example" in self.a.of(f"up-{model}")[0].raw, not shown)

    def test_each_capability_of_an_upstream_model(self):
        """What is sent with it, and without."""
        effort = {"reasoning_effort": "high"}
        history = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y", "reasoning_content": "hm"},
                   {"role": "user", "content": "z"}]
        free = {"tools": [{"type": "custom", "name": "patch"}], "input": "x"}
        for name, members, read, expected in (
                ("free", free, lambda sent: sent["tools"][0]["type"], ("custom", "function")),
                ("effortless", effort, lambda sent: "reasoning" in sent, (False, True)),
                ("unsealed", effort, lambda sent: "include" in sent, (False, True)),
                ("remembering", {"messages": history}, lambda sent: any(item["type"] == "reasoning" for item in sent["input"]),
                 (True, False))):
            client, other, _ = CAPABLE[name]
            for model, wanted in zip((name, self.gateway.take(pool(client, other))), expected):
                with self.subTest(model=model):
                    self.check_answer(self.gateway.post(client.path, ask(client, model, **members)), client)
                    self.assertEqual(read(self.a.of(f"up-{model}")[0].document), wanted)

    @each_pair
    def test_a_large_request_and_answer(self, client, other, model):
        big = "x" * (3 << 20)
        self.a.script(f"up-{model}", json_answer(200, other.document("m", big)))
        response = self.gateway.post(client.path, ask(client, model, **said(client, big)))
        (sent,) = self.a.of(f"up-{model}")
        self.assertEqual(sent.document, {**sent.document, **said(other, big)})
        self.check_answer(response, client, big)

    @each_pair
    def test_the_record(self, client, other, model):
        self.check_answer(self.gateway.post(client.path, ask(client, model, user_extension="canary")), client)
        eventually(lambda: self.lines_of(model), "a line in the access log")
        (line,) = self.lines_of(model)
        self.assertEqual((line["protocol"], line["attempts"][0]["egress_protocol"]), (client.id, other.id))
        self.assertEqual((line["usage"]["input"], line["usage"]["output"]), (9, 2))
        self.assertIn("extension_members=user_extension", line["losses"])
        self.assertNotIn("canary", json.dumps(line))


if __name__ == "__main__":
    unittest.main()
