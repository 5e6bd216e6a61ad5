import type { ZodType } from "zod";
import type { LogLevel } from "../kernel/logger.ts";
import type { FactReader } from "./fact-reader.ts";
import type { MODEL_PROVIDERS } from "./model-providers.ts";
import type { SendCapability } from "./queues.ts";
import type { SecretName, SecretPurpose } from "./secret-names.ts";

/** Any JSON value; records, queue messages and metadata consist of it. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

// ---------------------------------------------------------------- records

/** The key of a record. `pk` names an item collection, `sk` an item in it. */
export interface RecordKey {
  pk: string;
  sk: string;
}

/** gsi1 and gsi2 hold whole items; gsi3 only keys and the `FACETS`, so that counting and ordering are cheap. */
export type IndexName = "gsi1" | "gsi2" | "gsi3";

/**
 * One item: flat JSON attributes; undefined ones are not stored. `kind` is its type (memory, version, edge …). `ttl` is
 * in epoch seconds: from then on the item reads as absent; its row is deleted later.
 */
export interface StoredRecord extends RecordKey {
  kind: string;
  gsi1pk?: string;
  gsi1sk?: string;
  gsi2pk?: string;
  gsi2sk?: string;
  gsi3pk?: string;
  gsi3sk?: string;
  ttl?: number;
  [attribute: string]: Json | undefined;
}

export type Scalar = string | number | boolean;

/** A test of one attribute: a scalar means equality, strings sort bytewise, an absent one fails unless `orAbsent`. */
export type AttributeTest =
  | Scalar
  | { oneOf: Scalar[] }
  | { not: Scalar }
  | { absent: boolean }
  /** Text that contains any of these non-empty strings; a list that has any of them as a member. */
  | { containsAny: string[] }
  | {
      lessThan?: string | number;
      atMost?: string | number;
      greaterThan?: string | number;
      atLeast?: string | number;
      orAbsent?: true;
    };

/** Attribute tests that must all hold. At least one; an empty object is refused. */
export type AttributeTests = { [attribute: string]: AttributeTest };

/**
 * `absent`: no live item under the key. `present`: there is one. Tests: all hold; an absent item counts as one without
 * attributes, so it passes if every test allows an absent attribute (`{absent: true}`, `orAbsent`).
 */
export type Condition = "absent" | "present" | AttributeTests;

/**
 * One change of an atomic write. `update` sets, adds to (numbers; absent counts as 0) and removes attributes, and
 * creates the item if its condition allows; `check` writes nothing. Setting an index key moves the item in that index.
 */
export type Write =
  | { put: StoredRecord; condition?: Condition }
  | {
      update: RecordKey;
      set?: { [attribute: string]: Json };
      add?: { [attribute: string]: number };
      remove?: string[];
      condition?: Condition;
    }
  | { delete: RecordKey; condition?: Condition }
  | { check: RecordKey; condition: Condition };

export interface RecordQuery {
  index?: IndexName;
  pk: string;
  sk?: { beginsWith: string } | { atLeast?: string; atMost?: string };
  /** Applied to each item before `offset` and `limit`. */
  where?: AttributeTests;
  descending?: boolean;
  offset?: number;
  /** Maximum number of items, 1..1000. */
  limit: number;
  /** The previous page's `cursor`; opaque. */
  after?: string;
}

/** The keys that order the items of a query: those of the record, and its sort key in the index. */
export type RecordPosition = RecordKey & { sort: string };

export interface RecordPage {
  items: StoredRecord[];
  /** Absent on the last page; a cursor may still lead to an empty page. */
  cursor?: string;
}

/** The store of record. Reads are consistent except on indexes, which may lag by under a second on AWS. */
export interface RecordStore {
  get(key: RecordKey): Promise<StoredRecord | undefined>;
  /**
   * Any number of keys in any order; missing items are left out. Without `consistent` it may lag as an index does, at
   * half the price.
   */
  getMany(keys: RecordKey[], options?: { consistent?: boolean }): Promise<StoredRecord[]>;
  query(query: RecordQuery): Promise<RecordPage>;
  /** The cursor of a page of this query whose last item has these keys, whether the item still exists or not. */
  cursorAt(query: Pick<RecordQuery, "index" | "pk">, keys: RecordPosition): string;
  /** The number of matching items, counted up to `upTo`. */
  count(query: Omit<RecordQuery, "limit" | "after" | "offset" | "descending">, upTo: number): Promise<number>;
  /**
   * Atomic, 1..100 writes on different keys. Throws ConditionFailedError (nothing written), RecordTooLargeError (an
   * item over 400 KB). Durable when it resolves. Conflicts with concurrent writes are retried.
   */
  write(...writes: Write[]): Promise<void>;
  /** This process's current connections to the store. */
  connections(): ConnectionUse;
  /** Performs a write that leaves nothing behind. */
  ping(): Promise<void>;
}

