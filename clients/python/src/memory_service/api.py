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
    # Extract facts from the text; the default is the stored setting.
    extract_facts: bool
    # Extract entities from the text; the default is the stored setting.
    extract_entities: bool
    # Compress the text; the default is the stored setting.
    compress: bool
    # How far to compress; `conservative` is an alias of `extract`.
    compression_mode: Literal["extract", "balanced", "aggressive", "conservative"]
    # Do not store a statement that a memory already makes; false by default.
    skip_duplicates: bool


class RememberFields(TypedDict, total=False):
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str
    # Category, a label of the client's choice.
    category: str
    # Kind of memory, a label of the client's choice, such as `preference` or `fact`.
    type: str
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any]
    # When it happened or was said, past or future; the default is now.
    occurred_at: Moment
    # When it expires and disappears from every answer (ISO 8601).
    expire_at: Moment
    options: CreateOptions


class RememberManyFields(TypedDict, total=False):
    options: CreateOptions


class UpdateFields(TypedDict, total=False):
    # The text.
    content: str
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any]
    # When it happened or was said, past or future (ISO 8601 with offset).
    occurred_at: Moment
    # When it expires and disappears from every answer (ISO 8601); null: never.
    expire_at: Moment | None


class ListFields(TypedDict, total=False):
    # Only items with this value.
    user_id: str
    # Only memories of this category.
    category: str
    # Only items with this value.
    type: str
    # Only what was created at or after this time (ISO 8601).
    created_after: Moment
    # Only what was created at or before this time (ISO 8601).
    created_before: Moment
    # Only what happened at or after this time (ISO 8601).
    occurred_after: Moment
    # Only what happened at or before this time (ISO 8601).
    occurred_before: Moment
    # Memories that mention this entity.
    entity_id: str
    # Maximum number of items in the answer.
    limit: int
    # The `next_cursor` of the page before, instead of `offset`: items that come or go meanwhile shift nothing.
    cursor: str
    # Field and direction, such as `created_at desc`.
    sort: str


class SearchFilters(TypedDict, total=False):
    # Only memories of this user, or of any of these users.
    user_id: str | list[str]
    # Only memories of this category, or of any of these categories.
    category: str | list[str]
    # Only memories of this type, or of any of these types.
    type: str | list[str]
    # Only what was created at or after this time (ISO 8601).
    created_after: Moment
    # Only what was created at or before this time (ISO 8601).
    created_before: Moment
    # Only what happened at or after this time (ISO 8601).
    occurred_after: Moment
    # Only what happened at or before this time (ISO 8601).
    occurred_before: Moment
    # Values that the memory's metadata must equal, also nested ones.
    metadata: dict[str, Any]


class SearchOptions(TypedDict, total=False):
    # The default is in GET /search/config.
    limit: int
    # Number of items to skip before the first one in the answer.
    offset: int
    # The default is in GET /search/config.
    threshold: float
    # Return the content.
    include_content: bool
    # Return the metadata.
    include_metadata: bool
    # Covers relevant memories among the 1000 best by meaning and the 1000 best by words.
    sort: Literal["score", "created_at", "occurred_at", "updated_at"]
    # Direction of the order.
    order: Literal["asc", "desc"]


class SearchFields(TypedDict, total=False):
    filters: SearchFilters
    # The time at which the question is asked; the default is now.
    now: Moment
    # Answer with what was true at this time.
    as_of: Moment
    # Leave out statements that are no longer true.
    current_only: bool
    # Size, order and content of the answer.
    options: SearchOptions


class RecallFields(TypedDict, total=False):
    # The user whose memories are recalled; `*` for everything that you can read.
    user_id: str
    # The agent whose visible memories are recalled, or your own name of an agent that stored them; `*` for everything
    # that you can read.
    agent_id: str
    # The session or run that the memories are of; `*` for everything that you can read.
    session_id: str
    # Values of metadata, such as that of a project: leaves out memories with another value of the same name. Those
    # without the name are kept.
    within: dict[str, Any]
    # Maximum number of tokens of `context`.
    max_tokens: int
    # Minimum `score` of the items. The context ends where nothing is relevant, whatever its budget.
    min_relevance: float
    # The vocabulary that tokens are counted in.
    tokenizer: Literal["o200k_base", "cl100k_base"]
    # Only what happened at or after this time (ISO 8601).
    occurred_after: Moment
    # Only what happened at or before this time (ISO 8601).
    occurred_before: Moment
    # Answer with what was true at this time.
    as_of: Moment
    # The time at which the question is asked; the default is now.
    now: Moment
    # `why` explains each item in words, `tokens` counts those of its line, `left_out` explains what the search found
    # but is not in the block, `baseline` scores up to 20 random memories.
    include: list[Literal["why", "tokens", "left_out", "baseline"]]


class ListFactsFields(TypedDict, total=False):
    # Only items with this value.
    user_id: str
    # Only items with this value.
    subject: str
    # Only items with this value.
    attribute: str
    # Only items with this value.
    status: Literal["current", "superseded", "retracted", "planned", "past"]
    # Facts that were true at this time, as known now.
    as_of: Moment
    # Facts that this memory states.
    memory_id: str
    # Facts whose subject or value names this entity, newest memory first.
    entity_id: str
    # Maximum number of items in the answer.
    limit: int
    # The `next_cursor` of the page before, instead of `offset`: items that come or go meanwhile shift nothing.
    cursor: str


class CorrectFactFields(TypedDict, total=False):
    # What the fact is about: `user`, `assistant`, or the name of an entity.
    subject: str
    # Property of the subject that the fact states, such as `lives_in`.
    attribute: str
    # Value of the property.
    value: str
    # Since when it holds (ISO 8601).
    valid_from: Moment | None
    # Until when it holds, exclusive (ISO 8601); absent or null while it holds.
    valid_to: Moment | None


