"""The synchronous and the asynchronous client. Both have the methods of `verbs.py`."""

from __future__ import annotations

from types import TracebackType

import httpx
from typing_extensions import Self

from . import verbs
from .exchange import settings_of
from .methods import AsyncMethod, AsyncPages, SyncMethod, SyncPages
from .transport import DEFAULT_RETRIES, DEFAULT_TIMEOUT, AsyncTransport, Transport


class Facts:
    """What the memories of users say, as values of properties, with their validity."""

    list = SyncPages(verbs.list_facts)
    get = SyncMethod(verbs.get_fact)
    correct = SyncMethod(verbs.correct_fact)
    retract = SyncMethod(verbs.retract_fact)

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class Sessions:
    """Conversations."""

    create = SyncMethod(verbs.create_session)
    get = SyncMethod(verbs.read_session)
    update = SyncMethod(verbs.update_session)
    append = SyncMethod(verbs.append_message)
    messages = SyncPages(verbs.list_messages)
    context = SyncMethod(verbs.read_context)

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class Sources:
    """Texts and web pages."""

    add = SyncMethod(verbs.add_source)

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class MemoryClient:
    """
    A client of one memory service. All methods raise a MemoryServiceError if the service rejects the request or does
    not answer. Thread-safe.
    """

    remember = SyncMethod(verbs.remember)
    remember_many = SyncMethod(verbs.remember_many)
    recall = SyncMethod(verbs.recall)
    search = SyncMethod(verbs.search)
    get = SyncMethod(verbs.get)
    update = SyncMethod(verbs.update)
    forget = SyncMethod(verbs.forget)
    list = SyncPages(verbs.list)
    profile = SyncMethod(verbs.profile)
    event = SyncMethod(verbs.event)

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        access_token: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        """
        `timeout` is in seconds and applies to the connection, the write and the read of each attempt; `max_retries` is
        the number of retries after the first attempt. `http_client` is for proxies and tests: it has its own timeout,
        and the client does not close it.
        """
        settings = settings_of(base_url, api_key, access_token, max_retries)
        self._transport = Transport(settings, timeout, http_client)
        self.facts = Facts(self._transport)
        self.sessions = Sessions(self._transport)
        self.sources = Sources(self._transport)

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncFacts:
    """What the memories of users say, as values of properties, with their validity."""

    list = AsyncPages(verbs.list_facts)
    get = AsyncMethod(verbs.get_fact)
    correct = AsyncMethod(verbs.correct_fact)
    retract = AsyncMethod(verbs.retract_fact)

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport


class AsyncSessions:
    """Conversations."""

    create = AsyncMethod(verbs.create_session)
    get = AsyncMethod(verbs.read_session)
    update = AsyncMethod(verbs.update_session)
    append = AsyncMethod(verbs.append_message)
    messages = AsyncPages(verbs.list_messages)
    context = AsyncMethod(verbs.read_context)

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport


class AsyncSources:
    """Texts and web pages."""

    add = AsyncMethod(verbs.add_source)

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport


class AsyncMemoryClient:
    """The client for asyncio: its methods are awaited, and `list` returns an asynchronous iterator."""

    remember = AsyncMethod(verbs.remember)
    remember_many = AsyncMethod(verbs.remember_many)
    recall = AsyncMethod(verbs.recall)
    search = AsyncMethod(verbs.search)
    get = AsyncMethod(verbs.get)
    update = AsyncMethod(verbs.update)
    forget = AsyncMethod(verbs.forget)
    list = AsyncPages(verbs.list)
    profile = AsyncMethod(verbs.profile)
    event = AsyncMethod(verbs.event)

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        access_token: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_RETRIES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """Takes the same parameters as MemoryClient."""
        settings = settings_of(base_url, api_key, access_token, max_retries)
        self._transport = AsyncTransport(settings, timeout, http_client)
        self.facts = AsyncFacts(self._transport)
        self.sessions = AsyncSessions(self._transport)
        self.sources = AsyncSources(self._transport)

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
