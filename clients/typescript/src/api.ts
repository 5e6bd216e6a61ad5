/** Generated from openapi.json by `npm run client:types`. */

export type Api =
  | CreateMemory
  | Memory
  | GetQuery
  | IndexedMemory
  | UpdateMemory
  | Deleted
  | ListQuery
  | MemoryList
  | FilteredSearch
  | FilteredResults
  | Recall
  | Recalled
  | ProfileQuery
  | UserProfile
  | CreateSession
  | Session
  | AddMessage
  | AddedMessage
  | IngestSource
  | Ingested
  | Health
  | Status
  | ImportBegun
  | RequestImportLink
  | ImportLink
  | CompleteImport
  | ExportMemories
  | Exported
  | Event;

export interface CreateMemory {
  content: string;
  user_id?: string;
  category?: string;
  type?: string;
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * When it happened or was said, past or future; the default is now.
   */
  occurred_at?: string;
  expire_at?: string;
  options?: CreateOptions;
}
export interface CreateOptions {
  extract_facts?: boolean;
  extract_entities?: boolean;
  compress?: boolean;
  compression_mode?: "extract" | "balanced" | "aggressive" | "conservative";
  skip_duplicates?: boolean;
}
export interface Memory {
  id: string;
  content: string;
  content_missing?: true;
  user_id?: string;
  category?: string;
  type?: string;
  metadata?: {
    [k: string]: unknown;
  };
  expire_at?: string;
  /**
   * As sent, with its offset; `created_at` if it was not sent.
   */
  occurred_at: string;
  /**
   * Present while `occurred_at` is in the future.
   */
  planned?: true;
  created_at: string;
  updated_at: string;
  entities: EntityReference[];
  facts: {
    id: string;
    content: string;
    confidence: number;
    category: string;
    /**
     * Items: A date that the text names, resolved.
     */
    dates?: {
      /**
       * The offset of the words in the text.
       */
      start: number;
      /**
       * Behind their last character.
       */
      end: number;
      text: string;
      /**
       * ISO 8601, as precise as the text: 2023, 2023-05, 2023-05-07, 2023-05-07T14:30+02:00; R/2023-05-08/P1W recurs, P4Y lasts.
       */
      value: string;
      /**
       * The last day, month or year of a range.
       */
      end_value?: string;
      precision: "year" | "season" | "month" | "week" | "day" | "hour" | "minute" | "range";
      /**
       * Seen from when the text was said.
       */
      direction: "past" | "future" | "unknown";
      kind: "point" | "range" | "recurring" | "duration";
      /**
       * The text says about when.
       */
      approximate?: boolean;
    }[];
  }[];
  compression: {
    original_tokens: number;
    compressed_tokens: number;
    reduction_percentage: number;
  };
  processing: Processing;
  tier: "working" | "hot" | "cold" | "archive";
  version: number;
  /**
   * How often the same statement was repeated without being stored again.
   */
  repeats?: number;
  repeated_at?: string;
}
export interface EntityReference {
  id: string;
  name: string;
  type: string;
  relationship_type?: string;
  strength?: number;
}
export interface Processing {
  status: "done" | "queued" | "failed" | "skipped";
  provider?: string;
  model?: string;
  fallback?: boolean;
  job_id?: string;
  duplicate_of?: string;
}
export interface GetQuery {
  /**
   * Suggest a category and a type in `suggested` if the memory has none.
   */
  suggest?: boolean;
}
export interface IndexedMemory {
  id: string;
  content: string;
  content_missing?: true;
  user_id?: string;
  category?: string;
  type?: string;
  metadata?: {
    [k: string]: unknown;
  };
  expire_at?: string;
  /**
   * As sent, with its offset; `created_at` if it was not sent.
   */
  occurred_at: string;
  /**
   * Present while `occurred_at` is in the future.
   */
  planned?: true;
  created_at: string;
  updated_at: string;
  entities: EntityReference[];
  facts: {
    id: string;
    content: string;
    confidence: number;
    category: string;
    /**
     * Items: A date that the text names, resolved.
     */
    dates?: {
      /**
       * The offset of the words in the text.
       */
      start: number;
      /**
       * Behind their last character.
       */
      end: number;
      text: string;
      /**
       * ISO 8601, as precise as the text: 2023, 2023-05, 2023-05-07, 2023-05-07T14:30+02:00; R/2023-05-08/P1W recurs, P4Y lasts.
       */
      value: string;
      /**
       * The last day, month or year of a range.
       */
      end_value?: string;
      precision: "year" | "season" | "month" | "week" | "day" | "hour" | "minute" | "range";
      /**
       * Seen from when the text was said.
       */
      direction: "past" | "future" | "unknown";
      kind: "point" | "range" | "recurring" | "duration";
      /**
       * The text says about when.
       */
      approximate?: boolean;
    }[];
  }[];
  compression: {
    original_tokens: number;
    compressed_tokens: number;
    reduction_percentage: number;
  };
  processing: Processing;
  tier: "working" | "hot" | "cold" | "archive";
  version: number;
  /**
   * How often the same statement was repeated without being stored again.
   */
  repeats?: number;
  repeated_at?: string;
  index: {
    /**
     * Whether the memory's current vector is still missing from the index. Null if search is not available.
     */
    pending: boolean | null;
  };
  suggested?: Suggested;
}
export interface Suggested {
  category?: {
    value: string;
    confidence: number;
  };
  type?: {
    value: string;
    confidence: number;
  };
}
export interface UpdateMemory {
  content?: string;
  metadata?: {
    [k: string]: unknown;
  };
  occurred_at?: string;
  expire_at?: string | null;
}
export interface Deleted {
  id: string;
  deleted_at: string;
}
export interface ListQuery {
  user_id?: string;
  category?: string;
  type?: string;
  created_after?: string;
  created_before?: string;
  occurred_after?: string;
  occurred_before?: string;
  limit?: number;
  offset?: number;
  sort?: string;
}
export interface MemoryList {
  memories: {
    id: string;
    content: string;
    content_missing?: true;
    user_id?: string;
    category?: string;
    type?: string;
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
    created_at: string;
    updated_at: string;
    tier: "working" | "hot" | "cold" | "archive";
    version: number;
  }[];
  pagination: Pagination;
}
export interface Pagination {
  total: number;
  limit: number;
  offset: number;
  has_next: boolean;
}
export interface FilteredSearch {
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
  options?: {
    /**
     * The default is in GET /search/config.
     */
    limit?: number;
    offset?: number;
    /**
     * The default is in GET /search/config.
     */
    threshold?: number;
    include_content?: boolean;
    include_metadata?: boolean;
    /**
     * Over all relevant memories among the 1000 best by meaning and the 1000 best by words.
     */
    sort?: "score" | "created_at" | "occurred_at" | "updated_at";
    order?: "asc" | "desc";
  };
}
export interface SearchFilters {
  user_id?: string | string[];
  category?: string | string[];
  type?: string | string[];
  created_after?: string;
  created_before?: string;
  occurred_after?: string;
  occurred_before?: string;
  metadata?: {
    [k: string]: unknown;
  };
}
export interface FilteredResults {
  query: string;
  results: {
    id: string;
    content?: string;
    user_id?: string;
    category?: string;
    type?: string;
    /**
     * As sent, with its offset; `created_at` if it was not sent.
     */
    occurred_at: string;
    /**
     * Present while `occurred_at` is in the future.
     */
    planned?: true;
    created_at: string;
    updated_at: string;
    metadata?: {
      [k: string]: unknown;
    };
    /**
     * The memory that replaces this statement; superseded results rank after it.
     */
    superseded_by?: string;
    /**
     * The origin of a chunk of a source.
     */
    source?: {
      id: string;
      title?: string;
      url?: string;
      position: number;
    };
    score: number;
    /**
     * The content around the first match, matching words in <em>; not escaped.
     */
    highlight: string;
  }[];
  pagination: {
    /**
     * Relevant memories among the examined ones, a lower bound that grows with the offset. `has_next` tells whether more follow.
     */
    total: number;
    limit: number;
    offset: number;
    has_next: boolean;
  };
  query_analysis: {
    tokens: string[];
    entities: {
      name: string;
      type: string;
    }[];
    semantic_intent: string;
  };
}
export interface Recall {
  query: string;
  /**
   * The user whose memories are recalled; `*` for everything that you can read.
   */
  user_id?: string;
  /**
   * What this agent may see, or, with a name of your own, what was stored under it; `*` for everything that you can read.
   */
  agent_id?: string;
  /**
   * The session or run that the memories are of; `*` for everything that you can read.
   */
  session_id?: string;
  /**
   * Maximum number of tokens of `context`.
   */
  max_tokens?: number;
  /**
   * The vocabulary that tokens are counted in.
   */
  tokenizer?: "o200k_base" | "cl100k_base";
  occurred_after?: string;
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
   * `why` explains each item in words.
   *
   * @maxItems 1
   */
  include?: "why"[];
}
export interface Recalled {
  /**
   * Ready for a prompt: one line an item, oldest first, under their days.
   */
  context: string;
  /**
   * Best first.
   */
  items: {
    /**
     * The citation label of the line in `context`, such as `[1]`.
     */
    label: string;
    memory_id: string;
    /**
     * The fact of the memory that the query is about.
     */
    fact_id?: string;
    content: string;
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
    score: number;
    why: {
      /**
       * Share of the query's information that the words carry, 0..1.
       */
      words: number;
      /**
       * Similarity of meaning, 0..1.
       */
      meaning: number;
      /**
       * `context`: a neighbour that the next line of its session needs. `successor`: the statement that replaced a result.
       */
      path: "found" | "context" | "successor" | "instruction";
      /**
       * When it happened or was said.
       */
      time: string;
      score: number;
      /**
       * The same in words.
       */
      text?: string;
    };
  }[];
  /**
   * The facts, preferences and instructions of the user that are relevant for the query.
   */
  profile: {
    /**
     * The sections as plain text.
     */
    text: string;
    sections: {
      name: "identity" | "preferences" | "instructions" | "plans" | "people" | "recent_changes";
      lines: {
        text: string;
        fact_ids: string[];
      }[];
    }[];
  };
  /**
   * Of `context`.
   */
  tokens: number;
  /**
   * false if nothing known answers the query.
   */
  confident: boolean;
  /**
   * `GET /recall/{id}` explains this answer for a day. Absent while the disk is full.
   */
  recall_id?: string;
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
  type: "user" | "agent" | "entity";
  id: string;
  /**
   * The sections as plain text.
   */
  text: string;
  sections: {
    name: "identity" | "preferences" | "instructions" | "plans" | "people" | "recent_changes";
    lines: {
      text: string;
      fact_ids: string[];
    }[];
  }[];
  /**
   * The time of the newest statement; absent if nothing is known.
   */
  updated_at?: string;
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
  title?: string;
  config?: {
    /**
     * The most o200k_base tokens of a context; the default is 8192
     */
    context_window?: number;
    /**
     * true (the default): messages that leave the window are summed up; false: a message that does not fit is refused
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
  initial_context?: {
    [k: string]: unknown;
  };
  metadata?: {
    [k: string]: unknown;
  };
}
export interface Session {
  id: string;
  agent_id: string;
  user_id: string;
  title?: string;
  config: {
    context_window: number;
    compression_enabled: boolean;
    max_messages?: number;
    /**
     * `off` in sessions of earlier releases
     */
    memory?: "off" | "on_close" | "as_they_come";
  };
  initial_context?: {
    [k: string]: unknown;
  };
  metadata?: {
    [k: string]: unknown;
  };
  status: "active" | "closed" | "archived";
  message_count: number;
  total_tokens: number;
  created_at: string;
  updated_at: string;
  closed_at?: string;
  reason?: string;
  summary?: string;
  archived_at?: string;
  expire_at?: string;
  version: number;
}
export interface AddMessage {
  role: "user" | "assistant" | "system";
  content: string;
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
   * Of the session
   */
  id: string;
  message_id: string;
  role: "user" | "assistant" | "system";
  content: string;
  metadata?: {
    [k: string]: unknown;
  };
  tokens: number;
  /**
   * Of all messages of the session, including this one
   */
  session_tokens: number;
  /**
   * As sent, with its offset; `created_at` if it was not sent.
   */
  occurred_at: string;
  /**
   * Present while `occurred_at` is in the future.
   */
  planned?: true;
  created_at: string;
}
export interface IngestSource {
  /**
   * `url` or `web`: `url` is fetched. `text` or another value: `content` is used. If absent, derived from the fields sent.
   */
  type?: string;
  content?: string;
  /**
   * Fetched for types `url` and `web`; otherwise the origin of the content.
   */
  url?: string;
  title?: string;
  provider?: string;
  /**
   * Its id at the provider. Content with the same id, provider, user_id and org_id updates the same source: unchanged content is skipped, changed content replaces it.
   */
  external_id?: string;
  user_id?: string;
  /**
   * A label for filtering within the organization.
   */
  org_id?: string;
  agent_id?: string;
  metadata?: {
    [k: string]: unknown;
  };
}
export interface Ingested {
  source_id: string;
  status: "awaiting_upload" | "processing" | "active" | "no_text" | "failed";
  /**
   * The source already had this content; nothing was changed.
   */
  unchanged: boolean;
  chunks_created: number;
  /**
   * The chunks, and the source's own memory if it is new.
   */
  memories_created: number;
  /**
   * Distinct ones that the chunks name.
   */
  entities_created: number;
  /**
   * The source's own memory and the chunks; at most 1,001.
   */
  memory_ids: string[];
  source: {
    id: string;
    type: string;
    title: string;
    provider?: string;
    external_id?: string;
    url?: string;
    user_id?: string;
    org_id?: string;
    agent_id?: string;
    connection_id?: string;
    metadata?: {
      [k: string]: unknown;
    };
    status: "awaiting_upload" | "processing" | "active" | "no_text" | "failed";
    /**
     * Why processing failed (the previous content stays available), or why the source has no text (it is found by name and metadata).
     */
    error?: string;
    /**
     * SHA-256 of the content in view.
     */
    content_hash?: string;
    /**
     * The source's own memory, a summary: its id is the source's.
     */
    source_memory_id: string;
    chunks_created: number;
    /**
     * The chunks and the source's own memory, if it exists.
     */
    memories_created: number;
    /**
     * Distinct ones that the chunks name.
     */
    entities_created: number;
    /**
     * Of its file, by the content.
     */
    mime_type?: string;
    /**
     * Of its file.
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
    file?: {
      name: string;
      content_type: string;
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
      bytes: number;
      /**
       * Metadata of the file: width and height, duration, pages …
       */
      details?: {
        [k: string]: unknown;
      };
    };
    created_at: string;
    updated_at: string;
    ingested_at?: string;
    chunk_memory_ids: string[];
  };
}
export interface Health {
  status: "healthy";
  version: string;
  uptime_seconds: number;
}
export interface Status {
  status: "healthy" | "degraded";
  version: string;
  uptime_seconds: number;
  checks: {
    records: {
      ok: boolean;
      latency_ms: number;
    };
    search: {
      ok: boolean;
      latency_ms: number;
    };
    blobs: {
      ok: boolean;
      latency_ms: number;
    };
    queue: {
      ok: boolean;
      latency_ms: number;
    };
  };
  /**
   * Null if the queues do not respond.
   */
  queues:
    | {
        name: string;
        waiting: number | null;
        in_flight: number | null;
        delayed: number | null;
        dead_letters: number;
      }[]
    | null;
  index: {
    /**
     * Whether the search index is catching up with the records; searches may miss some memories meanwhile.
     */
    catching_up: boolean;
    /**
     * Memories and skills of the organization that wait for their vectors: searches find them by keywords or by vectors of the former embedder. Null if search is not available.
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
    model: string;
    succeeded: number;
    failed: number;
  } | null;
}
export interface ImportBegun {
  /**
   * GET /events/{event_id} returns its progress.
   */
  event_id: string;
  status: "PENDING" | "RUNNING" | "completed" | "FAILED";
  /**
   * Rows to import; 0 until the file is read.
   */
  total: number;
}
export interface RequestImportLink {
  filename?: string;
  bytes?: number;
}
export interface ImportLink {
  /**
   * Of the import, once POST /imports/{event_id}/complete started it.
   */
  event_id: string;
  upload_url: string;
  method: "PUT";
  /**
   * Seconds until the link runs out.
   */
  expires_in: number;
  max_bytes: number;
  complete_path: string;
}
export interface CompleteImport {
  /**
   * If absent, detected from the file. `zip` is an export of ChatGPT or Claude.
   */
  format?: "json" | "jsonl" | "csv" | "zip";
  /**
   * The user of memories that name none.
   */
  user_id?: string;
}
export interface ExportMemories {
  filters?: ExportFilters;
  format?: "json" | "jsonl" | "csv";
}
export interface ExportFilters {
  user_id?: string;
  category?: string;
  type?: string;
}
export interface Exported {
  /**
   * GET /events/{event_id} returns its progress and new links.
   */
  event_id: string;
  status: "PENDING" | "RUNNING" | "completed" | "FAILED";
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
    download_url: string;
    bytes: number;
    memories: number;
  }[];
  /**
   * Of the file, if there is exactly one.
   */
  download_url?: string;
  /**
   * Seconds until the links run out; ask again for new ones.
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
  content: string;
  user_id?: string;
  category?: string;
  /**
   * `category` is the first one.
   *
   * @minItems 1
   * @maxItems 100
   */
  categories?: string[];
  type?: string;
  agent_id?: string;
  app_id?: string;
  run_id?: string;
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * When it happened or was said; the default is `created_at`.
   */
  occurred_at?: string;
  created_at?: string;
  updated_at?: string;
  expire_at?: string;
  version?: number;
  /**
   * Extracted from the content if absent.
   *
   * @maxItems 90
   */
  entities?: {
    /**
     * As responses show it; derived from its name.
     */
    id?: string;
    name: string;
    type: string;
    relationship_type?: string;
    strength?: number;
  }[];
  /**
   * Extracted from the content if absent.
   *
   * @maxItems 60
   */
  facts?: {
    id?: string;
    content: string;
    confidence: number;
    category: string;
    /**
     * @maxItems 20
     *
     * Items: A date that the text names, resolved.
     */
    dates?: {
      /**
       * The offset of the words in the text.
       */
      start: number;
      /**
       * Behind their last character.
       */
      end: number;
      text: string;
      /**
       * ISO 8601, as precise as the text: 2023, 2023-05, 2023-05-07, 2023-05-07T14:30+02:00; R/2023-05-08/P1W recurs, P4Y lasts.
       */
      value: string;
      /**
       * The last day, month or year of a range.
       */
      end_value?: string;
      precision: "year" | "season" | "month" | "week" | "day" | "hour" | "minute" | "range";
      /**
       * Seen from when the text was said.
       */
      direction: "past" | "future" | "unknown";
      kind: "point" | "range" | "recurring" | "duration";
      /**
       * The text says about when.
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
      subject: string;
      attribute: string;
      cardinality: "single" | "multiple" | "open";
      value: string;
      act: "state" | "end" | "plan" | "cancel" | "correct";
      replaces?: string;
      span: {
        start: number;
        end: number;
      };
      valid_from?: string;
      valid_to?: string;
    };
    /**
     * The corrected value.
     */
    corrected?: {
      subject?: string;
      attribute?: string;
      value?: string;
      valid_from?: string | null;
      valid_to?: string | null;
    };
    decision?: "retracted" | "restored";
    /**
     * The time of the last decision.
     */
    at: string;
  }[];
  compression?: {
    original_tokens: number;
    compressed_tokens: number;
    reduction_percentage: number;
  };
  /**
   * The number of ratings and their sum.
   */
  ratings?: {
    count: number;
    sum: number;
  };
}
export interface Event {
  id: string;
  type: "memory.add" | "memory.delete" | "memory.import" | "memory.export";
  status: "PENDING" | "RUNNING" | "completed" | "FAILED";
  resource: string;
  resource_id?: string;
  progress?: {
    total: number;
    done: number;
    failed: number;
  };
  /**
   * Import rows or messages that became memories.
   */
  imported?: number;
  /**
   * Import rows whose memory exists already, and messages that state nothing new.
   */
  skipped?: number;
  /**
   * Each memory's id, whether it is new, and its content as far as it fits.
   */
  results: {
    [k: string]: unknown;
  }[];
  /**
   * Sentences that were not stored, with the reason; the first 100.
   */
  left_out?: {
    text: string;
    reason:
      | "question"
      | "small_talk"
      | "request"
      | "hypothetical"
      | "irony"
      | "repetition"
      | "not_prose"
      | "excluded"
      | "not_included";
  }[];
  /**
   * For a finished import, the first 100; GET /imports/{event_id}/failures returns all.
   */
  errors: {
    index?: number;
    code: string;
    message: string;
  }[];
  /**
   * Present when the job is complete. Each file can be sent to POST /imports/upload, and JSON files as the body of POST /imports.
   */
  files?: {
    download_url: string;
    bytes: number;
    memories: number;
  }[];
  /**
   * Of the file, if there is exactly one.
   */
  download_url?: string;
  /**
   * Seconds until the links run out; ask again for new ones.
   */
  download_expires_in?: number;
  /**
   * When the files are deleted.
   */
  expires_at?: string;
  created_at: string;
  updated_at: string;
  started_at?: string;
  finished_at?: string;
}

export type RememberBody = CreateMemory;
export type RememberAnswer = Memory;
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
export type CreateSessionBody = CreateSession;
export type CreateSessionAnswer = Session;
export type AppendMessageBody = AddMessage;
export type AppendMessageAnswer = AddedMessage;
export type AddSourceBody = IngestSource;
export type AddSourceAnswer = Ingested;
export type ReadHealthAnswer = Health;
export type ReadStatusAnswer = Status;
export type ImportFileAnswer = ImportBegun;
export type RequestImportLinkBody = RequestImportLink;
export type RequestImportLinkAnswer = ImportLink;
export type CompleteImportBody = CompleteImport;
export type CompleteImportAnswer = ImportBegun;
export type ExportMemoriesBody = ExportMemories;
export type ExportMemoriesAnswer = Exported;
export type GetEventAnswer = Event;
