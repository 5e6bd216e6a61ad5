"""The LangGraph store against the service, compared with LangGraph's own store."""

from __future__ import annotations

import asyncio
import time
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from memory_service import AsyncMemoryClient, InvalidRequestError, MemoryClient
from memory_service.langgraph import MemoryStore


@pytest.fixture
def store(client: MemoryClient) -> MemoryStore:
    return MemoryStore(client)


def test_puts_gets_changes_and_deletes(store: MemoryStore, client: MemoryClient, user: str) -> None:
    notes = (user, "notes")
    assert store.get(notes, "tea") is None
    value = {"text": "Ada drinks green tea.", "count": 3, "tags": ["a", None], "big": 2**60, "deep": {"x": 0.1}}
    store.put(notes, "tea", value)
    first = store.get(notes, "tea")
    assert first is not None
    assert (first.value, first.key, first.namespace) == (value, "tea", notes)
    store.put(notes, "tea", {"text": "Ada drinks black tea."})
    second = store.get(notes, "tea")
    assert second is not None
    assert second.value == {"text": "Ada drinks black tea."}
    assert second.created_at == first.created_at < second.updated_at
    assert [memory.content for memory in client.list(user_id=f"{user}/notes")] == ["Ada drinks black tea."]
    store.delete(notes, "tea")
    store.delete(notes, "tea")
    assert store.get(notes, "tea") is None
    assert list(client.list(user_id=f"{user}/notes")) == []


def test_leaves_out_and_reports_memories_that_no_store_made(
    store: MemoryStore, client: MemoryClient, user: str, caplog: pytest.LogCaptureFixture
) -> None:
    store.put((user,), "tea", {"text": "Ada drinks green tea."})
    place = {"namespace": {"0": user}, "key": "tea"}
    malformed: list[Any] = ["text", {"key": "tea"}, {**place, "namespace": {"1": user}}, {**place, "key": 7}]
    malformed += [{**place, "json": "{"}, {**place, "json": "null"}]
    for stored in malformed:
        client.remember("Not JSON.", user_id=user, type="langgraph", metadata={"langgraph": stored})
    assert [item.key for item in store.search(()) if item.namespace[:1] == (user,)] == ["tea"]
    assert len([record for record in caplog.records if "not made by a store" in record.message]) >= len(malformed)


@pytest.mark.parametrize("key", ["a/b", " ", "", "ü" * 300, "0", "*", "sha256:a"])
def test_keys_are_any_text(store: MemoryStore, user: str, key: str) -> None:
    store.put((user,), key, {"n": 1})
    store.put((user,), f"{key}.", {"n": 2})
    found = store.get((user,), key)
    assert found is not None
    assert (found.key, found.value) == (key, {"n": 1})


def test_keeps_namespaces_apart_that_read_the_same(store: MemoryStore, user: str) -> None:
    store.put((user, "a/b"), "key", {"n": 1})
    store.put((user, "a", "b"), "key", {"n": 2})
    long = (user, *["x" * 100] * 5)
    store.put(long, "key", {"n": 3})
    items = [store.get(namespace, "key") for namespace in ((user, "a/b"), (user, "a", "b"), long)]
    assert [item and item.value["n"] for item in items] == [1, 2, 3]


def test_keeps_values_larger_than_metadata(store: MemoryStore, client: MemoryClient, user: str) -> None:
    value = {"text": "Grüße " * 2_800, "quote": '"' * 100}
    store.put((user,), "large", value)
    store.put((user,), "nearly", {"text": "x" * 16_100})
    found = store.get((user,), "large")
    assert found is not None
    assert found.value == value
    assert {item.key for item in store.search((user,))} == {"large", "nearly"}
    with pytest.raises(InvalidRequestError):
        store.put((user,), "too large", {"text": "x" * 100_001})


