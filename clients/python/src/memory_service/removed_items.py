"""
Tracks the removed messages of a session. The service keeps all messages, so their positions are in the session's
metadata.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

#: Key of this adapter's data in the metadata of sessions and messages.
OBJECT = "openai_agents"

#: Start (inclusive) and end (exclusive) position.
Range = tuple[int, int]


def removed_of(metadata: Mapping[str, Any] | None) -> list[Range]:
    """Returns the removed ranges of positions, in ascending order."""
    stored = ((metadata or {}).get(OBJECT) or {}).get("removed") or []
    return [(int(start), int(end)) for start, end in stored]


def metadata_of(removed: Iterable[Range]) -> dict[str, Any]:
    """Returns the removed ranges as metadata, to be merged into the session's."""
    return {OBJECT: {"removed": [list(each) for each in removed]}}


def without(removed: list[Range], position: int) -> list[Range]:
    """Adds `position`, the last item left, to the removed ranges, and merges it with the ranges around it."""
    apart = [each for each in removed if each[1] < position]
    joined = [(position, position + 1), *(each for each in removed if each[1] >= position)]
    return [*apart, (min(start for start, _ in joined), max(end for _, end in joined))]


def kept(removed: list[Range], count: int) -> list[Range]:
    """Returns the ranges of the first `count` positions that are not removed."""
    ranges: list[Range] = []
    start = 0
    for first, end in [*removed, (count, count)]:
        if start < first:
            ranges.append((start, min(first, count)))
        start = max(start, end)
    return [each for each in ranges if each[0] < each[1]]


def last(ranges: list[Range], limit: int) -> list[Range]:
    """Returns the ranges of the last `limit` positions in the given ranges."""
    chosen: list[Range] = []
    for start, end in reversed(ranges):
        if limit <= 0:
            break
        chosen.insert(0, (max(start, end - limit), end))
        limit -= end - start
    return chosen
