"""Sessions of the OpenAI Agents SDK against the service, compared with the SDK's own session."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, cast

import pytest
from agents import Agent, Model, ModelResponse, Runner, SQLiteSession, Usage, set_tracing_disabled
from agents.items import TResponseInputItem
from agents.memory import Session, SessionSettings
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from memory_service import AsyncMemoryClient, InvalidRequestError, MemoryClient, NotFoundError
from memory_service.openai_agents import MemorySession
from memory_service.removed_items import kept, last, without

set_tracing_disabled(True)

Use = Callable[[Session], Awaitable[None]]


def items_of(*items: dict[str, Any]) -> list[TResponseInputItem]:
    return cast("list[TResponseInputItem]", list(items))


def said(*texts: str) -> list[TResponseInputItem]:
    return items_of(*({"role": "user", "content": text} for text in texts))


ITEMS = items_of(
    {"role": "user", "content": "What is the weather in Zurich?"},
    {"type": "function_call", "call_id": "call_1", "name": "weather", "arguments": '{"city": "Zurich"}'},
    {"type": "function_call_output", "call_id": "call_1", "output": "18 degrees"},
    {
        "type": "message",
        "role": "assistant",
        "id": "msg_1",
        "status": "completed",
        "content": [{"type": "output_text", "text": "It is 18 degrees.", "annotations": []}],
    },
    {"role": "developer", "content": "Be brief."},
    {"role": "system", "content": "Answer in English."},
    {"role": "user", "content": " "},
    {"role": "user", "content": ""},
    {"role": "user", "content": "No.", "type": "message"},
    {
        "role": "user",
        "content": [
            {"type": "input_text", "text": "What is this,"},
            {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"},
            {"type": "input_text", "text": "and this?"},
        ],
    },
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Thinking."}]},
    {"type": "function_call_output", "call_id": "call_2", "output": [{"type": "input_text", "text": "x" * 17_000}]},
    {
        "type": "message",
        "role": "assistant",
        "id": "msg_2",
        "status": "completed",
        "content": [{"type": "output_text", "text": "A long answer. " * 1_200, "annotations": []}],
    },
)


@pytest.fixture
def run(base_url: str, api_key: str, user: str) -> Callable[[Use], None]:
    """Uses a new session of the service."""

    def run(use: Use) -> None:
        async def main() -> None:
            async with AsyncMemoryClient(base_url, api_key=api_key) as client:
                await use(await MemorySession.create(client, agent_id="helper", user_id=user))

        asyncio.run(main())

    return run


def test_is_a_session_of_the_sdk(run: Callable[[Use], None]) -> None:
    async def use(session: Session) -> None:
        assert isinstance(session, Session)

    run(use)


def test_keeps_every_kind_of_item(run: Callable[[Use], None]) -> None:
    async def use(session: Session) -> None:
        await session.add_items(ITEMS)
        assert await session.get_items() == ITEMS

    run(use)


def test_does_as_the_sdks_own_session(run: Callable[[Use], None]) -> None:
    async def use(session: Session) -> None:
        own = SQLiteSession("own")
        both = (own, session)

        async def same(limit: int | None = None) -> None:
            listed = [await each.get_items(limit) for each in both]
            assert listed[0] == listed[1]

        async def pop() -> None:
            popped = [await each.pop_item() for each in both]
            assert popped[0] == popped[1]

        async def add(*texts: str) -> None:
            for each in both:
                await each.add_items(said(*texts))

        await same()
        await pop()
        await add()
        await add("a", "b", "c", "d")
        for limit in (0, 1, 3, 10, None):
            await same(limit)
        await pop()
        await add("e", "f")
        await pop()
        await pop()
        await same()
        await add("g", "h")
        for limit in (1, 2, 3, 4, None):
            await same(limit)
        for each in both:
            await each.clear_session()
            await each.clear_session()
        await same()
        await pop()
        await add("i", "j")
        await pop()
        await same()
        await pop()
        await pop()
        await same()

    run(use)


def test_settings_limit_what_is_read(run: Callable[[Use], None]) -> None:
    async def use(session: Session) -> None:
        await session.add_items(said("a", "b", "c"))
        session.session_settings = SessionSettings(limit=2)
        assert await session.get_items() == said("b", "c")
        assert await session.get_items(limit=1) == said("c")

    run(use)


def test_reads_pages_to_the_end(run: Callable[[Use], None], monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"Note {number}" for number in range(9)]

    async def use(session: Session) -> None:
        await session.add_items(said(*texts))
        monkeypatch.setattr("memory_service.openai_agents.PAGE", 2)
        assert await session.get_items() == said(*texts)
        assert await session.get_items(limit=5) == said(*texts[4:])
        # Simulates a session that is longer than the service can skip.
        monkeypatch.setattr("memory_service.openai_agents.MAX_OFFSET", 3)
        assert await session.get_items(limit=2) == said(*texts[7:])

    run(use)


def test_reads_a_session_that_others_write_to(base_url: str, api_key: str, user: str) -> None:
    async def main() -> None:
        async with AsyncMemoryClient(base_url, api_key=api_key) as client:
            created = await client.sessions.create(agent_id="helper", user_id=user, metadata={"room": 7})
            await client.sessions.append(created.id, role="assistant", content="Good morning.")
            session = MemorySession(client, created.id)
            assert await session.get_items() == items_of({"role": "assistant", "content": "Good morning."})
            await asyncio.gather(*(session.add_items(said(text)) for text in "abcd"))
            popped = await asyncio.gather(*(MemorySession(client, created.id).pop_item() for _ in range(3)))
            assert len({str(item) for item in popped}) == 3
            assert len(await session.get_items()) == 2
            with pytest.raises(NotFoundError):
                await MemorySession(client, "session_no_such").get_items()
            with pytest.raises(InvalidRequestError):
                await session.add_items(said("x" * 100_001))

    asyncio.run(main())


@pytest.mark.parametrize("count", range(6))
def test_ranges_are_those_of_a_list(count: int) -> None:
    for choice in range(2**count):
        items = [position for position in range(count) if choice >> position & 1]
        removed = [(position, position + 1) for position in range(count) if position not in items]
        assert [position for start, end in kept(removed, count) for position in range(start, end)] == items
        for limit in range(count + 1):
            chosen = last(kept(removed, count), limit)
            expected = items[max(0, len(items) - limit) :]
            assert [position for start, end in chosen for position in range(start, end)] == expected
        if items:
            assert kept(without(removed, items[-1]), count) == kept(removed, items[-1])


class EchoModel(Model):
    """Answers with the number of user messages that it received."""

    async def get_response(self, system_instructions: Any, input: Any, *rest: Any, **more: Any) -> ModelResponse:  # noqa: A002
        heard = [input] if isinstance(input, str) else [item for item in input if item.get("role") == "user"]
        text = ResponseOutputText(type="output_text", text=f"Heard {len(heard)}.", annotations=[])
        message = ResponseOutputMessage(
            id="msg_1", type="message", role="assistant", status="completed", content=[text]
        )
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    async def stream_response(self, *rest: Any, **more: Any) -> AsyncIterator[Any]:
        raise NotImplementedError
        yield


def test_serves_an_agent_whose_words_become_memories(
    run: Callable[[Use], None], client: MemoryClient, user: str
) -> None:
    agent = Agent(name="Helper", model=EchoModel())

    async def use(session: Session) -> None:
        for count in (1, 2):
            result = await Runner.run(agent, "My sister Ada drinks tea.", session=session)
            assert result.final_output == f"Heard {count}."
        assert [item.get("role") for item in await session.get_items()] == ["user", "assistant"] * 2

    run(use)
    eventually(lambda: "drinks tea" in client.recall("What does Ada drink?", user_id=user).context)


def eventually(condition: Callable[[], bool]) -> None:
    """Waits for background work of the service."""
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
