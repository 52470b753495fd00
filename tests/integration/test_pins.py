"""What only the credential that made it can use: what continues it goes there, and nowhere else."""
import base64
import functools
import json
import unittest

from harness import CHAT, MESSAGES, RESPONSES, Config, Gateway, GatewayTest, exchange, json_answer, sse_answer

METADATA = [("x-relay-include-metadata", "1")]
SEALED = "gAAAAAB-only-this-organisation-can-read-it"


def made(model, response, items=(), conversation=None, status="completed"):
    """An answer with ids of its own, as providers give them."""
    document = RESPONSES.document(model, "Hello world", status)
    document["id"] = response
    document["output"][0]["id"] = "msg_of_" + response
    document["output"] += list(items)
    if conversation:
        document["conversation"] = {"id": conversation}
    return document


def streamed(document):
    frames = RESPONSES.numbered([
        {"type": "response.created", "response": {**document, "status": "in_progress", "output": []}},
        *[{"type": "response.output_item.done", "output_index": i, "item": item} for i, item in enumerate(document["output"])],
        {"type": "response.completed", "response": document}])
    return sse_answer(frames)


class Maker:
    """An Upstream's `always`: every answer has a response id of its own, `resp_NAME_1` and so on."""

    def __init__(self, name, items=(), conversation=None):
        self.name, self.items, self.conversation, self.count = name, items, conversation, 0

    def __call__(self, request):
        self.count += 1
        document = made(request.model, f"resp_{self.name}_{self.count}", self.items, self.conversation)
        return streamed(document) if request.stream else json_answer(200, document)


FAILS = json_answer(503, {"error": {"message": "down", "type": "server_error", "param": None, "code": None}})
BAD_ID = json_answer(400, {"error": {"message": "not here", "type": "invalid_request_error", "param": None,
                                     "code": "previous_response_not_found"}})


def config_of(a, b, c, d, **server):
    config = Config(admin_listen="127.0.0.1:0", **server).client("alice", "key-alice").client("bob", "key-bob")
    config.backend("a", a, RESPONSES).backend("b", b, RESPONSES)
    config.backend("c", c, RESPONSES, state_scope="org").backend("d", d, RESPONSES, state_scope="org")
    config.pool("layers-", 40, ["a"], ["b"])
    config.pool("equals-", 20, ["a", "b"])
    config.pool("scope-", 10, ["a"], ["c"], ["d"])
    config.pool("alone-", 5, ["a"]).pool("restart-", 2, ["a"], ["b"])
    return config