class CreateSessionConfig(TypedDict, total=False):
    # Maximum o200k_base tokens of the context; the default is 8192
    context_window: int
    # true (the default): messages that leave the window are summarized; false: a message that does not fit is refused
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
    # Title to display.
    title: str
    # How the session treats its context.
    config: CreateSessionConfig
    # Context at the start, a JSON object of at most 16 KB.
    initial_context: dict[str, Any]
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any]


class UpdateSessionConfig(TypedDict, total=False):
    # Maximum o200k_base tokens of the context; the default is 8192
    context_window: int
    # true (the default): messages that leave the window are summarized; false: a message that does not fit is refused
    compression_enabled: bool
    # null lifts the limit
    max_messages: int | None
    # When messages become memories: never, when the session is closed or archived, or immediately; the default is
    # as_they_come
    memory: Literal["off", "on_close", "as_they_come"]


class UpdateSessionFields(TypedDict, total=False):
    # Title to display.
    title: str
    # Absent fields are not changed
    config: UpdateSessionConfig
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any]


class AppendMessageFields(TypedDict, total=False):
    # Who speaks.
    role: Required[Literal["user", "assistant", "system"]]
    # Text of the message, up to 100,000 characters.
    content: Required[str]
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any]
    # When it was said, past or future; the default is now
    occurred_at: Moment


class ListMessagesFields(TypedDict, total=False):
    # Only items with this value.
    role: Literal["user", "assistant", "system"]
    # Only messages created after this time
    after: Moment
    # Only messages with all of these words, in any form
    q: str
    # Only what happened at or after this time (ISO 8601).
    occurred_after: Moment
    # Only what happened at or before this time (ISO 8601).
    occurred_before: Moment
    # Maximum number of items in the answer.
    limit: int


class AddSourceFields(TypedDict, total=False):
    # `url` or `web`: `url` is fetched. `text` or another value: `content` is used. If absent, derived from the fields
    # sent.
    type: str
    # Text to ingest; larger content goes through an upload.
    content: str
    # Fetched for types `url` and `web`; otherwise the origin of the content.
    url: str
    # Title to display.
    title: str
    # Name of the system that the content comes from.
    provider: str
    # Its id at the provider. Content with the same id, provider, user_id and org_id updates the same source: unchanged
    # content is skipped, changed content replaces it.
    external_id: str
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str
    # A label for filtering within the organization.
    org_id: str
    # Agent that it belongs to: an id of the organization or a name of the client's own.
    agent_id: str
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any]


