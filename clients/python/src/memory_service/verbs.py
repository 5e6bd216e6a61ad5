"""The verbs of both clients, defined once: their parameters, and the call made from them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from typing_extensions import Required, Unpack

from . import api
from .operation import AnswerT, Call

ItemT = TypeVar("ItemT")


class NewMemory(api.RememberFields, total=False):
    """A memory to store."""

    content: Required[str]


@dataclass(frozen=True)
class Pages(Generic[AnswerT, ItemT]):
    """The pages of a list."""

    #: Yields one call per page; receives each page.
    calls: Generator[Call[AnswerT], AnswerT, None]
    items_of: Callable[[AnswerT], Sequence[ItemT]]


def remember(
    content: str, *, idempotency_key: str | None = None, **memory: Unpack[api.RememberFields]
) -> Call[api.Memory]:
    """Stores a memory: a text, with its user, time and metadata."""
    return Call(api.REMEMBER, body={"content": content, **memory}, idempotency_key=idempotency_key)


def remember_many(
    memories: Sequence[NewMemory],
    *,
    idempotency_key: str | None = None,
    **more: Unpack[api.RememberManyFields],
) -> Call[api.BatchCreated]:
    """Stores up to 100 memories; each is stored or fails on its own."""
    return Call(api.REMEMBER_MANY, body={"memories": memories, **more}, idempotency_key=idempotency_key)


def recall(query: str, **scope: Unpack[api.RecallFields]) -> Call[api.Recalled]:
    """
    Returns the context for a prompt: what is known for a query, within `max_tokens`. `confident` is false if nothing
    answers the query.
    """
    return Call(api.RECALL, body={"query": query, **scope})


def search(query: str, **search: Unpack[api.SearchFields]) -> Call[api.FilteredResults]:
    """Returns the results of a query, best first."""
    return Call(api.SEARCH, body={"query": query, **search})


def get(id: str) -> Call[api.IndexedMemory]:  # noqa: A002
    """Reads a memory."""
    return Call(api.GET, id=id)


def update(
    id: str,  # noqa: A002
    *,
    if_version: int | None = None,
    **changes: Unpack[api.UpdateFields],
) -> Call[api.Memory]:
    """Changes the given fields. With `if_version`, raises ConflictError if the memory has another version."""
    return Call(api.UPDATE, id=id, body=changes, if_version=if_version)


def forget(id: str) -> Call[api.Deleted]:  # noqa: A002
    """Deletes a memory."""
    return Call(api.FORGET, id=id)


def list(**filters: Unpack[api.ListFields]) -> Pages[api.MemoryList, api.MemoryListMemory]:  # noqa: A001
    """Yields all memories that match the filters. Pages are fetched as the loop needs them."""

    def calls() -> Generator[Call[api.MemoryList], api.MemoryList, None]:
        count = 0
        start: dict[str, Any] = {}
        while True:
            page = yield Call(api.LIST, query={**filters, **start})
            count += len(page.memories)
            following = page.pagination.next_cursor
            if not page.pagination.has_next or (not page.memories and following is None):
                return
            start = {"offset": count} if following is None else {"cursor": following}

    return Pages(calls(), lambda page: page.memories)


def profile(user_id: str) -> Call[api.UserProfile]:
    """Returns the user's profile, from their own words."""
    return Call(api.PROFILE, id=user_id)


def event(id: str) -> Call[api.Event]:  # noqa: A002
    """Returns the state of a background job, such as an import."""
    return Call(api.GET_EVENT, id=id)


def list_facts(**filters: Unpack[api.ListFactsFields]) -> Pages[api.FactList, api.Fact]:
    """Yields all facts that match the filters; `as_of` asks for those that were true at a time."""

    def calls() -> Generator[Call[api.FactList], api.FactList, None]:
        offset = 0
        while True:
            page = yield Call(api.LIST_FACTS, query={**filters, "offset": offset})
            offset += len(page.facts)
            if not page.pagination.has_next or not page.facts:
                return

    return Pages(calls(), lambda page: page.facts)


def get_fact(id: str) -> Call[api.FactWithHistory]:  # noqa: A002
    """Returns a fact with its history."""
    return Call(api.GET_FACT, id=id)


def correct_fact(
    id: str,  # noqa: A002
    *,
    if_version: int | None = None,
    **changes: Unpack[api.CorrectFactFields],
) -> Call[api.FactWithHistory]:
    """Corrects what was read wrongly. Values that were true before stay in the history."""
    return Call(api.CORRECT_FACT, id=id, body=changes, if_version=if_version)


def retract_fact(
    id: str,  # noqa: A002
    *,
    idempotency_key: str | None = None,
    if_version: int | None = None,
) -> Call[api.FactWithHistory]:
    """Marks a fact as never true."""
    return Call(api.RETRACT_FACT, id=id, idempotency_key=idempotency_key, if_version=if_version)


def create_session(
    *, idempotency_key: str | None = None, **session: Unpack[api.CreateSessionFields]
) -> Call[api.Session]:
    """Creates a session."""
    return Call(api.CREATE_SESSION, body=session, idempotency_key=idempotency_key)


def read_session(id: str) -> Call[api.SessionWithRatio]:  # noqa: A002
    """Reads a session."""
    return Call(api.READ_SESSION, id=id)


def update_session(
    id: str,  # noqa: A002
    *,
    if_version: int | None = None,
    **changes: Unpack[api.UpdateSessionFields],
) -> Call[api.SessionWithRatio]:
    """Changes the given fields. With `if_version`, raises ConflictError if the session has another version."""
    return Call(api.UPDATE_SESSION, id=id, body=changes, if_version=if_version)


def append_message(
    id: str,  # noqa: A002
    *,
    idempotency_key: str | None = None,
    **message: Unpack[api.AppendMessageFields],
) -> Call[api.AddedMessage]:
    """Adds a message to a session."""
    return Call(api.APPEND_MESSAGE, id=id, body=message, idempotency_key=idempotency_key)


def list_messages(
    id: str,  # noqa: A002
    **filters: Unpack[api.ListMessagesFields],
) -> Pages[api.MessageList, api.MessageListMessage]:
    """Yields all messages of a session that match the filters, oldest first."""

    def calls() -> Generator[Call[api.MessageList], api.MessageList, None]:
        query = {**filters}
        while True:
            page = yield Call(api.LIST_MESSAGES, id=id, query=query)
            if not page.pagination.has_next or not page.messages:
                return
            query["after"] = page.messages[-1].created_at

    return Pages(calls(), lambda page: page.messages)


def read_context(id: str) -> Call[api.SessionContext]:  # noqa: A002
    """Returns what a model needs to continue the conversation."""
    return Call(api.READ_CONTEXT, id=id)


def add_source(*, idempotency_key: str | None = None, **source: Unpack[api.AddSourceFields]) -> Call[api.Ingested]:
    """Adds a text or a web page. Its text is extracted, split into chunks and indexed for search."""
    return Call(api.ADD_SOURCE, body=source, idempotency_key=idempotency_key)
