"""Conversion between items of a LangGraph store and memories."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langgraph.store.base import PutOp, SearchItem, get_text_at_path

Namespace = tuple[str, ...]

#: Type of the memories that hold items of a store.
TYPE = "langgraph"
#: Key of an item's data in the metadata.
OBJECT = "langgraph"

LOGGER = logging.getLogger(__name__)

MAX_LABEL = 256
MAX_METADATA_BYTES = 16 * 1024
MAX_CONTENT = 100_000


def user_of(namespace: Namespace) -> str:
    """Returns the default user of a namespace: its labels joined by "/", hashed if that is not a valid label."""
    return _label("/".join(namespace))


def category_of(key: str) -> str:
    """Returns the category by which an item is looked up: its key, hashed if it is not a valid label."""
    return _label(key)


def _label(text: str) -> str:
    is_label = text.strip() != "" and len(text.encode("utf-16-le")) // 2 <= MAX_LABEL
    return text if is_label else f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def content_and_metadata(op: PutOp, value: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """
    Returns the content and metadata of an item's memory. The value is JSON in the metadata, and searches use the
    content. A value that is too large for the metadata is stored as the content.
    """
    text = json.dumps(value)
    place = {"namespace": positions(op.namespace), "key": op.key, "indexed": op.index is not False}
    metadata = {OBJECT: {**place, "json": text}}
    if len(json.dumps(metadata)) > MAX_METADATA_BYTES:
        return text, {OBJECT: place}
    return _searchable(op, value, text)[:MAX_CONTENT], metadata


def _searchable(op: PutOp, value: Mapping[str, Any], text: str) -> str:
    if op.index is False:
        return category_of(op.key)
    texts = _strings(value) if op.index is None else (each for path in op.index for each in _texts_at(value, path))
    joined = "\n".join(texts)
    return joined if joined.strip() != "" else text


def _texts_at(value: Mapping[str, Any], path: str) -> list[str]:
    return get_text_at_path(dict(value), path)


def _strings(value: object) -> Iterator[str]:
    """Yields all texts in a value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _strings(inner)


def positions(namespace: Sequence[str]) -> dict[str, str]:
    """Returns the labels by their position, as an object so that searches can filter by the first ones."""
    return {str(position): label for position, label in enumerate(namespace)}


@dataclass(frozen=True)
class Place:
    """The namespace and key of an item."""

    namespace: Namespace
    key: str


def place_of(metadata: Mapping[str, Any] | None) -> Place | None:
    """Returns the place of a memory's item, or None if the memory is not an item."""
    stored = (metadata or {}).get(OBJECT)
    if not isinstance(stored, Mapping):
        return None
    labels, key = stored.get("namespace"), stored.get("key")
    if not isinstance(labels, Mapping) or not isinstance(key, str):
        return None
    ordered = (labels.get(str(position)) for position in range(len(labels)))
    namespace = tuple(label for label in ordered if isinstance(label, str))
    return Place(namespace, key) if len(namespace) == len(labels) else None


def item_of(
    content: str | None,
    metadata: Mapping[str, Any] | None,
    *,
    created_at: str,
    updated_at: str,
    score: float | None = None,
) -> SearchItem | None:
    """Returns the item of a memory, or None, after a warning, if the memory is not an item."""
    place = place_of(metadata)
    value = None if place is None or metadata is None else _value(metadata[OBJECT].get("json", content))
    if place is None or value is None:
        LOGGER.warning("A memory of %s is of the type %r, but was not made by a store.", created_at, TYPE)
        return None
    return SearchItem(
        namespace=place.namespace,
        key=place.key,
        value=value,
        created_at=_moment(created_at),
        updated_at=_moment(updated_at),
        score=score,
    )


def _value(text: object) -> dict[str, Any] | None:
    """Returns the object that JSON holds, or None if it does not hold one."""
    try:
        value = json.loads(str(text))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
