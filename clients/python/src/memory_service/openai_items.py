"""Conversion between items of the OpenAI Agents SDK and messages of the service."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any, Literal

from . import api
from .removed_items import OBJECT

MAX_METADATA_BYTES = 16 * 1024

Item = dict[str, Any]


def message_of(item: Item) -> api.AppendMessageFields:
    """
    Returns the message of an item. Its texts are the content, so that they become memories, and the rest is JSON in the
    metadata. An item that is too large for the metadata is stored as JSON in the content.
    """
    role = _role(item)
    texts = {index: holder[name] for index, (holder, name) in enumerate(_texts(item)) if holder[name].strip() != ""}
    if item.keys() == {"role", "content"} and item["role"] == role and item["content"] == texts.get(0):
        return {"role": role, "content": texts[0]}
    stored: dict[str, Any] = {"json": json.dumps(item)}
    if len(texts) == 1:
        (index,) = texts
        stored = {"json": json.dumps(_with_text(item, index, "")), "text": index}
    metadata = {OBJECT: stored}
    if len(json.dumps(metadata)) > MAX_METADATA_BYTES:
        return {"role": "system", "content": json.dumps(item), "metadata": {OBJECT: {}}}
    return {"role": role, "content": "\n".join(texts.values()) or str(item.get("type", "item")), "metadata": metadata}


def item_of(message: api.MessageListMessage) -> Item:
    """
    Returns the item of a message. A message that this adapter did not write becomes an item with its role and content.
    """
    stored = (message.metadata or {}).get(OBJECT)
    if stored is None:
        return {"role": message.role, "content": message.content}
    item: Item = json.loads(stored.get("json", message.content))
    return item if "text" not in stored else _with_text(item, stored["text"], message.content)


def _role(item: Item) -> Literal["user", "assistant", "system"]:
    """
    Returns the role for the message. Tool calls and their outputs get `system`, because `system` messages do not become
    memories.
    """
    role = item.get("role")
    return role if role in ("user", "assistant") else "system"


def _texts(item: Item) -> Iterator[tuple[dict[str, Any], str]]:
    """Yields where an item has texts: an object, and the name of the field with the text."""
    content = item.get("content")
    if isinstance(content, str):
        yield item, "content"
    for part in content if isinstance(content, list) else []:
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            yield part, "text"
    if isinstance(item.get("output"), str):
        yield item, "output"


def _with_text(item: Item, index: int, text: str) -> Item:
    """Returns a copy of an item with the text at one index replaced."""
    changed = copy.deepcopy(item)
    holder, name = list(_texts(changed))[index]
    holder[name] = text
    return changed
