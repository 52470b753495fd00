"""One conversation as a request of each protocol, and a request of each protocol as that conversation.

It is a list of (system | developer | user | assistant, text), (call, id, arguments) and (result, id, text), in order. What
a user or a result says besides text is (media, URL).
"""
import json

from harness import CHAT, MESSAGES, RESPONSES

TOOL = "get_temp"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def tool_of(protocol, name=TOOL, schema=SCHEMA):
    """`schema` None: the protocol's shortest tool."""
    if protocol is MESSAGES:
        return {"name": name, "input_schema": schema or {"type": "object"}}
    function = {"name": name} if schema is None else {"name": name, "parameters": schema}
    return {"type": "function", "function": function} if protocol is CHAT else {"type": "function", **function}


def request_of(protocol, turns, **members):
    """The protocol's request; it has the tool when there is a call."""
    bound = {protocol.limit: 64, **members}
    if any(turn[0] == "call" for turn in turns):
        bound = {"tools": [tool_of(protocol)], **bound}
    if protocol is RESPONSES:
        return {"input": [_item(turn) for turn in turns], **bound}
    messages = []
    for turn in turns:
        (_add_chat if protocol is CHAT else _add_messages)(messages, turn)
    return {"messages": messages, **bound}


def _item(turn):
    if turn[0] == "call":
        return {"type": "function_call", "call_id": turn[1], "name": TOOL, "arguments": turn[2]}
    if turn[0] == "result":
        return {"type": "function_call_output", "call_id": turn[1], "output": turn[2]}
    kind = "output_text" if turn[0] == "assistant" else "input_text"
    return {"type": "message", "role": turn[0], "content": [{"type": kind, "text": turn[1]}]}


def _add_chat(messages, turn):
    if turn[0] == "call":
        if not messages or messages[-1]["role"] != "assistant":
            messages.append({"role": "assistant", "content": None})
        messages[-1].setdefault("tool_calls", []).append(
            {"id": turn[1], "type": "function", "function": {"name": TOOL, "arguments": turn[2]}})
    elif turn[0] == "result":
        messages.append({"role": "tool", "tool_call_id": turn[1], "content": turn[2]})
    else:
        messages.append({"role": turn[0], "content": turn[1]})


def _add_messages(messages, turn):
    who, block = turn[0], None
    if who == "call":
        who, block = "assistant", {"type": "tool_use", "id": turn[1], "name": TOOL, "input": json.loads(turn[2])}
    elif who == "result":
        who, block = "user", {"type": "tool_result", "tool_use_id": turn[1], "content": turn[2]}
    else:
        who, block = "system" if who == "developer" else who, {"type": "text", "text": turn[1]}
    if not messages or messages[-1]["role"] != who:
        messages.append({"role": who, "content": []})
    messages[-1]["content"].append(block)


def turns_of(protocol, document):
    """What a request says, texts one by one; arguments are values."""
    if protocol is RESPONSES:
        head = [("system", document["instructions"])] if "instructions" in document else []
        return head + [turn for item in document["input"] for turn in _turns_of_item(item)]
    if protocol is CHAT:
        return [turn for message in document["messages"] for turn in _turns_of_chat(message)]
    system = document.get("system", [])
    head = [("system", system)] if isinstance(system, str) else [("system", one["text"]) for one in system]
    return head + [turn for message in document["messages"] for turn in _turns_of_message(message)]


def _turns_of_item(item):
    if item["type"] == "function_call":
        return [("call", item["call_id"], json.loads(item["arguments"]))]
    if item["type"] == "function_call_output":
        output = item["output"]
        return [("result", item["call_id"], output if isinstance(output, str) else [_said(part) for part in output])]
    return [said if said[0] == "media" else (item["role"], said[1]) for said in map(_said, item["content"])]


def _turns_of_chat(message):
    if message["role"] == "tool":
        return [("result", message["tool_call_id"], message["content"])]
    content = message.get("content")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    turns = [said if said[0] == "media" else (message["role"], said[1]) for said in map(_said, parts)]
    return turns + [("call", call["id"], json.loads(call["function"]["arguments"]))
                    for call in message.get("tool_calls", [])]


def _turns_of_message(message):
    content = message["content"]
    turns = []
    for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        if block["type"] == "tool_use":
            turns.append(("call", block["id"], block["input"]))
        elif block["type"] == "tool_result":
            inner = block.get("content", "")
            inner = inner if isinstance(inner, str) else [_said(part) for part in inner]
            turns.append(("result", block["tool_use_id"], inner))
        else:
            said = _said(block)
            turns.append(said if said[0] == "media" else (message["role"], said[1]))
    return turns


def _said(part):
    """A part of content in any of the protocols."""
    kind = part["type"]
    if kind in ("text", "input_text", "output_text"):
        return ("text", part["text"])
    if kind == "image_url":
        return ("media", part["image_url"]["url"])
    if kind == "input_image":
        return ("media", part["image_url"])
    if kind in ("file", "input_file"):
        return ("media", part.get("file", part)["file_data"])
    assert kind in ("image", "document"), part
    source = part["source"]
    if source["type"] == "url":
        return ("media", source["url"])
    return ("media", f"data:{source['media_type']};base64,{source['data']}")


def instructions_of(turns):
    """The texts of the system and the developer, however they are joined."""
    return [text for turn in turns if turn[0] in ("system", "developer") for text in turn[1].split("\n\n")]

