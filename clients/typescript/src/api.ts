/** Generated from openapi.json by `npm run client:types`. */

export type Api =
  | CreateMemory
  | RememberQuery
  | Memory
  | CreateBatch
  | RememberManyQuery
  | BatchCreated
  | GetQuery
  | IndexedMemory
  | UpdateMemory
  | UpdateQuery
  | Deleted
  | ListQuery
  | MemoryList
  | FilteredSearch
  | FilteredResults
  | Recall
  | Recalled
  | ProfileQuery
  | UserProfile
  | ListFactsQuery
  | FactList
  | FactWithHistory
  | CorrectFact
  | CreateSession
  | Session
  | SessionWithRatio
  | UpdateSession
  | AddMessage
  | AddedMessage
  | ListMessagesQuery
  | MessageList
  | SessionContext
  | Event
  | IngestSource
  | Ingested
  | Health
  | Status
  | Principal
  | ImportBegun
  | RequestImportLink
  | ImportLink
  | CompleteImport
  | ListImportFailuresQuery
  | FailureList
  | ExportMemories
  | Exported;

export interface CreateMemory {
  /**
   * Text to remember, up to 100,000 characters; it is stored and returned as sent.
   */
  content: string;
  /**
   * User that it belongs to: an id of the organization or a name of the client's own.
   */
  user_id?: string;
  /**
   * Category, a label of the client's choice.
   */
  category?: string;
  /**
   * Kind of memory, a label of the client's choice, such as `preference` or `fact`.
   */
  type?: string;
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * When it happened or was said, past or future; the default is now.
   */
  occurred_at?: string;
  /**
   * When it expires and disappears from every answer (ISO 8601).
   */
  expire_at?: string;
  options?: CreateOptions;
}
/**
 * How to process the text; the defaults are the stored settings.
 */
export interface CreateOptions {
  /**
   * Extract facts from the text; the default is the stored setting.
   */
  extract_facts?: boolean;
  /**
   * Extract entities from the text; the default is the stored setting.
   */
  extract_entities?: boolean;
  /**
   * Compress the text; the default is the stored setting.
   */
  compress?: boolean;
  /**
   * How far to compress; `conservative` is an alias of `extract`.
   */
  compression_mode?: "extract" | "balanced" | "aggressive" | "conservative";
  /**
   * Do not store a statement that a memory already makes; false by default.
   */
  skip_duplicates?: boolean;
}
export interface RememberQuery {
  /**
   * Answer only after the model that reads facts has read what was stored, at most 5 seconds later. Without such a model, the answer comes at once.
   */
  wait?: boolean;
}
export interface Memory {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * The text.
   */
  content: string;
  /**
   * Present if the stored content is lost or damaged; `content` is then empty.
   */
  content_missing?: true;
  /**
   * User that it belongs to: an id of the organization or a name of the client's own.
   */
  user_id?: string;
  /**
   * Category, a label of the client's choice.
   */
  category?: string;
  /**
   * Kind of memory, a label of the client's choice, such as `preference` or `fact`.
   */
  type?: string;
  /**
   * Who said it in a conversation, if not the user.
   */
  speaker?: string;
  /**
   * The question that it answers in a few words, as asked.
   */
  in_reply_to?: string;
  /**
   * The words of the message that it rests on, as sent, if a language model wrote the content.
   */
  quote?: string;
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * When it expires and disappears from every answer (ISO 8601).
   */
  expire_at?: string;
  /**
   * As sent, with its offset; `created_at` if it was not sent.
   */
  occurred_at: string;
  /**
   * Present while `occurred_at` is in the future.
   */
  planned?: true;
  /**
   * When it was created (ISO 8601, UTC).
   */
  created_at: string;
  /**
   * When it was updated (ISO 8601, UTC).
   */
  updated_at: string;
  /**
   * Entities that the text names.
   */
  entities: EntityReference[];
  /**
   * How many new entities it was stored without, because the organization has as many as its plan allows.
   */
  entities_left_out?: number;
  /**
   * Facts that the text states.
   */
  facts: MemoryFact[];
  /**
   * Effect of compression on the text.
   */
  compression: {
    /**
     * Tokens before compression.
     */
    original_tokens: number;
    /**
     * Tokens after compression.
     */
    compressed_tokens: number;
    /**
     * Share of tokens saved, in percent.
     */
    reduction_percentage: number;
  };
  processing: Processing;
  /**
   * Storage tier, which follows from age and access.
   */
  tier: "working" | "hot" | "cold" | "archive";
  /**
   * Version number; each change increases it by one.
   */
  version: number;
  /**
   * Sentences, parts of messages and fields that were not stored, with the reason; the first 100.
   */
  left_out?: {
    /**
     * The words.
     */
    text: string;
    /**
     * Why it was not stored.
     */
    reason:
      | "question"
      | "small_talk"
      | "request"
      | "hypothetical"
      | "irony"
      | "repetition"
      | "not_prose"
      | "recalled"
      | "excluded"
      | "not_included"
      | "not_text"
      | "unknown_field"
      | "secret";
  }[];
  /**
   * Who stored it first, by which door, and from what. Nothing changes it afterwards.
   */
  provenance?: {
    /**
     * The key or user whose request stored it; `unknown` for a fact that an earlier release stored.
     */
    written_by: string;
    /**
     * The agent whose key that was.
     */
    agent_id?: string;
    /**
     * `memories` are this API's own routes; `unknown` is a memory that an earlier release stored.
     */
    door: "memories" | "mem0" | "mcp" | "sessions" | "imports" | "sources" | "connections" | "unknown";
    /**
     * The id of the session, event, import, source or connection that it was made from.
     */
    derived_from?: string;
  };
  /**
   * How often the same statement was repeated without being stored again.
   */
  repeats?: number;
  /**
   * When it was repeated (ISO 8601, UTC).
   */
  repeated_at?: string;
}
export interface EntityReference {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * Name.
   */
  name: string;
  /**
   * Kind of entity, such as `person` or `place`.
   */
  type: string;
  /**
   * How the memory relates to the entity, such as `related_to`.
   */
  relationship_type?: string;
  /**
   * Strength of the relation, 0 to 1.
   */
  strength?: number;
}
export interface MemoryFact {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * The fact in words; in English texts, in the third person where the grammar allows.
   */
  content: string;
  /**
   * How certain it is, 0 to 1.
   */
  confidence: number;
  /**
   * Kind of statement, such as `preference`.
   */
  category: string;
  /**
   * Dates that the text names, resolved.
   *
   * Items: A date that the text names, resolved.
   */
  dates?: {
    /**
     * Offset of the first character of the words in the text.
     */
    start: number;
    /**
     * Offset after their last character.
     */
    end: number;
    /**
     * The words.
     */
    text: string;
    /**
     * ISO 8601, as precise as the text: 2023, 2023-05, 2023-05-07, 2023-05-07T14:30+02:00; R/2023-05-08/P1W recurs, P4Y lasts.
     */
    value: string;
    /**
     * The last day, month or year of a range.
     */
    end_value?: string;
    /**
     * Unit that the date is exact to.
     */
    precision: "year" | "season" | "month" | "week" | "day" | "hour" | "minute" | "range";
    /**
     * Direction of the date from the time of the statement.
     */
    direction: "past" | "future" | "unknown";
    /**
     * Form of the date.
     */
    kind: "point" | "range" | "recurring" | "duration";
    /**
     * Whether the text gives only an approximate date.
     */
    approximate?: boolean;
  }[];
  /**
   * The facts that were read from it: see `/facts`.
   */
  fact_ids?: string[];
}
/**
 * How the text was read.
 */
