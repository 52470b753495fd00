"""Answers of a provider: blocks as in said.py, as each protocol's document or stream.

A text may be a list of pieces; `cut` makes the pieces of a call's arguments, and None says them with the call itself.
"""
import json

from conversation import TOOL
from harness import CHAT, MESSAGES, RESPONSES
from harness.protocols import event

USAGE = {CHAT: {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
         RESPONSES: {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11},
         MESSAGES: {"input_tokens": 9, "output_tokens": 2}}


def _whole(text):
    return text if isinstance(text, str) else "".join(text)


def document_of(protocol, blocks, **ending):
    """`ending` replaces what says how it ended: members of the choice, the message or the response."""
    called = any(block[0] == "call" for block in blocks)
    if protocol is CHAT:
        message = {"role": "assistant", "content": None}
        for block in blocks:
            if block[0] == "call":
                message.setdefault("tool_calls", []).append(_chat_call(block[1], block[2]))
            else:
                message[_CHAT_MEMBERS[block[0]]] = _whole(block[1])
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if called else "stop", **ending}
        return {**CHAT.document("m", ""), "choices": [choice]}
    if protocol is RESPONSES:
        items = [_item(at, block) for at, block in enumerate(blocks)]
        return {**RESPONSES.document("m", "x"), "output": items, **ending}
    content = [_block(block) for block in blocks]
    return {**MESSAGES.document("m", ""), "content": content, "stop_reason": "tool_use" if called else "end_turn", **ending}


def stream_of(protocol, blocks, cut=lambda text: [text], **ending):
    if protocol is CHAT:
        return _chat_stream(blocks, cut, ending)
    return (_response_stream if protocol is RESPONSES else _message_stream)(blocks, cut, ending)


_CHAT_MEMBERS = {"text": "content", "reasoning": "reasoning_content", "refusal": "refusal"}


def _chat_call(call, arguments):
    return {"id": call, "type": "function", "function": {"name": TOOL, "arguments": arguments}}


def _chat_stream(blocks, cut, ending):
    pieces, calls = CHAT.preamble("m"), 0
    for kind, said, *arguments in blocks:
        if kind != "call":
            pieces += [CHAT.chunk("m", {_CHAT_MEMBERS[kind]: piece}) for piece in said]
            continue
        first, *rest = cut(arguments[0]) if cut else arguments
        pieces.append(CHAT.chunk("m", {"tool_calls": [{"index": calls, **_chat_call(said, first)}]}))
        pieces += [CHAT.chunk("m", {"tool_calls": [{"index": calls, "function": {"arguments": piece}}]}) for piece in rest]
        calls += 1
    finish = ending.get("finish_reason", "tool_calls" if calls else "stop")
    return pieces + [CHAT.chunk("m", {}, finish), CHAT.usage_chunk("m"), event("[DONE]")]


def _item(at, block):
    if block[0] == "call":
        return {"type": "function_call", "id": f"fc_{at}", "call_id": block[1], "name": TOOL, "arguments": block[2],
                "status": "completed"}
    if block[0] == "reasoning":
        return {"type": "reasoning", "id": f"rs_{at}", "summary": [{"type": "summary_text", "text": _whole(block[1])}]}
    member = "refusal" if block[0] == "refusal" else "text"
    part = {"type": "refusal" if block[0] == "refusal" else "output_text", member: _whole(block[1])}
    return {"type": "message", "id": f"msg_{at}", "role": "assistant", "status": "completed", "content": [part]}


_RESPONSE_DELTAS = {"text": "response.output_text.delta", "refusal": "response.refusal.delta",
                    "reasoning": "response.reasoning_summary_text.delta", "call": "response.function_call_arguments.delta"}


def _response_stream(blocks, cut, ending):
    full = document_of(RESPONSES, blocks, **ending)
    begun = {**full, "status": "in_progress", "output": [], "usage": None}
    documents = [{"type": "response.created", "response": begun}, {"type": "response.in_progress", "response": begun}]
    for at, (block, item) in enumerate(zip(blocks, full["output"])):
        empty = {"arguments": ""} if block[0] == "call" else {"summary": []} if block[0] == "reasoning" else {"content": []}
        documents.append({"type": "response.output_item.added", "output_index": at, "item": {**item, **empty}})
        pieces = block[1] if block[0] != "call" else cut(block[2]) if cut else []
        place = {"summary_index": 0} if block[0] == "reasoning" else {} if block[0] == "call" else {"content_index": 0}
        documents += [{"type": _RESPONSE_DELTAS[block[0]], "item_id": item["id"], "output_index": at, **place, "delta": piece}
                      for piece in pieces]
        documents.append({"type": "response.output_item.done", "output_index": at, "item": item})
    incomplete = full["status"] == "incomplete"
    documents.append({"type": "response.incomplete" if incomplete else "response.completed", "response": full})
    return RESPONSES.numbered(documents)


def _block(block):
    if block[0] == "call":
        return {"type": "tool_use", "id": block[1], "name": TOOL, "input": json.loads(block[2])}
    if block[0] == "reasoning":
        return {"type": "thinking", "thinking": _whole(block[1]), "signature": "c2ln"}
    return {"type": "text", "text": _whole(block[1])}


_MESSAGE_DELTAS = {"text": ("text_delta", "text"), "reasoning": ("thinking_delta", "thinking"),
                   "call": ("input_json_delta", "partial_json")}


def _message_stream(blocks, cut, ending):
    full = document_of(MESSAGES, blocks, **ending)
    documents = []
    for at, (block, content) in enumerate(zip(blocks, full["content"])):
        kind, member = _MESSAGE_DELTAS[block[0]]
        empty = {"text": {"text": ""}, "reasoning": {"thinking": "", "signature": ""}, "call": {"input": {}}}[block[0]]
        pieces = block[1] if block[0] != "call" else cut(block[2]) if cut else []
        documents.append({"type": "content_block_start", "index": at,
                          "content_block": {**content, **({} if block[0] == "call" and not cut else empty)}})
        documents += [{"type": "content_block_delta", "index": at, "delta": {"type": kind, member: piece}} for piece in pieces]
        documents.append({"type": "content_block_stop", "index": at})
    end = {name: value for name, value in full.items() if name.startswith("stop_")}
    documents += [{"type": "message_delta", "delta": end, "usage": {"output_tokens": 2}}, {"type": "message_stop"}]
    return MESSAGES.preamble("m")[:1] + [MESSAGES.typed(document) for document in documents]
