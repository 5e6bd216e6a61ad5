"""Where the credential goes: to the service alone, and into no error or log."""

from __future__ import annotations

import traceback

import httpx
import pytest

from memory_service import InvalidRequestError, MemoryClient, MemoryServiceError

KEY = "mk_canary_0123456789"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_follows_no_redirect(status: int) -> None:
    hosts: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        hosts.append(request.url.host)
        return httpx.Response(status, headers={"location": "http://elsewhere.test/stolen"})

    http_client = httpx.Client(transport=httpx.MockTransport(answer), follow_redirects=True)
    client = MemoryClient("http://service.test", api_key=KEY, http_client=http_client)
    for call in (lambda: client.remember("Tea."), lambda: client.get("mem_1"), lambda: client.forget("mem_1")):
        with pytest.raises(MemoryServiceError):
            call()
    assert set(hosts) == {"service.test"}


def test_errors_do_not_hold_the_key() -> None:
    def repeat(request: httpx.Request) -> httpx.Response:
        problem = str(dict(request.headers))
        return httpx.Response(400, json={"error": {"code": "NO", "message": problem, "details": {"problem": problem}}})

    for credential in ({"api_key": KEY}, {"access_token": KEY}):
        http_client = httpx.Client(transport=httpx.MockTransport(repeat))
        client = MemoryClient("http://service.test", **credential, http_client=http_client)  # type: ignore[arg-type]
        with pytest.raises(InvalidRequestError) as refusal:
            client.get("mem_1")
        shown = "".join(traceback.format_exception(refusal.value)) + repr(refusal.value.details)
        assert KEY not in shown + repr(client) + repr(client._transport._settings)


@pytest.mark.parametrize("key", [f"{KEY}\n", f" {KEY}", f"{KEY}ü", f"{KEY}\0", ""])
def test_does_not_repeat_a_key_that_no_header_can_carry(key: str) -> None:
    with pytest.raises(ValueError, match="api_key") as refusal:
        MemoryClient("http://service.test", api_key=key)
    assert KEY not in str(refusal.value)


def test_does_not_repeat_a_password_in_the_address() -> None:
    with pytest.raises(ValueError, match="address") as refusal:
        MemoryClient(f"http://ada:{KEY}@service.test", api_key="key")
    assert KEY not in str(refusal.value)


@pytest.mark.parametrize("memory_id", ["", ".", ".."])
def test_sends_no_request_for_an_id_that_is_a_path(memory_id: str) -> None:
    http_client = httpx.Client(transport=httpx.MockTransport(lambda _: pytest.fail("a request was sent")))
    client = MemoryClient("http://service.test", api_key=KEY, http_client=http_client)
    for call in (client.get, client.forget, client.profile):
        with pytest.raises(InvalidRequestError, match="is not an id"):
            call(memory_id)