class Pins(GatewayTest):
    seconds = {"provider_transient": [60]}

    @classmethod
    def configure(cls):
        cls.a, cls.b, cls.c, cls.d = cls.ups = [cls.upstream() for _ in range(4)]
        item = {"id": "rs_b", "type": "reasoning", "summary": [], "encrypted_content": SEALED}
        ran = {"id": "ci_b", "type": "code_interpreter_call", "status": "completed", "container_id": "cntr_b", "code": ""}
        cls.a.always, cls.b.always = Maker("a"), Maker("b", [item, ran], "conv_b")
        cls.c.always, cls.d.always = Maker("c"), Maker("d")
        return config_of(*cls.ups)

    def ask(self, model, who="alice", stream=False, gateway=None, **members):
        return (gateway or self.gateway).post(
            RESPONSES.path, RESPONSES.body(model, stream, **members), [("authorization", f"Bearer key-{who}"), *METADATA])

    def by(self, response):
        """Which backend answered, and why."""
        self.assertEqual(response.status, 200, response)
        return response.get("x-relay-backend"), response.get("x-relay-selection-reason")

    def id_of(self, response):
        if response.get("content-type") == "application/json":
            return response.json()["id"]
        return json.loads(response.events()[0].data)["response"]["id"]

    def made_by_b(self, model, stream=False, **options):
        """The id of an answer that came from b, because a failed for this model, and for no other."""
        self.a.script(f"up-{model}", FAILS)
        first = self.ask(model, stream=stream, **options)
        self.assertEqual(self.by(first)[0], "b")
        return self.id_of(first)

    def test_a_response_is_continued_where_it_was_made(self):
        for stream in (False, True):
            for follow in (False, True):
                with self.subTest(stream=stream, follow=follow):
                    model, other = self.gateway.take("layers-"), self.gateway.take("layers-")
                    handle = self.made_by_b(model, stream)
                    # Of another model, whose a is not known to fail: its first layer would be taken.
                    self.assertEqual(self.by(self.ask(other))[0], "a")
                    for _ in range(3):
                        answer = self.ask(other, stream=follow, previous_response_id=handle)
                        self.assertEqual(self.by(answer), ("b", "pinned"))
                        handle = self.id_of(answer)

    def test_what_answers_hold_is_a_pin_too(self):
        self.made_by_b(self.gateway.take("layers-"))
        model = self.gateway.take("layers-")
        for members in ({"conversation": "conv_b"}, {"conversation": {"id": "conv_b"}},
                        {"input": [{"type": "item_reference", "id": "rs_b"}]},
                        {"input": [{"type": "reasoning", "id": "rs_x", "summary": [], "encrypted_content": SEALED}]},
                        {"input": [{"type": "reasoning", "id": "rs_b", "summary": []}]},
                        {"tools": [{"type": "code_interpreter", "container": "cntr_b"}]}):
            for stream in (False, True):
                with self.subTest(members=members, stream=stream):
                    self.assertEqual(self.by(self.ask(model, stream=stream, **members)), ("b", "pinned"))

    def test_among_equals(self):
        model = self.gateway.take("equals-")
        for _ in range(6):
            answer = self.ask(model)
            backend = self.by(answer)[0]
            handle = self.id_of(answer)
            for _ in range(4):
                self.assertEqual(self.by(self.ask(model, previous_response_id=handle)), (backend, "pinned"))

    def test_what_is_not_known_changes_nothing(self):
        model = self.gateway.take("layers-")
        answer = self.ask(model, previous_response_id="resp_of_yesterday")
        self.assertEqual(self.by(answer)[0], "a")
        self.assertNotEqual(self.by(answer)[1], "pinned")
        (sent,) = self.a.of(f"up-{model}")
        self.assertEqual(sent.document["previous_response_id"], "resp_of_yesterday")

    def test_who_took_a_handle_has_it(self):
        files = {"input": [{"role": "user", "content": [{"type": "input_file", "file_id": "file-uploaded-to-b"}]}]}
        model, other = self.gateway.take("layers-"), self.gateway.take("layers-")
        self.a.script(f"up-{model}", BAD_ID)
        self.assertEqual(self.by(self.ask(model, **files))[0], "b")
        self.assertEqual(self.by(self.ask(other, **files)), ("b", "pinned"))

    def test_another_principals_handle_does_nothing(self):
        model, other = self.gateway.take("layers-"), self.gateway.take("layers-")
        handle = self.made_by_b(model)
        stranger = self.ask(other, "bob", previous_response_id=handle)
        never = self.ask(other, "bob", previous_response_id="resp_that_never_was")
        self.assertEqual(self.by(stranger), self.by(never))
        self.assertEqual(self.by(stranger)[0], "a")
        # Nor did a, which answered the stranger, become the owner's holder.
        self.assertEqual(self.by(self.ask(other, previous_response_id=handle)), ("b", "pinned"))

    def test_a_scope_joins_credentials(self):
        model = self.gateway.take("scope-")
        self.a.script(f"up-{model}", FAILS)
        first = self.ask(model)
        self.assertEqual(self.by(first)[0], "c")
        other = self.gateway.take("scope-")
        self.c.script(f"up-{other}", FAILS)
        answer = self.ask(other, previous_response_id=self.id_of(first))
        self.assertEqual(self.by(answer), ("d", "pinned"))
        self.assertEqual(self.a.of(f"up-{other}"), [])

    def test_no_other_key_is_tried_for_it(self):
        model, other = self.gateway.take("layers-"), self.gateway.take("layers-")
        handle = self.made_by_b(model)
        self.b.script(f"up-{other}", FAILS)
        self.check_error(self.ask(other, previous_response_id=handle), 503, RESPONSES)
        self.assertEqual(self.a.of(f"up-{other}"), [])
        # Its circuit is open now: when it may be tried again is said, and a 404 of a wrong key is not.
        refused = self.ask(other, previous_response_id=handle)
        error = self.check_error(refused, 503, RESPONSES, "circuit_open")
        self.assertIn("holds what this request continues", error["message"])
        self.assertIn(int(refused.get("retry-after")), range(30, 61))
        self.assertEqual(self.a.of(f"up-{other}"), [])
        self.assertEqual(self.by(self.ask(other))[0], "a")

    def test_a_model_without_the_holder_goes_in_order(self):
        handle = self.made_by_b(self.gateway.take("layers-"))
        model = self.gateway.take("alone-")
        self.a.script(f"up-{model}", BAD_ID)
        error = self.check_error(self.ask(model, previous_response_id=handle), 400, RESPONSES, by_gateway=False)
        self.assertEqual(error["code"], "previous_response_not_found")

    def test_a_holder_that_does_not_know_it_is_asked_no_more(self):
        handle = self.made_by_b(self.gateway.take("layers-"))
        for answer in (BAD_ID, json_answer(404, {"error": {"message": "x", "type": "invalid_request_error", "code": None,
                                                           "param": "previous_response_id"}})):
            model, other = self.gateway.take("layers-"), self.gateway.take("layers-")
            self.b.script(f"up-{model}", answer)
            self.assertEqual(self.by(self.ask(model, previous_response_id=handle))[0], "a") # where it is now
            self.assertEqual(self.by(self.ask(other, previous_response_id=handle)), ("a", "pinned"))
            self.a.script(f"up-{other}", answer)
            self.assertEqual(self.by(self.ask(other, previous_response_id=handle))[0], "b") # and back, for what comes next

    def test_who_may_ignore_it_learns_nothing(self):
        """An answer says that its maker knows what it continues only if who may hold it was asked."""
        model, other = self.gateway.take("layers-"), self.gateway.take("layers-")
        self.a.script(f"up-{model}", FAILS)
        self.assertEqual(self.by(self.ask(model, previous_response_id="resp_unknown"))[0], "b")
        self.assertEqual(self.by(self.ask(other, previous_response_id="resp_unknown")), ("a", "single-target"))

    def test_an_answer_that_failed_makes_no_pin(self):
        model, other = self.gateway.take("layers-"), self.gateway.take("layers-")
        self.a.script(f"up-{model}", json_answer(200, made(model, "resp_failed", status="failed")))
        self.assertEqual(self.by(self.ask(model))[0], "b")
        self.assertEqual(self.by(self.ask(other, previous_response_id="resp_failed"))[1], "single-target")

    def test_explained(self):
        handle = self.made_by_b(self.gateway.take("layers-"))
        model = self.gateway.take("layers-")
        told = {}
        for who in ("alice", "bob"):
            question = {"path": RESPONSES.path, "client": who,
                        "body": {"model": model, "input": "hi", "previous_response_id": handle}}
            told[who] = exchange(self.gateway.admin_port, "POST", "/explain", json.dumps(question).encode(),
                                 host="localhost").json()
        self.assertTrue(told["alice"]["pinned"])
        self.assertEqual(told["alice"]["target"]["backend"], "b")
        self.assertEqual([layer["reason"] for layer in told["alice"]["layers"]], ["pinned", "pinned"])
        self.assertFalse(told["bob"]["pinned"])
        self.assertEqual(told["bob"]["target"]["backend"], "a")
        self.assertNotIn(handle, json.dumps(told))

    def test_reload_keeps_them_and_restart_does_not(self):
        config = config_of(*self.ups)
        gateway = Gateway(config)
        try:
            handle = self.made_by_b("restart-0", gateway=gateway)
            gateway.reload(config.backend("e", self.c, RESPONSES).model("more", ["e"]).text())
            follow = functools.partial(self.ask, "restart-1", previous_response_id=handle)
            self.assertEqual(self.by(follow(gateway=gateway)), ("b", "pinned"))
            gateway.reload(config_of(*self.ups, max_pins=0).text())
            self.assertEqual(self.by(follow(gateway=gateway))[0], "a")
        finally:
            gateway.stop()
        fresh = Gateway(config_of(*self.ups))
        try:
            self.assertEqual(self.by(follow(gateway=fresh))[0], "a")
        finally:
            fresh.stop()

    def test_the_log_has_no_handle(self):
        handle = self.made_by_b(self.gateway.take("layers-"))
        self.ask(self.gateway.take("layers-"), previous_response_id=handle)
        log = "".join(list(self.gateway.out) + list(self.gateway.errors))
        self.assertIn('"selection_reason":"pinned"', log)
        for secret in (handle, SEALED, "conv_b", "rs_b"):
            self.assertNotIn(secret, log)


