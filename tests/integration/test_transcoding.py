"""Paths of a mount that are asked for in another protocol: their own terms of loss, credentials, query, limits and bounds."""
import json
import threading

from harness import (CHAT, CLOSE, MESSAGES, RESET, RESPONSES, Answer, Config, GatewayTest, eventually, exchange, json_answer, raw_answer, sse_answer,
                     sse_head)

METADATA = [("x-relay-include-metadata", "1")]
ROUTE = "chat-completions@/v1/chat/completions=messages@/v1/messages"


class Transcoding(GatewayTest):
    """BC-065"""

    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config()
        claude = {"transcode_messages_chat": "yes"}
        config.mount("claude", cls.up, prefix="/claude", secret="SECRET-mount", **claude,
                     transcode_model="claude-x=qwen", transcode_allow_client_query="api-version")
        config.mount("open", cls.up, prefix="/open", **claude, transcode_auth_source="inbound", transcode_auth="api-key",
                     transcode_chat_capability="image_input", transcode_max_request="4KiB", transcode_max_response="32KiB",
                     transcode_max_frame="32KiB")
        config.mount("plain", cls.up, prefix="/plain", **claude, transcode_chat_capability="!provider_reasoning_thinking")
        config.mount("strict", cls.up, prefix="/strict", **claude, transcode_strict_defaults="yes")
        config.mount("codex", cls.up, prefix="/codex", transcode_responses_chat="yes")
        config.mount("free", cls.up, prefix="/free", transcode_responses_chat="yes", transcode_chat_capability="custom_tools")
        config.mount("responses", cls.up, prefix="/responses", transcode_messages_responses="yes",
                     transcode_allow_loss="tool_schema_strictness")
        config.mount("back", cls.up, prefix="/back", transcode_route=ROUTE, concurrency=1, queue_depth=1)
        return config

    def ask(self, mount, model, protocol=MESSAGES, stream=False, query="", headers=(), **members):
        return self.gateway.post(f"/{mount}{protocol.path}{query}", protocol.body(model, stream, **{protocol.limit: 16}, **members),
                                 METADATA + list(headers))

    def lines_of(self, model):
        lines = [json.loads(line) for line in list(self.gateway.out) if line.startswith("{")]
        return [line for line in lines if line.get("requested_model") == model]

    def sent(self, model):
        (request,) = self.up.of(model)
        return request

    def test_whole_answers_and_streams_both_ways(self):
        for mount, client, other in (("claude", MESSAGES, CHAT), ("back", CHAT, MESSAGES), ("codex", RESPONSES, CHAT),
                                     ("responses", MESSAGES, RESPONSES)):
            for stream in (False, True):
                with self.subTest(mount=mount, stream=stream):
                    model = f"m-{mount}-{stream}"
                    response = self.ask(mount, model, client, stream)
                    self.check_answer(response, client)
                    self.assertEqual(self.sent(model).path, other.path)
                    self.assertEqual(self.sent(model).stream, stream)
                    self.assertEqual(response.get("x-relay-egress-protocol"), other.id)
                    self.assertEqual(response.get("x-relay-translated"), "true")
                    if stream:
                        self.assertTrue(client.is_end(response.events()[-1]))

    def test_only_its_path_is_translated(self):
        for method, path in (("POST", "/v1/messages/count_tokens"), ("POST", "/v1/messages/"), ("GET", "/v1/messages"),
                             ("POST", "/v2/v1/messages")):
            before = len(self.up.requests)
            response = exchange(self.gateway.port, method, "/claude" + path, b'{"model":"n"}' if method == "POST" else None)
            self.assertEqual(response.status, 200)
            self.assertEqual((self.up.requests[before].method, self.up.requests[before].target), (method, path))
            self.assertIsNone(response.get("x-relay-translated"))

    def test_names_of_models(self):
        self.check_answer(self.ask("claude", "claude-x"), MESSAGES)
        self.assertEqual(len(self.up.of("qwen")), 1)
        self.assertEqual(self.up.of("claude-x"), [])

    def test_exactly_one_credential(self):
        client = [("Authorization", "Bearer CANARY"), ("X-Api-Key", "CANARY"), ("Cookie", "CANARY"),
                  ("X-Forwarded-For", "CANARY"), ("Anthropic-Version", "2020-01-01"), ("Idempotency-Key", "once")]
        for mount, field, value in (("claude", "authorization", "Bearer SECRET-mount"), ("open", "api-key", "CANARY"),
                                    ("plain", None, None)):
            with self.subTest(mount=mount):
                model = f"auth-{mount}"
                self.check_answer(self.ask(mount, model, headers=client), MESSAGES)
                request = self.sent(model)
                self.assertEqual(request.raw.count(b"CANARY"), 1 if mount == "open" else 0, request)
                self.assertEqual(request.raw.count(b"SECRET"), 1 if mount == "claude" else 0)
                if field:
                    self.assertEqual(request.all(field), [value])
                self.assertEqual(request.all("anthropic-version"), [])
                self.assertEqual(request.all("idempotency-key"), ["once"])

    def test_the_query(self):
        response = self.ask("claude", "query", query="?beta=true&api-version=2&trace=1&key=CANARY")
        self.check_answer(response, MESSAGES)
        self.assertEqual(self.sent("query").query, "beta=true&api-version=2")
        self.assertEqual(response.get("x-relay-loss"), "client_query=trace")
        error = self.check_error(self.ask("strict", "query-strict", query="?beta=true"), 400, MESSAGES, "untranslatable")
        self.assertIn("?beta", error["message"])

    def test_losses_are_told_where_they_are_approved(self):
        response = self.ask("claude", "told", thinking={"type": "enabled", "budget_tokens": 2000}, tools=[
            {"type": "web_search_20250305", "name": "web_search"}])
        self.check_answer(response, MESSAGES)
        self.assertEqual(response.get("x-relay-loss"), "builtin_tools=tools.web_search_20250305, request_reasoning=thinking")
        eventually(lambda: self.lines_of("told"), "a line in the access log")
        (line,) = self.lines_of("told")
        self.assertEqual(line["losses"], response.get("x-relay-loss"))
        self.assertEqual((line["protocol"], line["attempts"][0]["egress_protocol"]), (MESSAGES.id, CHAT.id))

    def test_losses_are_refused_by_name_where_they_are_not(self):
        image = [{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://e.example/a"}}]}]
        for mount, member, members in (("claude", "novelty", {"novelty": 1}), ("claude", "messages.image", {"messages": image}),
                                       ("claude", "stop_sequences", {"stop_sequences": ["x"]}),
                                       ("strict", "thinking", {"thinking": {"type": "enabled", "budget_tokens": 2000}})):
            with self.subTest(mount=mount, member=member):
                model = f"refused-{member}"
                error = self.check_error(self.ask(mount, model, **members), 400, MESSAGES, "untranslatable")
                self.assertIn(f"'{member}'", error["message"])
                self.assertEqual(self.up.of(model), [])
        self.check_answer(self.ask("open", "image", messages=image), MESSAGES)
        error = self.check_error(self.ask("back", "two", CHAT, n=2), 400, CHAT, "untranslatable")
        self.assertEqual(error["param"], "n")

    def test_continuations_are_refused_by_name(self):
        for members, member in (({"previous_response_id": "resp_1"}, "previous_response_id"), ({"background": True}, "background")):
            with self.subTest(member=member):
                error = self.check_error(self.ask("codex", member, RESPONSES, **members), 400, RESPONSES, "untranslatable")
                self.assertEqual(error["param"], member)
                self.assertEqual(self.up.of(member), [])

    def test_tools_of_free_text_where_the_upstream_takes_them(self):
        for mount, kind in (("codex", "function"), ("free", "custom")):
            with self.subTest(mount=mount):
                model = f"patches-{mount}"
                self.check_answer(self.ask(mount, model, RESPONSES, tools=[{"type": "custom", "name": "patch"}]), RESPONSES)
                self.assertEqual(self.sent(model).document["tools"][0]["type"], kind)

    def test_losses_of_an_answer(self):
        document = CHAT.document("m", "Hello world")
        document["choices"][0]["message"]["reasoning"] = "hm"
        self.up.script("thinks", json_answer(200, document))
        error = self.check_error(self.ask("plain", "thinks"), 502, MESSAGES, "untranslatable")
        self.assertIn("content.reasoning", error["message"])
        shown = self.ask("claude", "thinks").json()["content"]
        self.assertEqual(shown[0], {"type": "thinking", "thinking": "hm", "signature": "wm1.none."})
        self.up.script("streams", sse_answer([CHAT.word("m", "a"), CHAT.chunk("m", {"reasoning": "hm"})] + CHAT.stream("m", [])))
        self.check_error_end(self.ask("plain", "streams", stream=True).events(), MESSAGES)

    def test_refusals_of_the_upstream_in_the_clients_words(self):
        for status, kind in ((400, "invalid_request_error"), (429, "rate_limit_error"), (500, "server_error")):
            with self.subTest(status=status):
                model = f"refuses-{status}"
                refusal = json_answer(status, CHAT.error_document("context too long by SECRET-mount", kind), [("Retry-After", "7")])
                self.up.script(model, refusal)
                response = self.ask("claude", model)
                error = self.check_error(response, status, MESSAGES, by_gateway=False)
                self.assertEqual(error["message"], "context too long by [redacted]")
                self.assertEqual(response.get("retry-after"), "7")

    def test_answers_that_break_their_contract(self):
        whole, stream = json_answer(200, CHAT.document("m", "x")), sse_answer(CHAT.stream("m", ["x"]))
        for name, answer, streamed in (("a stream", stream, False), ("a document", whole, True),
                                       ("another document", json_answer(200, {"hello": 1}), False),
                                       ("half a document", raw_answer(200, b'{"id":"c1","choi'), False),
                                       ("garbage", sse_answer([b"data: {broken\n\n"]), True),
                                       ("a reset", Answer(sse_head(), RESET), True)):
            with self.subTest(name):
                model = f"breaks-{name}"
                self.up.script(model, answer)
                self.check_error(self.ask("claude", model, stream=streamed), 502, MESSAGES, "upstream_failed")
                self.sent(model)  # once

    def test_a_stream_that_breaks_off_ends_as_its_protocol_has_it(self):
        for name, end in (("reset", RESET), ("cut", CLOSE), ("end", b"0\r\n\r\n")):
            with self.subTest(name):
                self.up.script(f"cut-{name}", sse_answer(CHAT.preamble("m") + [CHAT.word("m", "Hello")], end=end))
                response = self.ask("claude", f"cut-{name}", stream=True)
                self.check_error_end(response.events(), MESSAGES)

    def test_bounds(self):
        self.check_error(self.ask("open", "large", metadata={"user_id": "x" * 5000}), 413, MESSAGES, "body_too_large")
        self.up.script("long", json_answer(200, CHAT.document("m", "x" * 40_000)))
        self.check_error(self.ask("open", "long"), 502, MESSAGES, "upstream_failed")
        self.assertEqual(self.ask("claude", "long").status, 200)
        begun = CHAT.preamble("m") + [CHAT.word("m", "a")]
        self.up.script("long event", sse_answer(begun + [CHAT.word("m", "x" * 40_000)] + CHAT.stream("m", [])))
        self.check_error_end(self.ask("open", "long event", stream=True).events(), MESSAGES)
        self.assertTrue(MESSAGES.finished(self.ask("claude", "long event", stream=True).events()))

    def test_a_translated_path_is_limited_like_any_other(self):
        release = threading.Event()
        self.up.script("slow", Answer(sse_head(), release, CLOSE))
        with self.gateway.connect() as first:
            first.request("POST", f"/back{CHAT.path}", CHAT.body("slow", True))
            self.up.wait_for(1, "slow")
            with self.gateway.connect() as second:
                second.request("POST", f"/back{CHAT.path}", CHAT.body("waits"))
                self.gateway.wait_waiting(1)
                self.check_error(self.ask("back", "third", CHAT), 429, CHAT, "queue_full")
                self.assertEqual(self.up.of("waits"), [])
                release.set()
                self.check_answer(second.response(), CHAT)