export interface Processing {
  /**
   * `queued`: workers will process it; `failed`: they gave up; `skipped`: it was a duplicate.
   */
  status: "done" | "queued" | "failed" | "skipped";
  /**
   * Provider of the model.
   */
  provider?: string;
  /**
   * Name of the language model.
   */
  model?: string;
  /**
   * Whether the built-in rules answered in place of a model.
   */
  fallback?: boolean;
  /**
   * Id of the job that does the work, such as `job_…`.
   */
  job_id?: string;
  /**
   * Memory that already has the same statement.
   */
  duplicate_of?: string;
}
export interface CreateBatch {
  /**
   * Memories to store, up to 100; each succeeds or fails independently.
   *
   * @minItems 1
   * @maxItems 100
   */
  memories: CreateMemory[];
  options?: CreateOptions;
}
export interface RememberManyQuery {
  /**
   * Answer only after the model that reads facts has read what was stored, at most 5 seconds later. Without such a model, the answer comes at once.
   */
  wait?: boolean;
}
export interface BatchCreated {
  /**
   * Stored memories.
   */
  created: {
    /**
     * Position of the item in the request, from 0.
     */
    index: number;
    /**
     * Unique id that the service assigned; it never changes.
     */
    id: string;
    /**
     * The text.
     */
    content: string;
    /**
     * `skipped`: a memory with the same statement existed; `queued`: workers still process it.
     */
    status: "created" | "queued" | "skipped";
    /**
     * Memory that already has the same statement.
     */
    duplicate_of?: string;
  }[];
  /**
   * Items that failed, each with its error.
   */
  failed: BatchFailure[];
}
export interface BatchFailure {
  /**
   * Position of the item in the request, from 0.
   */
  index: number;
  /**
   * Unique id that the service assigned; it never changes.
   */
  id?: string;
  error: ItemError;
}
export interface ItemError {
  /**
   * Stable error code for programs, such as `VALIDATION_ERROR`.
   */
  code: string;
  /**
   * Human-readable explanation.
   */
  message: string;
  /**
   * Facts about the error, such as the refused fields.
   */
  details: {
    [k: string]: unknown;
  };
}
export interface GetQuery {
  /**
   * Suggest a category and a type in `suggested` if the memory has none.
   */
  suggest?: boolean;
  /**
   * The memory's user, who alone sees what `[REDACTED:…]` stands for; the memories of others are not found.
   */
  user_id?: string;
}
export interface IndexedMemory {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * The text.
   */
  content: string;
  /**
   * Present if the stored content is lost or damaged; `content` is then empty.
   */
  content_missing?: true;
  /**
   * User that it belongs to: an id of the organization or a name of the client's own.
   */
  user_id?: string;
  /**
   * Category, a label of the client's choice.
   */
  category?: string;
  /**
   * Kind of memory, a label of the client's choice, such as `preference` or `fact`.
   */
  type?: string;
  /**
   * Who said it in a conversation, if not the user.
   */
  speaker?: string;
  /**
   * The question that it answers in a few words, as asked.
   */
  in_reply_to?: string;
  /**
   * The words of the message that it rests on, as sent, if a language model wrote the content.
   */
  quote?: string;
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * When it expires and disappears from every answer (ISO 8601).
   */
  expire_at?: string;
  /**
   * As sent, with its offset; `created_at` if it was not sent.
   */
  occurred_at: string;
  /**
   * Present while `occurred_at` is in the future.
   */
  planned?: true;
  /**
   * When it was created (ISO 8601, UTC).
   */
  created_at: string;
  /**
   * When it was updated (ISO 8601, UTC).
   */
  updated_at: string;
  /**
   * Entities that the text names.
   */
  entities: EntityReference[];
  /**
   * How many new entities it was stored without, because the organization has as many as its plan allows.
   */
  entities_left_out?: number;
  /**
   * Facts that the text states.
   */
  facts: MemoryFact[];
  /**
   * Effect of compression on the text.
   */
  compression: {
    /**
     * Tokens before compression.
     */
    original_tokens: number;
    /**
     * Tokens after compression.
     */
    compressed_tokens: number;
    /**
     * Share of tokens saved, in percent.
     */
    reduction_percentage: number;
  };
  processing: Processing;
  /**
   * Storage tier, which follows from age and access.
   */
  tier: "working" | "hot" | "cold" | "archive";
  /**
   * Version number; each change increases it by one.
   */
  version: number;
  /**
   * Sentences, parts of messages and fields that were not stored, with the reason; the first 100.
   */
  left_out?: {
    /**
     * The words.
     */
    text: string;
    /**
     * Why it was not stored.
     */
    reason:
      | "question"
      | "small_talk"
      | "request"
      | "hypothetical"
      | "irony"
      | "repetition"
      | "not_prose"
      | "recalled"
      | "excluded"
      | "not_included"
      | "not_text"
      | "unknown_field"
      | "secret";
  }[];
  /**
   * Who stored it first, by which door, and from what. Nothing changes it afterwards.
   */
  provenance?: {
    /**
     * The key or user whose request stored it; `unknown` for a fact that an earlier release stored.
     */
    written_by: string;
    /**
     * The agent whose key that was.
     */
    agent_id?: string;
    /**
     * `memories` are this API's own routes; `unknown` is a memory that an earlier release stored.
     */
    door: "memories" | "mem0" | "mcp" | "sessions" | "imports" | "sources" | "connections" | "unknown";
    /**
     * The id of the session, event, import, source or connection that it was made from.
     */
    derived_from?: string;
  };
  /**
   * How often the same statement was repeated without being stored again.
   */
  repeats?: number;
  /**
   * When it was repeated (ISO 8601, UTC).
   */
  repeated_at?: string;
  /**
   * State of the memory in the search index.
   */
  index: {
    /**
     * Whether the memory's current vector is still missing from the index. Null if search is not available.
     */
    pending: boolean | null;
  };
  suggested?: Suggested;
}
/**
 * Suggested labels; no filter, list or count uses them.
 */
export interface Suggested {
  /**
   * Category that fits the memory.
   */
  category?: {
    /**
     * Suggested label.
     */
    value: string;
    /**
     * How certain it is, 0 to 1.
     */
    confidence: number;
  };
  /**
   * Type that fits the memory.
   */
  type?: {
    /**
     * Suggested label.
     */
    value: string;
    /**
     * How certain it is, 0 to 1.
     */
    confidence: number;
  };
}
export interface UpdateMemory {
  /**
   * The text.
   */
  content?: string;
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * When it happened or was said, past or future (ISO 8601 with offset).
   */
  occurred_at?: string;
  /**
   * When it expires and disappears from every answer (ISO 8601); null: never.
   */
  expire_at?: string | null;
}
export interface UpdateQuery {
  /**
   * Answer only after the model that reads facts has read what was stored, at most 5 seconds later. Without such a model, the answer comes at once.
   */
  wait?: boolean;
}
export interface Deleted {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * When it was deleted (ISO 8601, UTC).
   */
  deleted_at: string;
}
export interface ListQuery {
  /**
   * Only items with this value.
   */
  user_id?: string;
  /**
   * Only memories of this category.
   */
  category?: string;
  /**
   * Only items with this value.
   */
  type?: string;
  /**
   * Only what was created at or after this time (ISO 8601).
   */
  created_after?: string;
  /**
   * Only what was created at or before this time (ISO 8601).
   */
  created_before?: string;
  /**
   * Only what happened at or after this time (ISO 8601).
   */
  occurred_after?: string;
  /**
   * Only what happened at or before this time (ISO 8601).
   */
  occurred_before?: string;
  /**
   * Memories that mention this entity.
   */
  entity_id?: string;
  /**
   * Maximum number of items in the answer.
   */
  limit?: number;
  /**
   * Number of items to skip before the first one in the answer.
   */
  offset?: number;
  /**
   * The `next_cursor` of the page before, instead of `offset`: items that come or go meanwhile shift nothing.
   */
  cursor?: string;
  /**
   * Field and direction, such as `created_at desc`.
   */
  sort?: string;
}
export interface MemoryList {
  /**
   * Memories in the requested order.
   */
  memories: {
    /**
     * Unique id that the service assigned; it never changes.
     */
    id: string;
    /**
     * The text.
     */
    content: string;
    /**
     * Present if the stored content is lost or damaged; `content` is then empty.
     */
    content_missing?: true;
    /**
     * User that it belongs to: an id of the organization or a name of the client's own.
     */
    user_id?: string;
    /**
     * Category, a label of the client's choice.
     */
    category?: string;
    /**
     * Kind of memory, a label of the client's choice, such as `preference` or `fact`.
     */
    type?: string;
    /**
     * Who said it in a conversation, if not the user.
     */
    speaker?: string;
    /**
     * The question that it answers in a few words, as asked.
     */
    in_reply_to?: string;
    /**
     * Free-form JSON object of at most 16 KB.
     */
    metadata?: {
      [k: string]: unknown;
    };
    /**
     * As sent, with its offset; `created_at` if it was not sent.
     */
    occurred_at: string;
    /**
     * Present while `occurred_at` is in the future.
     */
    planned?: true;
    /**
     * When it was created (ISO 8601, UTC).
     */
    created_at: string;
    /**
     * When it was updated (ISO 8601, UTC).
     */
    updated_at: string;
    /**
     * Storage tier, which follows from age and access.
     */
    tier: "working" | "hot" | "cold" | "archive";
    /**
     * Version number; each change increases it by one.
     */
    version: number;
  }[];
  pagination: Pagination;
}
/**
 * The page of the list that this answer holds.
 */
export interface Pagination {
  /**
   * Number of items that match, on all pages.
   */
  total: number;
  /**
   * Maximum number of items in the answer.
   */
  limit: number;
  /**
   * Number of items to skip before the first one in the answer.
   */
  offset: number;
  /**
   * Whether more items follow.
   */
  has_next: boolean;
  /**
   * Where the next page starts, as `cursor`; absent on the last page.
   */
  next_cursor?: string;
}
export interface FilteredSearch {
  /**
   * Text to search for, in natural language.
   */
  query: string;
  filters?: SearchFilters;
  /**
   * The time at which the question is asked; the default is now.
   */
  now?: string;
  /**
   * Answer with what was true at this time.
   */
  as_of?: string;
  /**
   * Leave out statements that are no longer true.
   */
  current_only?: boolean;
  /**
   * Size, order and content of the answer.
   */
  options?: {
    /**
     * The default is in GET /search/config.
     */
    limit?: number;
    /**
     * Number of items to skip before the first one in the answer.
     */
    offset?: number;
    /**
     * The default is in GET /search/config.
     */
    threshold?: number;
    /**
     * Return the content.
     */
    include_content?: boolean;
    /**
     * Return the metadata.
     */
    include_metadata?: boolean;
    /**
     * Covers relevant memories among the 1000 best by meaning and the 1000 best by words.
     */
    sort?: "score" | "created_at" | "occurred_at" | "updated_at";
    /**
     * Direction of the order.
     */
    order?: "asc" | "desc";
  };
}
/**
 * Conditions that a memory must meet, all of them.
 */
