import type { Calibrated } from "./embedder.ts";
import type { JsonObject, Scalar } from "./json.ts";

/**
 * A searchable document. `version` orders writes of one document, whatever their order of arrival: the highest wins,
 * and at equal versions a removal beats an upsert. Keyword search indexes its text (`textToIndex`) under
 * `indexTerms` of kernel/text/keywords.
 */
export interface SearchDocument {
  /** The partition of a search: an organization's id for its memories, or one of partitions.ts. */
  org: string;
  id: string;
  version: number;
  content: string;
  /** What is indexed and embedded, if not the content. */
  indexed_text?: string;
  /** Who said it, if not the user, and the question that it answers. */
  speaker?: string;
  in_reply_to?: string;
  user_id?: string;
  category?: string;
  /** All categories, if there are several, including `category`. */
  categories?: string[];
  type?: string;
  /** Clients' names of an agent, an application and a run. */
  labels?: { agent?: string; app?: string; run?: string };
  metadata: JsonObject;
  entity_ids: string[];
  session_id?: string;
  /** Agents that may see it, for `SearchScope.viewer`; each until a time (ISO) or without limit. */
  viewers?: { agent: string; until?: string }[];
  /** ISO 8601 with its offset; absent if it equals the creation time. */
  occurred_at?: string;
  created_at: string;
  updated_at: string;
  /** ISO 8601; from then on the document is in no result. */
  expire_at?: string;
  /** Users' ratings, 1 (useless) to 5 (very useful); absent without any. `count` is at least 1. */
  ratings?: { count: number; mean: number };
  original_tokens: number;
  compressed_tokens: number;
  processing_ms: number;
  /** Unit length, with `Embedder.dimensions` numbers; may be absent if `SearchIndex.embedsLater`. */
  embedding?: Float32Array;
}

export type SearchSource = Omit<SearchDocument, "embedding">;

export interface SearchHit {
  id: string;
  /** Semantic: (1 + cosine) / 2, in 0..1. Keyword: the engine's raw BM25, above 0. */
  score: number;
  /** Only for keyword hits: the terms of `KeywordStatistics` that the document contains. */
  terms?: string[];
  /** The weights, 0..1, of terms that the document contains in another form, as a stem or with a typo; 1 for others. */
  weights?: Map<string, number>;
  /** Only for keyword hits: the document has no vector yet, so semantic search cannot find it. */
  isPending?: boolean;
  document: SearchSource;
}

/** All filters must hold; an array means any of its values, an empty one none. Dates are ISO 8601 and inclusive. */
export interface SearchFilters {
  ids?: string[];
  /** Documents that mention any of these entities. */
  entity_ids?: string[];
  user_id?: string[];
  category?: string[];
  type?: string[];
  created_after?: string;
  created_before?: string;
  /** By `occurred_at`, otherwise `created_at`. */
  occurred_after?: string;
  occurred_before?: string;
  /** Equality of a metadata field at a dotted path; an array field matches if it contains the value. */
  metadata?: { [path: string]: Scalar };
  where?: SearchExpression;
}

/** Combined conditions: an empty `all` matches everything, an empty `any` nothing. */
export type SearchExpression =
  | { all: SearchExpression[] }
  | { any: SearchExpression[] }
  | { not: SearchExpression }
  | SearchCondition;

/**
 * A test of a document's value at a path: `id`, `user_id`, `agent_id`, `app_id`, `run_id`, `category`, `categories`,
 * `type`, `created_at`, `occurred_at` (in UTC), `updated_at`, `expire_at`, or `metadata.` with a dotted path. For a
 * list, any member may match; an absent value never does. Ordering compares numbers with numbers and texts with texts
 * (bytewise).
 */
export type SearchCondition = { path: string } & (
  | { equals: Scalar[] }
  | { present: true }
  | { contains: string; anyCase?: true }
  | { atLeast?: string | number; greaterThan?: string | number; atMost?: string | number; lessThan?: string | number }
);

export interface SearchScope {
  /** Both queries of a search are limited to it. */
  org: string;
  /** An agent: only documents that name it as a viewer exist, in hits, counts and statistics. */
  viewer?: string;
  filters?: SearchFilters;
  /** Epoch milliseconds; documents that expired by then are left out, depending on `expired`. */
  now: number;
  /** Expired documents that are not deleted yet: `shown` includes them, `only` returns nothing else. */
  expired?: "shown" | "only";
  /** Rejects the call when aborted, and stops the engine's work if possible. */
  signal?: AbortSignal;
}

export interface SearchRequest extends SearchScope {
  /** For an index with another embedder's vectors, which may take `timeLimit` milliseconds to embed `text`. */
  semantic?: { vector: Float32Array; limit: number; text?: string; timeLimit?: number };
  /** Free text: analysed (stop words, stemming), never parsed as a query language. */
  keyword?: { text: string; limit: number };
}

/** The keywords of the query, so that fusion can compute a hit's share of them. */
export interface KeywordStatistics {
  /** Documents of the organization that the viewer may see, without applying the filters. */
  documents: number;
  /** Each keyword of the query once with its number of documents; both may lag behind recent removals. */
  terms: { term: string; documents: number }[];
}

export interface SearchAnswer {
  /** Best first, ties by id. Empty if that query was not requested. */
  semantic: SearchHit[];
  keyword: SearchHit[];
  /** Present if a keyword query was requested. */
  statistics?: KeywordStatistics;
  /** The embedder of the compared vectors, if it is not the current one; needed to interpret the cosines. */
  comparedBy?: Calibrated;
}

