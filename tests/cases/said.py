"""An answer, plain or streamed, as a client of its protocol takes it; a stream's rules are checked on the way.

Blocks are (text | reasoning | refusal, text) and (call, id, arguments as text).
"""
import json
from dataclasses import dataclass, field

from harness import CHAT, MESSAGES, RESPONSES


@dataclass
class Said:
    blocks: list = field(default_factory=list)
    finish: str = None  # the protocol's own word
    usage: dict = None  # as the protocol writes it
    ending: dict = field(default_factory=dict)  # what says the finish

    def texts(self, kind="text"):
        return [block[1] for block in self.blocks if block[0] == kind]

    def calls(self):
        """(id, arguments as a value)."""
        return [(block[1], json.loads(block[2])) for block in self.blocks if block[0] == "call"]

    def content(self):
        """The blocks, arguments as values."""
        return [(*block[:-1], json.loads(block[-1])) if block[0] == "call" else block for block in self.blocks]

    def counted(self):
        """(input with what was cached, cached, output)."""
        usage = self.usage
        if "prompt_tokens" in usage:
            cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0)
            return usage["prompt_tokens"], cached, usage["completion_tokens"]
        if "total_tokens" in usage:
            return usage["input_tokens"], usage["input_tokens_details"]["cached_tokens"], usage["output_tokens"]
        cached, written = usage.get("cache_read_input_tokens") or 0, usage.get("cache_creation_input_tokens") or 0
        return usage["input_tokens"] + cached + written, cached, usage["output_tokens"]


def said(protocol, response):
    assert response.status == 200, response
    streamed = response.get("content-type").startswith("text/event-stream")
    read = {CHAT: (_chat, _chat_stream), RESPONSES: (_response, _response_stream),
            MESSAGES: (_message, _message_stream)}[protocol][streamed]
    return read(response.events() if streamed else response.json())


def _chat(document):
    (choice,) = document["choices"]
    message = choice["message"]
    assert message["role"] == "assistant", document
    out = Said(finish=choice["finish_reason"], usage=document.get("usage"), ending=choice)
    for kind, member in (("reasoning", "reasoning_content"), ("text", "content"), ("refusal", "refusal")):
        if message.get(member):
            out.blocks.append((kind, message[member]))
    out.blocks += [("call", call["id"], call["function"]["arguments"]) for call in message.get("tool_calls") or []]
    return out


def _chat_stream(events):
    assert events[-1].data == "[DONE]", events
    message, calls = {"role": None}, []
    choice = {"message": message, "finish_reason": None}
    document = {"choices": [choice]}
    for chunk in (json.loads(event.data) for event in events[:-1]):
        if not chunk["choices"]:
            assert "usage" not in document and choice["finish_reason"], events
            document["usage"] = chunk["usage"]
            continue
        (given,) = chunk["choices"]
        assert given["index"] == 0 and not choice["finish_reason"], events
        choice["finish_reason"] = given["finish_reason"]
        for name, value in given["delta"].items():
            if name == "role":
                message["role"] = value
            elif name == "tool_calls":
                for piece in value:
                    _add_call(calls, piece)
            elif value:
                message[name] = message.get(name, "") + value
    message["tool_calls"] = calls
    return _chat(document)


def _add_call(calls, piece):
    if piece["index"] == len(calls):
        assert piece["id"] and piece["type"] == "function" and piece["function"]["name"], piece
        calls.append({"id": piece["id"], "function": {"arguments": ""}})
    else:
        assert piece["index"] < len(calls) and not piece.get("id"), (calls, piece)
    calls[piece["index"]]["function"]["arguments"] += piece["function"].get("arguments", "")


def _message(document):
    out = Said(finish=document["stop_reason"], usage=document["usage"], ending=document)
    for block in document["content"]:
        if block["type"] == "tool_use":
            arguments = block["input"] if isinstance(block["input"], str) else json.dumps(block["input"])
            out.blocks.append(("call", block["id"], arguments))
        elif block["type"] == "thinking":
            out.blocks.append(("reasoning", block["thinking"]))
        else:
            assert block["type"] == "text", block
            out.blocks.append(("text", block["text"]))
    return out


