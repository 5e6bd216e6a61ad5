"""
Descriptors that turn verbs into methods of a client: same parameters, but the result is the answer instead of the call.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, Generic, ParamSpec, Protocol, overload

from typing_extensions import Self

from .operation import AnswerT, Call
from .transport import AsyncTransport, Transport
from .verbs import ItemT, Pages

P = ParamSpec("P")


class _Sync(Protocol):
    _transport: Transport


class _Async(Protocol):
    _transport: AsyncTransport


class SyncMethod(Generic[P, AnswerT]):
    """A synchronous method."""

    def __init__(self, verb: Callable[P, Call[AnswerT]]) -> None:
        self.verb = verb
        self.__doc__ = verb.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: _Sync, owner: type) -> Callable[P, AnswerT]: ...
    def __get__(self, client: _Sync | None, owner: type) -> Self | Callable[P, AnswerT]:
        if client is None:
            return self
        transport = client._transport

        @wraps(self.verb)
        def method(*args: P.args, **kwargs: P.kwargs) -> AnswerT:
            return transport.send(self.verb(*args, **kwargs))

        return method


class AsyncMethod(Generic[P, AnswerT]):
    """An asynchronous method."""

    def __init__(self, verb: Callable[P, Call[AnswerT]]) -> None:
        self.verb = verb
        self.__doc__ = verb.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: _Async, owner: type) -> Callable[P, Coroutine[Any, Any, AnswerT]]: ...
    def __get__(self, client: _Async | None, owner: type) -> Self | Callable[P, Coroutine[Any, Any, AnswerT]]:
        if client is None:
            return self
        transport = client._transport

        @wraps(self.verb)
        async def method(*args: P.args, **kwargs: P.kwargs) -> AnswerT:
            return await transport.send(self.verb(*args, **kwargs))

        return method


class SyncPages(Generic[P, ItemT]):
    """A method that returns an iterator."""

    def __init__(self, verb: Callable[P, Pages[Any, ItemT]]) -> None:
        self.verb = verb
        self.__doc__ = verb.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: _Sync, owner: type) -> Callable[P, Iterator[ItemT]]: ...
    def __get__(self, client: _Sync | None, owner: type) -> Self | Callable[P, Iterator[ItemT]]:
        if client is None:
            return self
        transport = client._transport

        @wraps(self.verb)
        def method(*args: P.args, **kwargs: P.kwargs) -> Iterator[ItemT]:
            return transport.iterate(self.verb(*args, **kwargs))

        return method


class AsyncPages(Generic[P, ItemT]):
    """A method that returns an asynchronous iterator."""

    def __init__(self, verb: Callable[P, Pages[Any, ItemT]]) -> None:
        self.verb = verb
        self.__doc__ = verb.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: _Async, owner: type) -> Callable[P, AsyncIterator[ItemT]]: ...
    def __get__(self, client: _Async | None, owner: type) -> Self | Callable[P, AsyncIterator[ItemT]]:
        if client is None:
            return self
        transport = client._transport

        @wraps(self.verb)
        def method(*args: P.args, **kwargs: P.kwargs) -> AsyncIterator[ItemT]:
            return transport.iterate(self.verb(*args, **kwargs))

        return method