class EntityReference(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Name.
    name: str
    # Kind of entity, such as `person` or `place`.
    type: str
    # How the memory relates to the entity, such as `related_to`.
    relationship_type: str | None = None
    # Strength of the relation, 0 to 1.
    strength: float | None = None


class MemoryFactDate(Answer):
    # Offset of the first character of the words in the text.
    start: int
    # Offset after their last character.
    end: int
    # The words.
    text: str
    # ISO 8601, as precise as the text: 2023, 2023-05, 2023-05-07, 2023-05-07T14:30+02:00; R/2023-05-08/P1W recurs, P4Y
    # lasts.
    value: str
    # The last day, month or year of a range.
    end_value: str | None = None
    # Unit that the date is exact to.
    precision: str
    # Direction of the date from the time of the statement.
    direction: str
    # Form of the date.
    kind: str
    # Whether the text gives only an approximate date.
    approximate: bool | None = None


class MemoryFact(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # The fact in words; in English texts, in the third person where the grammar allows.
    content: str
    # How certain it is, 0 to 1.
    confidence: float
    # Kind of statement, such as `preference`.
    category: str
    # Dates that the text names, resolved.
    dates: list[MemoryFactDate] | None = None
    # The facts that were read from it: see `/facts`.
    fact_ids: list[str] | None = None


class MemoryCompression(Answer):
    # Tokens before compression.
    original_tokens: int
    # Tokens after compression.
    compressed_tokens: int
    # Share of tokens saved, in percent.
    reduction_percentage: float


class Processing(Answer):
    # `queued`: workers will process it; `failed`: they gave up; `skipped`: it was a duplicate.
    status: str
    # Provider of the model.
    provider: str | None = None
    # Name of the language model.
    model: str | None = None
    # Whether the built-in rules answered in place of a model.
    fallback: bool | None = None
    # Id of the job that does the work, such as `job_…`.
    job_id: str | None = None
    # Memory that already has the same statement.
    duplicate_of: str | None = None


class MemoryLeftOut(Answer):
    # The words.
    text: str
    # Why it was not stored.
    reason: str


class MemoryProvenance(Answer):
    # The key or user whose request stored it; `unknown` for a fact that an earlier release stored.
    written_by: str
    # The agent whose key that was.
    agent_id: str | None = None
    # `memories` are this API's own routes; `unknown` is a memory that an earlier release stored.
    door: str
    # The id of the session, event, import, source or connection that it was made from.
    derived_from: str | None = None


class Memory(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # The text.
    content: str
    # Present if the stored content is lost or damaged; `content` is then empty.
    content_missing: bool | None = None
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str | None = None
    # Category, a label of the client's choice.
    category: str | None = None
    # Kind of memory, a label of the client's choice, such as `preference` or `fact`.
    type: str | None = None
    # Who said it in a conversation, if not the user.
    speaker: str | None = None
    # The question that it answers in a few words, as asked.
    in_reply_to: str | None = None
    # The words of the message that it rests on, as sent, if a language model wrote the content.
    quote: str | None = None
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # When it expires and disappears from every answer (ISO 8601).
    expire_at: str | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    # When it was created (ISO 8601, UTC).
    created_at: str
    # When it was updated (ISO 8601, UTC).
    updated_at: str
    # Entities that the text names.
    entities: list[EntityReference]
    # How many new entities it was stored without, because the organization has as many as its plan allows.
    entities_left_out: int | None = None
    # Facts that the text states.
    facts: list[MemoryFact]
    # Effect of compression on the text.
    compression: MemoryCompression
    processing: Processing
    # Storage tier, which follows from age and access.
    tier: str
    # Version number; each change increases it by one.
    version: int
    # Sentences, parts of messages and fields that were not stored, with the reason; the first 100.
    left_out: list[MemoryLeftOut] | None = None
    # Who stored it first, by which door, and from what. Nothing changes it afterwards.
    provenance: MemoryProvenance | None = None
    # How often the same statement was repeated without being stored again.
    repeats: int | None = None
    # When it was repeated (ISO 8601, UTC).
    repeated_at: str | None = None


class BatchCreatedCreated(Answer):
    # Position of the item in the request, from 0.
    index: int
    # Unique id that the service assigned; it never changes.
    id: str
    # The text.
    content: str
    # `skipped`: a memory with the same statement existed; `queued`: workers still process it.
    status: str
    # Memory that already has the same statement.
    duplicate_of: str | None = None


class ItemError(Answer):
    # Stable error code for programs, such as `VALIDATION_ERROR`.
    code: str
    # Human-readable explanation.
    message: str
    # Facts about the error, such as the refused fields.
    details: dict[str, Any]


class BatchFailure(Answer):
    # Position of the item in the request, from 0.
    index: int
    # Unique id that the service assigned; it never changes.
    id: str | None = None
    # What went wrong, and how to correct it.
    error: ItemError


class BatchCreated(Answer):
    # Stored memories.
    created: list[BatchCreatedCreated]
    # Items that failed, each with its error.
    failed: list[BatchFailure]


class IndexedMemoryCompression(Answer):
    # Tokens before compression.
    original_tokens: int
    # Tokens after compression.
    compressed_tokens: int
    # Share of tokens saved, in percent.
    reduction_percentage: float


class IndexedMemoryLeftOut(Answer):
    # The words.
    text: str
    # Why it was not stored.
    reason: str


class IndexedMemoryProvenance(Answer):
    # The key or user whose request stored it; `unknown` for a fact that an earlier release stored.
    written_by: str
    # The agent whose key that was.
    agent_id: str | None = None
    # `memories` are this API's own routes; `unknown` is a memory that an earlier release stored.
    door: str
    # The id of the session, event, import, source or connection that it was made from.
    derived_from: str | None = None


class IndexedMemoryIndex(Answer):
    # Whether the memory's current vector is still missing from the index. Null if search is not available.
    pending: bool | None


class SuggestedCategory(Answer):
    # Suggested label.
    value: str
    # How certain it is, 0 to 1.
    confidence: float


class SuggestedType(Answer):
    # Suggested label.
    value: str
    # How certain it is, 0 to 1.
    confidence: float


class Suggested(Answer):
    # Category that fits the memory.
    category: SuggestedCategory | None = None
    # Type that fits the memory.
    type: SuggestedType | None = None


class IndexedMemory(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # The text.
    content: str
    # Present if the stored content is lost or damaged; `content` is then empty.
    content_missing: bool | None = None
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str | None = None
    # Category, a label of the client's choice.
    category: str | None = None
    # Kind of memory, a label of the client's choice, such as `preference` or `fact`.
    type: str | None = None
    # Who said it in a conversation, if not the user.
    speaker: str | None = None
    # The question that it answers in a few words, as asked.
    in_reply_to: str | None = None
    # The words of the message that it rests on, as sent, if a language model wrote the content.
    quote: str | None = None
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # When it expires and disappears from every answer (ISO 8601).
    expire_at: str | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    # When it was created (ISO 8601, UTC).
    created_at: str
    # When it was updated (ISO 8601, UTC).
    updated_at: str
    # Entities that the text names.
    entities: list[EntityReference]
    # How many new entities it was stored without, because the organization has as many as its plan allows.
    entities_left_out: int | None = None
    # Facts that the text states.
    facts: list[MemoryFact]
    # Effect of compression on the text.
    compression: IndexedMemoryCompression
    processing: Processing
    # Storage tier, which follows from age and access.
    tier: str
    # Version number; each change increases it by one.
    version: int
    # Sentences, parts of messages and fields that were not stored, with the reason; the first 100.
    left_out: list[IndexedMemoryLeftOut] | None = None
    # Who stored it first, by which door, and from what. Nothing changes it afterwards.
    provenance: IndexedMemoryProvenance | None = None
    # How often the same statement was repeated without being stored again.
    repeats: int | None = None
    # When it was repeated (ISO 8601, UTC).
    repeated_at: str | None = None
    # State of the memory in the search index.
    index: IndexedMemoryIndex
    suggested: Suggested | None = None


class Deleted(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # When it was deleted (ISO 8601, UTC).
    deleted_at: str


class MemoryListMemory(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # The text.
    content: str
    # Present if the stored content is lost or damaged; `content` is then empty.
    content_missing: bool | None = None
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str | None = None
    # Category, a label of the client's choice.
    category: str | None = None
    # Kind of memory, a label of the client's choice, such as `preference` or `fact`.
    type: str | None = None
    # Who said it in a conversation, if not the user.
    speaker: str | None = None
    # The question that it answers in a few words, as asked.
    in_reply_to: str | None = None
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    # When it was created (ISO 8601, UTC).
    created_at: str
    # When it was updated (ISO 8601, UTC).
    updated_at: str
    # Storage tier, which follows from age and access.
    tier: str
    # Version number; each change increases it by one.
    version: int


class Pagination(Answer):
    # Number of items that match, on all pages.
    total: int
    # Maximum number of items in the answer.
    limit: int
    # Number of items to skip before the first one in the answer.
    offset: int
    # Whether more items follow.
    has_next: bool
    # Where the next page starts, as `cursor`; absent on the last page.
    next_cursor: str | None = None


class MemoryList(Answer):
    # Memories in the requested order.
    memories: list[MemoryListMemory]
    pagination: Pagination


class ChunkOrigin(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Title to display.
    title: str | None = None
    # Address (http or https).
    url: str | None = None
    # Position of the chunk in its source, from 0.
    position: int


class SearchHit(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # The text.
    content: str | None = None
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str | None = None
    # Category, a label of the client's choice.
    category: str | None = None
    # Kind of memory, a label of the client's choice, such as `preference` or `fact`.
    type: str | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    # When it was created (ISO 8601, UTC).
    created_at: str
    # When it was updated (ISO 8601, UTC).
    updated_at: str
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # The memory that replaces this statement; superseded results rank after it.
    superseded_by: str | None = None
    # Source that the item comes from.
    source: ChunkOrigin | None = None
    # Relevance, 0 to 1; comparable within one answer.
    score: float
    # The content around the first match, matching words in <em>; not escaped.
    highlight: str


class FoundPagination(Answer):
    # Relevant memories among the 1000 best by meaning and the 1000 best by words; the same on every page.
    total: int
    # Maximum number of items in the answer.
    limit: int
    # Number of items to skip before the first one in the answer.
    offset: int
    # Whether more items follow.
    has_next: bool
    # Where the next page starts, as `cursor`; absent on the last page.
    next_cursor: str | None = None


class FilteredResultsQueryAnalysisEntity(Answer):
    # Name.
    name: str
    # Kind of entity, such as `person` or `place`.
    type: str


class FilteredResultsQueryAnalysis(Answer):
    # Words of the query.
    tokens: list[str]
    # Entities that the text names.
    entities: list[FilteredResultsQueryAnalysisEntity]
    # What the query asks for, such as a time or a person.
    semantic_intent: str


class FilteredResults(Answer):
    # Text to search for, in natural language.
    query: str
    # The items of this page, best or newest first.
    results: list[SearchHit]
    # The page of the list that this answer holds.
    pagination: FoundPagination
    # What the service read from the query.
    query_analysis: FilteredResultsQueryAnalysis
    # The query got no vector, because the embedder is being loaded, failed or was late: words alone found the memories.
    without_vector: bool | None = None


class RecalledItemWriter(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Agent that it belongs to: an id of the organization or a name of the client's own.
    agent_id: str | None = None


class RecalledItemRatings(Answer):
    # Number of ratings.
    count: int
    # 1 (useless) to 5 (very useful).
    mean: float


class RecalledWhy(Answer):
    # Share of the query's information that the words carry, 0..1.
    words: float
    # Similarity of meaning, 0..1.
    meaning: float
    # `context`: a neighbour that the next line of its session needs. `successor`: the statement that replaced a result,
    # or that holds in what the query asks about.
    path: str
    # When it happened or was said.
    time: str
    # Relevance of the item, 0 to 1.
    score: float
    # The explanation in words.
    text: str | None = None


class RecalledItem(Answer):
    # The citation label of the line in `context`, such as `[1]`.
    label: str
    # Id of the memory, such as `mem_…`.
    memory_id: str
    # The fact of the memory that the query is about.
    fact_id: str | None = None
    # The text.
    content: str
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # Who stored it: the user or API key, and the agent of the key. Absent for chunks of sources.
    writer: RecalledItemWriter | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    # Relevance, 0 to 1; comparable within one answer.
    score: float
    # How people rated the memory, which changes its rank; absent without any rating.
    ratings: RecalledItemRatings | None = None
    # The number of tokens of its line with the label; of a recall that includes `tokens`.
    tokens: int | None = None
    # Why the item is in the answer.
    why: RecalledWhy


class RecalledDerived(Answer):
    # Id of the pattern, such as `pat_…`.
    pattern_id: str
    # The pattern in one line.
    text: str
    # How certain it is, 0 to 1.
    confidence: float
    # The citation label of the line in `context`.
    label: str


class RecalledLeftOut(Answer):
    # Id of the memory, such as `mem_…`.
    memory_id: str
    # The text.
    content: str
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    # Relevance, 0 to 1; comparable within one answer.
    score: float
    # `superseded`: it no longer holds. `later`: it was said after `as_of`. `repeated`: a line of the block says the
    # same. `no_room`: it did not fit into `max_tokens`. `weak`: it is about the query too little.
    reason: str


class RecalledBaselineScore(Answer):
    # Half of them get at most this.
    median: float
    # The best of them gets this.
    highest: float


class RecalledBaselineMeaning(Answer):
    # Half of them get at most this.
    median: float
    # The best of them gets this.
    highest: float


class RecalledBaseline(Answer):
    # The number of random memories: at most 20 of those that were searched, none of them a line.
    memories: int
    # Their `score` for the query.
    score: RecalledBaselineScore
    # Their similarity of meaning, as in `why`.
    meaning: RecalledBaselineMeaning


class RecalledProfileSectionLine(Answer):
    # The words.
    text: str
    # Facts that the line states.
    fact_ids: list[str]


class RecalledProfileSection(Answer):
    # Name.
    name: str
    # Statements of the section.
    lines: list[RecalledProfileSectionLine]


class RecalledProfile(Answer):
    # The sections as plain text.
    text: str
    # The profile by topic.
    sections: list[RecalledProfileSection]


class Recalled(Answer):
    # Text for a prompt: one line per item, grouped by day, oldest first.
    context: str
    # Best first.
    items: list[RecalledItem]
    # The patterns that the query is about: counted from several memories, not said by anybody.
    derived: list[RecalledDerived]
    # The best memories that are not in the block, at most 10; of a recall that includes `left_out`.
    left_out: list[RecalledLeftOut] | None = None
    # What random memories get for the query, to compare the items with; of a recall that includes `baseline`. Absent if
    # there are no others.
    baseline: RecalledBaseline | None = None
    # The facts, preferences and instructions of the user that are relevant for the query.
    profile: RecalledProfile
    # Number of tokens of `context`.
    tokens: int
    # false if nothing known answers the query.
    confident: bool
    # The query got no vector, because the embedder is being loaded, failed or was late: words alone found the memories.
    without_vector: bool | None = None
    # `GET /recall/{id}` explains this answer for a day. Absent while the disk is full.
    recall_id: str | None = None


class UserProfileSectionLine(Answer):
    # The words.
    text: str
    # Facts that the line states.
    fact_ids: list[str]


class UserProfileSection(Answer):
    # Name.
    name: str
    # Statements of the section.
    lines: list[UserProfileSectionLine]


class UserProfileDerived(Answer):
    # Id of the pattern, such as `pat_…`.
    pattern_id: str
    # The pattern in one line.
    text: str
    # How certain it is, 0 to 1.
    confidence: float


class UserProfile(Answer):
    # Part of a user's profile.
    user_id: str | None = None
    # Whose profile it is.
    type: str
    # Unique id that the service assigned; it never changes.
    id: str
    # The sections as plain text.
    text: str
    # The profile by topic.
    sections: list[UserProfileSection]
    # The time of the newest statement; absent if nothing is known.
    updated_at: str | None = None
    # Part of a user's profile: the strongest patterns, counted from several memories.
    derived: list[UserProfileDerived] | None = None


class FactProvenance(Answer):
    # The key or user whose request stored it; `unknown` for a fact that an earlier release stored.
    written_by: str
    # The agent whose key that was.
    agent_id: str | None = None
    # `memories` are this API's own routes; `unknown` is a memory that an earlier release stored.
    door: str
    # The id of the session, event, import, source or connection that it was made from.
    derived_from: str | None = None


class FactSpan(Answer):
    # First unit of the range.
    start: int
    # First unit after the range.
    end: int


class Fact(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # `user`: the user of the memory; otherwise an entity that the memory names.
    subject: str
    # Property of the subject that the fact states, such as `lives_in`.
    attribute: str
    # Value of the property.
    value: str
    # `superseded`: another fact replaced it; `retracted`: it never held; `planned`: it holds later; `past`: it is over.
    status: str
    # The act of the statement; `state` asserts a current value.
    act: str
    # When it was said or happened.
    observed_at: str
    # Since when it holds (ISO 8601).
    valid_from: str
    # Exclusive; absent while it holds.
    valid_to: str | None = None
    # How certain it is, 0 to 1.
    confidence: float
    # Kind of statement, as in the `facts` of a memory.
    category: str
    # The words of the memory that state it.
    content: str
    # Id of the memory, such as `mem_…`.
    memory_id: str
    # Who wrote the words, by which door; `derived_from` is the memory. Nothing changes it.
    provenance: FactProvenance
    # The range of these words in the memory's content, in UTF-16 units.
    span: FactSpan
    # The memory's user.
    user_id: str | None = None
    # The fact before it.
    supersedes: str | None = None
    # The fact that replaced it.
    superseded_by: str | None = None
    # The decision of a user.
    decision: str | None = None
    # The number of decisions about the fact.
    version: int


class FactList(Answer):
    # Facts grouped by property, each group in the order of time.
    facts: list[Fact]
    pagination: Pagination


class FactWithHistoryProvenance(Answer):
    # The key or user whose request stored it; `unknown` for a fact that an earlier release stored.
    written_by: str
    # The agent whose key that was.
    agent_id: str | None = None
    # `memories` are this API's own routes; `unknown` is a memory that an earlier release stored.
    door: str
    # The id of the session, event, import, source or connection that it was made from.
    derived_from: str | None = None


class FactWithHistorySpan(Answer):
    # First unit of the range.
    start: int
    # First unit after the range.
    end: int


class FactWithHistoryDecisionBefore(Answer):
    # Value before the decision.
    subject: str | None = None
    # Value before the decision.
    attribute: str | None = None
    # Value before the decision.
    value: str | None = None
    # Value before the decision.
    valid_from: str | None = None
    # Value before the decision.
    valid_to: str | None = None


class FactWithHistoryDecision(Answer):
    # What the user decided.
    action: str
    # User who decided.
    by: str
    # When it happened; of a series, the start of the interval (ISO 8601, UTC).
    at: str
    # Values of the corrected fields before the decision.
    before: FactWithHistoryDecisionBefore | None = None


class FactWithHistory(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # `user`: the user of the memory; otherwise an entity that the memory names.
    subject: str
    # Property of the subject that the fact states, such as `lives_in`.
    attribute: str
    # Value of the property.
    value: str
    # `superseded`: another fact replaced it; `retracted`: it never held; `planned`: it holds later; `past`: it is over.
    status: str
    # The act of the statement; `state` asserts a current value.
    act: str
    # When it was said or happened.
    observed_at: str
    # Since when it holds (ISO 8601).
    valid_from: str
    # Exclusive; absent while it holds.
    valid_to: str | None = None
    # How certain it is, 0 to 1.
    confidence: float
    # Kind of statement, as in the `facts` of a memory.
    category: str
    # The words of the memory that state it.
    content: str
    # Id of the memory, such as `mem_…`.
    memory_id: str
    # Who wrote the words, by which door; `derived_from` is the memory. Nothing changes it.
    provenance: FactWithHistoryProvenance
    # The range of these words in the memory's content, in UTF-16 units.
    span: FactWithHistorySpan
    # The memory's user.
    user_id: str | None = None
    # The fact before it.
    supersedes: str | None = None
    # The fact that replaced it.
    superseded_by: str | None = None
    # The decision of a user.
    decision: str | None = None
    # The number of decisions about the fact.
    version: int
    # Decisions of users about the fact, oldest first.
    decisions: list[FactWithHistoryDecision]
    # Earlier and later facts about the same property, oldest first.
    history: list[Fact]


class SessionConfig(Answer):
    # Maximum tokens of the context (o200k_base).
    context_window: int
    # Whether messages that leave the window are summarized; otherwise, a message that does not fit is refused.
    compression_enabled: bool
    # Maximum number of messages; absent: no limit.
    max_messages: int | None = None
    # `off` in sessions of earlier releases
    memory: str | None = None


class Session(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Agent that it belongs to: an id of the organization or a name of the client's own.
    agent_id: str
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str
    # Title to display.
    title: str | None = None
    # Settings.
    config: SessionConfig
    # Context at the start, a JSON object of at most 16 KB.
    initial_context: dict[str, Any] | None = None
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # `closed` and `archived` sessions accept no messages.
    status: str
    # Number of messages.
    message_count: int
    # Tokens of all messages (o200k_base).
    total_tokens: int
    # When it was created (ISO 8601, UTC).
    created_at: str
    # When it was updated (ISO 8601, UTC).
    updated_at: str
    # When it was closed (ISO 8601, UTC).
    closed_at: str | None = None
    # Why, in words.
    reason: str | None = None
    # Summary in words.
    summary: str | None = None
    # When it was archived (ISO 8601, UTC).
    archived_at: str | None = None
    # When the session and its data are deleted (ISO 8601, UTC); absent: never.
    expire_at: str | None = None
    # Version number; each change increases it by one.
    version: int


class SessionWithRatioConfig(Answer):
    # Maximum tokens of the context (o200k_base).
    context_window: int
    # Whether messages that leave the window are summarized; otherwise, a message that does not fit is refused.
    compression_enabled: bool
    # Maximum number of messages; absent: no limit.
    max_messages: int | None = None
    # `off` in sessions of earlier releases
    memory: str | None = None


class SessionWithRatio(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Agent that it belongs to: an id of the organization or a name of the client's own.
    agent_id: str
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str
    # Title to display.
    title: str | None = None
    # Settings.
    config: SessionWithRatioConfig
    # Context at the start, a JSON object of at most 16 KB.
    initial_context: dict[str, Any] | None = None
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # `closed` and `archived` sessions accept no messages.
    status: str
    # Number of messages.
    message_count: int
    # Tokens of all messages (o200k_base).
    total_tokens: int
    # When it was created (ISO 8601, UTC).
    created_at: str
    # When it was updated (ISO 8601, UTC).
    updated_at: str
    # When it was closed (ISO 8601, UTC).
    closed_at: str | None = None
    # Why, in words.
    reason: str | None = None
    # Summary in words.
    summary: str | None = None
    # When it was archived (ISO 8601, UTC).
    archived_at: str | None = None
    # When the session and its data are deleted (ISO 8601, UTC); absent: never.
    expire_at: str | None = None
    # Version number; each change increases it by one.
    version: int
    # Tokens of the context divided by tokens of all messages; 1 while nothing is compressed
    context_compression_ratio: float


class AddedMessageLeftOut(Answer):
    # The words.
    text: str
    # Why it was not stored.
    reason: str


class AddedMessage(Answer):
    # Id of the session
    id: str
    # Id of the message, such as `msg_…`.
    message_id: str
    # Who speaks.
    role: str
    # The text.
    content: str
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # Number of tokens (o200k_base).
    tokens: int
    # Tokens of all messages of the session, including this one
    session_tokens: int
    # Sentences, parts of messages and fields that were not stored, with the reason; the first 100.
    left_out: list[AddedMessageLeftOut] | None = None
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    # When it was created (ISO 8601, UTC).
    created_at: str


class MessageListMessage(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Who speaks.
    role: str
    # The text.
    content: str
    # Present if the stored content is lost or damaged; `content` is then empty.
    content_missing: bool | None = None
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # Number of tokens (o200k_base).
    tokens: int
    # As sent, with its offset; `created_at` if it was not sent.
    occurred_at: str
    # Present while `occurred_at` is in the future.
    planned: bool | None = None
    # When it was created (ISO 8601, UTC).
    created_at: str


class MessageListSessionStats(Answer):
    # Number of messages.
    total_messages: int
    # Tokens of all messages (o200k_base).
    total_tokens: int
    # Tokens after compression over tokens before, 0 to 1.
    compression_ratio: float


class MessageList(Answer):
    # Id of the session, such as `sess_…`.
    session_id: str
    # Messages, oldest first.
    messages: list[MessageListMessage]
    pagination: Pagination
    # Figures of the whole session.
    session_stats: MessageListSessionStats


class SessionContextContextConversationHistory(Answer):
    # Who speaks.
    role: str
    # The text.
    content: str
    # When it happened (ISO 8601, UTC).
    timestamp: str


class SessionContextContextUserPreferencesFromMemory(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # The text.
    content: str


class SessionContextContextUserPreferences(Answer):
    # Statements of this session.
    from_session: list[str]
    # Memories that state preferences.
    from_memories: list[SessionContextContextUserPreferencesFromMemory]


class SessionContextContextUserFactsCurrent(Answer):
    # The words.
    text: str
    # Facts that the line states.
    fact_ids: list[str]


class SessionContextContextUserFactsChanged(Answer):
    # The words.
    text: str
    # Facts that the line states.
    fact_ids: list[str]


class SessionContextContextUserFacts(Answer):
    # Statements that hold now.
    current: list[SessionContextContextUserFactsCurrent]
    # Statements that changed lately.
    changed: list[SessionContextContextUserFactsChanged]


class SessionContextContextSessionState(Answer):
    # Topic of the newest messages.
    current_topic: str | None
    # Reported problems that are not known to be solved.
    open_issues: list[str]
    # Reported problems that were solved.
    resolved_issues: list[str]
    # Requested or promised actions that are not done.
    pending_actions: list[str]


class SessionContextContextCompressedContext(Answer):
    # Summary in words.
    summary: str
    # Most important statements.
    key_points: list[str]
    # Tokens after compression over tokens before, 0 to 1.
    compression_ratio: float


class SessionContextContext(Answer):
    # Messages that fit the window, oldest first.
    conversation_history: list[SessionContextContextConversationHistory]
    # What the user prefers.
    user_preferences: SessionContextContextUserPreferences
    # What is known about the user that is relevant for the newest messages, with changes, within the rest of the window
    user_facts: SessionContextContextUserFacts
    # State of the conversation.
    session_state: SessionContextContextSessionState
    # A summary of the messages that are not in the history, or of all messages if none is left out
    compressed_context: SessionContextContextCompressedContext
    # The initial context and the client's updates, except for the fields above
    variables: dict[str, Any] | None = None


class SessionContextContextStats(Answer):
    # Tokens before compression.
    original_tokens: int
    # Tokens after compression.
    compressed_tokens: int
    # Tokens after compression over tokens before, 0 to 1.
    compression_ratio: float
    # Share of the information that is kept, in percent.
    retention_percentage: float


class SessionContext(Answer):
    # Id of the session, such as `sess_…`.
    session_id: str
    # Context for the next answer.
    context: SessionContextContext
    # Effect of compression on the context.
    context_stats: SessionContextContextStats


class EventProgress(Answer):
    # Items to process; 0 until the input is read.
    total: int
    # Items that are processed.
    done: int
    # Number of failures.
    failed: int


class EventSkippedRow(Answer):
    # The row's index in the import, from 0.
    index: int
    # Why, in words.
    reason: str


class EventLeftOut(Answer):
    # The words.
    text: str
    # Why it was not stored.
    reason: str


class EventError(Answer):
    # Position of the item in the request, from 0.
    index: int | None = None
    # Stable error code for programs, such as `VALIDATION_ERROR`.
    code: str
    # Human-readable explanation.
    message: str


class EventFile(Answer):
    # Link to the file that needs no credential.
    download_url: str
    # Size in bytes.
    bytes: int
    # Memories in the file.
    memories: int


class Event(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Kind of job.
    type: str
    # State of the item.
    status: str
    # Kind of resource that the job is about.
    resource: str
    # Resource that the job is about.
    resource_id: str | None = None
    # How far the work is.
    progress: EventProgress | None = None
    # Import rows or messages that became memories.
    imported: int | None = None
    # Import rows whose memory exists already, messages that state nothing new, and what is not imported.
    skipped: int | None = None
    # The first 100 skipped rows; GET /imports/{event_id}/skipped returns the first 10,000.
    skipped_rows: list[EventSkippedRow] | None = None
    # Each memory's id, whether it is new, and its content as far as it fits.
    results: list[dict[str, Any]]
    # Sentences, parts of messages and fields that were not stored, with the reason; the first 100.
    left_out: list[EventLeftOut] | None = None
    # How many were left out, if `left_out` does not hold all.
    left_out_total: int | None = None
    # For a finished import, the first 100; GET /imports/{event_id}/failures returns all.
    errors: list[EventError]
    # Present when the job is complete. Each file can be sent to POST /imports/upload, and JSON files as the body of
    # POST /imports.
    files: list[EventFile] | None = None
    # Link to the file, if there is exactly one.
    download_url: str | None = None
    # Seconds until the links expire; repeat the request for new ones.
    download_expires_in: int | None = None
    # When the files are deleted.
    expires_at: str | None = None
    # When it was created (ISO 8601, UTC).
    created_at: str
    # When it was updated (ISO 8601, UTC).
    updated_at: str
    # When it was started (ISO 8601, UTC).
    started_at: str | None = None
    # When it was finished (ISO 8601, UTC).
    finished_at: str | None = None


class Extraction(Answer):
    # `no_text`: the source is found by name and metadata only.
    status: str
    # Why no text was read.
    reason: str | None = None


class SourceFile(Answer):
    # Name.
    name: str
    # Media type, such as `application/pdf`.
    content_type: str
    # Format that was recognized.
    kind: str
    # Size in bytes.
    bytes: int
    # Metadata of the file: width and height, duration, pages …
    details: dict[str, Any] | None = None


class IngestedSource(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Kind of content, such as `text`, `url` or `file`.
    type: str
    # Title to display.
    title: str
    # Name of the system that the content comes from.
    provider: str | None = None
    # Id of the item at its provider.
    external_id: str | None = None
    # Address that the content was fetched from or belongs to.
    url: str | None = None
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str | None = None
    # Label for filtering within the organization.
    org_id: str | None = None
    # Agent that it belongs to: an id of the organization or a name of the client's own.
    agent_id: str | None = None
    # Id of the connection, such as `conn_…`.
    connection_id: str | None = None
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # `processing`: workers read the content; `active`: searchable; `failed`: `error` says why.
    status: str
    # Whether text was read from the content; only if `status` is `active`.
    extraction: Extraction | None = None
    # Why processing failed; the previous content stays available.
    error: str | None = None
    # SHA-256 of the visible content.
    content_hash: str | None = None
    # The source's own memory, a summary; it has the id of the source.
    source_memory_id: str
    # Number of stored chunks.
    chunks_created: int
    # Number of chunks, plus the source's own memory if it exists.
    memories_created: int
    # Number of distinct entities that the chunks name.
    entities_created: int
    # Media type of the file, detected from its content.
    mime_type: str | None = None
    # Size of the file in bytes.
    bytes: int | None = None
    # The key of the file or long text in the blob store.
    blob_key: str | None = None
    # o200k_base tokens of the text; repeated headings of chunks count once.
    tokens: int
    # The uploaded file.
    file: SourceFile | None = None
    # When it was created (ISO 8601, UTC).
    created_at: str
    # When it was updated (ISO 8601, UTC).
    updated_at: str
    # When it was ingested (ISO 8601, UTC).
    ingested_at: str | None = None
    # Memories of the chunks, in document order.
    chunk_memory_ids: list[str]


class Ingested(Answer):
    # Id of the source, such as `src_…`, which is also the id of its own memory.
    source_id: str
    # `processing`: workers read the content; `active`: searchable; `failed`: `error` says why.
    status: str
    # Whether text was read from the content; only if `status` is `active`.
    extraction: Extraction | None = None
    # The source already had this content; nothing was changed.
    unchanged: bool
    # Number of stored chunks.
    chunks_created: int
    # Number of chunks, plus the source's own memory if it is new.
    memories_created: int
    # Number of distinct entities that the chunks name.
    entities_created: int
    # The source's own memory and the chunks; at most 1,001.
    memory_ids: list[str]
    # Source that the item comes from.
    source: IngestedSource


class CompatListedMemory(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Text of the memory.
    memory: str | None = None
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str | None = None
    # Agent that it belongs to: an id of the organization or a name of the client's own.
    agent_id: str | None = None
    # Application that it belongs to, a name of the client's own.
    app_id: str | None = None
    # Run or session that it belongs to, a name of the client's own.
    run_id: str | None = None
    # The same as `run_id`.
    session_id: str | None = None
    # Hash of the content, for comparison.
    hash: str | None = None
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # Labels of the memory.
    categories: list[str] | None = None
    # When it happened or was said, as sent, with its offset.
    occurred_at: str | None = None
    # `occurred_at` in UTC, under mem0's name.
    created_at: str | None = None
    # When it was updated (ISO 8601, UTC).
    updated_at: str | None = None
    # When it expires (ISO 8601); null: never.
    expiration_date: str | None = None


class CompatListed(Answer):
    # Number of items.
    count: int
    # Address of the next page; null on the last one.
    next: str | None
    # Address of the previous page; null on the first one.
    previous: str | None
    # The items of this page, best or newest first.
    results: list[CompatListedMemory]


class CompatHitScoreBreakdown(Answer):
    # Similarity of meaning, 0 to 1: how likely a memory that near to the query answers it.
    semantic: float
    # Match of words, 0 to 1.
    keyword: float
    # Share of the score from activation.
    activation: float | None = None


class CompatHitDocument(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Title to display.
    title: str | None = None
    # Address (http or https).
    url: str | None = None
    # Summary in words.
    summary: str | None = None


class CompatRelated(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Text of the memory.
    memory: str
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str | None
    # When it happened or was said, as sent, with its offset.
    occurred_at: str
    # `occurred_at` in UTC, under mem0's name.
    created_at: str
    # When it was updated (ISO 8601, UTC).
    updated_at: str


class CompatHit(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Text of the memory.
    memory: str | None = None
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str | None = None
    # Agent that it belongs to: an id of the organization or a name of the client's own.
    agent_id: str | None = None
    # Application that it belongs to, a name of the client's own.
    app_id: str | None = None
    # Run or session that it belongs to, a name of the client's own.
    run_id: str | None = None
    # The same as `run_id`.
    session_id: str | None = None
    # Hash of the content, for comparison.
    hash: str | None = None
    # Free-form JSON object of at most 16 KB.
    metadata: dict[str, Any] | None = None
    # Labels of the memory.
    categories: list[str] | None = None
    # When it happened or was said, as sent, with its offset.
    occurred_at: str | None = None
    # `occurred_at` in UTC, under mem0's name.
    created_at: str | None = None
    # When it was updated (ISO 8601, UTC).
    updated_at: str | None = None
    # When it expires (ISO 8601); null: never.
    expiration_date: str | None = None
    # Relevance, 0 to 1; comparable within one answer.
    score: float | None = None
    # Parts of the score.
    score_breakdown: CompatHitScoreBreakdown | None = None
    # Whether the memory has expired.
    is_forgotten: bool | None = None
    # Sources that the results come from.
    documents: list[CompatHitDocument] | None = None
    # Memories stored right before or after, or about the same entities.
    related_memories: list[CompatRelated] | None = None


class CompatFound(Answer):
    # The items of this page, best or newest first.
    results: list[CompatHit]
    # Number of items.
    count: int
    # Address of the next page; null on the last one.
    next: None
    # Address of the previous page; null on the first one.
    previous: None


class CompatAddedData(Answer):
    # Text of the memory.
    memory: str


class CompatAdded(Answer):
    # Unique id that the service assigned; it never changes.
    id: str
    # Text of the memory.
    memory: str
    # The text again, where older clients expect it.
    data: CompatAddedData
    # UPDATE: the memory replaces `previous_memory`. DELETE: the memory is no longer true; it is kept. NOOP: it was
    # known already.
    event: str
    # Memory that was replaced.
    previous_memory_id: str | None = None
    # Text of the memory that was replaced.
    previous_memory: str | None = None
    # When it happened or was said, past or future (ISO 8601 with offset).
    occurred_at: str | None = None
    # User that it belongs to: an id of the organization or a name of the client's own.
    user_id: str | None = None
    # Labels of the memory.
    categories: list[str] | None = None


class AddAnswer(Answer):
    # Id of the job, such as `evt_…`; `GET /events/{event_id}` returns its progress.
    event_id: str
    # State of the item.
    status: str
    # Memories that were stored.
    memory_ids: list[str]
    # What became of each memory.
    results: list[CompatAdded]


REMEMBER = Operation("POST", "/memories", Memory)
REMEMBER_MANY = Operation("POST", "/memories/batch", BatchCreated)
GET = Operation("GET", "/memories/{id}", IndexedMemory)
UPDATE = Operation("PUT", "/memories/{id}", Memory)
FORGET = Operation("DELETE", "/memories/{id}", Deleted)
LIST = Operation("GET", "/memories", MemoryList)
SEARCH = Operation("POST", "/search", FilteredResults)
RECALL = Operation("POST", "/recall", Recalled)
PROFILE = Operation("GET", "/profiles/{user_id}", UserProfile)
LIST_FACTS = Operation("GET", "/facts", FactList)
GET_FACT = Operation("GET", "/facts/{id}", FactWithHistory)
CORRECT_FACT = Operation("PUT", "/facts/{id}", FactWithHistory)
RETRACT_FACT = Operation("POST", "/facts/{id}/retract", FactWithHistory)
CREATE_SESSION = Operation("POST", "/sessions", Session)
READ_SESSION = Operation("GET", "/sessions/{id}", SessionWithRatio)
UPDATE_SESSION = Operation("PUT", "/sessions/{id}", SessionWithRatio)
APPEND_MESSAGE = Operation("POST", "/sessions/{id}/messages", AddedMessage)
LIST_MESSAGES = Operation("GET", "/sessions/{id}/messages", MessageList)
READ_CONTEXT = Operation("GET", "/sessions/{id}/context", SessionContext)
GET_EVENT = Operation("GET", "/events/{event_id}", Event)
ADD_SOURCE = Operation("POST", "/sources/ingest", Ingested)
LIST_WHERE = Operation("POST", "/v3/memories", CompatListed)
SEARCH_WHERE = Operation("POST", "/v3/memories/search", CompatFound)
ADD_MESSAGES = Operation("POST", "/v3/memories/add", AddAnswer)
