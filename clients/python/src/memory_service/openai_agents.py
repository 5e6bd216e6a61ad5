"""A session of the OpenAI Agents SDK, stored in the service (extra `openai-agents`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from typing_extensions import Unpack

from . import api, verbs
from .client import AsyncMemoryClient
from .errors import ConflictError
from .openai_items import item_of, message_of
from .operation import Call
from .procedure import Procedure, ResultT, ask, run_async
from .removed_items import Range, kept, last, metadata_of, removed_of, without

if TYPE_CHECKING:
    from agents.items import TResponseInputItem
    from agents.memory import SessionSettings

PAGE = 200
#: Maximum offset of messages in the service.
MAX_OFFSET = 10_000
#: Maximum attempts of a change that conflicts with others.
ATTEMPTS = 5


class MemorySession:
    """
    Stores the items of an agent's session as messages of the service's session with the given id. Messages of the user
    and the assistant become memories of the user, according to the session's `config.memory`.

    The service does not delete messages of a session: popped or cleared items stay in its record, and memories made
    from them remain.
    """

    session_settings: SessionSettings | None = None

    def __init__(self, client: AsyncMemoryClient, session_id: str) -> None:
        self.session_id = session_id
        self._transport = client._transport

    @classmethod
    async def create(cls, client: AsyncMemoryClient, **session: Unpack[api.CreateSessionFields]) -> MemorySession:
        """Creates a session in the service."""
        created = await client.sessions.create(**session)
        return cls(client, created.id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Returns the items in order; with a limit, from the argument or the session settings, only the last ones."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        items = await run_async(self._transport, self._read(limit))
        return cast("list[TResponseInputItem]", items)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Appends items."""
        for item in cast("list[dict[str, Any]]", items):
            await self._transport.send(verbs.append_message(self.session_id, **message_of(item)))

    async def pop_item(self) -> TResponseInputItem | None:
        """Removes and returns the last item, or returns None if there is no item."""
        return cast("TResponseInputItem | None", await run_async(self._transport, _retried(self._pop)))

    async def clear_session(self) -> None:
        """Removes all items."""
        await run_async(self._transport, _retried(self._clear))

    def _read(self, limit: int | None) -> Procedure[list[dict[str, Any]]]:
        session = yield from ask(verbs.read_session(self.session_id))
        ranges = kept(removed_of(session.metadata), session.message_count)
        if limit is not None:
            ranges = last(ranges, limit)
        return (yield from self._items(ranges))

    def _items(self, ranges: list[Range]) -> Procedure[list[dict[str, Any]]]:
        """Returns the items at the positions in the ranges. Reads all messages from the first position to the last."""
        if not ranges:
            return []
        (position, _), (_, end) = ranges[0], ranges[-1]
        items: list[dict[str, Any]] = []
        query: dict[str, Any] = {"offset": min(position, MAX_OFFSET)}
        position = query["offset"]
        while position < end:
            page = yield from ask(Call(api.LIST_MESSAGES, id=self.session_id, query={**query, "limit": PAGE}))
            if not page.messages:
                break
            for message in page.messages:
                if any(start <= position < stop for start, stop in ranges):
                    items.append(item_of(message))
                position += 1
            query = {"after": page.messages[-1].created_at}
        return items

    def _pop(self) -> Procedure[dict[str, Any] | None]:
        session = yield from ask(verbs.read_session(self.session_id))
        removed = removed_of(session.metadata)
        newest = last(kept(removed, session.message_count), 1)
        items = yield from self._items(newest)
        if not items:
            return None
        yield from self._remove(session, without(removed, newest[0][0]))
        return items[0]

    def _clear(self) -> Procedure[None]:
        session = yield from ask(verbs.read_session(self.session_id))
        if kept(removed_of(session.metadata), session.message_count):
            yield from self._remove(session, [(0, session.message_count)])

    def _remove(self, session: api.SessionWithRatio, removed: list[Range]) -> Procedure[None]:
        changes: api.UpdateSessionFields = {"metadata": metadata_of(removed)}
        yield from ask(verbs.update_session(self.session_id, if_version=session.version, **changes))


def _retried(change: Callable[[], Procedure[ResultT]]) -> Procedure[ResultT]:
    """Makes a change, and starts it again if the session was changed concurrently."""
    for _ in range(ATTEMPTS - 1):
        try:
            return (yield from change())
        except ConflictError:
            continue
    return (yield from change())
