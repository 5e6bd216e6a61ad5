"""A memory of CrewAI (extra `crewai`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from crewai.memory.types import MemoryMatch, MemoryRecord
from crewai.memory.unified_memory import Memory
from pydantic import PrivateAttr

from . import api
from .client import MemoryClient
from .prompt import as_item

#: Key of this adapter's data in the metadata of memories.
KEY = "crewai"
BATCH = 100


class CrewMemory(Memory):
    """
    Stores and recalls in the service: `Crew(..., memory=CrewMemory(client, "ada"))`. The service embeds and ranks, so
    neither a vector store nor an embedder is used. CrewAI's language model still extracts what is remembered of a task.
    Texts of records are rendered for prompts, because CrewAI writes them into those of its agents.
    """

    _client: MemoryClient = PrivateAttr()
    _user_id: str = PrivateAttr()

    def __init__(self, client: MemoryClient, user_id: str, **settings: Any) -> None:
        super().__init__(storage=_NoStorage(), **settings)
        self._client = client
        self._user_id = user_id

    def remember(self, content: str, *rest: Any, **more: Any) -> MemoryRecord | None:
        """Stores a text."""
        records = self.remember_many([content], *rest, **more)
        return records[0] if records else None

    def remember_many(
        self,
        contents: list[str],
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
        source: str | None = None,
        private: bool = False,
        agent_role: str | None = None,
        root_scope: str | None = None,
    ) -> list[MemoryRecord]:
        """Stores texts."""
        if self.read_only:
            return []
        path = "/".join(part.strip("/") for part in (root_scope or self.root_scope, scope) if part)
        own = {"scope": f"/{path}", "categories": categories or [], "source": source, "agent_role": agent_role}
        records = []
        for start in range(0, len(contents), BATCH):
            stored = self._client.remember_many(
                [
                    {"content": content, "user_id": self._user_id, "metadata": {**(metadata or {}), KEY: own}}
                    for content in contents[start : start + BATCH]
                ]
            )
            for memory in stored.created:
                records.append(_record_of(memory.id, memory.content, {**(metadata or {}), KEY: own}))
        return records

    def recall(
        self,
        query: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        limit: int = 10,
        depth: str = "deep",
        source: str | None = None,
        include_private: bool = False,
    ) -> list[MemoryMatch]:
        """Returns the memories of the user that a query finds, best first."""
        found = self._client.search(
            query, filters={"user_id": self._user_id}, options={"limit": limit, "include_metadata": True}
        )
        matches = [
            MemoryMatch(record=_record_of(hit.id, hit.content or "", hit.metadata), score=hit.score)
            for hit in found.results
        ]
        return [match for match in matches if _fits(match.record, scope, categories)]

    def forget(
        self,
        scope: str | None = None,
        categories: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
        record_ids: list[str] | None = None,
    ) -> int:
        """Deletes the memories that CrewAI stored and that match. Returns their number."""
        filters: api.ListFields = {"user_id": self._user_id, "limit": 100}
        if older_than is not None:
            filters["created_before"] = older_than
        chosen = [
            memory.id
            for memory in self._client.list(**filters)
            if KEY in (memory.metadata or {})
            and (record_ids is None or memory.id in record_ids)
            and (metadata_filter or {}).items() <= (memory.metadata or {}).items()
            and _fits(_record_of(memory.id, memory.content, memory.metadata), scope, categories)
        ]
        for memory_id in chosen:
            self._client.forget(memory_id)
        return len(chosen)

    def reset(self, scope: str | None = None) -> None:
        """Deletes the memories that CrewAI stored."""
        self.forget(scope=scope)


class _NoStorage:
    """Takes the place of a vector store."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(f"The memory of the service has no `{name}`: use a client of the service.")


def _record_of(memory_id: str, content: str, metadata: dict[str, Any] | None) -> MemoryRecord:
    own = (metadata or {}).get(KEY) or {}
    return MemoryRecord(
        id=memory_id,
        content=as_item(content),
        scope=own.get("scope", "/"),
        categories=own.get("categories", []),
        metadata=metadata or {},
        source=own.get("source"),
    )


def _fits(record: MemoryRecord, scope: str | None, categories: list[str] | None) -> bool:
    path = "/" + (scope or "").strip("/")
    is_within = path == "/" or f"{record.scope}/".startswith(f"{path}/")
    return is_within and (not categories or bool(set(categories) & set(record.categories)))
