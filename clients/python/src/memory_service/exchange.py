"""Requests, retries and parsing of answers, without I/O: shared by both clients."""

from __future__ import annotations

import json
import random
import re
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from urllib.parse import quote

import httpx
from pydantic import ValidationError

from .errors import InvalidRequestError, MemoryServiceError, RateLimitError, ServiceConnectionError, error_class
from .operation import AnswerT, Call

FIRST_DELAY = 0.25
MAX_DELAY = 10.0
#: Statuses after which a retry may succeed.
TRANSIENT = frozenset({429, 502, 503, 504})
#: Methods that are not retried after a connection error: without an idempotency key they might be applied twice.
NOT_REPEATABLE = frozenset({"PUT", "PATCH"})
#: What a credential may contain: httpx names the whole value if it is invalid in a header.
CREDENTIAL = re.compile(r"[\x21-\x7e]+")
REDACTED = "[REDACTED]"


@dataclass(frozen=True)
class Wait:
    """Seconds until the next attempt."""

    seconds: float


#: Yields a request to send or a pause; receives the response, or the error that occurred instead.
Exchange = Generator[httpx.Request | Wait, httpx.Response | httpx.TransportError | None, AnswerT]


@dataclass(frozen=True)
class Settings:
    """Settings that all requests of a client share."""

    base_url: str
    credentials: Mapping[str, str] = field(repr=False)
    secret: str = field(repr=False)
    max_retries: int

    def exchange(self, call: Call[AnswerT]) -> Exchange[AnswerT]:
        """Sends a call and retries it if that is safe: each attempt of a POST has the same idempotency key."""
        key = call.idempotency_key or str(uuid.uuid4())
        attempt = 0
        while True:
            outcome = yield self._request(call, key)
            try:
                return self._read(call, outcome)
            except MemoryServiceError as error:
                delay = _delay_before(error, attempt, call) if attempt < self.max_retries else None
                if delay is None:
                    raise
            yield Wait(delay)
            attempt += 1

    def _request(self, call: Call[Any], key: str) -> httpx.Request:
        method = call.operation.method
        headers = {"accept": "application/json", **self.credentials}
        if call.body is not None:
            headers["content-type"] = "application/json"
        if method == "POST":
            headers["idempotency-key"] = key
        if call.if_version is not None:
            headers["if-match"] = f'"{call.if_version}"'
        content = None if call.body is None else json.dumps(call.body, default=_plain)
        params = {name: _parameter(value) for name, value in (call.query or {}).items()}
        return httpx.Request(method, self.base_url + _path(call), headers=headers, params=params, content=content)

    def _read(self, call: Call[AnswerT], outcome: httpx.Response | httpx.TransportError | None) -> AnswerT:
        what = f"{call.operation.method} {_path(call)}"
        if not isinstance(outcome, httpx.Response):
            is_late = isinstance(outcome, httpx.TimeoutException)
            problem = "no answer in time" if is_late else f"the connection failed: {outcome}"
            code = "TIMEOUT" if is_late else "CONNECTION_FAILED"
            raise ServiceConnectionError(f"{what}: {problem}", code=code, status=0) from outcome
        # An answer of another server may repeat the request's headers.
        text = outcome.text if outcome.is_success else outcome.text.replace(self.secret, REDACTED)
        envelope = _envelope(text)
        if not outcome.is_success:
            raise _refusal(what, outcome, envelope)
        try:
            return call.operation.answer.model_validate(envelope.get("data", envelope))
        except ValidationError as error:
            problem = "the answer is not one of this service"
            raise MemoryServiceError(f"{what}: {problem}", code="INVALID_ANSWER", status=outcome.status_code) from error


def settings_of(base_url: str, api_key: str | None, access_token: str | None, max_retries: int) -> Settings:
    """Returns the settings of a client. Raises ValueError if no valid credential is given."""
    name, secret = ("access_token", access_token) if api_key is None else ("api_key", api_key)
    if secret is None:
        raise ValueError("Give the client an api_key or an access_token.")
    if CREDENTIAL.fullmatch(secret) is None:
        raise ValueError(f"The {name} has characters that no key has, such as blanks or line breaks.")
    if httpx.URL(base_url).userinfo:
        raise ValueError("The address of the service contains a user or password.")
    credentials = {"authorization": f"Bearer {secret}"} if api_key is None else {"x-api-key": secret}
    return Settings(base_url.rstrip("/"), credentials, secret, max_retries)


def _path(call: Call[Any]) -> str:
    path = call.operation.path
    if call.id is None:
        return path
    if call.id in ("", ".", ".."):
        raise InvalidRequestError(f"'{call.id}' is not an id.", code="INVALID_ID", status=0)
    head, _, rest = path.partition("{")
    return head + quote(call.id, safe="") + rest.partition("}")[2]


def _plain(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


def _parameter(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)


def _envelope(text: str) -> dict[str, Any]:
    try:
        parsed = json.loads(text)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _refusal(what: str, response: httpx.Response, envelope: Mapping[str, Any]) -> MemoryServiceError:
    error = envelope.get("error") or {}
    status = response.status_code
    return error_class(status)(
        f"{what}: {error.get('message', response.reason_phrase)}",
        code=error.get("code", f"HTTP_{status}"),
        status=status,
        details=error.get("details"),
        request_id=(envelope.get("meta") or {}).get("request_id") or response.headers.get("x-request-id"),
        retry_after=_seconds(response.headers.get("retry-after")),
    )


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdecimal() else None


def _delay_before(error: MemoryServiceError, attempt: int, call: Call[Any]) -> float | None:
    """Returns the seconds to wait before a retry, or None if a retry would not help or might apply a change twice."""
    is_unanswered = isinstance(error, ServiceConnectionError) and call.operation.method not in NOT_REPEATABLE
    if error.status not in TRANSIENT and not is_unanswered:
        return None
    if isinstance(error, RateLimitError) and error.retry_after is not None:
        return error.retry_after if error.retry_after <= MAX_DELAY else None
    return min(MAX_DELAY, FIRST_DELAY * 2.0**attempt) * random.uniform(0.5, 1)
