"""The three protocols as the tests speak them: requests, plain and streamed answers, what errors look like."""
import json

from .steps import json_answer, sse_answer


def compact(document):
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def event(document, name=None):
    """One event as bytes; `document` may be text."""
    data = document if isinstance(document, str) else compact(document)
    return ((f"event: {name}\n" if name else "") + f"data: {data}\n\n").encode()


class Protocol:
    id = path = adapter = ""
    limit = "max_tokens"  # the member that bounds an answer

    def body(self, model, stream=False, **members):
        document = self.ask(model)
        if stream:
            document["stream"] = True
        document.update(members)
        return compact(document).encode()

    def plain(self, request, text="Hello world", **answer):
        """A normal answer to a request."""
        model = request.model or "none"
        if request.stream:
            return sse_answer(self.stream(model, text.split(" "), **answer))
        return json_answer(200, self.document(model, text, **answer))

    def answers(self, text):
        """An Upstream's `always`: this text, plain or streamed as asked."""
        return lambda request: self.plain(request, text)

    def text_of(self, response):
        """What the assistant says in a complete answer, plain or streamed."""
        if response.get("content-type", "").startswith("text/event-stream"):
            return "".join(self.delta(e) for e in response.events())
        return self.said(response.json())


class Chat(Protocol):
    id, path, adapter = "openai-chat", "/v1/chat/completions", "custom-chat-completions"

    def ask(self, model):
        return {"model": model, "messages": [{"role": "user", "content": "hi"}]}

    def document(self, model, text):
        return {"id": "c1", "object": "chat.completion", "created": 1, "model": model,
                "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}}

    def chunk(self, model, delta, finish=None):
        return event({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model,
                      "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    def stream(self, model, words, usage=False):
        pieces = self.preamble(model) + [self.word(model, w) for w in words] + [self.chunk(model, {}, "stop")]
        if usage:
            pieces.append(self.usage_chunk(model))
        return pieces + [event("[DONE]")]

    def usage_chunk(self, model):
        return event({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [],
                      "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}})

    def preamble(self, model):
        return [self.chunk(model, {"role": "assistant"})]

    def word(self, model, word):
        return self.chunk(model, {"content": word})

    def error_event(self, message="broken inside", kind="server_error", code=None):
        return event({"error": {"message": message, "type": kind, "param": None, "code": code}})

    def error_document(self, message="broken inside", kind="server_error", code=None, param=None):
        return {"error": {"message": message, "type": kind, "param": param, "code": code}}

    def said(self, document):
        return document["choices"][0]["message"]["content"]

    def delta(self, e):
        if e.data == "[DONE]":
            return ""
        choices = json.loads(e.data).get("choices", [])
        return choices[0]["delta"].get("content") or "" if choices else ""

    def is_error(self, e):
        return e.data != "[DONE]" and json.loads(e.data).get("error") is not None

    def is_end(self, e):
        return e.data == "[DONE]"

    def finished(self, events):
        """Whether the stream claims that the answer is complete."""
        documents = [json.loads(e.data) for e in events if e.data != "[DONE]"]
        return any(c.get("finish_reason") for d in documents for c in d.get("choices", []))


class Responses(Protocol):
    id, path, adapter = "openai-responses", "/v1/responses", "custom-responses"
    limit = "max_output_tokens"

    def ask(self, model):
        return {"model": model, "input": "hi"}

    def document(self, model, text, status="completed"):
        output = [{"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
                   "content": [{"type": "output_text", "text": text, "annotations": []}]}] if text else []
        return {"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": model,
                "output": output,
                "usage": {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11} if text else None}

    def numbered(self, documents, first=0):
        out = []
        for number, document in enumerate(documents, first):
            document = {"type": document["type"], "sequence_number": number, **document}
            out.append(event(document, document["type"]))
        return out

    def preamble(self, model):
        empty = self.document(model, "", "in_progress")
        return self.numbered([
            {"type": "response.created", "response": empty},
            {"type": "response.in_progress", "response": empty},
            {"type": "response.output_item.added", "output_index": 0,
             "item": {"id": "msg_1", "type": "message", "role": "assistant", "status": "in_progress", "content": []}},
            {"type": "response.content_part.added", "item_id": "msg_1", "output_index": 0, "content_index": 0,
             "part": {"type": "output_text", "text": "", "annotations": []}},
        ])

    def word(self, model, word, number=4):
        return self.numbered([{"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0,
                               "content_index": 0, "delta": word}], number)[0]

    def stream(self, model, words):
        text = "".join(words)
        full = self.document(model, text)
        pieces = self.preamble(model) + [self.word(model, w, 4 + i) for i, w in enumerate(words)]
        at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        return pieces + self.numbered([
            {"type": "response.output_text.done", **at, "text": text},
            {"type": "response.content_part.done", **at, "part": full["output"][0]["content"][0]},
            {"type": "response.output_item.done", "output_index": 0, "item": full["output"][0]},
            {"type": "response.completed", "response": full},
        ], len(pieces))

    def error_event(self, message="broken inside", kind="server_error", code="server_error"):
        return event({"type": "error", "sequence_number": 0, "code": code, "message": message, "param": None}, "error")

    def error_document(self, message="broken inside", kind="server_error", code=None, param=None):
        return {"error": {"message": message, "type": kind, "param": param, "code": code}}

    def said(self, document):
        return document["output"][0]["content"][0]["text"]

    def delta(self, e):
        document = json.loads(e.data)
        return document["delta"] if document["type"] == "response.output_text.delta" else ""

    def is_error(self, e):
        return json.loads(e.data)["type"] in ("error", "response.failed")

    def is_end(self, e):
        return json.loads(e.data)["type"] in ("response.completed", "response.incomplete", "response.failed")

    def finished(self, events):
        return any(json.loads(e.data)["type"] in ("response.completed", "response.incomplete") for e in events)


class Messages(Protocol):
    id, path, adapter = "anthropic-messages", "/v1/messages", "custom-anthropic"

    def ask(self, model):
        return {"model": model, "max_tokens": 16, "messages": [{"role": "user", "content": "hi"}]}

    def document(self, model, text):
        return {"id": "msg_1", "type": "message", "role": "assistant", "model": model,
                "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": None,
                "usage": {"input_tokens": 9, "output_tokens": 2}}

    def typed(self, document):
        return event(document, document["type"])

    def preamble(self, model):
        message = {**self.document(model, ""), "content": [], "stop_reason": None,
                   "usage": {"input_tokens": 9, "output_tokens": 1}}
        return [
            self.typed({"type": "message_start", "message": message}),
            self.typed({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            self.typed({"type": "ping"}),
        ]

    def word(self, model, word):
        return self.typed({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}})

    def stream(self, model, words):
        return self.preamble(model) + [self.word(model, w) for w in words] + [
            self.typed({"type": "content_block_stop", "index": 0}),
            self.typed({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                        "usage": {"output_tokens": 2}}),
            self.typed({"type": "message_stop"}),
        ]

    def error_event(self, message="broken inside", kind="api_error", code=None):
        return self.typed({"type": "error", "error": {"type": kind, "message": message}})

    def error_document(self, message="broken inside", kind="api_error", code=None, param=None):
        return {"type": "error", "error": {"type": kind, "message": message}}

    def said(self, document):
        return document["content"][0]["text"]

    def delta(self, e):
        document = json.loads(e.data)
        return document["delta"]["text"] if document["type"] == "content_block_delta" else ""

    def is_error(self, e):
        return json.loads(e.data)["type"] == "error"

    def is_end(self, e):
        return json.loads(e.data)["type"] == "message_stop"

    def finished(self, events):
        return any(json.loads(e.data)["type"] == "message_stop" for e in events)


CHAT, RESPONSES, MESSAGES = Chat(), Responses(), Messages()
PROTOCOLS = (CHAT, RESPONSES, MESSAGES)


def by_path(path):
    return next((p for p in PROTOCOLS if path.endswith(p.path.removeprefix("/v1"))), CHAT)
