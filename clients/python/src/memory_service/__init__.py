"""Client of the Memory Service: remember, recall and search from Python."""

from . import api, prompt, webhooks
from .client import AsyncMemoryClient, MemoryClient
from .errors import (
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    MemoryServiceError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    ServiceConnectionError,
)

__all__ = [
    "AsyncMemoryClient",
    "AuthenticationError",
    "ConflictError",
    "InvalidRequestError",
    "MemoryClient",
    "MemoryServiceError",
    "NotFoundError",
    "PermissionDeniedError",
    "RateLimitError",
    "ServerError",
    "ServiceConnectionError",
    "api",
    "prompt",
    "webhooks",
]
