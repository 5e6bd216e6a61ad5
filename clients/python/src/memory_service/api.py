"""Generated from openapi.json by `npm run client:types`."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict
from typing_extensions import Required, TypedDict

from .operation import Operation

Moment: TypeAlias = datetime | date | str


class Answer(BaseModel):
    """What the service answers; fields that this release of the client does not know are kept."""

    model_config = ConfigDict(extra="allow")


class CreateOptions(TypedDict, total=False):
    extract_facts: bool
    extract_entities: bool
    compress: bool
    compression_mode: Literal["extract", "balanced", "aggressive", "conservative"]
    skip_duplicates: bool


class RememberFields(TypedDict, total=False):
    user_id: str
    category: str
    type: str
    metadata: dict[str, Any]
    # When it happened or was said, past or future; the default is now.
    occurred_at: Moment
    expire_at: Moment
    options: CreateOptions


class UpdateFields(TypedDict, total=False):
    content: str
    metadata: dict[str, Any]
    occurred_at: Moment
    expire_at: Moment | None


class ListFields(TypedDict, total=False):
    user_id: str
    category: str
    type: str
    created_after: Moment
    created_before: Moment
    occurred_after: Moment
    occurred_before: Moment
    limit: int
    sort: str


class SearchFilters(TypedDict, total=False):
    user_id: str | list[str]
    category: str | list[str]
    type: str | list[str]
    created_after: Moment
    created_before: Moment
    occurred_after: Moment
    occurred_before: Moment
    metadata: dict[str, Any]


class SearchOptions(TypedDict, total=False):
    # The default is in GET /search/config.
    limit: int
    offset: int
    # The default is in GET /search/config.
    threshold: float
    include_content: bool
    include_metadata: bool
    # Over all relevant memories among the 1000 best by meaning and the 1000 best by words.
    sort: Literal["score", "created_at", "occurred_at", "updated_at"]
    order: Literal["asc", "desc"]


class SearchFields(TypedDict, total=False):
    filters: SearchFilters
    # The time at which the question is asked; the default is now.
    now: Moment
    # Answer with what was true at this time.
    as_of: Moment
    # Leave out statements that are no longer true.
    current_only: bool
    options: SearchOptions


class RecallFields(TypedDict, total=False):
    # The user whose memories are recalled; `*` for everything that you can read.
    user_id: str
    # What this agent may see, or, with a name of your own, what was stored under it; `*` for everything that you can
    # read.
    agent_id: str
    # The session or run that the memories are of; `*` for everything that you can read.
    session_id: str
    # Maximum number of tokens of `context`.
    max_tokens: int
    # The vocabulary that tokens are counted in.
    tokenizer: Literal["o200k_base", "cl100k_base"]
    occurred_after: Moment
    occurred_before: Moment
    # Answer with what was true at this time.
    as_of: Moment
    # The time at which the question is asked; the default is now.
    now: Moment
    # `why` explains each item in words.
    include: list[Literal["why"]]


class CreateSessionConfig(TypedDict, total=False):
    # The most o200k_base tokens of a context; the default is 8192
    context_window: int
    # true (the default): messages that leave the window are summed up; false: a message that does not fit is refused
    compression_enabled: bool
    # No limit if absent
    max_messages: int
    # When messages become memories: never, when the session is closed or archived, or immediately; the default is
    # as_they_come
    memory: Literal["off", "on_close", "as_they_come"]


class CreateSessionFields(TypedDict, total=False):
    # A name of the client's own, or the id of an agent of the organization
    agent_id: Required[str]
    # A name of the client's own, or the id of a user of the organization
    user_id: Required[str]
    title: str
    config: CreateSessionConfig
    initial_context: dict[str, Any]
    metadata: dict[str, Any]


class AppendMessageFields(TypedDict, total=False):
    role: Required[Literal["user", "assistant", "system"]]
    content: Required[str]
    metadata: dict[str, Any]
    # When it was said, past or future; the default is now
    occurred_at: Moment


class AddSourceFields(TypedDict, total=False):
    # `url` or `web`: `url` is fetched. `text` or another value: `content` is used. If absent, derived from the fields
    # sent.
    type: str
    content: str
    # Fetched for types `url` and `web`; otherwise the origin of the content.
    url: str
    title: str
    provider: str
    # Its id at the provider. Content with the same id, provider, user_id and org_id updates the same source: unchanged
    # content is skipped, changed content replaces it.
    external_id: str
    user_id: str
    # A label for filtering within the organization.
    org_id: str
    agent_id: str
    metadata: dict[str, Any]


class EntityReference(Answer):
    id: str
    name: str
    type: str
    relationship_type: str | None = None
    strength: float | None = None


class MemoryFactDate(Answer):
    # The offset of the words in the text.
    start: int
    # Behind their last character.
    end: int
    text: str
    # ISO 8601, as precise as the text: 2023, 2023-05, 2023-05-07, 2023-05-07T14:30+02:00; R/2023-05-08/P1W recurs, P4Y
    # lasts.
    value: str
    # The last day, month or year of a range.
    end_value: str | None = None
    precision: str
    # Seen from when the text was said.
    direction: str
    kind: str
    # The text says about when.
    approximate: bool | None = None


class MemoryFact(Answer):
    id: str
    content: str
    confidence: float
    category: str
    dates: list[MemoryFactDate] | None = None


class MemoryCompression(Answer):
    original_tokens: int
    compressed_tokens: int
    reduction_percentage: float


class Processing(Answer):
    status: str
    provider: str | None = None
    model: str | None = None
    fallback: bool | None = None
    job_id: str | None = None
    duplicate_of: str | None = None


class Memory(Answer):
    id: str
    content: str
    content_missing: bool | None = None
    user_id: str | None = None
    category: str | None = None
    type: str | None = None
    metadata: dict[str, Any] | None = None
    expire_at: str | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    created_at: str
    updated_at: str
    entities: list[EntityReference]
    facts: list[MemoryFact]
    compression: MemoryCompression
    processing: Processing
    tier: str
    version: int
    # How often the same statement was repeated without being stored again.
    repeats: int | None = None
    repeated_at: str | None = None


class IndexedMemoryFactDate(Answer):
    # The offset of the words in the text.
    start: int
    # Behind their last character.
    end: int
    text: str
    # ISO 8601, as precise as the text: 2023, 2023-05, 2023-05-07, 2023-05-07T14:30+02:00; R/2023-05-08/P1W recurs, P4Y
    # lasts.
    value: str
    # The last day, month or year of a range.
    end_value: str | None = None
    precision: str
    # Seen from when the text was said.
    direction: str
    kind: str
    # The text says about when.
    approximate: bool | None = None


class IndexedMemoryFact(Answer):
    id: str
    content: str
    confidence: float
    category: str
    dates: list[IndexedMemoryFactDate] | None = None


class IndexedMemoryCompression(Answer):
    original_tokens: int
    compressed_tokens: int
    reduction_percentage: float


class IndexedMemoryIndex(Answer):
    # Whether the memory's current vector is still missing from the index. Null if search is not available.
    pending: bool | None


class SuggestedCategory(Answer):
    value: str
    confidence: float


class SuggestedType(Answer):
    value: str
    confidence: float


class Suggested(Answer):
    category: SuggestedCategory | None = None
    type: SuggestedType | None = None


class IndexedMemory(Answer):
    id: str
    content: str
    content_missing: bool | None = None
    user_id: str | None = None
    category: str | None = None
    type: str | None = None
    metadata: dict[str, Any] | None = None
    expire_at: str | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    created_at: str
    updated_at: str
    entities: list[EntityReference]
    facts: list[IndexedMemoryFact]
    compression: IndexedMemoryCompression
    processing: Processing
    tier: str
    version: int
    # How often the same statement was repeated without being stored again.
    repeats: int | None = None
    repeated_at: str | None = None
    index: IndexedMemoryIndex
    suggested: Suggested | None = None


class Deleted(Answer):
    id: str
    deleted_at: str


class MemoryListMemory(Answer):
    id: str
    content: str
    content_missing: bool | None = None
    user_id: str | None = None
    category: str | None = None
    type: str | None = None
    metadata: dict[str, Any] | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    created_at: str
    updated_at: str
    tier: str
    version: int


class Pagination(Answer):
    total: int
    limit: int
    offset: int
    has_next: bool


class MemoryList(Answer):
    memories: list[MemoryListMemory]
    pagination: Pagination


class FilteredResultsResultSource(Answer):
    id: str
    title: str | None = None
    url: str | None = None
    position: int


class FilteredResultsResult(Answer):
    id: str
    content: str | None = None
    user_id: str | None = None
    category: str | None = None
    type: str | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    created_at: str
    updated_at: str
    metadata: dict[str, Any] | None = None
    # The memory that replaces this statement; superseded results rank after it.
    superseded_by: str | None = None
    # The origin of a chunk of a source.
    source: FilteredResultsResultSource | None = None
    score: float
    # The content around the first match, matching words in <em>; not escaped.
    highlight: str


class FilteredResultsPagination(Answer):
    # Relevant memories among the examined ones, a lower bound that grows with the offset. `has_next` tells whether more
    # follow.
    total: int
    limit: int
    offset: int
    has_next: bool


class FilteredResultsQueryAnalysisEntity(Answer):
    name: str
    type: str


class FilteredResultsQueryAnalysis(Answer):
    tokens: list[str]
    entities: list[FilteredResultsQueryAnalysisEntity]
    semantic_intent: str


class FilteredResults(Answer):
    query: str
    results: list[FilteredResultsResult]
    pagination: FilteredResultsPagination
    query_analysis: FilteredResultsQueryAnalysis


class RecalledItemWhy(Answer):
    # Share of the query's information that the words carry, 0..1.
    words: float
    # Similarity of meaning, 0..1.
    meaning: float
    # `context`: a neighbour that the next line of its session needs. `successor`: the statement that replaced a result.
    path: str
    # When it happened or was said.
    time: str
    score: float
    # The same in words.
    text: str | None = None


class RecalledItem(Answer):
    # The citation label of the line in `context`, such as `[1]`.
    label: str
    memory_id: str
    # The fact of the memory that the query is about.
    fact_id: str | None = None
    content: str
    metadata: dict[str, Any] | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    score: float
    why: RecalledItemWhy


class RecalledProfileSectionLine(Answer):
    text: str
    fact_ids: list[str]


class RecalledProfileSection(Answer):
    name: str
    lines: list[RecalledProfileSectionLine]


class RecalledProfile(Answer):
    # The sections as plain text.
    text: str
    sections: list[RecalledProfileSection]


class Recalled(Answer):
    # Ready for a prompt: one line an item, oldest first, under their days.
    context: str
    # Best first.
    items: list[RecalledItem]
    # The facts, preferences and instructions of the user that are relevant for the query.
    profile: RecalledProfile
    # Of `context`.
    tokens: int
    # false if nothing known answers the query.
    confident: bool
    # `GET /recall/{id}` explains this answer for a day. Absent while the disk is full.
    recall_id: str | None = None


class UserProfileSectionLine(Answer):
    text: str
    fact_ids: list[str]


class UserProfileSection(Answer):
    name: str
    lines: list[UserProfileSectionLine]


class UserProfile(Answer):
    # Part of a user's profile.
    user_id: str | None = None
    type: str
    id: str
    # The sections as plain text.
    text: str
    sections: list[UserProfileSection]
    # The time of the newest statement; absent if nothing is known.
    updated_at: str | None = None


class SessionConfig(Answer):
    context_window: int
    compression_enabled: bool
    max_messages: int | None = None
    # `off` in sessions of earlier releases
    memory: str | None = None


class Session(Answer):
    id: str
    agent_id: str
    user_id: str
    title: str | None = None
    config: SessionConfig
    initial_context: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    status: str
    message_count: int
    total_tokens: int
    created_at: str
    updated_at: str
    closed_at: str | None = None
    reason: str | None = None
    summary: str | None = None
    archived_at: str | None = None
    expire_at: str | None = None
    version: int


class AddedMessage(Answer):
    # Of the session
    id: str
    message_id: str
    role: str
    content: str
    metadata: dict[str, Any] | None = None
    tokens: int
    # Of all messages of the session, including this one
    session_tokens: int
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    created_at: str


class IngestedSourceFile(Answer):
    name: str
    content_type: str
    kind: str
    bytes: int
    # Metadata of the file: width and height, duration, pages …
    details: dict[str, Any] | None = None


class IngestedSource(Answer):
    id: str
    type: str
    title: str
    provider: str | None = None
    external_id: str | None = None
    url: str | None = None
    user_id: str | None = None
    org_id: str | None = None
    agent_id: str | None = None
    connection_id: str | None = None
    metadata: dict[str, Any] | None = None
    status: str
    # Why processing failed (the previous content stays available), or why the source has no text (it is found by name
    # and metadata).
    error: str | None = None
    # SHA-256 of the content in view.
    content_hash: str | None = None
    # The source's own memory, a summary: its id is the source's.
    source_memory_id: str
    chunks_created: int
    # The chunks and the source's own memory, if it exists.
    memories_created: int
    # Distinct ones that the chunks name.
    entities_created: int
    # Of its file, by the content.
    mime_type: str | None = None
    # Of its file.
    bytes: int | None = None
    # The key of the file or long text in the blob store.
    blob_key: str | None = None
    # o200k_base tokens of the text; repeated headings of chunks count once.
    tokens: int
    file: IngestedSourceFile | None = None
    created_at: str
    updated_at: str
    ingested_at: str | None = None
    chunk_memory_ids: list[str]


class Ingested(Answer):
    source_id: str
    status: str
    # The source already had this content; nothing was changed.
    unchanged: bool
    chunks_created: int
    # The chunks, and the source's own memory if it is new.
    memories_created: int
    # Distinct ones that the chunks name.
    entities_created: int
    # The source's own memory and the chunks; at most 1,001.
    memory_ids: list[str]
    source: IngestedSource


class SessionWithRatioConfig(Answer):
    context_window: int
    compression_enabled: bool
    max_messages: int | None = None
    # `off` in sessions of earlier releases
    memory: str | None = None


class SessionWithRatio(Answer):
    id: str
    agent_id: str
    user_id: str
    title: str | None = None
    config: SessionWithRatioConfig
    initial_context: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    status: str
    message_count: int
    total_tokens: int
    created_at: str
    updated_at: str
    closed_at: str | None = None
    reason: str | None = None
    summary: str | None = None
    archived_at: str | None = None
    expire_at: str | None = None
    version: int
    # Tokens of the context over tokens of all messages: 1 while nothing is compressed
    context_compression_ratio: float


class MessageListMessage(Answer):
    id: str
    role: str
    content: str
    content_missing: bool | None = None
    metadata: dict[str, Any] | None = None
    tokens: int
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    created_at: str


class MessageListSessionStats(Answer):
    total_messages: int
    total_tokens: int
    compression_ratio: float


class MessageList(Answer):
    session_id: str
    messages: list[MessageListMessage]
    pagination: Pagination
    session_stats: MessageListSessionStats


class CompatListedResult(Answer):
    id: str
    memory: str | None = None
    user_id: str | None = None
    agent_id: str | None = None
    app_id: str | None = None
    run_id: str | None = None
    # The same as `run_id`.
    session_id: str | None = None
    hash: str | None = None
    metadata: dict[str, Any] | None = None
    categories: list[str] | None = None
    # When it happened or was said, as sent, with its offset.
    occurred_at: str | None = None
    # The same in UTC, under mem0's name.
    created_at: str | None = None
    updated_at: str | None = None
    expiration_date: str | None = None


class CompatListed(Answer):
    count: int
    next: str | None
    previous: str | None
    results: list[CompatListedResult]


REMEMBER = Operation("POST", "/memories", Memory)
GET = Operation("GET", "/memories/{id}", IndexedMemory)
UPDATE = Operation("PUT", "/memories/{id}", Memory)
FORGET = Operation("DELETE", "/memories/{id}", Deleted)
LIST = Operation("GET", "/memories", MemoryList)
SEARCH = Operation("POST", "/search", FilteredResults)
RECALL = Operation("POST", "/recall", Recalled)
PROFILE = Operation("GET", "/profiles/{user_id}", UserProfile)
CREATE_SESSION = Operation("POST", "/sessions", Session)
APPEND_MESSAGE = Operation("POST", "/sessions/{id}/messages", AddedMessage)
ADD_SOURCE = Operation("POST", "/sources/ingest", Ingested)
READ_SESSION = Operation("GET", "/sessions/{id}", SessionWithRatio)
UPDATE_SESSION = Operation("PUT", "/sessions/{id}", SessionWithRatio)
LIST_MESSAGES = Operation("GET", "/sessions/{id}/messages", MessageList)
LIST_WHERE = Operation("POST", "/v3/memories", CompatListed)