/** Open connections: `active` ones serve a request, `idle` ones wait for the next. */
export interface ConnectionUse {
  active: number;
  idle: number;
}

/** The request of a walk through all records. */
export interface InventoryRequest {
  /** Only records of these kinds. */
  kinds?: string[];
  /** Maximum number of records that one page examines, 1..1000; it may return fewer or none. */
  limit: number;
  /**
   * Number of parts of the records that the whole walk reads concurrently, up to `limit` records of each in a page. A
   * backend without parts ignores it.
   */
  segments?: number;
  /** The previous page's `cursor`; opaque. */
  after?: string;
}

/**
 * All records of all organizations, for maintenance and backups: its cost grows with the table, so no request may use
 * it. A record that exists during the whole walk is returned once; one written meanwhile may or may not be.
 */
export interface RecordInventory {
  list(request: InventoryRequest): Promise<RecordPage>;
  /** Everything stored, including expired rows that are not deleted yet, because their deletion has effects. */
  snapshot(): RecordSnapshot;
  /**
   * The same, prepared by the backend if reading all records would take too long: undefined while it is being prepared.
   * Call again with the same `id` (letters, digits, `_`, `-`), which names one snapshot until it is discarded.
   */
  requestSnapshot(id: string): Promise<RecordSnapshot | undefined>;
  /** Deletes what the backend prepared for a requested snapshot, if anything. */
  discardSnapshot(id: string): Promise<void>;
  /**
   * Stores any number of records, replacing what is under their keys, without notifying readers of the change feed; for
   * a restore. Records of an earlier version are upgraded. Not atomic; repeating it changes nothing.
   */
  fill(records: StoredRecord[]): Promise<void>;
  /**
   * Removes what deleted data left in the backend's files; false if a reader prevents it at the moment. Absent where the
   * backend does this by itself.
   */
  scrub?(): Promise<boolean>;
  /** Upgrades a page of former items. Loses no concurrent write, notifies no reader of changes, and can be repeated. */
  upgrade(request: UpgradeRequest): Promise<UpgradePage>;
}

export type UpgradeRequest = Omit<InventoryRequest, "kinds" | "segments">;

/** The numbers of examined and upgraded items of a page; the last page has no cursor. */
export interface UpgradePage {
  checked: number;
  upgraded: number;
  cursor?: string;
}

export interface RecordSnapshot {
  /** `moment`: everything is as of one moment, so no transaction is partial. `pages`: each page is as of its read. */
  consistency: "moment" | "pages";
  /** Can be iterated once. The moment, if any, is that of the first page. */
  pages: AsyncIterable<StoredRecord[]>;
}

// ---------------------------------------------------------------- search

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
   * vector. On AWS, writes of the last second may be missing.
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

// ---------------------------------------------------------------- blobs, queues, mail, secrets

export interface Blob {
  bytes: Uint8Array;
  contentType: string;
}

/** A blob that is read in chunks. */
export interface BlobStream {
  /** In bytes. */
  size: number;
  contentType: string;
  /** Can be iterated once; opens nothing before that. Rejects if the blob was deleted meanwhile. */
  parts: AsyncIterable<Uint8Array>;
}

/** A blob in a listing. */
export interface BlobEntry {
  key: string;
  /** In bytes. */
  size: number;
  /** When it was last written, in epoch milliseconds. */
  modifiedAt: number;
}

export interface BlobListing {
  /** In bytewise order of their keys. */
  blobs: BlobEntry[];
  /** Absent on the last page. */
  cursor?: string;
}

