"""Retries of requests, with answers that tests define and with the service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import httpx
import pytest

from memory_service import (
    AsyncMemoryClient,
    MemoryClient,
    MemoryServiceError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    ServiceConnectionError,
    exchange,
)

Answer = Callable[[httpx.Request], httpx.Response]

MEMORY_STORED = {"id": "mem_1", "deleted_at": "2026-01-01T00:00:00.000Z"}


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "FIRST_DELAY", 0.001)


def client_of(answer: Answer, max_retries: int = 2) -> MemoryClient:
    http_client = httpx.Client(transport=httpx.MockTransport(answer))
    return MemoryClient("http://service.test/", api_key="key", max_retries=max_retries, http_client=http_client)


class Script:
    """Returns answers or errors in order, and repeats the last one."""

    def __init__(self, *outcomes: httpx.Response | httpx.TransportError) -> None:
        self.outcomes = outcomes
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        outcome = self.outcomes[min(len(self.requests), len(self.outcomes) - 1)]
        self.requests.append(request)
        if isinstance(outcome, httpx.TransportError):
            raise outcome
        return outcome


def refusal(status: int, **headers: str) -> httpx.Response:
    body = {"success": False, "error": {"code": "NO", "message": "No.", "details": {"a": 1}}}
    return httpx.Response(status, json=body, headers=headers)


def deleted() -> httpx.Response:
    return httpx.Response(200, json={"success": True, "data": MEMORY_STORED, "meta": {}})


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_tries_passing_statuses_again(status: int) -> None:
    script = Script(refusal(status), refusal(status), deleted())
    assert client_of(script).forget("mem_1").id == "mem_1"
    assert len(script.requests) == 3


@pytest.mark.parametrize(
    ("status", "kind"), [(403, PermissionDeniedError), (500, ServerError), (503, ServerError), (429, RateLimitError)]
)
def test_gives_up_with_the_last_refusal(status: int, kind: type[MemoryServiceError]) -> None:
    script = Script(refusal(status))
    with pytest.raises(kind) as raised:
        client_of(script).forget("mem_1")
    assert (raised.value.code, raised.value.details) == ("NO", {"a": 1})
    assert len(script.requests) == (3 if status in exchange.TRANSIENT else 1)


def test_waits_as_long_as_the_service_says_and_no_longer_than_helps() -> None:
    script = Script(refusal(429, **{"retry-after": "0"}), refusal(429, **{"retry-after": "3600"}))
    with pytest.raises(RateLimitError) as raised:
        client_of(script).forget("mem_1")
    assert raised.value.retry_after == 3600
    assert len(script.requests) == 2


def test_sends_no_put_twice_without_an_answer() -> None:
    script = Script(httpx.ReadError("reset"))
    with pytest.raises(ServiceConnectionError, match="reset") as raised:
        client_of(script).update("mem_1", content="New.")
    assert (raised.value.code, len(script.requests)) == ("CONNECTION_FAILED", 1)


def test_sends_other_requests_again_with_the_same_key() -> None:
    script = Script(httpx.ConnectTimeout("late"))
    with pytest.raises(ServiceConnectionError) as raised:
        client_of(script).remember("Hello there.")
    assert raised.value.code == "TIMEOUT"
    assert len(script.requests) == 3
    assert len({request.headers["idempotency-key"] for request in script.requests}) == 1
    with pytest.raises(ServiceConnectionError):
        client_of(script, max_retries=0).forget("mem_1")
    assert len(script.requests) == 4


def test_tells_answers_of_something_else() -> None:
    for response in (httpx.Response(200, text="<html>"), httpx.Response(200, json=[])):
        with pytest.raises(MemoryServiceError) as raised:
            client_of(Script(response)).forget("mem_1")
        assert raised.value.code == "INVALID_ANSWER"
    with pytest.raises(MemoryServiceError, match="Bad Gateway"):
        client_of(Script(httpx.Response(502, text="<html>"))).forget("mem_1")


def test_quotes_ids() -> None:
    script = Script(deleted())
    client_of(script).forget("a/b?c d")
    assert script.requests[0].url.raw_path == b"/memories/a%2Fb%3Fc%20d"


class _LosesTheFirstAnswer(httpx.HTTPTransport):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        self.count += 1
        if self.count == 1:
            response.read()
            raise httpx.ReadError("connection reset", request=request)
        return response


@pytest.fixture
def losing() -> Iterator[_LosesTheFirstAnswer]:
    with _LosesTheFirstAnswer() as transport:
        yield transport


def test_stores_once_when_the_answer_is_lost(
    losing: _LosesTheFirstAnswer, base_url: str, api_key: str, user: str
) -> None:
    client = MemoryClient(base_url, api_key=api_key, http_client=httpx.Client(transport=losing))
    client.remember("Stored once.", user_id=user)
    assert losing.count == 2
    assert [memory.content for memory in client.list(user_id=user)] == ["Stored once."]


def test_the_asynchronous_client_can_be_cancelled_while_it_waits() -> None:
    async def hang(_request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(60)
        raise AssertionError("unreachable")

    async def main() -> None:
        http_client = httpx.AsyncClient(transport=httpx.MockTransport(hang))
        async with AsyncMemoryClient("http://service.test", api_key="key", http_client=http_client) as client:
            await asyncio.wait_for(client.forget("mem_1"), 0.02)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(main())


def test_names_a_service_that_is_not_there() -> None:
    with (
        MemoryClient("http://127.0.0.1:9", api_key="none", max_retries=0) as client,
        pytest.raises(ServiceConnectionError),
    ):
        client.get("mem_1")
