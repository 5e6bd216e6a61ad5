"""The verbs of both clients, defined once: their parameters, and the call made from them."""

from __future__ import annotations

from collections.abc import Generator

from typing_extensions import Unpack

from . import api
from .operation import Call

#: Yields one call per page; receives each page.
Pages = Generator[Call[api.MemoryList], api.MemoryList, None]


def remember(
    content: str, *, idempotency_key: str | None = None, **memory: Unpack[api.RememberFields]
) -> Call[api.Memory]:
    """Stores a memory: a text, with its user, time and metadata."""
    return Call(api.REMEMBER, body={"content": content, **memory}, idempotency_key=idempotency_key)


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


def list(**filters: Unpack[api.ListFields]) -> Pages:  # noqa: A001
    """Yields all memories that match the filters. Pages are fetched as the loop needs them."""
    offset = 0
    while True:
        page = yield Call(api.LIST, query={**filters, "offset": offset})
        offset += len(page.memories)
        if not page.pagination.has_next or not page.memories:
            return


def profile(user_id: str) -> Call[api.UserProfile]:
    """Returns the user's profile, from their own words."""
    return Call(api.PROFILE, id=user_id)


def create_session(
    *, idempotency_key: str | None = None, **session: Unpack[api.CreateSessionFields]
) -> Call[api.Session]:
    """Creates a session."""
    return Call(api.CREATE_SESSION, body=session, idempotency_key=idempotency_key)


def append_message(
    id: str,  # noqa: A002
    *,
    idempotency_key: str | None = None,
    **message: Unpack[api.AppendMessageFields],
) -> Call[api.AddedMessage]:
    """Adds a message to a session."""
    return Call(api.APPEND_MESSAGE, id=id, body=message, idempotency_key=idempotency_key)


def add_source(*, idempotency_key: str | None = None, **source: Unpack[api.AddSourceFields]) -> Call[api.Ingested]:
    """Adds a text or a web page. Its text is extracted, split into chunks and indexed for search."""
    return Call(api.ADD_SOURCE, body=source, idempotency_key=idempotency_key)