class Named(GatewayTest):
    """A 404 for what a request names says that one key does not have it, and nothing of the target."""

    @classmethod
    def configure(cls):
        cls.a, cls.b = cls.upstream(), cls.upstream()
        config = Config(admin_listen="127.0.0.1:0")
        for protocol in (MESSAGES, CHAT):
            config.backend(f"a-{protocol.id}", cls.a, protocol).backend(f"b-{protocol.id}", cls.b, protocol)
            config.pool(f"{protocol.id}-", 20, [f"a-{protocol.id}"], [f"b-{protocol.id}"])
        return config

    def named(self, protocol, file):
        parts = {MESSAGES: {"type": "document", "source": {"type": "file", "file_id": file}},
                 CHAT: {"type": "file", "file": {"file_id": file}}}
        return {"messages": [{"role": "user", "content": [parts[protocol]]}]}

    def missing(self, protocol, message="File not found", code=None):
        kind = "not_found_error" if protocol is MESSAGES else "invalid_request_error"
        return json_answer(404, protocol.error_document(message, kind, code))

    def asked(self, upstream, model):
        return len(upstream.of(f"up-{model}"))

    def test_a_file_that_nobody_has_opens_no_circuit(self):
        for protocol in (MESSAGES, CHAT):
            with self.subTest(protocol.id):
                model = self.gateway.take(f"{protocol.id}-")
                for upstream in (self.a, self.b):
                    upstream.script(f"up-{model}", self.missing(protocol), json_answer(200, protocol.document(model, "x")))
                response = self.gateway.ask(protocol, model, False, **self.named(protocol, "bogus"))
                error = self.check_error(response, 404, protocol, by_gateway=False)
                self.assertIn("File not found", error["message"])
                self.assertEqual((self.asked(self.a, model), self.asked(self.b, model)), (1, 1))
                plain = self.gateway.ask(protocol, model, False, METADATA)
                self.assertEqual((plain.status, plain.get("x-relay-backend")), (200, f"a-{protocol.id}"))
                self.assertEqual(self.circuits(model), ["closed", "closed"])

    def circuits(self, model):
        rows = exchange(self.gateway.admin_port, "GET", "/state/circuits", host="localhost").json()["circuits"]
        return [row["circuit"]["state"] for row in rows if row["upstream_model"] == f"up-{model}"]

    def test_a_model_that_is_not_there_suspends_all_the_same(self):
        for protocol, missing in ((MESSAGES, ("model: up-m", None)), (CHAT, ("no", "model_not_found"))):
            with self.subTest(protocol.id):
                model = self.gateway.take(f"{protocol.id}-")
                self.a.script(f"up-{model}", self.missing(protocol, *missing))
                for _ in range(2):
                    response = self.gateway.ask(protocol, model, False, METADATA, **self.named(protocol, "known"))
                    self.assertEqual((response.status, response.get("x-relay-backend")), (200, f"b-{protocol.id}"))
                self.assertEqual(self.asked(self.a, model), 1)

    def test_a_holder_that_has_it_no_more_is_let_go(self):
        for protocol in (MESSAGES, CHAT):
            with self.subTest(protocol.id):
                first, then, last = (self.gateway.take(f"{protocol.id}-") for _ in range(3))
                names = functools.partial(self.gateway.ask, protocol, stream=False, headers=METADATA,
                                          **self.named(protocol, "uploaded"))
                self.a.script(f"up-{first}", self.missing(protocol))
                self.assertEqual(names(model=first).get("x-relay-backend"), f"b-{protocol.id}")
                self.b.script(f"up-{then}", self.missing(protocol)) # which was asked first: it has it
                self.assertEqual(names(model=then).get("x-relay-backend"), f"a-{protocol.id}")
                self.assertEqual((self.asked(self.b, then), self.asked(self.a, then)), (1, 1))
                again = names(model=last)
                self.assertEqual((again.get("x-relay-backend"), again.get("x-relay-selection-reason")), (f"a-{protocol.id}", "pinned"))