def test_searches_by_query_within_a_prefix(store: MemoryStore, user: str) -> None:
    store.put((user, "a"), "tea", {"text": "Ada drinks green tea."})
    store.put((user, "a", "b"), "cello", {"text": "Ada plays the cello."})
    store.put((user, "ab"), "tea", {"text": "Tea is in the blue tin."})
    store.put((user, "a"), "hidden", {"text": "A tea that searches do not find."}, index=False)
    store.put((user, "a"), "title", {"title": "Oolong", "text": "Nothing about it."}, index=["title"])
    found = store.search((user, "a"), query="Who drinks tea?")
    assert found[0].key == "tea"
    assert found[0].score is not None
    assert all(item.namespace[:2] == (user, "a") for item in found)
    assert "hidden" not in {item.key for item in found}
    assert store.search((user, "a"), query="Oolong")[0].key == "title"
    assert store.search((user, "a", "b"), query="x" * 5_000 + " cello", limit=1)[0].key == "cello"
    assert len(store.search((user,), query="tea", limit=1, offset=1)) == 1
    assert {item.key for item in store.search((user, "a"), query=" ")} == {"tea", "cello", "hidden", "title"}


FILTERS: list[dict[str, Any]] = [
    {"color": "red"},
    {"color": {"$ne": "red"}},
    {"size": {"$gt": 1, "$lte": 3}},
    {"size": {"$gte": 2}, "color": "red"},
    {"size": {"$lt": 2}},
    {"box": {"label": "a"}},
    {"box": {"label": {"$eq": "b"}}},
    {"tags": ["x"]},
    {"color": "no such"},
]


@pytest.mark.parametrize("condition", FILTERS, ids=str)
def test_filters_as_langgraphs_own_store(store: MemoryStore, user: str, condition: dict[str, Any]) -> None:
    own = InMemoryStore()
    values: list[dict[str, Any]] = [
        {"color": "red", "size": 1, "box": {"label": "a", "n": 1}, "tags": ["x"]},
        {"color": "blue", "size": 2, "box": {"label": "b"}, "tags": ["x", "y"]},
        {"color": "red", "size": 3.5, "box": {}, "tags": []},
    ]
    for each in (own, store):
        each.batch([PutOp((user,), str(number), value) for number, value in enumerate(values)])
    found = [{item.key for item in each.search((user,), filter=condition)} for each in (own, store)]
    assert found[0] == found[1]


def test_refuses_operators_that_there_are_not(store: MemoryStore, user: str) -> None:
    store.put((user,), "a", {"n": "text"})
    assert store.search((user,), filter={"n": {"$gt": 1}}) == []
    with pytest.raises(ValueError, match=r"\$regex"):
        store.search((user,), filter={"n": {"$regex": "a"}})


def test_lists_namespaces_as_langgraphs_own_store(store: MemoryStore, user: str) -> None:
    own = InMemoryStore()
    namespaces = [(user,), (user, "a"), (user, "a", "v1"), (user, "b", "v1"), (user, "b", "c", "v2"), (user, "*")]
    for each in (own, store):
        each.batch([PutOp(namespace, "key", {"n": 1}) for namespace in namespaces])
    for arguments in [
        {"prefix": (user,)},
        {"prefix": (user, "a")},
        {"prefix": (user, "*", "v1")},
        {"prefix": (user,), "suffix": ("v1",)},
        {"prefix": (user,), "suffix": ("c", "*")},
        {"prefix": (user,), "max_depth": 2},
        {"prefix": (user,), "limit": 2, "offset": 1},
        {"prefix": (f"{user}-nobody",)},
    ]:
        listed = [each.list_namespaces(**arguments) for each in (own, store)]  # type: ignore[arg-type]
        assert listed[0] == listed[1], arguments
    assert set(namespaces) <= set(store.list_namespaces(limit=10_000))
    with pytest.raises(ValueError, match="prefix or suffix"):
        store.batch([ListNamespacesOp((MatchCondition("infix", (user,)),))])  # type: ignore[arg-type]


