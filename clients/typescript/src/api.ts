/** Generated from openapi.json by `npm run client-types`. */

export type Api =
  | CreateMemory
  | Memory
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
  | Ingested;

export interface CreateMemory {
  content: string;
  user_id?: string;
  category?: string;
  type?: string;
  metadata?: {
    [k: string]: unknown;
  };
  /**
   * When it happened or was said, past or future; now where it is left out.
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
   * As it was given, with its offset; `created_at` where nobody gave it.
   */
  occurred_at: string;
  /**
   * While `occurred_at` lies in the future.
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
       * Where the words begin in the text.
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
   * How often it was said again, and not stored again.
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
   * As it was given, with its offset; `created_at` where nobody gave it.
   */
  occurred_at: string;
  /**
   * While `occurred_at` lies in the future.
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
       * Where the words begin in the text.
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
   * How often it was said again, and not stored again.
   */
  repeats?: number;
  repeated_at?: string;
  index: {
    /**
     * Whether searches by meaning do not find the memory as it is yet. Null where search does not answer.
     */
    pending: boolean | null;
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
     * As it was given, with its offset; `created_at` where nobody gave it.
     */
    occurred_at: string;
    /**
     * While `occurred_at` lies in the future.
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
   * The moment that the question is asked at; the clock's where it is left out.
   */
  now?: string;
  /**
   * Answer what held at this moment.
   */
  as_of?: string;
  /**
   * Leave out what no longer holds.
   */
  current_only?: boolean;
  options?: {
    /**
     * What GET /search/config says when left out.
     */
    limit?: number;
    offset?: number;
    /**
     * What GET /search/config says when left out.
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
  user_id?: string | [string, ...string[]];
  category?: string | [string, ...string[]];
  type?: string | [string, ...string[]];
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
     * As it was given, with its offset; `created_at` where nobody gave it.
     */
    occurred_at: string;
    /**
     * While `occurred_at` lies in the future.
     */
    planned?: true;
    created_at: string;
    updated_at: string;
    metadata?: {
      [k: string]: unknown;
    };
    /**
     * The memory that says what holds instead; what is superseded comes after it.
     */
    superseded_by?: string;
    /**
     * Where a chunk of a source is from.
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
     * Relevant memories among those looked at, which are more the further one pages: there are at least so many. `has_next` tells whether any follow this page.
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
   * The user whose memories are recalled; `*` for all that you may read.
   */
  user_id?: string;
  /**
   * What this agent may see, or, with a name of your own, what was stored under it; `*` for all that you may read.
   */
  agent_id?: string;
  /**
   * The session or run that the memories are of; `*` for all that you may read.
   */
  session_id?: string;
  /**
   * Most tokens of `context`.
   */
  max_tokens?: number;
  /**
   * The vocabulary that tokens are counted in.
   */
  tokenizer?: "o200k_base" | "cl100k_base";
  occurred_after?: string;
  occurred_before?: string;
  /**
   * Answer what held at this moment.
   */
  as_of?: string;
  /**
   * The moment that the question is asked at; the clock's where it is left out.
   */
  now?: string;
  /**
   * `why` explains each item in words.
   *
   * @maxItems 1
   */
  include?: [] | ["why"];
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
     * What the line of `context` is cited by, such as `[1]`.
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
     * As it was given, with its offset; `created_at` where nobody gave it.
     */
    occurred_at: string;
    /**
     * While `occurred_at` lies in the future.
     */
    planned?: true;
    score: number;
    why: {
      /**
       * Share of the query's information that the words carry, 0..1.
       */
      words: number;
      /**
       * How near it is in meaning, 0..1.
       */
      meaning: number;
      /**
       * `context`: the line that follows it in its session needs it. `successor`: it says what holds instead of what was found.
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
   * What concerns the query of what the user said of themselves and asked for.
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
   * False where nothing that is known answers the query.
   */
  confident: boolean;
  /**
   * `GET /recall/{id}` explains this answer for a day. Absent while the disk is full.
   */
  recall_id?: string;
}
export interface ProfileQuery {
  format?: "json" | "text";
}
export interface UserProfile {
  user_id: string;
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
   * When the newest of it was said; absent where nothing is known.
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
     * Most o200k_base tokens of a context; 8192 unless told
     */
    context_window?: number;
    /**
     * Sum up what leaves the window, which is done unless told; else refuse what does not fit into it
     */
    compression_enabled?: boolean;
    /**
     * No limit where absent
     */
    max_messages?: number;
    /**
     * When messages become memories: never, when the session is closed or archived, or as they come; as_they_come by default
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
     * `off` in sessions that earlier releases began
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
   * When it was said, past or future; now where it is left out
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
   * Of all messages of the session, this one included
   */
  session_tokens: number;
  /**
   * As it was given, with its offset; `created_at` where nobody gave it.
   */
  occurred_at: string;
  /**
   * While `occurred_at` lies in the future.
   */
  planned?: true;
  created_at: string;
}
export interface IngestSource {
  /**
   * `url` or `web`: `url` is fetched. `text`, or any other: `content` is taken. When left out, by what is given.
   */
  type?: string;
  content?: string;
  /**
   * Fetched for `url` and `web`; else where the content is from.
   */
  url?: string;
  title?: string;
  provider?: string;
  /**
   * Its name where it comes from. The same name again, of the same provider, user_id and org_id, is the same source: left as it is where the content is the same, replaced where it changed.
   */
  external_id?: string;
  user_id?: string;
  /**
   * A label and a filter within the organization.
   */
  org_id?: string;
  agent_id?: string;
  metadata?: {
    [k: string]: unknown;
  };
}
export interface Ingested {
  source_id: string;
  status: "awaiting_upload" | "processing" | "active" | "failed";
  /**
   * The source had this content already: nothing was done.
   */
  unchanged: boolean;
  chunks_created: number;
  /**
   * The chunks, and the source's own memory where it is new.
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
    status: "awaiting_upload" | "processing" | "active" | "failed";
    /**
     * Why it failed; what it held before stays in view.
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
     * The chunks and the source's own memory, once there is one.
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
     * Where the file, or a long text, is in the blob store.
     */
    blob_key?: string;
    /**
     * o200k_base tokens of the text; what chunks repeat counts once.
     */
    tokens: number;
    file?: {
      name: string;
      content_type: string;
      kind: "text" | "markdown" | "html" | "pdf" | "image" | "audio" | "attachment";
      bytes: number;
      /**
       * What its headers tell: width and height, duration, pages …
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
