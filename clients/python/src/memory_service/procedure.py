"""Sequences of calls, written once for both clients."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

from .errors import MemoryServiceError
from .operation import AnswerT, Call
from .transport import AsyncTransport, Transport
from .verbs import ItemT, Pages

ResultT = TypeVar("ResultT")

#: Yields one call after the other; receives each answer or error.
Procedure = Generator[Call[Any], Any, ResultT]


def ask(call: Call[AnswerT]) -> Procedure[AnswerT]:
    """Returns the answer of a call. Use with `yield from`."""
    answer: AnswerT = yield call
    return answer


def collect(pages: Pages[Any, ItemT]) -> Procedure[list[ItemT]]:
    """Returns the items of all pages. Use with `yield from`."""
    found: list[ItemT] = []
    call = next(pages.calls)
    while True:
        page = yield from ask(call)
        found += pages.items_of(page)
        try:
            call = pages.calls.send(page)
        except StopIteration:
            return found


def run(transport: Transport, procedure: Procedure[ResultT]) -> ResultT:
    """Runs a procedure and returns its result."""
    try:
        call = next(procedure)
        while True:
            try:
                answer = transport.send(call)
            except MemoryServiceError as error:
                call = procedure.throw(error)
            else:
                call = procedure.send(answer)
    except StopIteration as end:
        result: ResultT = end.value
        return result


async def run_async(transport: AsyncTransport, procedure: Procedure[ResultT]) -> ResultT:
    """Runs a procedure and returns its result."""
    try:
        call = next(procedure)
        while True:
            try:
                answer = await transport.send(call)
            except MemoryServiceError as error:
                call = procedure.throw(error)
            else:
                call = procedure.send(answer)
    except StopIteration as end:
        result: ResultT = end.value
        return result
