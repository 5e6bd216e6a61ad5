"""A LangGraph store whose items are memories of the service (extra `langgraph`)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from . import api, verbs
from .client import AsyncMemoryClient, MemoryClient
from .errors import NotFoundError
from .langgraph_items import (
    TYPE,
    Namespace,
    Place,
    category_of,
    content_and_metadata,
    item_of,
    place_of,
    user_of,
)
from .langgraph_matching import fixed_prefix, matches_condition, matches_filter
from .langgraph_pages import FoundPages, ListedPages
from .procedure import Procedure, ask, collect, run, run_async
from .transport import Transport

#: Maximum concurrent operations of one `abatch`.
CONCURRENCY = 8


class MemoryStore(BaseStore):
    """
    Stores the items of a LangGraph store as memories. Searches with a query use the service's search, by meaning and by
    words.

    With a MemoryClient, the asynchronous methods run in threads; with an AsyncMemoryClient, only the asynchronous
    methods are available. `user_id` returns the user that owns the memories of a namespace; by default it is the
    namespace, joined by "/". A `ttl` counts from the last `put`: reading an item does not extend it.
    """

    supports_ttl = True

    def __init__(
        self,
        client: MemoryClient | AsyncMemoryClient,
        *,
        user_id: Callable[[Namespace], str] = user_of,
        ttl: TTLConfig | None = None,
    ) -> None:
        self._transport = client._transport
        self._user_of = user_id
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Runs the reads, then the last `put` of each key."""
        transport = self._transport
        if not isinstance(transport, Transport):
            raise TypeError("Give the store a MemoryClient for its synchronous methods, or use the asynchronous ones.")
        results: list[Result] = []
        reads, writes = self._plan(ops)
        for read in reads:
            results.append(None if read is None else run(transport, read))
        for write in writes:
            run(transport, write)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Runs `batch` asynchronously, with up to `CONCURRENCY` operations at a time."""
        turns = asyncio.Semaphore(CONCURRENCY)
        reads, writes = self._plan(ops)
        results = await asyncio.gather(*(self._run(read, turns) for read in reads))
        await asyncio.gather(*(self._run(write, turns) for write in writes))
        return list(results)

    async def _run(self, procedure: Procedure[Result] | None, turns: asyncio.Semaphore) -> Result:
        if procedure is None:
            return None
        async with turns:
            if isinstance(self._transport, Transport):
                return await asyncio.to_thread(run, self._transport, procedure)
            return await run_async(self._transport, procedure)

    def _plan(self, ops: Iterable[Op]) -> tuple[list[Procedure[Result] | None], list[Procedure[Result]]]:
        """Returns one read per operation, or None if the operation is a put, and the list of writes."""
        reads: list[Procedure[Result] | None] = []
        puts: dict[Place, PutOp] = {}
        for op in ops:
            if isinstance(op, PutOp):
                puts[Place(op.namespace, op.key)] = op
                reads.append(None)
            elif isinstance(op, GetOp):
                reads.append(self._get(op))
            elif isinstance(op, SearchOp):
                reads.append(self._search(op))
            elif isinstance(op, ListNamespacesOp):
                reads.append(self._list_namespaces(op))
            else:
                raise TypeError(f"The store has no operation {type(op).__name__}.")
        return reads, [self._put(place, op) for place, op in puts.items()]

    def _get(self, op: GetOp) -> Procedure[Result]:
        found = yield from self._find(Place(op.namespace, op.key))
        if not found:
            return None
        newest = found[0]
        return item_of(newest.content, newest.metadata, created_at=newest.created_at, updated_at=newest.updated_at)

    def _find(self, place: Place) -> Procedure[list[api.MemoryListMemory]]:
        """Returns the item's memories, newest first. Concurrent writers may leave several until the next put."""
        user_id, category = self._user_of(place.namespace), category_of(place.key)
        pages = verbs.list(user_id=user_id, category=category, type=TYPE, limit=100)
        found = yield from collect(pages)
        return [memory for memory in found if place_of(memory.metadata) == place]

    def _put(self, place: Place, op: PutOp) -> Procedure[Result]:
        found = yield from self._find(place)
        if op.value is not None:
            found = yield from self._write(place, op, dict(op.value), found)
        for memory in found:
            yield from _forget(memory.id)
        return None

    def _write(
        self, place: Place, op: PutOp, value: dict[str, Any], found: list[api.MemoryListMemory]
    ) -> Procedure[list[api.MemoryListMemory]]:
        """Writes the value to the newest memory, or to a new one. Returns the memories to delete."""
        content, metadata = content_and_metadata(op, value)
        expire_at = None if op.ttl is None else datetime.now(timezone.utc) + timedelta(minutes=op.ttl)
        if found:
            newest, *rest = found
            try:
                yield from ask(verbs.update(newest.id, content=content, metadata=metadata, expire_at=expire_at))
                return rest
            except NotFoundError:
                found = rest
        fields: api.RememberFields = {
            "user_id": self._user_of(place.namespace),
            "category": category_of(place.key),
            "type": TYPE,
            "metadata": metadata,
        }
        if expire_at is not None:
            fields["expire_at"] = expire_at
        yield from ask(verbs.remember(content, **fields))
        return found

    def _search(self, op: SearchOp) -> Procedure[Result]:
        query = (op.query or "").strip()
        end = op.offset + op.limit
        found: dict[Place, SearchItem] = {}
        pages = ListedPages(op.namespace_prefix) if query == "" else FoundPages(query, op.namespace_prefix)
        while len(found) < end and not pages.is_at_end:
            for item in (yield from pages.read()):
                if matches_filter(item.value, op.filter):
                    found.setdefault(Place(item.namespace, item.key), item)
        return list(found.values())[op.offset : end]

    def _list_namespaces(self, op: ListNamespacesOp) -> Procedure[Result]:
        conditions = op.match_conditions or ()
        found: set[Namespace] = set()
        pages = ListedPages(fixed_prefix(conditions))
        while not pages.is_at_end:
            for item in (yield from pages.read()):
                if all(matches_condition(item.namespace, condition) for condition in conditions):
                    found.add(item.namespace[: op.max_depth])
        return sorted(found)[op.offset : op.offset + op.limit]


def _forget(memory_id: str) -> Procedure[None]:
    """Deletes a memory. Does nothing if it no longer exists."""
    with suppress(NotFoundError):
        yield from ask(verbs.forget(memory_id))
