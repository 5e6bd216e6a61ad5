"""A memory service of Google's Agent Development Kit (extra `google-adk`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from . import api
from .client import AsyncMemoryClient
from .operation import Call
from .prompt import as_item


class MemoryService(BaseMemoryService):
    """
    Stores what is said in sessions, by application and user: `Runner(..., memory_service=MemoryService(client))`. A
    session may be added more than once: what is known already in the same words is not stored again. Texts of found
    memories are rendered for prompts, because ADK writes them into the instructions of a model.
    """

    def __init__(self, client: AsyncMemoryClient, *, max_results: int = 10) -> None:
        self._transport = client._transport
        self._max_results = max_results

    async def add_session_to_memory(self, session: Session) -> None:
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        for event in events:
            text = _text_of(event.content)
            if text == "":
                continue
            message = {"role": "user" if event.author == "user" else "assistant", "content": text}
            said = datetime.fromtimestamp(event.timestamp, timezone.utc).isoformat()
            body = {"messages": [message], "timestamp": said, "run_id": session_id, "metadata": custom_metadata}
            await self._add(app_name, user_id, body)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        for memory in memories:
            text = _text_of(memory.content)
            if text == "":
                continue
            body = {
                "messages": [{"role": "user" if memory.author in (None, "user") else "assistant", "content": text}],
                "infer": False,
                "timestamp": memory.timestamp,
                "metadata": {**memory.custom_metadata, **(custom_metadata or {})},
            }
            await self._add(app_name, user_id, body)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        filters = {"AND": [{"user_id": user_id}, {"app_id": app_name}]}
        body = {"query": query, "filters": filters, "top_k": self._max_results}
        found = await self._transport.send(Call(api.SEARCH_WHERE, body=body))
        return SearchMemoryResponse(memories=[_entry_of(hit) for hit in found.results])

    async def _add(self, app_name: str, user_id: str, body: Mapping[str, Any]) -> None:
        given = {name: value for name, value in body.items() if value is not None}
        await self._transport.send(Call(api.ADD_MESSAGES, body={**given, "user_id": user_id, "app_id": app_name}))


def _text_of(content: types.Content | None) -> str:
    """Returns what is said; neither thoughts nor calls of functions."""
    parts = (content.parts if content else None) or []
    return "\n".join(part.text for part in parts if part.text and not part.thought).strip()


def _entry_of(hit: api.CompatHit) -> MemoryEntry:
    content = types.Content(role="user", parts=[types.Part(text=as_item(hit.memory or ""))])
    return MemoryEntry(content=content, id=hit.id, timestamp=hit.created_at, custom_metadata=hit.metadata or {})