export interface SearchFilters {
  /**
   * Only memories of this user, or of any of these users.
   */
  user_id?: string | string[];
  /**
   * Only memories of this category, or of any of these categories.
   */
  category?: string | string[];
  /**
   * Only memories of this type, or of any of these types.
   */
  type?: string | string[];
  /**
   * Only what was created at or after this time (ISO 8601).
   */
  created_after?: string;
  /**
   * Only what was created at or before this time (ISO 8601).
   */
  created_before?: string;
  /**
   * Only what happened at or after this time (ISO 8601).
   */
  occurred_after?: string;
  /**
   * Only what happened at or before this time (ISO 8601).
   */
  occurred_before?: string;
  /**
   * Values that the memory's metadata must equal, also nested ones.
   */
  metadata?: {
    [k: string]: unknown;
  };
}
export interface FilteredResults {
  /**
   * Text to search for, in natural language.
   */
  query: string;
  /**
   * The items of this page, best or newest first.
   */
  results: SearchHit[];
  pagination: FoundPagination;
  /**
   * What the service read from the query.
   */
  query_analysis: {
    /**
     * Words of the query.
     */
    tokens: string[];
    /**
     * Entities that the text names.
     */
    entities: {
      /**
       * Name.
       */
      name: string;
      /**
       * Kind of entity, such as `person` or `place`.
       */
      type: string;
    }[];
    /**
     * What the query asks for, such as a time or a person.
     */
    semantic_intent: string;
  };
  /**
   * The query got no vector, because the embedder is being loaded, failed or was late: words alone found the memories.
   */
  without_vector?: true;
}
export interface SearchHit {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * The text.
   */
  content?: string;
  /**
   * User that it belongs to: an id of the organization or a name of the client's own.
   */
  user_id?: string;
  /**
   * Category, a label of the client's choice.
   */
  category?: string;
  /**
   * Kind of memory, a label of the client's choice, such as `preference` or `fact`.
   */
  type?: string;
  /**
   * As sent, with its offset; `created_at` if it was not sent.
   */
  occurred_at: string;
  /**
   * Present while `occurred_at` is in the future.
   */
  planned?: true;
  /**
   * When it was created (ISO 8601, UTC).
   */
  created_at: string;
  /**
   * When it was updated (ISO 8601, UTC).
   */
  updated_at: string;
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * The memory that replaces this statement; superseded results rank after it.
   */
  superseded_by?: string;
  source?: ChunkOrigin;
  /**
   * Relevance, 0 to 1; comparable within one answer.
   */
  score: number;
  /**
   * The content around the first match, matching words in <em>; not escaped.
   */
  highlight: string;
}
export interface ChunkOrigin {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * Title to display.
   */
  title?: string;
  /**
   * Address (http or https).
   */
  url?: string;
  /**
   * Position of the chunk in its source, from 0.
   */
  position: number;
}
export interface FoundPagination {
  /**
   * Relevant memories among the 1000 best by meaning and the 1000 best by words; the same on every page.
   */
  total: number;
  /**
   * Maximum number of items in the answer.
   */
  limit: number;
  /**
   * Number of items to skip before the first one in the answer.
   */
  offset: number;
  /**
   * Whether more items follow.
   */
  has_next: boolean;
  /**
   * Where the next page starts, as `cursor`; absent on the last page.
   */
  next_cursor?: string;
}
export interface Recall {
  /**
   * Text to search for, in natural language.
   */
  query: string;
  /**
   * The user whose memories are recalled; `*` for everything that you can read.
   */
  user_id?: string;
  /**
   * The agent whose visible memories are recalled, or your own name of an agent that stored them; `*` for everything that you can read.
   */
  agent_id?: string;
  /**
   * The session or run that the memories are of; `*` for everything that you can read.
   */
  session_id?: string;
  /**
   * Values of metadata, such as that of a project: leaves out memories with another value of the same name. Those without the name are kept.
   */
  within?: {
    [k: string]: string;
  };
  /**
   * Maximum number of tokens of `context`.
   */
  max_tokens?: number;
  /**
   * Minimum `score` of the items. The context ends where nothing is relevant, whatever its budget.
   */
  min_relevance?: number;
  /**
   * The vocabulary that tokens are counted in.
   */
  tokenizer?: "o200k_base" | "cl100k_base";
  /**
   * Only what happened at or after this time (ISO 8601).
   */
  occurred_after?: string;
  /**
   * Only what happened at or before this time (ISO 8601).
   */
  occurred_before?: string;
  /**
   * Answer with what was true at this time.
   */
  as_of?: string;
  /**
   * The time at which the question is asked; the default is now.
   */
  now?: string;
  /**
   * `why` explains each item in words, `tokens` counts those of its line, `left_out` explains what the search found but is not in the block, `baseline` scores up to 20 random memories.
   *
   * @maxItems 4
   */
  include?: ("why" | "tokens" | "left_out" | "baseline")[];
}
export interface Recalled {
  /**
   * Text for a prompt: one line per item, grouped by day, oldest first.
   */
  context: string;
  /**
   * Best first.
   */
  items: RecalledItem[];
  /**
   * The patterns that the query is about: counted from several memories, not said by anybody.
   */
  derived: {
    /**
     * Id of the pattern, such as `pat_…`.
     */
    pattern_id: string;
    /**
     * The pattern in one line.
     */
    text: string;
    /**
     * How certain it is, 0 to 1.
     */
    confidence: number;
    /**
     * The citation label of the line in `context`.
     */
    label: string;
  }[];
  /**
   * The best memories that are not in the block, at most 10; of a recall that includes `left_out`.
   */
  left_out?: {
    /**
     * Id of the memory, such as `mem_…`.
     */
    memory_id: string;
    /**
     * The text.
     */
    content: string;
    /**
     * As sent, with its offset; `created_at` if it was not sent.
     */
    occurred_at: string;
    /**
     * Present while `occurred_at` is in the future.
     */
    planned?: true;
    /**
     * Relevance, 0 to 1; comparable within one answer.
     */
    score: number;
    /**
     * `superseded`: it no longer holds. `later`: it was said after `as_of`. `repeated`: a line of the block says the same. `no_room`: it did not fit into `max_tokens`. `weak`: it is about the query too little.
     */
    reason: "superseded" | "later" | "repeated" | "no_room" | "weak";
  }[];
  /**
   * What random memories get for the query, to compare the items with; of a recall that includes `baseline`. Absent if there are no others.
   */
  baseline?: {
    /**
     * The number of random memories: at most 20 of those that were searched, none of them a line.
     */
    memories: number;
    /**
     * Their `score` for the query.
     */
    score: {
      /**
       * Half of them get at most this.
       */
      median: number;
      /**
       * The best of them gets this.
       */
      highest: number;
    };
    /**
     * Their similarity of meaning, as in `why`.
     */
    meaning: {
      /**
       * Half of them get at most this.
       */
      median: number;
      /**
       * The best of them gets this.
       */
      highest: number;
    };
  };
  /**
   * The facts, preferences and instructions of the user that are relevant for the query.
   */
  profile: {
    /**
     * The sections as plain text.
     */
    text: string;
    /**
     * The profile by topic.
     */
    sections: {
      /**
       * Name.
       */
      name: "identity" | "preferences" | "instructions" | "plans" | "people" | "recent_changes";
      /**
       * Statements of the section.
       */
      lines: {
        /**
         * The words.
         */
        text: string;
        /**
         * Facts that the line states.
         */
        fact_ids: string[];
      }[];
    }[];
  };
  /**
   * Number of tokens of `context`.
   */
  tokens: number;
  /**
   * false if nothing known answers the query.
   */
  confident: boolean;
  /**
   * The query got no vector, because the embedder is being loaded, failed or was late: words alone found the memories.
   */
  without_vector?: true;
  /**
   * `GET /recall/{id}` explains this answer for a day. Absent while the disk is full.
   */
  recall_id?: string;
}
export interface RecalledItem {
  /**
   * The citation label of the line in `context`, such as `[1]`.
   */
  label: string;
  /**
   * Id of the memory, such as `mem_…`.
   */
  memory_id: string;
  /**
   * The fact of the memory that the query is about.
   */
  fact_id?: string;
  /**
   * The text.
   */
  content: string;
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * Who stored it: the user or API key, and the agent of the key. Absent for chunks of sources.
   */
  writer?: {
    /**
     * Unique id that the service assigned; it never changes.
     */
    id: string;
    /**
     * Agent that it belongs to: an id of the organization or a name of the client's own.
     */
    agent_id?: string;
  };
  /**
   * As sent, with its offset; `created_at` if it was not sent.
   */
  occurred_at: string;
  /**
   * Present while `occurred_at` is in the future.
   */
  planned?: true;
  /**
   * Relevance, 0 to 1; comparable within one answer.
   */
  score: number;
  /**
   * How people rated the memory, which changes its rank; absent without any rating.
   */
  ratings?: {
    /**
     * Number of ratings.
     */
    count: number;
    /**
     * 1 (useless) to 5 (very useful).
     */
    mean: number;
  };
  /**
   * The number of tokens of its line with the label; of a recall that includes `tokens`.
   */
  tokens?: number;
  why: RecalledWhy;
}
export interface RecalledWhy {
  /**
   * Share of the query's information that the words carry, 0..1.
   */
  words: number;
  /**
   * Similarity of meaning, 0..1.
   */
  meaning: number;
  /**
   * `context`: a neighbour that the next line of its session needs. `successor`: the statement that replaced a result, or that holds in what the query asks about.
   */
  path: "found" | "context" | "successor" | "instruction";
  /**
   * When it happened or was said.
   */
  time: string;
  /**
   * Relevance of the item, 0 to 1.
   */
  score: number;
  /**
   * The explanation in words.
   */
  text?: string;
}
export interface ProfileQuery {
  /**
   * The type of the id. For an agent: statements of users in the agent's memories. For an entity: statements of users about it.
   */
  type?: "user" | "agent" | "entity";
  /**
   * If absent, `Accept` decides: `text/plain` and `text/markdown` return text.
   */
  format?: "json" | "text";
}
export interface UserProfile {
  /**
   * Part of a user's profile.
   */
  user_id?: string;
  /**
   * Whose profile it is.
   */
  type: "user" | "agent" | "entity";
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * The sections as plain text.
   */
  text: string;
  /**
   * The profile by topic.
   */
  sections: {
    /**
     * Name.
     */
    name: "identity" | "preferences" | "instructions" | "plans" | "people" | "recent_changes";
    /**
     * Statements of the section.
     */
    lines: {
      /**
       * The words.
       */
      text: string;
      /**
       * Facts that the line states.
       */
      fact_ids: string[];
    }[];
  }[];
  /**
   * The time of the newest statement; absent if nothing is known.
   */
  updated_at?: string;
  /**
   * Part of a user's profile: the strongest patterns, counted from several memories.
   */
  derived?: {
    /**
     * Id of the pattern, such as `pat_…`.
     */
    pattern_id: string;
    /**
     * The pattern in one line.
     */
    text: string;
    /**
     * How certain it is, 0 to 1.
     */
    confidence: number;
  }[];
}
export interface ListFactsQuery {
  /**
   * Only items with this value.
   */
  user_id?: string;
  /**
   * Only items with this value.
   */
  subject?: string;
  /**
   * Only items with this value.
   */
  attribute?: string;
  /**
   * Only items with this value.
   */
  status?: "current" | "superseded" | "retracted" | "planned" | "past";
  /**
   * Facts that were true at this time, as known now.
   */
  as_of?: string;
  /**
   * Facts that this memory states.
   */
  memory_id?: string;
  /**
   * Facts whose subject or value names this entity, newest memory first.
   */
  entity_id?: string;
  /**
   * Maximum number of items in the answer.
   */
  limit?: number;
  /**
   * Number of items to skip before the first one in the answer.
   */
  offset?: number;
  /**
   * The `next_cursor` of the page before, instead of `offset`: items that come or go meanwhile shift nothing.
   */
  cursor?: string;
}
export interface FactList {
  /**
   * Facts grouped by property, each group in the order of time.
   */
  facts: Fact[];
  pagination: Pagination;
}
export interface Fact {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * `user`: the user of the memory; otherwise an entity that the memory names.
   */
  subject: string;
  /**
   * Property of the subject that the fact states, such as `lives_in`.
   */
  attribute: string;
  /**
   * Value of the property.
   */
  value: string;
  /**
   * `superseded`: another fact replaced it; `retracted`: it never held; `planned`: it holds later; `past`: it is over.
   */
  status: "current" | "superseded" | "retracted" | "planned" | "past";
  /**
   * The act of the statement; `state` asserts a current value.
   */
  act: "state" | "end" | "plan" | "cancel" | "correct";
  /**
   * When it was said or happened.
   */
  observed_at: string;
  /**
   * Since when it holds (ISO 8601).
   */
  valid_from: string;
  /**
   * Exclusive; absent while it holds.
   */
  valid_to?: string;
  /**
   * How certain it is, 0 to 1.
   */
  confidence: number;
  /**
   * Kind of statement, as in the `facts` of a memory.
   */
  category: "preference" | "event" | "plan" | "relationship" | "attribute" | "other";
  /**
   * The words of the memory that state it.
   */
  content: string;
  /**
   * Id of the memory, such as `mem_…`.
   */
  memory_id: string;
  /**
   * Who wrote the words, by which door; `derived_from` is the memory. Nothing changes it.
   */
  provenance: {
    /**
     * The key or user whose request stored it; `unknown` for a fact that an earlier release stored.
     */
    written_by: string;
    /**
     * The agent whose key that was.
     */
    agent_id?: string;
    /**
     * `memories` are this API's own routes; `unknown` is a memory that an earlier release stored.
     */
    door: "memories" | "mem0" | "mcp" | "sessions" | "imports" | "sources" | "connections" | "unknown";
    /**
     * The id of the session, event, import, source or connection that it was made from.
     */
    derived_from?: string;
  };
  /**
   * The range of these words in the memory's content, in UTF-16 units.
   */
  span: {
    /**
     * First unit of the range.
     */
    start: number;
    /**
     * First unit after the range.
     */
    end: number;
  };
  /**
   * The memory's user.
   */
  user_id?: string;
  /**
   * The fact before it.
   */
  supersedes?: string;
  /**
   * The fact that replaced it.
   */
  superseded_by?: string;
  /**
   * The decision of a user.
   */
  decision?: "retracted" | "restored";
  /**
   * The number of decisions about the fact.
   */
  version: number;
}
export interface FactWithHistory {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * `user`: the user of the memory; otherwise an entity that the memory names.
   */
  subject: string;
  /**
   * Property of the subject that the fact states, such as `lives_in`.
   */
  attribute: string;
  /**
   * Value of the property.
   */
  value: string;
  /**
   * `superseded`: another fact replaced it; `retracted`: it never held; `planned`: it holds later; `past`: it is over.
   */
  status: "current" | "superseded" | "retracted" | "planned" | "past";
  /**
   * The act of the statement; `state` asserts a current value.
   */
  act: "state" | "end" | "plan" | "cancel" | "correct";
  /**
   * When it was said or happened.
   */
  observed_at: string;
  /**
   * Since when it holds (ISO 8601).
   */
  valid_from: string;
  /**
   * Exclusive; absent while it holds.
   */
  valid_to?: string;
  /**
   * How certain it is, 0 to 1.
   */
  confidence: number;
  /**
   * Kind of statement, as in the `facts` of a memory.
   */
  category: "preference" | "event" | "plan" | "relationship" | "attribute" | "other";
  /**
   * The words of the memory that state it.
   */
  content: string;
  /**
   * Id of the memory, such as `mem_…`.
   */
  memory_id: string;
  /**
   * Who wrote the words, by which door; `derived_from` is the memory. Nothing changes it.
   */
  provenance: {
    /**
     * The key or user whose request stored it; `unknown` for a fact that an earlier release stored.
     */
    written_by: string;
    /**
     * The agent whose key that was.
     */
    agent_id?: string;
    /**
     * `memories` are this API's own routes; `unknown` is a memory that an earlier release stored.
     */
    door: "memories" | "mem0" | "mcp" | "sessions" | "imports" | "sources" | "connections" | "unknown";
    /**
     * The id of the session, event, import, source or connection that it was made from.
     */
    derived_from?: string;
  };
  /**
   * The range of these words in the memory's content, in UTF-16 units.
   */
  span: {
    /**
     * First unit of the range.
     */
    start: number;
    /**
     * First unit after the range.
     */
    end: number;
  };
  /**
   * The memory's user.
   */
  user_id?: string;
  /**
   * The fact before it.
   */
  supersedes?: string;
  /**
   * The fact that replaced it.
   */
  superseded_by?: string;
  /**
   * The decision of a user.
   */
  decision?: "retracted" | "restored";
  /**
   * The number of decisions about the fact.
   */
  version: number;
  /**
   * Decisions of users about the fact, oldest first.
   */
  decisions: {
    /**
     * What the user decided.
     */
    action: "corrected" | "retracted" | "restored";
    /**
     * User who decided.
     */
    by: string;
    /**
     * When it happened; of a series, the start of the interval (ISO 8601, UTC).
     */
    at: string;
    /**
     * Values of the corrected fields before the decision.
     */
    before?: {
      /**
       * Value before the decision.
       */
      subject?: string;
      /**
       * Value before the decision.
       */
      attribute?: string;
      /**
       * Value before the decision.
       */
      value?: string;
      /**
       * Value before the decision.
       */
      valid_from?: string;
      /**
       * Value before the decision.
       */
      valid_to?: string;
    };
  }[];
  /**
   * Earlier and later facts about the same property, oldest first.
   */
  history: Fact[];
}
export interface CorrectFact {
  /**
   * What the fact is about: `user`, `assistant`, or the name of an entity.
   */
  subject?: string;
  /**
   * Property of the subject that the fact states, such as `lives_in`.
   */
  attribute?: string;
  /**
   * Value of the property.
   */
  value?: string;
  /**
   * Since when it holds (ISO 8601).
   */
  valid_from?: string | null;
  /**
   * Until when it holds, exclusive (ISO 8601); absent or null while it holds.
   */
  valid_to?: string | null;
}
export interface CreateSession {
  /**
   * A name of the client's own, or the id of an agent of the organization
   */
  agent_id: string;
  /**
   * A name of the client's own, or the id of a user of the organization
   */
  user_id: string;
  /**
   * Title to display.
   */
  title?: string;
  /**
   * How the session treats its context.
   */
  config?: {
    /**
     * Maximum o200k_base tokens of the context; the default is 8192
     */
    context_window?: number;
    /**
     * true (the default): messages that leave the window are summarized; false: a message that does not fit is refused
     */
    compression_enabled?: boolean;
    /**
     * No limit if absent
     */
    max_messages?: number;
    /**
     * When messages become memories: never, when the session is closed or archived, or immediately; the default is as_they_come
     */
    memory?: "off" | "on_close" | "as_they_come";
  };
  /**
   * Context at the start, a JSON object of at most 16 KB.
   */
  initial_context?: {
    [k: string]: unknown;
  };
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
}
export interface Session {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * Agent that it belongs to: an id of the organization or a name of the client's own.
   */
  agent_id: string;
  /**
   * User that it belongs to: an id of the organization or a name of the client's own.
   */
  user_id: string;
  /**
   * Title to display.
   */
  title?: string;
  /**
   * Settings.
   */
  config: {
    /**
     * Maximum tokens of the context (o200k_base).
     */
    context_window: number;
    /**
     * Whether messages that leave the window are summarized; otherwise, a message that does not fit is refused.
     */
    compression_enabled: boolean;
    /**
     * Maximum number of messages; absent: no limit.
     */
    max_messages?: number;
    /**
     * `off` in sessions of earlier releases
     */
    memory?: "off" | "on_close" | "as_they_come";
  };
  /**
   * Context at the start, a JSON object of at most 16 KB.
   */
  initial_context?: {
    [k: string]: unknown;
  };
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * `closed` and `archived` sessions accept no messages.
   */
  status: "active" | "closed" | "archived";
  /**
   * Number of messages.
   */
  message_count: number;
  /**
   * Tokens of all messages (o200k_base).
   */
  total_tokens: number;
  /**
   * When it was created (ISO 8601, UTC).
   */
  created_at: string;
  /**
   * When it was updated (ISO 8601, UTC).
   */
  updated_at: string;
  /**
   * When it was closed (ISO 8601, UTC).
   */
  closed_at?: string;
  /**
   * Why, in words.
   */
  reason?: string;
  /**
   * Summary in words.
   */
  summary?: string;
  /**
   * When it was archived (ISO 8601, UTC).
   */
  archived_at?: string;
  /**
   * When the session and its data are deleted (ISO 8601, UTC); absent: never.
   */
  expire_at?: string;
  /**
   * Version number; each change increases it by one.
   */
  version: number;
}
export interface SessionWithRatio {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * Agent that it belongs to: an id of the organization or a name of the client's own.
   */
  agent_id: string;
  /**
   * User that it belongs to: an id of the organization or a name of the client's own.
   */
  user_id: string;
  /**
   * Title to display.
   */
  title?: string;
  /**
   * Settings.
   */
  config: {
    /**
     * Maximum tokens of the context (o200k_base).
     */
    context_window: number;
    /**
     * Whether messages that leave the window are summarized; otherwise, a message that does not fit is refused.
     */
    compression_enabled: boolean;
    /**
     * Maximum number of messages; absent: no limit.
     */
    max_messages?: number;
    /**
     * `off` in sessions of earlier releases
     */
    memory?: "off" | "on_close" | "as_they_come";
  };
  /**
   * Context at the start, a JSON object of at most 16 KB.
   */
  initial_context?: {
    [k: string]: unknown;
  };
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * `closed` and `archived` sessions accept no messages.
   */
  status: "active" | "closed" | "archived";
  /**
   * Number of messages.
   */
  message_count: number;
  /**
   * Tokens of all messages (o200k_base).
   */
  total_tokens: number;
  /**
   * When it was created (ISO 8601, UTC).
   */
  created_at: string;
  /**
   * When it was updated (ISO 8601, UTC).
   */
  updated_at: string;
  /**
   * When it was closed (ISO 8601, UTC).
   */
  closed_at?: string;
  /**
   * Why, in words.
   */
  reason?: string;
  /**
   * Summary in words.
   */
  summary?: string;
  /**
   * When it was archived (ISO 8601, UTC).
   */
  archived_at?: string;
  /**
   * When the session and its data are deleted (ISO 8601, UTC); absent: never.
   */
  expire_at?: string;
  /**
   * Version number; each change increases it by one.
   */
  version: number;
  /**
   * Tokens of the context divided by tokens of all messages; 1 while nothing is compressed
   */
  context_compression_ratio: number;
}
export interface UpdateSession {
  /**
   * Title to display.
   */
  title?: string;
  /**
   * Absent fields are not changed
   */
  config?: {
    /**
     * Maximum o200k_base tokens of the context; the default is 8192
     */
    context_window?: number;
    /**
     * true (the default): messages that leave the window are summarized; false: a message that does not fit is refused
     */
    compression_enabled?: boolean;
    /**
     * null lifts the limit
     */
    max_messages?: number | null;
    /**
     * When messages become memories: never, when the session is closed or archived, or immediately; the default is as_they_come
     */
    memory?: "off" | "on_close" | "as_they_come";
  };
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
}
export interface AddMessage {
  /**
   * Who speaks.
   */
  role: "user" | "assistant" | "system";
  /**
   * Text of the message, up to 100,000 characters.
   */
  content: string;
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * When it was said, past or future; the default is now
   */
  occurred_at?: string;
}
export interface AddedMessage {
  /**
   * Id of the session
   */
  id: string;
  /**
   * Id of the message, such as `msg_…`.
   */
  message_id: string;
  /**
   * Who speaks.
   */
  role: "user" | "assistant" | "system";
  /**
   * The text.
   */
  content: string;
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * Number of tokens (o200k_base).
   */
  tokens: number;
  /**
   * Tokens of all messages of the session, including this one
   */
  session_tokens: number;
  /**
   * Sentences, parts of messages and fields that were not stored, with the reason; the first 100.
   */
  left_out?: {
    /**
     * The words.
     */
    text: string;
    /**
     * Why it was not stored.
     */
    reason:
      | "question"
      | "small_talk"
      | "request"
      | "hypothetical"
      | "irony"
      | "repetition"
      | "not_prose"
      | "recalled"
      | "excluded"
      | "not_included"
      | "not_text"
      | "unknown_field"
      | "secret";
  }[];
  /**
   * As sent, with its offset; `created_at` if it was not sent.
   */
  occurred_at: string;
  /**
   * Present while `occurred_at` is in the future.
   */
  planned?: true;
  /**
   * When it was created (ISO 8601, UTC).
   */
  created_at: string;
}
export interface ListMessagesQuery {
  /**
   * Only items with this value.
   */
  role?: "user" | "assistant" | "system";
  /**
   * Only messages created after this time
   */
  after?: string;
  /**
   * Only messages with all of these words, in any form
   */
  q?: string;
  /**
   * Only what happened at or after this time (ISO 8601).
   */
  occurred_after?: string;
  /**
   * Only what happened at or before this time (ISO 8601).
   */
  occurred_before?: string;
  /**
   * Maximum number of items in the answer.
   */
  limit?: number;
  /**
   * Number of items to skip before the first one in the answer.
   */
  offset?: number;
}
export interface MessageList {
  /**
   * Id of the session, such as `sess_…`.
   */
  session_id: string;
  /**
   * Messages, oldest first.
   */
  messages: {
    /**
     * Unique id that the service assigned; it never changes.
     */
    id: string;
    /**
     * Who speaks.
     */
    role: "user" | "assistant" | "system";
    /**
     * The text.
     */
    content: string;
    /**
     * Present if the stored content is lost or damaged; `content` is then empty.
     */
    content_missing?: true;
    /**
     * Free-form JSON object of at most 16 KB.
     */
    metadata?: {
      [k: string]: unknown;
    };
    /**
     * Number of tokens (o200k_base).
     */
    tokens: number;
    /**
     * As sent, with its offset; `created_at` if it was not sent.
     */
    occurred_at: string;
    /**
     * Present while `occurred_at` is in the future.
     */
    planned?: true;
    /**
     * When it was created (ISO 8601, UTC).
     */
    created_at: string;
  }[];
  pagination: Pagination;
  /**
   * Figures of the whole session.
   */
  session_stats: {
    /**
     * Number of messages.
     */
    total_messages: number;
    /**
     * Tokens of all messages (o200k_base).
     */
    total_tokens: number;
    /**
     * Tokens after compression over tokens before, 0 to 1.
     */
    compression_ratio: number;
  };
}
export interface SessionContext {
  /**
   * Id of the session, such as `sess_…`.
   */
  session_id: string;
  /**
   * Context for the next answer.
   */
  context: {
    /**
     * Messages that fit the window, oldest first.
     */
    conversation_history: {
      /**
       * Who speaks.
       */
      role: "user" | "assistant" | "system";
      /**
       * The text.
       */
      content: string;
      /**
       * When it happened (ISO 8601, UTC).
       */
      timestamp: string;
    }[];
    /**
     * What the user prefers.
     */
    user_preferences: {
      /**
       * Statements of this session.
       */
      from_session: string[];
      /**
       * Memories that state preferences.
       */
      from_memories: {
        /**
         * Unique id that the service assigned; it never changes.
         */
        id: string;
        /**
         * The text.
         */
        content: string;
      }[];
      [k: string]: unknown;
    };
    /**
     * What is known about the user that is relevant for the newest messages, with changes, within the rest of the window
     */
    user_facts: {
      /**
       * Statements that hold now.
       */
      current: {
        /**
         * The words.
         */
        text: string;
        /**
         * Facts that the line states.
         */
        fact_ids: string[];
      }[];
      /**
       * Statements that changed lately.
       */
      changed: {
        /**
         * The words.
         */
        text: string;
        /**
         * Facts that the line states.
         */
        fact_ids: string[];
      }[];
    };
    /**
     * State of the conversation.
     */
    session_state: {
      /**
       * Topic of the newest messages.
       */
      current_topic: string | null;
      /**
       * Reported problems that are not known to be solved.
       */
      open_issues: string[];
      /**
       * Reported problems that were solved.
       */
      resolved_issues: string[];
      /**
       * Requested or promised actions that are not done.
       */
      pending_actions: string[];
      [k: string]: unknown;
    };
    /**
     * A summary of the messages that are not in the history, or of all messages if none is left out
     */
    compressed_context: {
      /**
       * Summary in words.
       */
      summary: string;
      /**
       * Most important statements.
       */
      key_points: string[];
      /**
       * Tokens after compression over tokens before, 0 to 1.
       */
      compression_ratio: number;
    };
    /**
     * The initial context and the client's updates, except for the fields above
     */
    variables?: {
      [k: string]: unknown;
    };
  };
  /**
   * Effect of compression on the context.
   */
  context_stats: {
    /**
     * Tokens before compression.
     */
    original_tokens: number;
    /**
     * Tokens after compression.
     */
    compressed_tokens: number;
    /**
     * Tokens after compression over tokens before, 0 to 1.
     */
    compression_ratio: number;
    /**
     * Share of the information that is kept, in percent.
     */
    retention_percentage: number;
  };
}
export interface Event {
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * Kind of job.
   */
  type: "memory.add" | "memory.delete" | "memory.import" | "memory.export";
  /**
   * State of the item.
   */
  status: "PENDING" | "RUNNING" | "completed" | "FAILED";
  /**
   * Kind of resource that the job is about.
   */
  resource: string;
  /**
   * Resource that the job is about.
   */
  resource_id?: string;
  /**
   * How far the work is.
   */
  progress?: {
    /**
     * Items to process; 0 until the input is read.
     */
    total: number;
    /**
     * Items that are processed.
     */
    done: number;
    /**
     * Number of failures.
     */
    failed: number;
  };
  /**
   * Import rows or messages that became memories.
   */
  imported?: number;
  /**
   * Import rows whose memory exists already, messages that state nothing new, and what is not imported.
   */
  skipped?: number;
  /**
   * The first 100 skipped rows; GET /imports/{event_id}/skipped returns the first 10,000.
   */
  skipped_rows?: {
    /**
     * The row's index in the import, from 0.
     */
    index: number;
    /**
     * Why, in words.
     */
    reason: string;
  }[];
  /**
   * Each memory's id, whether it is new, and its content as far as it fits.
   */
  results: {
    [k: string]: unknown;
  }[];
  /**
   * Sentences, parts of messages and fields that were not stored, with the reason; the first 100.
   */
  left_out?: {
    /**
     * The words.
     */
    text: string;
    /**
     * Why it was not stored.
     */
    reason:
      | "question"
      | "small_talk"
      | "request"
      | "hypothetical"
      | "irony"
      | "repetition"
      | "not_prose"
      | "recalled"
      | "excluded"
      | "not_included"
      | "not_text"
      | "unknown_field"
      | "secret";
  }[];
  /**
   * How many were left out, if `left_out` does not hold all.
   */
  left_out_total?: number;
  /**
   * For a finished import, the first 100; GET /imports/{event_id}/failures returns all.
   */
  errors: {
    /**
     * Position of the item in the request, from 0.
     */
    index?: number;
    /**
     * Stable error code for programs, such as `VALIDATION_ERROR`.
     */
    code: string;
    /**
     * Human-readable explanation.
     */
    message: string;
  }[];
  /**
   * Present when the job is complete. Each file can be sent to POST /imports/upload, and JSON files as the body of POST /imports.
   */
  files?: {
    /**
     * Link to the file that needs no credential.
     */
    download_url: string;
    /**
     * Size in bytes.
     */
    bytes: number;
    /**
     * Memories in the file.
     */
    memories: number;
  }[];
  /**
   * Link to the file, if there is exactly one.
   */
  download_url?: string;
  /**
   * Seconds until the links expire; repeat the request for new ones.
   */
  download_expires_in?: number;
  /**
   * When the files are deleted.
   */
  expires_at?: string;
  /**
   * When it was created (ISO 8601, UTC).
   */
  created_at: string;
  /**
   * When it was updated (ISO 8601, UTC).
   */
  updated_at: string;
  /**
   * When it was started (ISO 8601, UTC).
   */
  started_at?: string;
  /**
   * When it was finished (ISO 8601, UTC).
   */
  finished_at?: string;
}
export interface IngestSource {
  /**
   * `url` or `web`: `url` is fetched. `text` or another value: `content` is used. If absent, derived from the fields sent.
   */
  type?: string;
  /**
   * Text to ingest; larger content goes through an upload.
   */
  content?: string;
  /**
   * Fetched for types `url` and `web`; otherwise the origin of the content.
   */
  url?: string;
  /**
   * Title to display.
   */
  title?: string;
  /**
   * Name of the system that the content comes from.
   */
  provider?: string;
  /**
   * Its id at the provider. Content with the same id, provider, user_id and org_id updates the same source: unchanged content is skipped, changed content replaces it.
   */
  external_id?: string;
  /**
   * User that it belongs to: an id of the organization or a name of the client's own.
   */
  user_id?: string;
  /**
   * A label for filtering within the organization.
   */
  org_id?: string;
  /**
   * Agent that it belongs to: an id of the organization or a name of the client's own.
   */
  agent_id?: string;
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
}
export interface Ingested {
  /**
   * Id of the source, such as `src_…`, which is also the id of its own memory.
   */
  source_id: string;
  /**
   * `processing`: workers read the content; `active`: searchable; `failed`: `error` says why.
   */
  status: "awaiting_upload" | "processing" | "active" | "failed";
  extraction?: Extraction;
  /**
   * The source already had this content; nothing was changed.
   */
  unchanged: boolean;
  /**
   * Number of stored chunks.
   */
  chunks_created: number;
  /**
   * Number of chunks, plus the source's own memory if it is new.
   */
  memories_created: number;
  /**
   * Number of distinct entities that the chunks name.
   */
  entities_created: number;
  /**
   * The source's own memory and the chunks; at most 1,001.
   */
  memory_ids: string[];
  /**
   * Source that the item comes from.
   */
  source: {
    /**
     * Unique id that the service assigned; it never changes.
     */
    id: string;
    /**
     * Kind of content, such as `text`, `url` or `file`.
     */
    type: string;
    /**
     * Title to display.
     */
    title: string;
    /**
     * Name of the system that the content comes from.
     */
    provider?: string;
    /**
     * Id of the item at its provider.
     */
    external_id?: string;
    /**
     * Address that the content was fetched from or belongs to.
     */
    url?: string;
    /**
     * User that it belongs to: an id of the organization or a name of the client's own.
     */
    user_id?: string;
    /**
     * Label for filtering within the organization.
     */
    org_id?: string;
    /**
     * Agent that it belongs to: an id of the organization or a name of the client's own.
     */
    agent_id?: string;
    /**
     * Id of the connection, such as `conn_…`.
     */
    connection_id?: string;
    /**
     * Free-form JSON object of at most 16 KB.
     */
    metadata?: {
      [k: string]: unknown;
    };
    /**
     * `processing`: workers read the content; `active`: searchable; `failed`: `error` says why.
     */
    status: "awaiting_upload" | "processing" | "active" | "failed";
    extraction?: Extraction;
    /**
     * Why processing failed; the previous content stays available.
     */
    error?: string;
    /**
     * SHA-256 of the visible content.
     */
    content_hash?: string;
    /**
     * The source's own memory, a summary; it has the id of the source.
     */
    source_memory_id: string;
    /**
     * Number of stored chunks.
     */
    chunks_created: number;
    /**
     * Number of chunks, plus the source's own memory if it exists.
     */
    memories_created: number;
    /**
     * Number of distinct entities that the chunks name.
     */
    entities_created: number;
    /**
     * Media type of the file, detected from its content.
     */
    mime_type?: string;
    /**
     * Size of the file in bytes.
     */
    bytes?: number;
    /**
     * The key of the file or long text in the blob store.
     */
    blob_key?: string;
    /**
     * o200k_base tokens of the text; repeated headings of chunks count once.
     */
    tokens: number;
    file?: SourceFile;
    /**
     * When it was created (ISO 8601, UTC).
     */
    created_at: string;
    /**
     * When it was updated (ISO 8601, UTC).
     */
    updated_at: string;
    /**
     * When it was ingested (ISO 8601, UTC).
     */
    ingested_at?: string;
    /**
     * Memories of the chunks, in document order.
     */
    chunk_memory_ids: string[];
  };
}
export interface Extraction {
  /**
   * `no_text`: the source is found by name and metadata only.
   */
  status: "text" | "no_text";
  /**
   * Why no text was read.
   */
  reason?: string;
}
export interface SourceFile {
  /**
   * Name.
   */
  name: string;
  /**
   * Media type, such as `application/pdf`.
   */
  content_type: string;
  /**
   * Format that was recognized.
   */
  kind:
    | "text"
    | "markdown"
    | "code"
    | "html"
    | "pdf"
    | "document"
    | "book"
    | "presentation"
    | "spreadsheet"
    | "notebook"
    | "subtitles"
    | "email"
    | "data"
    | "image"
    | "audio"
    | "attachment";
  /**
   * Size in bytes.
   */
  bytes: number;
  /**
   * Metadata of the file: width and height, duration, pages …
   */
  details?: {
    [k: string]: unknown;
  };
}
export interface Health {
  /**
   * The process answers requests.
   */
  status: "healthy";
  /**
   * Release of the service.
   */
  version: string;
  /**
   * Seconds since the process started.
   */
  uptime_seconds: number;
}
export interface Status {
  /**
   * `degraded` if a part of the service fails.
   */
  status: "healthy" | "degraded";
  /**
   * Release of the service.
   */
  version: string;
  /**
   * Seconds since the process started.
   */
  uptime_seconds: number;
  /**
   * State of each part.
   */
  checks: {
    /**
     * The record store.
     */
    records: {
      /**
       * Whether the part answers.
       */
      ok: boolean;
      /**
       * Time that the part took to answer, in milliseconds.
       */
      latency_ms: number;
    };
    /**
     * The search index.
     */
    search: {
      /**
       * Whether the part answers.
       */
      ok: boolean;
      /**
       * Time that the part took to answer, in milliseconds.
       */
      latency_ms: number;
    };
    /**
     * The blob store.
     */
    blobs: {
      /**
       * Whether the part answers.
       */
      ok: boolean;
      /**
       * Time that the part took to answer, in milliseconds.
       */
      latency_ms: number;
    };
    /**
     * State of the queues.
     */
    queue: {
      /**
       * Whether the part answers.
       */
      ok: boolean;
      /**
       * Time that the part took to answer, in milliseconds.
       */
      latency_ms: number;
    };
  };
  /**
   * Null if the queues do not respond.
   */
  queues: QueueState[] | null;
  /**
   * State of the search index.
   */
  index: {
    /**
     * Whether the search index is catching up with the records; searches may miss some memories meanwhile.
     */
    catching_up: boolean;
    /**
     * Memories and skills of the organization that wait for their vectors (searches find them by keywords or by vectors of the former embedder), plus the groups of memories, of all organizations, that wait for the model that reads facts. Null if search is not available.
     */
    pending: number | null;
    /**
     * The embedder in use; `built-in-1:384` is the lexical one, also used if the host cannot run the model. Null if search is not available.
     */
    embedder: string | null;
    /**
     * The vectors that searches compare: `current`, `former` (of the previous embedder, while new ones are computed), or none (keywords only). Null if search is not available.
     */
    compared_vectors: "current" | "former" | "none" | null;
  };
  /**
   * The second stage of searches with its uses and failures since the start of the previous hour. Null if there is none.
   */
  reranker: {
    /**
     * Name of the model that reranks.
     */
    model: string;
    /**
     * Searches whose results were reranked.
     */
    succeeded: number;
    /**
     * Searches that kept their first order.
     */
    failed: number;
  } | null;
}
/**
 * Approximate on AWS. For sources other than queues, such as the change feed, only dead letters are counted.
 */
