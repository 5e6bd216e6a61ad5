"""The synchronous and the asynchronous way to run an exchange."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from .exchange import Settings, Wait
from .operation import AnswerT, Call
from .verbs import ItemT, Pages

DEFAULT_TIMEOUT = 30.0
DEFAULT_RETRIES = 2


class Transport:
    """Sends calls over an HTTP client. Does not close a client that was passed in."""

    def __init__(self, settings: Settings, timeout: float, http_client: httpx.Client | None) -> None:
        self._settings = settings
        self._is_owner = http_client is None
        self._http = httpx.Client(timeout=timeout) if http_client is None else http_client

    def send(self, call: Call[AnswerT]) -> AnswerT:
        """Returns the service's answer. Raises MemoryServiceError if the request fails."""
        exchange = self._settings.exchange(call)
        outcome: httpx.Response | httpx.TransportError | None = None
        while True:
            try:
                step = exchange.send(outcome)
            except StopIteration as end:
                answer: AnswerT = end.value
                return answer
            outcome = self._take(step)

    def _take(self, step: httpx.Request | Wait) -> httpx.Response | httpx.TransportError | None:
        if isinstance(step, Wait):
            time.sleep(step.seconds)
            return None
        try:
            # A redirect would send the credential and the body to another address.
            return self._http.send(step, follow_redirects=False)
        except httpx.TransportError as error:
            return error

    def iterate(self, pages: Pages[Any, ItemT]) -> Iterator[ItemT]:
        """Yields the items of all pages, page by page."""
        call = next(pages.calls)
        while True:
            page = self.send(call)
            yield from pages.items_of(page)
            try:
                call = pages.calls.send(page)
            except StopIteration:
                return

    def close(self) -> None:
        if self._is_owner:
            self._http.close()


class AsyncTransport:
    """Sends calls over an HTTP client. Does not close a client that was passed in."""

    def __init__(self, settings: Settings, timeout: float, http_client: httpx.AsyncClient | None) -> None:
        self._settings = settings
        self._is_owner = http_client is None
        self._http = httpx.AsyncClient(timeout=timeout) if http_client is None else http_client

    async def send(self, call: Call[AnswerT]) -> AnswerT:
        """Returns the service's answer. Raises MemoryServiceError if the request fails."""
        exchange = self._settings.exchange(call)
        outcome: httpx.Response | httpx.TransportError | None = None
        while True:
            try:
                step = exchange.send(outcome)
            except StopIteration as end:
                answer: AnswerT = end.value
                return answer
            outcome = await self._take(step)

    async def _take(self, step: httpx.Request | Wait) -> httpx.Response | httpx.TransportError | None:
        if isinstance(step, Wait):
            await asyncio.sleep(step.seconds)
            return None
        try:
            return await self._http.send(step, follow_redirects=False)
        except httpx.TransportError as error:
            return error

    async def iterate(self, pages: Pages[Any, ItemT]) -> AsyncIterator[ItemT]:
        """Yields the items of all pages, page by page."""
        call = next(pages.calls)
        while True:
            page = await self.send(call)
            for item in pages.items_of(page):
                yield item
            try:
                call = pages.calls.send(page)
            except StopIteration:
                return

    async def close(self) -> None:
        if self._is_owner:
            await self._http.aclose()