/** Keys are `/`-separated and consist of letters, digits and `._-`; adapters refuse others. */
export interface BlobStore {
  put(key: string, blob: Blob): Promise<void>;
  /** Writes in chunks with few in memory. The blob appears when it resolves; if chunks fail, the former one stays. */
  write(key: string, blob: Omit<BlobStream, "size">): Promise<void>;
  get(key: string): Promise<Blob | undefined>;
  /** Reads with only one chunk in memory, for blobs of any size. */
  open(key: string): Promise<BlobStream | undefined>;
  /** Missing keys are ignored. */
  delete(key: string): Promise<void>;
  /** Walks through the blobs with a key prefix, for maintenance and backups; `limit` is 1..1000. */
  list(request: { prefix?: string; limit: number; after?: string }): Promise<BlobListing>;
  /** A temporary link that reads or writes the blob without a credential. */
  presign(key: string, verb: "get" | "put", expiresInSeconds: number): Promise<string>;
  /** The usage of the disk that holds the blobs; undefined if there is no disk that could fill up. */
  space(): Promise<DiskSpace | undefined>;
  ping(): Promise<void>;
}

/** In bytes. */
export interface DiskSpace {
  used: number;
  total: number;
}

export interface QueueMessage {
  body: Json;
  /** 0..900. */
  delaySeconds?: number;
}

export interface QueueDepth {
  waiting: number;
  inFlight: number;
  delayed: number;
}

/** Work in progress when a process died, by its worker's message. */
export interface QuarantinedWork {
  id: string;
  queue: string;
  body: JsonObject;
  /** Epoch milliseconds, like `quarantinedAt`. */
  startedAt: number;
  quarantinedAt: number;
}