export interface QueueState {
  /**
   * Name.
   */
  name: string;
  /**
   * Messages that wait; null if unknown.
   */
  waiting: number | null;
  /**
   * Messages in work; null if unknown.
   */
  in_flight: number | null;
  /**
   * Messages that wait for their time; null if unknown.
   */
  delayed: number | null;
  /**
   * Messages that no worker could process.
   */
  dead_letters: number;
}
export interface Principal {
  /**
   * What the request authenticates as.
   */
  kind: "api_key" | "user" | "oauth_client";
  /**
   * Unique id that the service assigned; it never changes.
   */
  id: string;
  /**
   * Name.
   */
  name: string;
  /**
   * Of a user.
   */
  email?: string;
  /**
   * Label of the organization.
   */
  organization: {
    /**
     * Unique id that the service assigned; it never changes.
     */
    id: string;
    /**
     * Its display name.
     */
    label: string;
  };
  /**
   * The organization's plan.
   */
  plan: "free" | "pro" | "team" | "enterprise";
  /**
   * Including those that `admin:all` implies.
   */
  permissions: (
    | "memory:read"
    | "memory:write"
    | "memory:delete"
    | "search:read"
    | "search:write"
    | "skills:read"
    | "skills:execute"
    | "skills:manage"
    | "agents:read"
    | "agents:write"
    | "agents:manage"
    | "compression:benchmark"
    | "admin:all"
  )[];
  /**
   * Whether its organization operates the deployment.
   */
  operator: boolean;
  /**
   * The user who owns the key.
   */
  owner_id?: string;
  /**
   * The agent of an agent's key.
   */
  agent_id?: string;
  /**
   * The key's own limit, in addition to the plan's.
   */
  rate_limit?: {
    /**
     * Rate at which the limit refills, in requests per minute.
     */
    requests_per_minute: number;
    /**
     * Maximum number of requests at once.
     */
    burst_limit: number;
  };
  /**
   * When the key expires.
   */
  expires_at?: string;
  /**
   * The most that the organization may own at once by its plan, by the `resource` of LIMIT_REACHED.
   */
  limits: {
    /**
     * Active API keys.
     */
    keys: number;
    /**
     * The users, newest first.
     */
    users: number;
    /**
     * Pending invitations.
     */
    invitations: number;
    /**
     * Agents in the requested order.
     */
    agents: number;
    /**
     * The groups, newest first.
     */
    groups: number;
    /**
     * Skills of the organization.
     */
    skills: number;
    /**
     * The chains, newest first.
     */
    chains: number;
    /**
     * The webhooks, newest first.
     */
    webhooks: number;
    /**
     * The connections, newest first.
     */
    connections: number;
    /**
     * Entities that the text names.
     */
    entities: number;
  };
}
export interface ImportBegun {
  /**
   * GET /events/{event_id} returns its progress.
   */
  event_id: string;
  /**
   * State of the item.
   */
  status: "PENDING" | "RUNNING" | "completed" | "FAILED";
  /**
   * Rows to import; 0 until the file is read.
   */
  total: number;
}
export interface RequestImportLink {
  /**
   * Name of the file; its extension determines the format.
   */
  filename?: string;
  /**
   * Size in bytes.
   */
  bytes?: number;
}
export interface ImportLink {
  /**
   * Id of the import that POST /imports/{event_id}/complete starts.
   */
  event_id: string;
  /**
   * Link to send the file to; it needs no credential.
   */
  upload_url: string;
  /**
   * HTTP method of the upload.
   */
  method: "PUT";
  /**
   * Seconds until the link expires.
   */
  expires_in: number;
  /**
   * Maximum size of the file in bytes.
   */
  max_bytes: number;
  /**
   * Path to POST to after the upload; it starts the import.
   */
  complete_path: string;
}
export interface CompleteImport {
  /**
   * If absent, detected from the file. `zip` is an export of ChatGPT or Claude.
   */
  format?: "json" | "jsonl" | "csv" | "zip" | "markdown";
  /**
   * The user of memories that name none.
   */
  user_id?: string;
}
export interface ListImportFailuresQuery {
  /**
   * Maximum number of items in the answer.
   */
  limit?: number;
  /**
   * Number of items to skip before the first one in the answer.
   */
  offset?: number;
}
export interface FailureList {
  /**
   * Id of the job, such as `evt_…`; `GET /events/{event_id}` returns its progress.
   */
  event_id: string;
  /**
   * Rows that were refused.
   */
  failures: {
    /**
     * The row's index in the request, from 0.
     */
    index: number;
    /**
     * Fields of the row that are refused.
     */
    fields: {
      /**
       * Path of the field.
       */
      field: string;
      /**
       * What is wrong.
       */
      problem: string;
    }[];
  }[];
  pagination: Pagination;
}
export interface ExportMemories {
  filters?: ExportFilters;
  /**
   * Format of the file.
   */
  format?: "json" | "jsonl" | "csv";
}
/**
 * Conditions that a memory must meet, all of them; none: all memories.
 */
