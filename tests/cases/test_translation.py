"""C01 to C37, C58: what one protocol's client says to another's provider, and what it gets back."""
import json
import unittest

from cases import CASES
from harness import CHAT, MESSAGES, PROTOCOLS, RESET, RESPONSES, Config, GatewayTest, json_answer, sse_answer

FUNCTION = {"type": "function", "function": {"name": "get_temp", "parameters": {"type": "object", "properties": {}}}}


def routes():
    return ((client, other) for client in PROTOCOLS for other in PROTOCOLS if client is not other)


class Translation(GatewayTest):
    @classmethod
    def configure(cls):
        cls.up = cls.upstream()
        config = Config()
        for client, other in routes():
            config.backend(f"{client.id}-{other.id}", cls.up, other)
            config.pool(f"{client.id}-to-{other.id}-", 40, [f"{client.id}-{other.id}"])
        for protocol in PROTOCOLS:
            config.backend(protocol.id, cls.up, protocol).pool(f"native-{protocol.id}-", 10, [protocol.id])
        return config

    def send(self, client, other, document, answer=None):
        """The client's answer, and what the provider was sent."""
        model = self.gateway.take(f"{client.id}-to-{other.id}-")
        if answer:
            self.up.script(f"up-{model}", answer)
        response = self.gateway.post(client.path, json.dumps({**document, "model": model}).encode())
        sent = self.up.of(f"up-{model}")
        return response, sent[-1].document if sent else None

    def sent(self, client, other, document):
        response, sent = self.send(client, other, document)
        self.assertEqual(response.status, 200, response)
        return sent

    def streamed(self, client, other, stream, end=b"0\r\n\r\n", **members):
        """`stream` is text, or the pieces it comes in."""
        model = self.gateway.take(f"{client.id}-to-{other.id}-")
        pieces = [stream.encode()] if isinstance(stream, str) else stream
        self.up.script(f"up-{model}", sse_answer(pieces, end=end))
        response = self.gateway.ask(client, model, True, **members)
        self.assertEqual(response.status, 200, response)
        return response.events()

    def blocks(self, stream, other=CHAT):
        """A Messages stream, checked to be well-formed: its blocks, why it stopped, its usage."""
        events = [json.loads(e.data) for e in self.streamed(MESSAGES, other, stream)]
        self.assertEqual((events[0]["type"], events[-1]["type"]), ("message_start", "message_stop"), events)
        blocks, open_block = [], None
        for event in events:
            if event["type"] == "content_block_start":
                self.assertEqual((event["index"], open_block), (len(blocks), None))
                open_block = event["index"]
                blocks.append({**event["content_block"], "pieces": []})
            elif event["type"] == "content_block_delta":
                self.assertEqual(event["index"], open_block)
                (piece,) = (v for k, v in event["delta"].items() if k != "type")
                blocks[-1]["pieces"].append(piece)
            elif event["type"] == "content_block_stop":
                self.assertEqual(event["index"], open_block)
                open_block = None
        (last,) = [e for e in events if e["type"] == "message_delta"]
        return blocks, last["delta"], last["usage"]

    # ---- requests ------------------------------------------------------------------------------------------------

    def test_C01_results_of_parallel_calls_are_one_turn(self):
        given = CASES["C01"]["client_request"]
        _, assistant, user = self.sent(CHAT, MESSAGES, given)["messages"]
        self.assertEqual([(b["type"], b["id"], b["input"]) for b in assistant["content"]],
                         [("tool_use", "call_a", {"city": "Oslo"}), ("tool_use", "call_b", {"city": "Rome"})])
        self.assertEqual([(b["type"], b.get("tool_use_id") or b["text"]) for b in user["content"]],
                         [("tool_result", "call_a"), ("tool_result", "call_b"), ("text", "Compare them.")])

    def test_C02_no_empty_text_beside_calls(self):
        given = CASES["C02"]
        for content in given["variants_of_assistant_content"]:
            with self.subTest(content=content):
                request = json.loads(json.dumps(given["client_request"]))
                request["messages"][1]["content"] = content
                _, assistant, user = self.sent(CHAT, MESSAGES, request)["messages"]
                self.assertEqual([b["type"] for b in assistant["content"]], ["tool_use"])
                (result,) = user["content"]
                self.assertEqual((result["tool_use_id"], result.get("content", "")), ("call_a", ""))

    def test_C04_what_cannot_be_asked_is_refused(self):
        given = CASES["C04"]["client_request"]
        response, sent = self.send(CHAT, MESSAGES, given)
        self.assertIn(self.check_error(response, 400, CHAT, "untranslatable")["param"], ("n", "logprobs"))
        self.assertIsNone(sent)
        rest = {k: v for k, v in given.items() if k not in ("n", "logprobs", "top_logprobs")}
        sent = self.sent(CHAT, MESSAGES, rest)
        self.assertEqual((sent["temperature"], sent["top_p"]), (0.2, 0.9))

    def test_C05_results_follow_their_calls(self):
        messages = self.sent(MESSAGES, CHAT, CASES["C05"]["client_request"])["messages"]
        self.assertEqual([m["role"] for m in messages], ["user", "assistant", "tool", "tool", "user"])
        self.assertEqual([c["id"] for c in messages[1]["tool_calls"]], ["t1", "t2"])
        self.assertEqual([(m["tool_call_id"], m["content"]) for m in messages[2:4]],
                         [("t1", "3"), ("t2", "[tool_result_error] ")])
        self.assertEqual([p["text"] for p in messages[4]["content"]], ["and hurry", "please"])

    def test_C06_system_as_blocks_and_in_between(self):
        given = CASES["C06"]["client_request"]
        first, second = (self.sent(MESSAGES, CHAT, given) for _ in range(2))
        self.assertEqual({**first, "model": ""}, {**second, "model": ""})
        system = first["messages"][0]
        self.assertEqual(system["role"], "system")
        self.assertEqual(system["content"], "You are terse.\n\nUse metric.\n\nReminder: answer in French.")
        self.assertEqual([m["role"] for m in first["messages"][1:]], ["user", "user"])
        self.assertNotIn("cache_control", json.dumps(first))
        input_ = self.sent(MESSAGES, RESPONSES, given)["input"]
        self.assertEqual([item["role"] for item in input_], ["system", "user", "system", "user"])

    def test_C07_stop_sequences(self):
        given = CASES["C07"]
        for variant, wanted in (({}, ("stop_sequence", "###")), ({"stop_reason": None}, ("end_turn", None)),
                                ({"stop_reason": 128001}, ("end_turn", None)),
                                ({"stop_reason": None, "matched_stop": "###"}, ("stop_sequence", "###"))):
            with self.subTest(variant):
                answer = json.loads(json.dumps(given["upstream_response"]))
                answer["choices"][0].update(variant)
                response, sent = self.send(MESSAGES, CHAT, given["client_request"], json_answer(200, answer))
                self.assertEqual(sent["stop"], ["###"])
                document = response.json()
                self.assertEqual((document["stop_reason"], document["stop_sequence"]), wanted)
        response, sent = self.send(MESSAGES, CHAT, {**given["client_request"], "stop_sequences": list("abcde")})
        self.check_error(response, 400, MESSAGES, "untranslatable")
        self.assertIsNone(sent)

    def test_C09_the_developer_is_the_system(self):
        given = CASES["C09"]["client_request"]
        messages = self.sent(RESPONSES, CHAT, given)["messages"]
        self.assertEqual(messages, [{"role": "system", "content": "Be terse.\n\nUse metric."},
                                    {"role": "user", "content": "How tall is 6ft?"}])
        sent = self.sent(RESPONSES, MESSAGES, given)
        self.assertEqual([b["text"] for b in sent["system"]], ["Be terse.", "Use metric."])

    def test_C12_no_developer_is_dropped(self):
        sent = self.sent(CHAT, RESPONSES, CASES["C12"]["client_request"])
        self.assertEqual(sent["instructions"], "A.")
        self.assertEqual([(item["role"], item["content"]) for item in sent["input"]], [
            ("developer", [{"type": "input_text", "text": "B."}]), ("user", [{"type": "input_text", "text": "hi"}]),
            ("assistant", [{"type": "output_text", "text": "yo"}]), ("developer", [{"type": "input_text", "text": "C."}]),
            ("user", [{"type": "input_text", "text": "go"}])])

    def test_C29_schemas_of_tools(self):
        given = CASES["C29"]
        whole = {"type": "object", "properties": {}}
        tools = self.sent(CHAT, MESSAGES, {**CHAT.ask("m"), "tools": given["tools"]})["tools"]
        self.assertEqual([t["input_schema"] for t in tools[:3]], [whole] * 3)
        wanted = given["tools"][3]["function"]["parameters"]
        self.assertEqual(json.dumps(tools[3]["input_schema"]), json.dumps(wanted))
        self.assertEqual(tools[4]["input_schema"], {"type": "object", "properties": {"x": {"type": "string"},
                                                                                   "y": {"type": "string"}}})
        for other in (CHAT, RESPONSES):
            (tool,) = self.sent(MESSAGES, other, {**MESSAGES.ask("m"), "tools": [given["reverse"]["messages_tool"]]})["tools"]
            self.assertEqual(tool.get("function", tool)["parameters"], whole)
        for strict in (None, True, False):
            function = {"name": "f", "parameters": whole, **({} if strict is None else {"strict": strict})}
            (tool,) = self.sent(CHAT, RESPONSES, {**CHAT.ask("m"), "tools": [{"type": "function", "function": function}]})["tools"]
            self.assertIs(tool["strict"], bool(strict))

    def test_C32_media_in_results(self):
        given = CASES["C32"]
        tail = {"max_tokens": 64, "messages": [{"role": "user", "content": "x"}, *given["a"]["tail"]]}
        messages = self.sent(MESSAGES, CHAT, tail)["messages"]
        self.assertEqual([m["role"] for m in messages], ["user", "assistant", "tool", "tool", "user"])
        self.assertEqual([(m["tool_call_id"], m["content"]) for m in messages[2:4]],
                         [("t1", "page"), ("t2", "[in the next message of the user]")])
        self.assertEqual([p["type"] for p in messages[4]["content"]], ["text", "image_url", "text", "file"])
        self.assertEqual([p["text"] for p in messages[4]["content"][::2]], ["[result of t1]", "[result of t2]"])
        results = self.sent(MESSAGES, RESPONSES, tail)["input"][-2:]
        self.assertEqual([[p["type"] for p in r["output"]] for r in results],
                         [["input_text", "input_image"], ["input_file"]])
        call = {"id": "t1", "type": "function", "function": {"name": "shot", "arguments": "{}"}}
        sent = self.sent(CHAT, MESSAGES, {"messages": [{"role": "user", "content": "x"},
                                                       {"role": "assistant", "content": None, "tool_calls": [call]},
                                                       given["b"]["tool_message"]]})
        (result,) = sent["messages"][-1]["content"]
        self.assertEqual([b["type"] for b in result["content"]], ["text", "image"])
        self.assertEqual(result["content"][1]["source"],
                         {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="})

    def test_C58_numbers_and_order_stay(self):
        text = CASES["C58"]["tool_arguments_text"]
        call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": text}}
        request = {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": None, "tool_calls": [call]},
                                {"role": "tool", "tool_call_id": "c1", "content": "y"}], "max_tokens": 16,
                   "tools": [{"type": "function", "function": {"name": "f", "parameters": {
                       "type": "object", "properties": {"z": {}, "a": {}, "m": {}}}}}]}
        for other in (MESSAGES, RESPONSES):
            with self.subTest(other.id):
                bodies = set()
                for _ in range(10):
                    model = self.gateway.take(f"{CHAT.id}-to-{other.id}-")
                    self.assertEqual(self.gateway.post(CHAT.path, json.dumps({**request, "model": model}).encode()).status, 200)
                    (sent,) = self.up.of(f"up-{model}")
                    bodies.add(sent.body.replace(f"up-{model}".encode(), b"m"))
                (body,) = bodies
                wanted = text if other is MESSAGES else json.dumps(text, ensure_ascii=False)
                self.assertIn(wanted.encode(), body)
                order = [body.index(b'"%s": {}' % name) for name in (b"z", b"a", b"m")]
                self.assertEqual(order, sorted(order))

    # ---- answers -------------------------------------------------------------------------------------------------

    def test_C11_the_life_of_items(self):
        given = CASES["C11"]
        members = {k: v for k, v in given["client_request"].items() if k not in ("model", "stream")}
        events = self.streamed(RESPONSES, CHAT, given["upstream_stream"], **members)
        documents = [json.loads(e.data) for e in events]
        self.assertEqual([e.name for e in events], [d["type"] for d in documents])
        self.assertEqual([d["sequence_number"] for d in documents], list(range(len(documents))))
        self.assertEqual([d["type"].removeprefix("response.") for d in documents], [
            "created", "in_progress", "output_item.added", "content_part.added", "output_text.delta", "output_text.delta",
            "output_text.done", "content_part.done", "output_item.done", "output_item.added",
            "function_call_arguments.delta", "function_call_arguments.done", "output_item.done", "completed"])
        self.assertEqual((documents[6]["text"], documents[11]["arguments"]), ("Check", "{}"))
        self.assertEqual([d["output_index"] for d in documents[2:13]], [0] * 7 + [1] * 4)
        final = documents[-1]["response"]
        self.assertEqual([item["type"] for item in final["output"]], ["message", "function_call"])
        self.assertEqual(final["output"][1]["call_id"], "call_a")
        self.assertEqual({documents[9]["item"]["id"], documents[12]["item"]["id"], documents[10]["item_id"]},
                         {final["output"][1]["id"]})
        self.assertNotEqual(final["output"][1]["id"], "call_a")
        self.assertEqual(final["usage"], {"input_tokens": 7, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
                                          "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 12})

    def test_C15_blocks_keep_their_indexes(self):
        """Reasoning without a signature is not shown on served models: what is left is contiguous."""
        blocks, delta, usage = self.blocks(CASES["C15"]["upstream_stream"], RESPONSES)
        self.assertEqual([(b["type"], "".join(b["pieces"])) for b in blocks], [("tool_use", "{}"), ("text", "ok")])
        self.assertEqual((blocks[0]["id"], delta["stop_reason"]), ("call_a", "tool_use"))
        self.assertEqual(usage, {"input_tokens": 1, "output_tokens": 4})

    def test_C16_characters_split_over_reads(self):
        """No finish_reason is in the case's stream, so what follows its last event is the gateway's own error."""
        chunks = [bytes.fromhex(c) for c in CASES["C16"]["upstream_body_chunks_hex"]]
        whole = b"".join(chunks)
        for client in (RESPONSES, MESSAGES):
            for pieces in (chunks, [whole[i:i + 1] for i in range(len(whole))], [whole]):
                with self.subTest(client=client.id, pieces=len(pieces)):
                    said = [client.delta(e) for e in self.streamed(client, CHAT, pieces) if not client.is_error(e)]
                    self.assertEqual("".join(said), "\u5317\U0001f642")

    def test_C19_ends_in_every_clients_protocol(self):
        for client in (RESPONSES, MESSAGES):
            events = self.streamed(client, CHAT, CASES["C19"]["a_upstream_stream"])
            self.assertTrue(client.is_end(events[-1]))
            self.assertEqual("".join(client.delta(e) for e in events), "A")
            for end in (b"0\r\n\r\n", RESET, "close"):
                with self.subTest(client=client.id, end=end):
                    events = self.streamed(client, CHAT, CASES["C19"]["b_upstream_stream"], end)
                    self.check_error_end(events, client)
                    self.assertEqual("".join(client.delta(e) for e in events if not client.is_error(e)), "AB")

    def test_C21_usage_wherever_it_comes(self):
        for row, text, usage in (("a", "A", {"input_tokens": 9, "output_tokens": 1}), ("b", "A", {"input_tokens": 0, "output_tokens": 0}),
                                 ("c", "AB", {"input_tokens": 9, "output_tokens": 2}), ("d", "A", {"input_tokens": 0, "output_tokens": 0})):
            with self.subTest(row):
                blocks, delta, counted = self.blocks(CASES["C21"][row])
                self.assertEqual(["".join(b["pieces"]) for b in blocks], [text])
                self.assertEqual((delta["stop_reason"], counted), ("end_turn", usage))

    def test_C23_empty_members_are_absent(self):
        blocks, delta, _ = self.blocks(CASES["C23"]["upstream_stream"])
        self.assertEqual([(b["type"], b["pieces"]) for b in blocks], [("text", ["Hel", "lo"])])
        self.assertEqual(delta["stop_reason"], "end_turn")

    def test_C25_whole_calls_without_an_index(self):
        given = CASES["C25"]["upstream_stream"]
        for stream in (given, given.replace('"tool_calls":[{', '"tool_calls":[{"index":0,')):
            blocks, delta, _ = self.blocks(stream)
            self.assertEqual([(b["id"], b["input"], json.loads("".join(b["pieces"]))) for b in blocks],
                             [("g1", {}, {"city": "Oslo"}), ("g2", {}, {"city": "Rome"})])
            self.assertEqual(delta["stop_reason"], "tool_use")

    def test_C27_each_call_has_an_id_of_its_own(self):
        given = CASES["C27"]
        document = CHAT.document("m", None)
        document["choices"][0]["message"]["tool_calls"] = given["a"]["upstream_tool_calls"]
        document["choices"][0]["finish_reason"] = "tool_calls"
        for client in (MESSAGES, RESPONSES):
            with self.subTest(client.id):
                response, _ = self.send(client, CHAT, client.ask("m"), json_answer(200, document))
                answer = response.json()
                ids = [b["id"] for b in answer["content"]] if client is MESSAGES else [i["call_id"] for i in answer["output"]]
                self.assertEqual((len(ids), len(set(ids)), ids[0]), (3, 3, "call_1"))
                for one in ids:
                    self.assertRegex(one, r"^[a-zA-Z0-9_-]+$")
        sent = self.sent(CHAT, MESSAGES, {"messages": [{"role": "user", "content": "x"}, given["b"]["assistant_message"],
                                                       {"role": "tool", "tool_call_id": "t1", "content": "3"}]})
        self.assertEqual([(b["type"], b["id"]) for b in sent["messages"][1]["content"]], [("tool_use", "t1")])

    def test_C30_signed_thinking_goes_back(self):
        """A Responses client carries the signature in `encrypted_content`; a chat client has no member for it."""
        given = CASES["C30"]
        events = self.streamed(RESPONSES, MESSAGES, given["turn1_upstream_stream"])
        output = json.loads(events[-1].data)["response"]["output"]
        self.assertEqual([item["type"] for item in output], ["reasoning", "function_call"])
        told = [{"role": "user", "content": "hi"}, *output, {"type": "function_call_output", "call_id": "t1", "output": "3"}]
        sent = self.sent(RESPONSES, MESSAGES, {"input": told, "max_output_tokens": 16})
        self.assertEqual(sent["messages"][1]["content"], [
            {"type": "thinking", "thinking": "plan", "signature": "c2ln+/=="},
            {"type": "tool_use", "id": "t1", "name": "get_temp", "input": {"city": "Oslo"}}])
        sent = self.sent(CHAT, MESSAGES, {"messages": [{"role": "user", "content": "hi"}, *given["turn2_client_tail"]]})
        self.assertNotIn("thinking", json.dumps(sent))

    def test_C34_usage_in_two_events(self):
        for row in CASES["C34"]["cases"]:
            with self.subTest(row=row["want"]):
                start = {**MESSAGES.document("m", ""), "content": [], "stop_reason": None, "usage": row["start"]}
                stream = [MESSAGES.typed({"type": "message_start", "message": start}), *MESSAGES.preamble("m")[1:],
                          MESSAGES.word("m", "x"), MESSAGES.typed({"type": "content_block_stop", "index": 0})]
                for delta in row["deltas"]:
                    stream.append(MESSAGES.typed({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": delta}))
                stream.append(MESSAGES.typed({"type": "message_stop"}))
                events = self.streamed(CHAT, MESSAGES, b"".join(stream).decode(), stream_options={"include_usage": True})
                self.assertEqual(events[-1].data, "[DONE]")
                usage = json.loads(events[-2].data)["usage"]
                found = {"prompt": usage["prompt_tokens"], "completion": usage["completion_tokens"],
                         "cached": usage.get("prompt_tokens_details", {}).get("cached_tokens", 0)}
                self.assertEqual(found, row["want"])

    def test_C35_errors_in_the_callers_shape(self):
        for client, other in routes():
            given = CASES["C35"]["upstream_anthropic" if other is MESSAGES else "upstream_openai"]
            for stream in (False, True):
                with self.subTest(client=client.id, upstream=other.id, stream=stream):
                    answer = json_answer(given["status"], given["body"], list(given.get("headers", {}).items()))
                    response, _ = self.send(client, other, {**client.ask("m"), "stream": stream}, answer)
                    if other is not MESSAGES:  # a 404's text is the gateway's own
                        error = self.check_error(response, 429, client, by_gateway=False)
                        self.assertIn("slow down", error["message"])
                        self.assertEqual(response.get("retry-after"), "7")
                    elif client is MESSAGES:
                        self.check_error(response, 404, client)
                    else:
                        self.assertEqual(response.status, 404)

    def test_C37_refusals_and_filters_are_no_normal_ends(self):
        for row, finish in zip(CASES["C37"]["anthropic_to_chat"], ("content_filter", "length", "stop", "stop")):
            for client in (CHAT, RESPONSES):
                with self.subTest(stop=row["stop_reason"], client=client.id):
                    document = {**MESSAGES.document("m", "par"), **row}
                    response, _ = self.send(client, MESSAGES, client.ask("m"), json_answer(200, document))
                    answer = response.json()
                    if client is CHAT:
                        choice = answer["choices"][0]
                        self.assertEqual(choice["finish_reason"], finish)
                        self.assertEqual(choice["message"]["refusal"], "policy" if "stop_details" in row else None)
                    else:
                        self.assertEqual(answer["status"], "incomplete" if finish == "length" else "completed")
        for row, text in zip(CASES["C37"]["chat_to_messages"], ("par", "I can't help.")):
            document = CHAT.document("m", "x")
            document["choices"][0].update(row)
            response, _ = self.send(MESSAGES, CHAT, MESSAGES.ask("m"), json_answer(200, document))
            answer = response.json()
            self.assertEqual(([b["text"] for b in answer["content"]], answer["stop_reason"]), ([text], "refusal"))


if __name__ == "__main__":
    unittest.main()