def test_reads_pages_to_the_end(store: MemoryStore, user: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store.batch([PutOp((user,), str(number), {"text": f"Note {number}"}) for number in range(7)])
    monkeypatch.setattr("memory_service.langgraph_pages.LISTED_PAGE", 2)
    monkeypatch.setattr("memory_service.langgraph_pages.FOUND_PAGE", 2)
    everything = {str(number) for number in range(7)}
    assert {item.key for item in store.search((user,), limit=10)} == everything
    assert {item.key for item in store.search((user,), query="Note", limit=10)} == everything
    assert len(store.search((user,), limit=3, offset=2)) == 3
    # Simulates the end of the service's lists: further items are requested by time.
    monkeypatch.setattr("memory_service.langgraph_pages.LISTED_ITEMS", 4)
    assert {item.key for item in store.search((user,), limit=10)} == everything


def test_batches_read_before_they_write(store: MemoryStore, user: str) -> None:
    store.put((user,), "a", {"n": 1})
    results = store.batch(
        [
            PutOp((user,), "a", {"n": 2}),
            GetOp((user,), "a"),
            PutOp((user,), "a", {"n": 3}),
            SearchOp((user,)),
            PutOp((user,), "gone", None),
        ]
    )
    before = results[1]
    assert before is not None
    assert before.value == {"n": 1}  # type: ignore[union-attr]
    assert [result is None for result in results] == [True, False, True, False, True]
    after = store.get((user,), "a")
    assert after is not None
    assert after.value == {"n": 3}
    with pytest.raises(TypeError, match="no operation str"):
        store.batch(["get"])  # type: ignore[list-item]


def test_writers_that_meet_leave_one_item(store: MemoryStore, client: MemoryClient, user: str) -> None:
    store.put((user,), "key", {"n": 1})
    (memory,) = client.list(user_id=user)
    assert memory.metadata is not None
    client.remember("Another writer's.", user_id=user, type="langgraph", category="key", metadata=memory.metadata)
    assert len(list(client.list(user_id=user))) == 2
    assert len(store.search((user,))) == 1
    store.put((user,), "key", {"n": 2})
    assert len(list(client.list(user_id=user))) == 1
    (item,) = store.search((user,))
    assert item.value == {"n": 2}


def test_items_expire_when_their_time_is_over(store: MemoryStore, client: MemoryClient, user: str) -> None:
    store.put((user,), "short", {"n": 1}, ttl=0.005)
    store.put((user,), "kept", {"n": 1}, ttl=0.005)
    store.put((user,), "kept", {"n": 2})
    time.sleep(0.4)
    assert store.get((user,), "short") is None
    assert {item.key for item in store.search((user,))} == {"kept"}
    timed = MemoryStore(client, ttl={"default_ttl": 60})
    timed.put((user,), "timed", {"n": 1})
    (memory,) = client.list(user_id=user, category="timed")
    assert client.get(memory.id).expire_at is not None


def test_memories_belong_to_the_user_that_a_namespace_names(client: MemoryClient, user: str) -> None:
    store = MemoryStore(client, user_id=lambda namespace: namespace[-1])
    store.put(("memories", user), "key", {"text": "Ada drinks green tea."})
    store.put(("preferences", user), "key", {"text": "Ada prefers mornings."})
    assert "green tea" in client.recall("What does Ada drink?", user_id=user).context
    item = store.get(("memories", user), "key")
    assert item is not None
    assert item.value == {"text": "Ada drinks green tea."}


def test_is_asynchronous_with_either_client(base_url: str, api_key: str, client: MemoryClient, user: str) -> None:
    async def use(store: BaseStore, namespace: str) -> None:
        place = (user, namespace)
        await store.abatch([PutOp(place, str(number), {"n": number}) for number in range(12)])
        item = await store.aget(place, "3")
        assert item is not None
        assert item.value == {"n": 3}
        await store.adelete(place, "3")
        assert len(await store.asearch(place, limit=20)) == 11
        assert await store.alist_namespaces(prefix=place) == [place]

    async def main() -> None:
        await use(MemoryStore(client), "threads")
        async with AsyncMemoryClient(base_url, api_key=api_key) as asynchronous:
            store = MemoryStore(asynchronous)
            await use(store, "loop")
            with pytest.raises(TypeError, match="Give the store a MemoryClient"):
                store.get((user,), "key")

    asyncio.run(main())


class State(TypedDict):
    question: str
    answer: str


def test_serves_a_graph(store: MemoryStore, user: str) -> None:
    def reply(state: State, *, store: BaseStore) -> dict[str, str]:
        found = store.search((user,), query=state["question"], limit=1)
        store.put((user,), "asked", {"text": state["question"]})
        return {"answer": found[0].value["text"]}

    store.put((user,), "tea", {"text": "Ada drinks green tea."})
    graph = StateGraph(State)
    graph.add_node("reply", reply)
    graph.add_edge(START, "reply")
    graph.add_edge("reply", END)
    result = graph.compile(store=store).invoke({"question": "Which tea does Ada drink?", "answer": ""})
    assert result["answer"] == "Ada drinks green tea."
    asked = store.get((user,), "asked")
    assert asked is not None