export interface ExportFilters {
  /**
   * Only memories of this user.
   */
  user_id?: string;
  /**
   * Only memories of this category.
   */
  category?: string;
  /**
   * Only memories of this type.
   */
  type?: string;
}
export interface Exported {
  /**
   * GET /events/{event_id} returns its progress and new links.
   */
  event_id: string;
  /**
   * State of the item.
   */
  status: "PENDING" | "RUNNING" | "completed" | "FAILED";
  /**
   * Format of the file.
   */
  format: "json" | "jsonl" | "csv";
  /**
   * Memories written so far.
   */
  count: number;
  /**
   * The content of the file if it is JSON, complete and small enough.
   */
  memories?: MemoryRow[];
  /**
   * Present when the job is complete. Each file can be sent to POST /imports/upload, and JSON files as the body of POST /imports.
   */
  files?: {
    /**
     * Link to the file that needs no credential.
     */
    download_url: string;
    /**
     * Size in bytes.
     */
    bytes: number;
    /**
     * Memories in the file.
     */
    memories: number;
  }[];
  /**
   * Link to the file, if there is exactly one.
   */
  download_url?: string;
  /**
   * Seconds until the links expire; repeat the request for new ones.
   */
  download_expires_in?: number;
  /**
   * When the files are deleted.
   */
  expires_at?: string;
}
export interface MemoryRow {
  /**
   * Kept if it is a memory id that is free; a row whose memory exists is skipped.
   */
  id?: string;
  /**
   * The text.
   */
  content: string;
  /**
   * User that it belongs to: an id of the organization or a name of the client's own.
   */
  user_id?: string;
  /**
   * Category, a label of the client's choice.
   */
  category?: string;
  /**
   * `category` is the first one.
   *
   * @minItems 1
   * @maxItems 100
   */
  categories?: string[];
  /**
   * Kind of memory, a label of the client's choice, such as `preference` or `fact`.
   */
  type?: string;
  /**
   * Who said it in a conversation, if not the user.
   */
  speaker?: string;
  /**
   * The question that it answers in a few words, as asked.
   */
  in_reply_to?: string;
  /**
   * The words of the message that it rests on, if a language model wrote the content.
   */
  quote?: string;
  /**
   * Agent that it belongs to: an id of the organization or a name of the client's own.
   */
  agent_id?: string;
  /**
   * Application that it belongs to, a name of the client's own.
   */
  app_id?: string;
  /**
   * Run or session that it belongs to, a name of the client's own.
   */
  run_id?: string;
  /**
   * Free-form JSON object of at most 16 KB.
   */
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * When it happened or was said; the default is `created_at`.
   */
  occurred_at?: string;
  /**
   * When it was created (ISO 8601, UTC).
   */
  created_at?: string;
  /**
   * When it was updated (ISO 8601, UTC).
   */
  updated_at?: string;
  /**
   * When it expires and disappears from every answer (ISO 8601).
   */
  expire_at?: string;
  /**
   * Version number; each change increases it by one.
   */
  version?: number;
  /**
   * Extracted from the content if absent.
   *
   * @maxItems 90
   */
  entities?: {
    /**
     * Id of the entity as in responses; derived from its name.
     */
    id?: string;
    /**
     * Name.
     */
    name: string;
    /**
     * Kind of entity, such as `person` or `place`.
     */
    type: string;
    /**
     * How the memory relates to the entity, such as `related_to`.
     */
    relationship_type?: string;
    /**
     * Strength of the relation, 0 to 1.
     */
    strength?: number;
  }[];
  /**
   * Extracted from the content if absent.
   *
   * @maxItems 60
   */
  facts?: {
    /**
     * Unique id that the service assigned; it never changes.
     */
    id?: string;
    /**
     * The fact in words; in English texts, in the third person where the grammar allows.
     */
    content: string;
    /**
     * How certain it is, 0 to 1.
     */
    confidence: number;
    /**
     * Kind of statement, such as `preference`.
     */
    category: string;
    /**
     * Dates that the text names, resolved.
     *
     * @maxItems 20
     *
     * Items: A date that the text names, resolved.
     */
    dates?: {
      /**
       * Offset of the first character of the words in the text.
       */
      start: number;
      /**
       * Offset after their last character.
       */
      end: number;
      /**
       * The words.
       */
      text: string;
      /**
       * ISO 8601, as precise as the text: 2023, 2023-05, 2023-05-07, 2023-05-07T14:30+02:00; R/2023-05-08/P1W recurs, P4Y lasts.
       */
      value: string;
      /**
       * The last day, month or year of a range.
       */
      end_value?: string;
      /**
       * Unit that the date is exact to.
       */
      precision: "year" | "season" | "month" | "week" | "day" | "hour" | "minute" | "range";
      /**
       * Direction of the date from the time of the statement.
       */
      direction: "past" | "future" | "unknown";
      /**
       * Form of the date.
       */
      kind: "point" | "range" | "recurring" | "duration";
      /**
       * Whether the text gives only an approximate date.
       */
      approximate?: boolean;
    }[];
  }[];
  /**
   * Decisions about the memory's facts (see `GET /facts`) that still apply.
   *
   * @maxItems 60
   */
  fact_decisions?: {
    /**
     * As the content states it. Decisions about other facts are ignored.
     */
    fact: {
      /**
       * What the fact is about: `user`, `assistant`, or the name of an entity.
       */
      subject: string;
      /**
       * Property of the subject that the fact states, such as `lives_in`.
       */
      attribute: string;
      /**
       * `single`: the property has one value at a time; `multiple`: several; `open`: a statement of an earlier release that fits no property.
       */
      cardinality: "single" | "multiple" | "open";
      /**
       * Value of the property.
       */
      value: string;
      /**
       * What the statement does: asserts, ends, plans, cancels or corrects.
       */
      act: "state" | "end" | "plan" | "cancel" | "correct";
      /**
       * For a correction, the value that it says is wrong.
       */
      replaces?: string;
      /**
       * Range of the words in the memory's content, in UTF-16 units.
       */
      span: {
        /**
         * First unit of the range.
         */
        start: number;
        /**
         * First unit after the range.
         */
        end: number;
      };
      /**
       * Since when it holds (ISO 8601).
       */
      valid_from?: string;
      /**
       * Until when it holds, exclusive (ISO 8601); absent or null while it holds.
       */
      valid_to?: string;
    };
    /**
     * The corrected value.
     */
    corrected?: {
      /**
       * What the fact is about: `user`, `assistant`, or the name of an entity.
       */
      subject?: string;
      /**
       * Property of the subject that the fact states, such as `lives_in`.
       */
      attribute?: string;
      /**
       * Value of the property.
       */
      value?: string;
      /**
       * Since when it holds (ISO 8601).
       */
      valid_from?: string | null;
      /**
       * Until when it holds, exclusive (ISO 8601); absent or null while it holds.
       */
      valid_to?: string | null;
    };
    /**
     * Decision of a user that is in effect.
     */
    decision?: "retracted" | "restored";
    /**
     * The time of the last decision.
     */
    at: string;
  }[];
  /**
   * Effect of compression on the text.
   */
  compression?: {
    /**
     * Tokens before compression.
     */
    original_tokens: number;
    /**
     * Tokens after compression.
     */
    compressed_tokens: number;
    /**
     * Share of tokens saved, in percent.
     */
    reduction_percentage: number;
  };
  /**
   * The number of ratings and their sum.
   */
  ratings?: {
    /**
     * Number of ratings.
     */
    count: number;
    /**
     * Sum of the ratings.
     */
    sum: number;
  };
}