/** The documents whose neighbours in time are requested, and the entities whose members are requested. */
export interface NeighbourRequest extends SearchScope {
  documents: Pick<SearchSource, "id" | "user_id" | "session_id" | "created_at" | "occurred_at">[];
  /** Number of neighbours in time before, and after, each document. */
  reach: number;
  entities: string[];
  /** An entity that more documents mention is returned without members. */
  maxMembers: number;
}

export interface Neighbours {
  /** Every document whose id is in `inTime` or `members`, once. */
  documents: SearchSource[];
  /**
   * For each requested document, ids of the nearest documents of the same user and session (both may be absent) before
   * and after it, ordered by event time, then id.
   */
  inTime: Map<string, string[]>;
  /** For each requested entity, ids of the documents that mention it. */
  members: Map<string, string[]>;
}

export type AggregateField = "category" | "type" | "user_id";

export interface Aggregates {
  count: number;
  /** Documents per value, most frequent first, at most 100 values; documents without the field are not counted. */
  terms: Partial<Record<AggregateField, { value: string; count: number }[]>>;
  sums: { original_tokens: number; compressed_tokens: number; processing_ms: number };
}

/** A document in the index, expired or not. */
export type IndexedVersion = Pick<SearchDocument, "org" | "id" | "version">;

export interface DocumentListing {
  /** Ordered by partition, then id, bytewise. */
  documents: IndexedVersion[];
  /** Absent on the last page. */
  cursor?: string;
}

/** An index that is built to replace the current one. It may or may not receive concurrent writes. */
export interface IndexRebuild extends Pick<SearchIndex, "upsert" | "remove" | "versions" | "list"> {
  /** Replaces the current index for all searches and writes in one step, and drops it. May be repeated. */
  activate(): Promise<void>;
}

/** The request of a walk through an index; `limit` is 1..1000. */
export interface DocumentListRequest {
  /** Only this partition. */
  org?: string;
  limit: number;
  after?: string;
}

/** A page of a scope ordered by a time, then id; `offset` plus `limit` is at most 10,000. */
export interface BrowseRequest extends SearchScope {
  /** The default is `created_at`. */
  order?: DocumentOrder;
  descending: boolean;
  offset: number;
  limit: number;
  /** The document after which the page starts, by creation, whether or not it still exists; `offset` is 0 then. */
  after?: Pick<SearchSource, "id" | "created_at">;
}

/** `occurred_at` falls back to `created_at`. */
export type DocumentOrder = "created_at" | "occurred_at" | "updated_at";

export interface BrowseAnswer {
  documents: SearchSource[];
  /** The number of documents in the scope. */
  total: number;
}

export interface VectorState {
  /** Id of the current embedder. */
  embedder: string;
  /** Documents without a vector. */
  pending: number;
  /** Which vectors are compared: the current embedder's, the former one's while new ones are computed, or none. */
  compared: "current" | "former" | "none";
  /** Whether the current embedder's vectors need a rebuild that an operator must start. */
  needsRebuild: boolean;
}

export interface SearchIndex {
  /** Whether documents may arrive without a vector, which the index computes soon after; keywords find them at once. */
  readonly embedsLater?: boolean | undefined;
  /** Whether records are still missing from the index, which is catching up. */
  readonly isCatchingUp?: boolean | undefined;
  /** Which vectors searches compare in those partitions, and how many are missing. */
  vectorState(orgs: string[]): Promise<VectorState>;
  /** The version of a document that semantic search finds; 0 if none. */
  searchableVersion(reference: Pick<IndexedVersion, "org" | "id">): Promise<number>;
  /**
   * The vectors that the organizations' documents have for those contents, in order; undefined for a content without a
   * vector; to four decimals. On AWS, writes of the last second may be missing.
   */
  vectorsOf(contents: Pick<SearchDocument, "org" | "content">[]): Promise<(Float32Array | undefined)[]>;
  /** Safe to repeat: stale documents are skipped. Durable and searchable when it resolves (on AWS within a second). */
  upsert(documents: SearchDocument[]): Promise<void>;
  /** Leaves a tombstone with that version, so that a late upsert of an older version is ignored. */
  remove(references: { org: string; id: string; version: number }[]): Promise<void>;
  /** One round trip for both queries. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** One round trip for all neighbours, which are in the scope too. */
  neighbours(request: NeighbourRequest): Promise<Neighbours>;
  count(scope: SearchScope): Promise<number>;
  /** The number of memories of all organizations at a moment, for operators. One round trip. */
  countMemories(now: number): Promise<number>;
  browse(request: BrowseRequest): Promise<BrowseAnswer>;
  aggregate(scope: SearchScope, terms: AggregateField[]): Promise<Aggregates>;
  /** The documents that are in the index, expired or not. Any number in any order. */
  versions(references: Pick<IndexedVersion, "org" | "id">[]): Promise<IndexedVersion[]>;
  /**
   * Opens the index being built under a name (lower-case letters and digits), or starts one; any other unfinished one
   * is dropped. With the current index's name, returns that.
   */
  rebuild(name: string): Promise<IndexRebuild>;
  /** Walks through the index, for maintenance; includes every write that resolved before the page was requested. */
  list(request: DocumentListRequest): Promise<DocumentListing>;
  /** Deletes tombstones older than `before` (epoch milliseconds); returns their number. */
  purge(before: number): Promise<number>;
  /** As `RecordInventory.scrub`, for an organization's documents. */
  scrub?(org: string): Promise<boolean>;
  /** Rejects if an index is damaged, or not writable on a local server. */
  ping(): Promise<void>;
}
