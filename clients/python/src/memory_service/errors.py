"""
Errors of the service. Python has a built-in `MemoryError`, `ConnectionError` and `PermissionError`, so these classes
have other names than in the TypeScript client.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class MemoryServiceError(Exception):
    """The service's error, or the reason why there was no answer."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        #: The error code of the service, such as `MEMORY_NOT_FOUND`; `CONNECTION_FAILED` or `TIMEOUT` if there was no
        #: answer, `INVALID_ANSWER` if the answer is not one of the service.
        self.code = code
        #: HTTP status, or 0 if there was no answer.
        self.status = status
        self.details = dict(details or {})
        #: Include it when you report the problem.
        self.request_id = request_id
        #: Seconds until the service accepts another request, or None if the service did not send them.
        self.retry_after = retry_after


class InvalidRequestError(MemoryServiceError):
    """400, 413, 415, 422 and other 4xx: the request must be changed."""


class AuthenticationError(MemoryServiceError):
    """401: the key or token is not valid."""


class PermissionDeniedError(MemoryServiceError):
    """403: the key or role lacks the permission."""


class NotFoundError(MemoryServiceError):
    """404"""


class ConflictError(MemoryServiceError):
    """409, 412: the resource has changed, or the same request is still in progress."""


class RateLimitError(MemoryServiceError):
    """429"""


class ServerError(MemoryServiceError):
    """5xx"""


class ServiceConnectionError(MemoryServiceError):
    """No answer: the connection failed or the request timed out."""


_BY_STATUS: dict[int, type[MemoryServiceError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    429: RateLimitError,
}


def error_class(status: int) -> type[MemoryServiceError]:
    """Returns the error class for an HTTP status."""
    return _BY_STATUS.get(status, ServerError if status >= 500 else InvalidRequestError)