export type RememberBody = CreateMemory;
export type RememberAnswer = Memory;
export type RememberManyBody = CreateBatch;
export type RememberManyAnswer = BatchCreated;
export type GetAnswer = IndexedMemory;
export type UpdateBody = UpdateMemory;
export type UpdateAnswer = Memory;
export type ForgetAnswer = Deleted;
export type ListAnswer = MemoryList;
export type SearchBody = FilteredSearch;
export type SearchAnswer = FilteredResults;
export type RecallBody = Recall;
export type RecallAnswer = Recalled;
export type ProfileAnswer = UserProfile;
export type ListFactsAnswer = FactList;
export type GetFactAnswer = FactWithHistory;
export type CorrectFactBody = CorrectFact;
export type CorrectFactAnswer = FactWithHistory;
export type RetractFactAnswer = FactWithHistory;
export type CreateSessionBody = CreateSession;
export type CreateSessionAnswer = Session;
export type ReadSessionAnswer = SessionWithRatio;
export type UpdateSessionBody = UpdateSession;
export type UpdateSessionAnswer = SessionWithRatio;
export type AppendMessageBody = AddMessage;
export type AppendMessageAnswer = AddedMessage;
export type ListMessagesAnswer = MessageList;
export type ReadContextAnswer = SessionContext;
export type GetEventAnswer = Event;
export type AddSourceBody = IngestSource;
export type AddSourceAnswer = Ingested;
export type ReadHealthAnswer = Health;
export type ReadStatusAnswer = Status;
export type ReadPrincipalAnswer = Principal;
export type ImportFileAnswer = ImportBegun;
export type RequestImportLinkBody = RequestImportLink;
export type RequestImportLinkAnswer = ImportLink;
export type CompleteImportBody = CompleteImport;
export type CompleteImportAnswer = ImportBegun;
export type ListImportFailuresAnswer = FailureList;
export type ExportMemoriesBody = ExportMemories;
export type ExportMemoriesAnswer = Exported;
