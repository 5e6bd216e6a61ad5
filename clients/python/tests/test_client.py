"""Both clients against the service."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta, timezone

import pytest

from memory_service import (
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    MemoryClient,
    NotFoundError,
    verbs,
)
from memory_service.api import MemoryList, Pagination
from memory_service.verbs import NewMemory

from .conftest import Either


def test_stores_recalls_finds_reads_changes_and_deletes(either: Either, user: str) -> None:
    client = either.client
    stored = either(client.remember("My sister Ada drinks green tea.", user_id=user, metadata={"room": 7}))
    recalled = either(client.recall("What does Ada drink?", user_id=user, max_tokens=100))
    assert "green tea" in recalled.context
    found = either(client.search("green tea", filters={"user_id": user}, options={"limit": 5}))
    assert found.results[0].id == stored.id
    changed = either(client.update(stored.id, content="My sister Ada drinks black tea.", if_version=1))
    assert changed.version == 2
    with pytest.raises(ConflictError):
        either(client.update(stored.id, content="No.", if_version=1))
    read = either(client.get(stored.id))
    assert (read.content, read.metadata) == ("My sister Ada drinks black tea.", {"room": 7})
    assert either(client.profile(user)).user_id == user
    assert either(client.forget(stored.id)).id == stored.id
    with pytest.raises(NotFoundError) as refusal:
        either(client.get(stored.id))
    assert (refusal.value.code, refusal.value.status) == ("MEMORY_NOT_FOUND", 404)


def test_sends_moments_and_takes_none_for_a_value(either: Either, user: str) -> None:
    client = either.client
    moment = datetime(2024, 5, 7, 14, 30, tzinfo=timezone(timedelta(hours=2)))
    expiry = datetime.now(timezone.utc) + timedelta(days=1)
    stored = either(client.remember("Ada came home.", user_id=user, occurred_at=moment, expire_at=expiry))
    assert datetime.fromisoformat(stored.occurred_at) == moment
    assert stored.expire_at is not None
    assert either(client.update(stored.id, expire_at=None)).expire_at is None
    listed = either.all(client.list(user_id=user, occurred_before=moment + timedelta(seconds=1)))
    assert [memory.id for memory in listed] == [stored.id]


def test_reads_page_after_page(either: Either, user: str) -> None:
    for count in range(5):
        either(either.client.remember(f"Note {count}", user_id=user))
    listed = either.all(either.client.list(user_id=user, limit=2))
    assert sorted(memory.content for memory in listed) == [f"Note {count}" for count in range(5)]
    assert either.all(either.client.list(user_id=f"{user}-nobody")) == []


def test_lists_memories_by_the_cursor_of_the_page_before() -> None:
    pages = verbs.list(user_id="ada", limit=2)
    first = next(pages.calls)
    page = MemoryList(memories=[], pagination=Pagination(total=9, limit=2, offset=0, has_next=True, next_cursor="abc"))
    second = pages.calls.send(page)
    assert first.query == {"user_id": "ada", "limit": 2}
    assert second.query == {"user_id": "ada", "limit": 2, "cursor": "abc"}


def test_appends_messages_and_adds_sources(either: Either, user: str) -> None:
    client = either.client
    session = either(client.sessions.create(agent_id="helper", user_id=user))
    added = either(client.sessions.append(session.id, role="user", content="Good morning."))
    assert (added.id, added.content) == (session.id, "Good morning.")
    source = either(client.sources.add(type="text", content="Tea is in the blue tin.", title="Pantry", user_id=user))
    assert source.source.title == "Pantry"


def test_reads_messages_and_context(either: Either, user: str) -> None:
    client = either.client
    session = either(client.sessions.create(agent_id="helper", user_id=user))
    texts = [f"Message {count}" for count in range(5)]
    for text in texts:
        either(client.sessions.append(session.id, role="user", content=text))
    messages = either.all(client.sessions.messages(session.id, limit=2))
    assert [message.content for message in messages] == texts
    assert len(either(client.sessions.context(session.id)).context.conversation_history) == 5


def test_stores_many_and_reads_corrects_and_retracts_facts(either: Either, user: str) -> None:
    client = either.client
    homes: list[NewMemory] = [
        {"content": "I live in Bern.", "user_id": user, "occurred_at": "2024-01-01"},
        {"content": "I live in Oslo.", "user_id": user, "occurred_at": "2025-01-01"},
        {"content": ""},
    ]
    stored = either(client.remember_many(homes))
    assert (len(stored.created), len(stored.failed)) == (2, 1)
    (home,) = either.all(client.facts.list(user_id=user, attribute="lives_in", status="current"))
    assert home.value == "Oslo"
    (earlier,) = either.all(client.facts.list(user_id=user, attribute="lives_in", status="current", as_of="2024-06-01"))
    assert earlier.value == "Bern"
    assert either(client.facts.correct(home.id, value="Bergen", if_version=home.version)).value == "Bergen"
    assert either(client.facts.get(home.id)).value == "Bergen"
    assert either(client.facts.retract(home.id)).status == "retracted"


def test_reads_what_became_of_a_job(either: Either) -> None:
    with pytest.raises(NotFoundError):
        either(either.client.event("evt_unknown"))


def test_an_idempotency_key_makes_a_request_once(either: Either, user: str) -> None:
    key = str(uuid.uuid4())
    first, second = (either(either.client.remember("Once.", user_id=user, idempotency_key=key)) for _ in range(2))
    assert first.id == second.id


def test_names_what_the_service_refuses(either: Either, user: str) -> None:
    with pytest.raises(InvalidRequestError, match="no_such_field") as refusal:
        either(either.client.remember("Hello there.", user_id=user, no_such_field=1))
    assert refusal.value.status == 400
    assert refusal.value.request_id
    with pytest.raises(NotFoundError):
        either(either.client.get("../sessions"))


def test_needs_a_valid_credential(base_url: str) -> None:
    with MemoryClient(base_url, api_key="no-such-key") as client, pytest.raises(AuthenticationError):
        client.remember("Hello there.")
    with MemoryClient(base_url, access_token="no-such-token") as client, pytest.raises(AuthenticationError):
        client.remember("Hello there.")
    with pytest.raises(ValueError, match="api_key"):
        MemoryClient(base_url)
