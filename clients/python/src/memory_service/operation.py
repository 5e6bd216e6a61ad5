"""Types that describe a request to the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

AnswerT = TypeVar("AnswerT", bound=BaseModel)


@dataclass(frozen=True)
class Operation(Generic[AnswerT]):
    """An operation of the API, and the model of its answer without the envelope."""

    method: str
    path: str
    answer: type[AnswerT]


@dataclass(frozen=True)
class Call(Generic[AnswerT]):
    """An operation with its arguments. `id` fills the only parameter that a path may have."""

    operation: Operation[AnswerT]
    id: str | None = None
    query: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    idempotency_key: str | None = None
    if_version: int | None = None