class Translated(GatewayTest):
    """What a Responses provider sealed travels in the history of a Messages client, and comes back from there."""

    @classmethod
    def configure(cls):
        cls.a, cls.b = cls.upstream(), cls.upstream()
        item = {"id": "rs_b", "type": "reasoning", "summary": [], "encrypted_content": SEALED}
        cls.a.always, cls.b.always = Maker("a"), Maker("b", [item])
        config = Config().backend("a", cls.a, RESPONSES).backend("b", cls.b, RESPONSES)
        for backend in ("a", "b"):
            for model in [f"{pool}-{i}" for pool in ("layers", "native") for i in range(10)]:
                config.upstream_model(backend, f"up-{model}", capabilities="provider_reasoning_thinking")
        config.backend("native", cls.a, MESSAGES)
        return config.pool("layers-", 10, ["a"], ["b"]).pool("native-", 10, ["a"], ["b"], ["native"])

    def history(self, pool, stream):
        """Of a conversation whose first answer came from b, because a failed."""
        model = self.gateway.take(pool)
        self.a.script(f"up-{model}", FAILS)
        first = self.gateway.ask(MESSAGES, model, stream, METADATA)
        self.assertEqual((first.status, first.get("x-relay-backend")), (200, "b"), first)
        carrier = "wm1.openai-responses+opaque." + base64.urlsafe_b64encode(SEALED.encode()).decode().rstrip("=")
        self.assertIn(carrier.encode(), first.body)
        return [{"role": "user", "content": "hi"},
                {"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": carrier},
                                                  {"type": "text", "text": "Hello"}]},
                {"role": "user", "content": "go on"}]

    def test_sealed_reasoning(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                turns, model = self.history("layers-", stream), self.gateway.take("layers-")
                again = self.gateway.ask(MESSAGES, model, stream, METADATA, messages=turns)
                self.assertEqual((again.status, again.get("x-relay-backend")), (200, "b"), again)
                self.assertEqual(again.get("x-relay-selection-reason"), "pinned")
                (sent,) = self.b.of(f"up-{model}")
                self.assertIn(SEALED, json.dumps(sent.document["input"]))
                self.assertEqual(self.a.of(f"up-{model}"), [])

    def test_who_speaks_the_clients_protocol_does_without(self):
        turns, model = self.history("native-", False), self.gateway.take("native-")
        self.b.script(f"up-{model}", FAILS)
        self.a.script(f"up-{model}", json_answer(200, MESSAGES.document("m", "Hello world")))
        again = self.gateway.ask(MESSAGES, model, False, METADATA, messages=turns)
        self.assertEqual((again.status, again.get("x-relay-backend")), (200, "native"), again)
        (sent,) = self.a.of(f"up-{model}")
        self.assertEqual(sent.path, MESSAGES.path)
        self.assertNotIn("wm1.", json.dumps(sent.document))


if __name__ == "__main__":
    unittest.main()