_DELTAS = {"text": ("text_delta", "text"), "thinking": ("thinking_delta", "thinking"),
           "tool_use": ("input_json_delta", "partial_json")}


def _message_stream(events):
    documents = [json.loads(event.data) for event in events]
    assert [event.name for event in events] == [document["type"] for document in documents], events
    documents = [document for document in documents if document["type"] != "ping"]
    assert documents[0]["type"] == "message_start" and documents[0]["message"]["content"] == [], events
    assert [document["type"] for document in documents[-2:]] == ["message_delta", "message_stop"], events
    blocks, open_block = [], False
    for document in documents[1:-2]:
        if document["type"] == "content_block_start":
            assert not open_block and document["index"] == len(blocks), events
            open_block = True
            blocks.append(dict(document["content_block"]))
            if blocks[-1]["type"] == "tool_use":
                assert blocks[-1]["input"] == {}, events
                blocks[-1]["input"] = ""
            continue
        assert open_block and document["index"] == len(blocks) - 1, events
        if document["type"] == "content_block_stop":
            open_block = False
            continue
        kind, member = _DELTAS[blocks[-1]["type"]]
        if document["delta"]["type"] == "signature_delta" and blocks[-1]["type"] == "thinking":
            member = "signature"
        else:
            assert document["delta"]["type"] == kind, events
        blocks[-1][member] = blocks[-1].get(member, "") + document["delta"][member]
    assert not open_block, events
    for block in blocks:
        if block["type"] == "tool_use":
            assert block.get("partial_json"), events  # a call's input comes in deltas only
            block["input"] = block["partial_json"]
    return _message({"content": blocks, "usage": documents[-2]["usage"], **documents[-2]["delta"]})


def _response(document):
    out = Said(finish=document["status"], usage=document["usage"], ending=document)
    for item in document["output"]:
        if item["type"] == "function_call":
            assert item["id"] != item["call_id"], item
            out.blocks.append(("call", item["call_id"], item["arguments"]))
        elif item["type"] == "reasoning":
            parts = item["summary"] + item.get("content", [])
            out.blocks.append(("reasoning", "".join(part["text"] for part in parts)))
        else:
            assert item["type"] == "message", item
            out.blocks += [("text", part["text"]) if part["type"] == "output_text" else ("refusal", part["refusal"])
                           for part in item["content"]]
    return out


def _response_stream(events):
    documents = [json.loads(event.data) for event in events]
    assert [event.name for event in events] == [document["type"] for document in documents], events
    assert [document["sequence_number"] for document in documents] == list(range(len(events))), events
    assert [document["type"] for document in documents[:2]] == ["response.created", "response.in_progress"], events
    ended = documents[-1]
    assert ended["type"] in ("response.completed", "response.incomplete"), events
    ids, done, deltas = [], {}, {}
    for document in documents[2:-1]:
        kind, at = document["type"], document["output_index"]
        if kind == "response.output_item.added":
            assert at == len(ids), events
            ids.append(document["item"]["id"])
            continue
        assert at < len(ids) and at not in done, events
        assert document.get("item_id", ids[at]) == ids[at], events
        place = (at, document.get("content_index"), document.get("summary_index"))
        if kind == "response.output_item.done":
            assert document["item"]["id"] == ids[at], events
            done[at] = document["item"]
        elif kind.endswith(".delta"):
            deltas[place] = deltas.get(place, "") + document["delta"]
        elif place in deltas and kind.endswith(".done") and not kind.endswith("part.done"):
            whole = next(document[member] for member in ("text", "arguments", "refusal", "input") if member in document)
            assert whole == deltas[place], events
    assert len(set(ids)) == len(ids) and [done[at] for at in range(len(ids))] == ended["response"]["output"], events
    return _response(ended["response"])