/** Queues are named by their workers' manifests; consumers receive real SQSEvents, at least once, in any order. */
export interface Queue {
  send(queue: string, messages: QueueMessage[]): Promise<void>;
  depth(queue: string): Promise<QueueDepth>;
  /** Every queue, including dead-letter queues, in alphabetical order. */
  names(): string[];
  /**
   * Runs in this process what a message asks a worker to do, marked like that worker's work: if the process dies
   * meanwhile, it is quarantined. Lifts an earlier quarantine of the same work.
   */
  working<T>(queue: string, body: JsonObject, work: () => Promise<T>): Promise<T>;
  /** Work that no schedule restarts, oldest first. Empty on AWS: see redrive policies. */
  quarantined(): Promise<QuarantinedWork[]>;
  /** Sends quarantined work to its queue, which lifts the quarantine. */
  resume(work: QuarantinedWork): Promise<void>;
  /** As `RecordInventory.scrub`. */
  scrub?(): Promise<boolean>;
  ping(): Promise<void>;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Names start with a purpose, see `secret-names.ts`. */
export interface Secrets {
  get(name: SecretName): Promise<string | undefined>;
  /** Stores the value unless the name has one; returns the stored value, so that concurrent callers agree. */
  putIfAbsent(name: SecretName, value: string): Promise<string>;
  /** Permanent: a removed name is never reused. Missing names are ignored. */
  remove(name: SecretName): Promise<void>;
}

// ---------------------------------------------------------------- logs

/** One log line of the service. */
export interface LogLine {
  id: string;
  /** ISO 8601. */
  at: string;
  level: LogLevel;
  /** The endpoint group or worker that wrote it, or the service. */
  service: string;
  /** Its message code. */
  message: string;
  /** All other fields. */
  fields: JsonObject;
}

/** Both ends of the range are ISO 8601 and inclusive. */
export interface LogFilter {
  level?: LogLevel;
  service?: string;
  from: string;
  to: string;
}

/** Recent log lines of all processes. Lines arrive some seconds late on AWS, at most one second locally. */
export interface LogStore {
  /** The newest `limit` (1..10000) matching lines, newest first, with the number of all matches. */
  find(filter: LogFilter, limit: number): Promise<{ lines: LogLine[]; total: number }>;
  /** Deletes (or only counts) lines before epoch milliseconds. Undefined on AWS, where log groups have a retention. */
  prune(before: number, dryRun: boolean): Promise<{ lines: number; bytes: number } | undefined>;
}

// ---------------------------------------------------------------- models

/** What a text is embedded for: some models encode queries and passages differently. */
export type EmbeddingPurpose = "query" | "passage";

export interface EmbeddingOptions {
  purpose: EmbeddingPurpose;
  /** Aborts the embedding. */
  signal?: AbortSignal;
}

/** The distribution of cosines between unrelated texts, which differs between models. */
export interface CosineBackground {
  mean: number;
  deviation: number;
}

/** An embedder's properties that ranking needs. */
export type Calibrated = Pick<Embedder, "background" | "isLexical">;

export interface Embedder {
  /** Identifies model and dimensions; vectors of different ids are not comparable. */
  readonly id: string;
  readonly dimensions: number;
  /** Whether it compares words, like keyword search, instead of meaning. */
  readonly isLexical?: boolean;
  /** Measured on questions and the turns of one person's conversations that do not answer them. */
  readonly background: CosineBackground;
  /** One unit-length vector per text, in order; texts may be empty or long. Rejects when the signal is aborted. */
  embed(texts: string[], options: EmbeddingOptions): Promise<Float32Array[]>;
}

export interface RerankOptions {
  /** The organization of the request. */
  org: string;
  timeoutMs: number;
  /** Aborts the reranking. */
  signal: AbortSignal;
}

/** The second stage of a search: reads the best results together with the query. */
export interface Reranker {
  /** Identifies the model. */
  readonly id: string;
  /** Maximum milliseconds that a search waits for it. */
  readonly timeoutMs: number;
  /** How well each of at most 30 texts answers the query, 0..1, in order. The caller checks the result. */
  rerank(query: string, texts: string[], options: RerankOptions): Promise<number[]>;
}

/**
 * A task for a language model, as data: the prompt, the shape of the answer, and the built-in rule that answers if
 * there is no model or it fails. The rule may load its dependencies at first use, so it returns a promise.
 */
export interface LanguageTask<Input, Output> {
  name: string;
  schema: ZodType<Output>;
  prompt(input: Input): { system: string; user: string };
  builtIn(input: Input): Output | Promise<Output>;
}

export interface LanguageAnswer<Output> {
  value: Output;
  provider: string;
  model: string;
  /** Whether a model was asked but the built-in rule was used, because the model failed. */
  fallback: boolean;
  /** Why the rule was used, without prompts, answers and secrets. */
  failure?: string;
  /** Whether the rule was used because the model ran out of time. */
  isLate?: boolean;
  /** Tokens of all requests, including those without a usable answer; zero for the built-in rules. */
  usage: TokenUsage;
  /** Requests to the model, including failed ones. */
  calls: number;
}

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

/** A model's limits for a task, in addition to the model's own limits. */
export interface TaskLimits {
  /** The organization of the task; organizations take turns in running the rules. */
  org?: string;
  timeoutMs?: number;
  /** Maximum tokens of one answer. A truncated answer is unusable, so the task itself should ask for less. */
  maxTokens?: number;
  /** 0 to 2, as OpenAI counts; the default is 0. Rules ignore it. */
  temperature?: number | undefined;
}

export interface LanguageModel {
  /** Present if it uses only the built-in rules of tasks. */
  readonly isRules?: true;
  /** Asks the model, retries and repairs its answers within the limits, and otherwise uses the built-in rule. */
  run<Input, Output>(
    task: LanguageTask<Input, Output>,
    input: Input,
    limits?: TaskLimits,
  ): Promise<LanguageAnswer<Output>>;
}

/** A model by its provider and its name there. */
export interface ModelChoice {
  provider: (typeof MODEL_PROVIDERS)[number];
  model: string;
}

/** The language models that a deployment can use. */
export interface LanguageModels {
  /** The configured model. */
  readonly default: ModelChoice;
  /** Available providers with their default models, including `default`. */
  readonly providers: readonly ModelChoice[];
  /** The chosen model or the default one. Opened at first use and cached. Rejects for an unavailable provider. */
  open(choice?: ModelChoice): Promise<LanguageModel>;
}

// ---------------------------------------------------------------- all of them

export interface Ports {
  records: RecordStore;
  inventory: RecordInventory;
  search: SearchIndex;
  blobs: BlobStore;
  queue: Queue;
  embedder: Embedder;
  /** Absent if searches have only one stage. */
  reranker?: Reranker | undefined;
  /** Absent if rules alone read facts. */
  reader?: FactReader | undefined;
  models: LanguageModels;
  mailer: Mailer;
  secrets: Secrets;
  logs: LogStore;
}

export type PortName = keyof Ports;

/**
 * A port, sending to one queue, or the secrets of one purpose: what a function may use and is granted. `queue` alone reads
 * the state of all queues.
 */
export type Capability =
  | Exclude<PortName, "secrets">
  | "inventory:export"
  | SendCapability
  | `secrets:${SecretPurpose}`;
