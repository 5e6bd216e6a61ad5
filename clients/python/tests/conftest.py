"""The service that the tests run against: MEMORY_URL and MEMORY_API_KEY name it."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any

import pytest

from memory_service import AsyncMemoryClient, MemoryClient


@pytest.fixture(scope="session")
def base_url() -> str:
    return os.environ["MEMORY_URL"]


@pytest.fixture(scope="session")
def api_key() -> str:
    return os.environ["MEMORY_API_KEY"]


@pytest.fixture
def user() -> str:
    """A user that only this test uses."""
    return f"user-{uuid.uuid4()}"


@pytest.fixture
def client(base_url: str, api_key: str) -> Iterator[MemoryClient]:
    with MemoryClient(base_url, api_key=api_key) as client:
        yield client


class Either:
    """One of the two clients; tests call both in the same way."""

    def __init__(self, client: MemoryClient | AsyncMemoryClient) -> None:
        self.client: Any = client
        self._loop = asyncio.new_event_loop()

    def __call__(self, answer: Any) -> Any:
        return self._loop.run_until_complete(answer) if isinstance(answer, Coroutine) else answer

    def all(self, answers: Any) -> list[Any]:
        return self(_collect(answers)) if isinstance(answers, AsyncIterator) else list(answers)

    def close(self) -> None:
        self(self.client.close())
        self._loop.close()


async def _collect(answers: AsyncIterator[Any]) -> list[Any]:
    return [answer async for answer in answers]


@pytest.fixture(params=[MemoryClient, AsyncMemoryClient])
def either(request: pytest.FixtureRequest, base_url: str, api_key: str) -> Iterator[Either]:
    either = Either(request.param(base_url, api_key=api_key))
    yield either
    either.close()
