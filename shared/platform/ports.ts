import type { ZodType } from "zod";
import type { LogLevel } from "../kernel/logger.ts";
import type { MODEL_PROVIDERS } from "./model-providers.ts";
import type { SecretName, SecretPurpose } from "./secret-names.ts";

/** Anything JSON can hold; what records, queue messages and metadata are made of. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

// ---------------------------------------------------------------- records

/** Where a record lives. `pk` names an item collection, `sk` one item of it. */
export interface RecordKey {
  pk: string;
  sk: string;
}

/**
 * gsi1 and gsi2 hold whole items. gsi3 is narrow: it holds keys and the `FACETS` alone, so counting and ordering
 * thousands of big items stays cheap; what it returns has no other attribute.
 */
export type IndexName = "gsi1" | "gsi2" | "gsi3";

/**
 * One item: flat attributes, all JSON, `undefined` ones are not stored. `kind` names what it is (memory, version, edge …).
 * `ttl` is in epoch seconds: from that second on the item reads as absent everywhere; its row goes some time later.
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

/** A test of one attribute. A scalar means equality. Ordering compares strings bytewise; an absent attribute fails unless `orAbsent`. */
export type AttributeTest =
  | Scalar
  | { oneOf: Scalar[] }
  | { not: Scalar }
  | { absent: boolean }
  /** A text that has any of these, none of them empty, as a part of it; a list that has any as a member. */
  | { containsAny: string[] }
  | {
      lessThan?: string | number;
      atMost?: string | number;
      greaterThan?: string | number;
      atLeast?: string | number;
      orAbsent?: true;
    };

/** Attribute tests, all of which must hold. At least one; an empty object is refused. */
export type AttributeTests = { [attribute: string]: AttributeTest };

/**
 * `absent`: no live item under the key. `present`: there is one. Tests: all hold; an absent item counts as one without
 * attributes, so it passes where every test allows an absent attribute (`{absent: true}`, `orAbsent`).
 */
export type Condition = "absent" | "present" | AttributeTests;

/**
 * One change of an atomic write. `update` sets, adds to (numbers; absent counts as 0) and removes attributes, and
 * creates the item when its condition allows; `check` only asserts. Setting an index key moves the item in that index.
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
  /** Most items to return, 1..1000. */
  limit: number;
  /** `cursor` of the page before; opaque. */
  after?: string;
}

export interface RecordPage {
  items: StoredRecord[];
  /** Absent on the last page; a present cursor may still lead to an empty page. */
  cursor?: string;
}

/** The store of record. Reads are consistent except on indexes, which may lag by under a second on AWS. */
export interface RecordStore {
  get(key: RecordKey): Promise<StoredRecord | undefined>;
  /** Any number of keys, any order; absent ones are left out. */
  getMany(keys: RecordKey[]): Promise<StoredRecord[]>;
  query(query: RecordQuery): Promise<RecordPage>;
  /** How many items match, counting no further than `upTo`. */
  count(query: Omit<RecordQuery, "limit" | "after" | "offset" | "descending">, upTo: number): Promise<number>;
  /**
   * All or none, 1..100 writes, each on a key of its own. Throws ConditionFailed (nothing written), RecordTooLarge
   * (an item over 400 KB). Durable when it resolves. Concurrent conflicting writes are retried inside.
   */
  write(...writes: Write[]): Promise<void>;
  /** Of this process to the store, at this moment. */
  connections(): ConnectionUse;
  /** Does a write that leaves nothing behind. */
  ping(): Promise<void>;
}

/** Open connections: `active` ones are at work for a request, `idle` ones wait for the next. */
export interface ConnectionUse {
  active: number;
  idle: number;
}

/** What a walk through all records asks for. */
export interface InventoryRequest {
  /** Only records of these kinds. */
  kinds?: string[];
  /** Most records that one page looks at, 1..1000; it may answer fewer, or none. */
  limit: number;
  /** `cursor` of the page before; opaque. */
  after?: string;
}

/**
 * All records of all organizations, for maintenance and backups: it costs what the table is big, so no request may use
 * it. A record that is there from beginning to end of a walk is answered once; one written in between may be, or not.
 */
export interface RecordInventory {
  list(request: InventoryRequest): Promise<RecordPage>;
  /** Everything that is stored, also rows that have expired and are yet to go, whose going has consequences. */
  snapshot(): RecordSnapshot;
  /**
   * The same, which the backend makes by itself where reading all records would take too long: undefined while it does.
   * Ask again with the same `id` (letters, digits, `_`, `-`), which stands for one snapshot until it is discarded.
   */
  requestSnapshot(id: string): Promise<RecordSnapshot | undefined>;
  /** Deletes what the backend made for a snapshot that was requested; nothing where it made nothing. */
  discardSnapshot(id: string): Promise<void>;
  /**
   * Stores records, any number, in place of what is under their keys, and tells no reader of the change feed: for a home
   * that is restored. Those of an earlier version are brought to today's. Not atomic; repeating it changes nothing.
   */
  fill(records: StoredRecord[]): Promise<void>;
  /**
   * Writes a page of the items of earlier versions as they are today. Loses no write that happens meanwhile, tells no
   * reader of the change feed; repeating it changes nothing.
   */
  upgrade(request: UpgradeRequest): Promise<UpgradePage>;
}

export type UpgradeRequest = Omit<InventoryRequest, "kinds">;

/** How many items a page of an upgrade looked at and wrote; without a cursor it was the last. */
export interface UpgradePage {
  checked: number;
  upgraded: number;
  cursor?: string;
}

export interface RecordSnapshot {
  /** `moment`: all of it is as it was at one moment, so no transaction is there in part. `pages`: each page is as it was when it was read. */
  consistency: "moment" | "pages";
  /** Gone through once. The moment, if there is one, is that of the first page. */
  pages: AsyncIterable<StoredRecord[]>;
}

// ---------------------------------------------------------------- search

/**
 * What is searched. `version` orders writes of one document, in whatever order they arrive: the highest wins, and at
 * equal versions a removal beats an upsert. Keyword search indexes `content` under `indexTerms` of retrieval/keywords.
 */
export interface SearchDocument {
  /** The partition that a search is confined to: an organization's id for its memories, or one of retrieval/partitions.ts. */
  org: string;
  id: string;
  version: number;
  content: string;
  user_id?: string;
  category?: string;
  /** All of them, where there are several; `category` is among them. */
  categories?: string[];
  type?: string;
  /** Names of an agent, an application and a run that clients gave it. */
  labels?: { agent?: string; app?: string; run?: string };
  metadata: JsonObject;
  entity_ids: string[];
  session_id?: string;
  /** Agents that may see it, as `SearchScope.viewer`; each until then (ISO), or for good. */
  viewers?: { agent: string; until?: string }[];
  /** ISO with its offset; absent where it happened when it was created. */
  occurred_at?: string;
  created_at: string;
  updated_at: string;
  /** ISO; from that instant on the document is in no answer. */
  expire_at?: string;
  /** What people gave it, 1 (useless) to 5 (just right); absent until somebody does. `count` is at least 1. */
  ratings?: { count: number; mean: number };
  original_tokens: number;
  compressed_tokens: number;
  processing_ms: number;
  /** Unit length, `Embedder.dimensions` long; may be absent where `SearchIndex.embedsLater`. */
  embedding?: Float32Array;
}

export type SearchSource = Omit<SearchDocument, "embedding">;

export interface SearchHit {
  id: string;
  /** Semantic: (1 + cosine) / 2, in 0..1. Keyword: the engine's raw BM25, above 0. */
  score: number;
  /** Keyword hits only: those terms of `KeywordStatistics` that the document holds. */
  terms?: string[];
  /** What those count for, 0..1, that the document holds in another form, as a stem or with a typing error; 1 for others. */
  weights?: Map<string, number>;
  /** Keyword hits only: the document's vector is still to be computed, so that no semantic query finds it. */
  isPending?: boolean;
  document: SearchSource;
}

/** All named filters must hold; an array means any of its values, so an empty one matches nothing. Dates are ISO and inclusive. */
export interface SearchFilters {
  ids?: string[];
  /** Documents that name any of these entities. */
  entity_ids?: string[];
  user_id?: string[];
  category?: string[];
  type?: string[];
  created_after?: string;
  created_before?: string;
  /** By `occurred_at`, else `created_at`. */
  occurred_after?: string;
  occurred_before?: string;
  /** Equality of a (dotted, so also nested) metadata field; an array field matches when it holds the value. */
  metadata?: { [path: string]: Scalar };
  where?: SearchExpression;
}

/** Conditions joined: `all` of none is everything, `any` of none nothing. */
export type SearchExpression =
  | { all: SearchExpression[] }
  | { any: SearchExpression[] }
  | { not: SearchExpression }
  | SearchCondition;

/**
 * A test of what a document says at a path: `id`, `user_id`, `agent_id`, `app_id`, `run_id`, `category`, `categories`, `type`,
 * `created_at`, `occurred_at` (in UTC), `updated_at`, `expire_at`, or `metadata.` and a dotted path in it. Where there is a list, any member may pass;
 * where there is nothing, nothing does. Ordering compares numbers with numbers, texts with texts (bytewise).
 */
export type SearchCondition = { path: string } & (
  | { equals: Scalar[] }
  | { present: true }
  | { contains: string; anyCase?: true }
  | { atLeast?: string | number; greaterThan?: string | number; atMost?: string | number; lessThan?: string | number }
);

export interface SearchScope {
  /** Both queries of a search are confined to it. */
  org: string;
  /** Agent for which there are only documents that name it as a viewer: in hits, counts and statistics alike. */
  viewer?: string;
  filters?: SearchFilters;
  /** Epoch milliseconds; documents that expired by then are left out, unless `expired` says otherwise. */
  now: number;
  /** Documents that expired and are not removed yet: `shown` among the others, or the `only` ones. */
  expired?: "shown" | "only";
  /** Rejects the call when it is aborted, and ends what it does as soon as the engine can be told. */
  signal?: AbortSignal;
}

export interface SearchRequest extends SearchScope {
  /**
   * `text` is what the vector was made of, for an index that still has vectors of another embedder, which may take
   * `timeLimit` milliseconds for it.
   */
  semantic?: { vector: Float32Array; limit: number; text?: string; timeLimit?: number };
  /** Free text of a person: analysed (stop words, stemming), never parsed as a query language. */
  keyword?: { text: string; limit: number };
}

/** What the keyword query was made of, so that fusion can tell how much of it a hit holds. */
export interface KeywordStatistics {
  /** Documents of the organization that the viewer may see, before filters. */
  documents: number;
  /** Each keyword of the query once, and how many of those documents hold it; both may lag behind recent removals. */
  terms: { term: string; documents: number }[];
}

export interface SearchAnswer {
  /** Best first; ties by id. Empty where that query was not asked for. */
  semantic: SearchHit[];
  keyword: SearchHit[];
  /** Present when a keyword query was asked for. */
  statistics?: KeywordStatistics;
  /** The embedder of the vectors that were compared, where it is not the one in use: cosines mean what they do with it. */
  comparedBy?: Calibrated;
}

/** A scope and what in it to find the neighbours of: documents in time, entities by mention. */
export interface NeighbourRequest extends SearchScope {
  documents: Pick<SearchSource, "id" | "user_id" | "session_id" | "created_at" | "occurred_at">[];
  /** How many neighbours in time to answer on either side of a document. */
  reach: number;
  entities: string[];
  /** An entity that more documents name than this is answered without any. */
  mostMembers: number;
}

export interface Neighbours {
  /** Every document named below, once. */
  documents: SearchSource[];
  /**
   * By document asked for: ids of those of the same user and session (both may be absent) right before and right after it,
   * in the order of when they happened, then id.
   */
  inTime: Map<string, string[]>;
  /** By entity asked for: ids of the documents that name it. */
  members: Map<string, string[]>;
}

export type AggregateField = "category" | "type" | "user_id";

export interface Aggregates {
  count: number;
  /** Documents per value, most first; those without the field are counted under no value. At most 100 values a field. */
  terms: Partial<Record<AggregateField, { value: string; count: number }[]>>;
  sums: { original_tokens: number; compressed_tokens: number; processing_ms: number };
}

/** A document that is in the index, expired or not. */
export type IndexedVersion = Pick<SearchDocument, "org" | "id" | "version">;

export interface DocumentListing {
  /** In the order of their partitions, then ids, bytewise. */
  documents: IndexedVersion[];
  /** Absent on the last page. */
  cursor?: string;
}

/** An index that is built beside the one in use, to take its place. Whether it has writes to that one meanwhile is open. */
export interface IndexRebuild extends Pick<SearchIndex, "upsert" | "remove" | "versions" | "list"> {
  /** Puts it into the place of the one in use, for all searches and writes at one stroke, and drops that one. May be repeated. */
  activate(): Promise<void>;
}

/** What a walk through an index asks for; `limit` is 1..1000. */
export interface DocumentListRequest {
  /** Only one partition. */
  org?: string;
  limit: number;
  after?: string;
}

/** A page of a scope, by a time, then id; `offset` and `limit` together at most 10,000. */
export interface BrowseRequest extends SearchScope {
  /** `created_at` where it is left out. */
  order?: DocumentOrder;
  descending: boolean;
  offset: number;
  limit: number;
  /** The document that the page, by creation, begins behind, whether it is still there or not; `offset` is 0 then. */
  after?: Pick<SearchSource, "id" | "created_at">;
}

/** `occurred_at` is `created_at` where a document has none. */
export type DocumentOrder = "created_at" | "occurred_at" | "updated_at";

export interface BrowseAnswer {
  documents: SearchSource[];
  /** How many documents the scope has, wherever the page begins. */
  total: number;
}

export interface VectorState {
  /** Id of the embedder in use. */
  embedder: string;
  /** Documents that wait for their vector. */
  pending: number;
  /** Whose vectors are compared: those of the embedder in use, of the one before while its own are made, or none. */
  compared: "current" | "former" | "none";
  /** Whether those of the embedder in use come by a rebuild alone, which somebody must begin. */
  needsRebuild: boolean;
}

export interface SearchIndex {
  /** Whether documents may come without a vector, which the index computes itself soon after; keywords find them at once. */
  readonly embedsLater?: boolean | undefined;
  /** Whether what some records say is still missing from the index, which is being compared with them. */
  readonly isCatchingUp?: boolean | undefined;
  /** What searches by meaning compare in those partitions, and what is still to come. */
  vectorState(orgs: string[]): Promise<VectorState>;
  /** The version of a document that searches by meaning find; 0 where they find none. */
  searchableVersion(reference: Pick<IndexedVersion, "org" | "id">): Promise<number>;
  /**
   * The vectors that the organizations' documents have of those contents, in their order; undefined where there is none. On
   * AWS what was written within the last second may be missing.
   */
  vectorsOf(contents: Pick<SearchDocument, "org" | "content">[]): Promise<(Float32Array | undefined)[]>;
  /** At-least-once safe: a stale document is skipped and counts as done. Durable and searchable when it resolves (on AWS within a second). */
  upsert(documents: SearchDocument[]): Promise<void>;
  /** Leaves a tombstone of that version, so that a late upsert of an older one stays out. */
  remove(references: { org: string; id: string; version: number }[]): Promise<void>;
  /** One round trip for both queries. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** One round trip for all neighbours, which are in the scope too. */
  neighbours(request: NeighbourRequest): Promise<Neighbours>;
  count(scope: SearchScope): Promise<number>;
  browse(request: BrowseRequest): Promise<BrowseAnswer>;
  aggregate(scope: SearchScope, terms: AggregateField[]): Promise<Aggregates>;
  /** Those of the documents that are in the index, expired or not, as of now. Any number, in any order. */
  versions(references: Pick<IndexedVersion, "org" | "id">[]): Promise<IndexedVersion[]>;
  /**
   * Opens the index that is being built under a name (lower-case letters and digits), or begins it; any other that is
   * unfinished is dropped. Under the name of the one in use it is that one.
   */
  rebuild(name: string): Promise<IndexRebuild>;
  /** Walks through what is in the index, for maintenance; sees every write that resolved before the page was asked for. */
  list(request: DocumentListRequest): Promise<DocumentListing>;
  /** Drops tombstones older than `before` (epoch milliseconds); answers how many. */
  purge(before: number): Promise<number>;
  /** Rejects where an index is damaged, or cannot be written on one machine. */
  ping(): Promise<void>;
}

// ---------------------------------------------------------------- blobs, queues, mail, secrets

export interface Blob {
  bytes: Uint8Array;
  contentType: string;
}

/** A blob that is read part by part. */
export interface BlobStream {
  /** In bytes. */
  size: number;
  contentType: string;
  /** May be gone through once, or not at all; holds nothing open before it is. Rejects where the blob went in between. */
  parts: AsyncIterable<Uint8Array>;
}

/** A blob by what a listing tells of it. */
export interface BlobEntry {
  key: string;
  /** In bytes. */
  size: number;
  /** When it was last put, in epoch milliseconds. */
  modifiedAt: number;
}

export interface BlobListing {
  /** In the bytewise order of their keys. */
  blobs: BlobEntry[];
  /** Absent on the last page. */
  cursor?: string;
}

/** Keys are `/`-separated, of letters, digits and `._-`; an adapter refuses any other. */
export interface BlobStore {
  put(key: string, blob: Blob): Promise<void>;
  /**
   * The same part by part, of any length, never with more of it in memory than a few. It is there when it resolves and
   * not before; where the parts fail what was there stays.
   */
  write(key: string, blob: Omit<BlobStream, "size">): Promise<void>;
  get(key: string): Promise<Blob | undefined>;
  /** The same, never with more of it in memory than a part: for blobs of any size. */
  open(key: string): Promise<BlobStream | undefined>;
  /** Absent keys are fine. */
  delete(key: string): Promise<void>;
  /** Walks through the blobs whose keys begin with `prefix`, for maintenance and backups; `limit` is 1..1000. */
  list(request: { prefix?: string; limit: number; after?: string }): Promise<BlobListing>;
  /** A link that reads or writes the blob without a credential until it expires. */
  presign(key: string, verb: "get" | "put", expiresInSeconds: number): Promise<string>;
  /** How full the disk is that holds them, whoever fills it; undefined where there is none that could be full. */
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

/** Work that was under way when a process died, by the message that a worker takes for it. */
export interface QuarantinedWork {
  id: string;
  queue: string;
  body: JsonObject;
  /** In epoch milliseconds, like `quarantinedAt`. */
  startedAt: number;
  quarantinedAt: number;
}

/** Queues are named by their workers' manifests; consumers get real SQSEvents, at least once, in any order. */
export interface Queue {
  send(queue: string, messages: QueueMessage[]): Promise<void>;
  depth(queue: string): Promise<QueueDepth>;
  /** Every queue there is, those of dead letters included, in alphabetical order. */
  names(): string[];
  /**
   * Does in this process what a message asks a worker to do, marked as that worker's is: if the process dies meanwhile, the
   * work is quarantined. Lifts an earlier quarantine of the same work.
   */
  working<T>(queue: string, body: JsonObject, work: () => Promise<T>): Promise<T>;
  /**
   * Work that no schedule begins again, oldest first; `send` lifts its quarantine. Empty on AWS, where a function's death
   * leaves the message to the redrive policy.
   */
  quarantined(): Promise<QuarantinedWork[]>;
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

/** Names begin with a purpose, see `secret-names.ts`. */
export interface Secrets {
  get(name: SecretName): Promise<string | undefined>;
  /** Stores the value unless the name has one; answers the value that holds now, so racing makers agree. */
  putIfAbsent(name: SecretName, value: string): Promise<string>;
  /** For good: a removed name is never used again. Absent names are fine. */
  remove(name: SecretName): Promise<void>;
}

// ---------------------------------------------------------------- logs

/** One line that the service wrote. */
export interface LogLine {
  id: string;
  /** ISO. */
  at: string;
  level: LogLevel;
  /** The endpoint group or worker that wrote it, or the service as a whole. */
  service: string;
  /** Its message code. */
  message: string;
  /** Everything else of it. */
  fields: JsonObject;
}

/** Both ends of the range are ISO and inclusive. */
export interface LogFilter {
  level?: LogLevel;
  service?: string;
  from: string;
  to: string;
}

/** What the service logged lately, in all its processes. Lines come some seconds late on AWS, at most one at home. */
export interface LogStore {
  /** The newest `limit` (1..10000) lines that match, newest first, and how many match in all. */
  find(filter: LogFilter, limit: number): Promise<{ lines: LogLine[]; total: number }>;
  /**
   * Drops lines of before that moment (epoch milliseconds), or only tells how many that would be and of how many bytes.
   * Undefined on AWS, where it does nothing: there the retention of the log groups does it.
   */
  prune(before: number, dryRun: boolean): Promise<{ lines: number; bytes: number } | undefined>;
}

// ---------------------------------------------------------------- models

/** What a text is embedded for: some models encode what is searched for and what is found differently. */
export type EmbeddingPurpose = "query" | "passage";

export interface EmbeddingOptions {
  purpose: EmbeddingPurpose;
  /** Gives the embedding up. */
  signal?: AbortSignal;
}

/** How the cosines of unrelated texts are distributed: what a cosine means differs from model to model. */
export interface CosineBackground {
  mean: number;
  deviation: number;
}

/** What the ranking knows of an embedder. */
export type Calibrated = Pick<Embedder, "background" | "isLexical">;

export interface Embedder {
  /** Names model and dimensions; vectors of different ids are not comparable. */
  readonly id: string;
  readonly dimensions: number;
  /** Whether it compares words, as keyword search does, rather than meaning. */
  readonly isLexical?: boolean;
  /** Measured on questions and the turns of one person's conversations that do not answer them. */
  readonly background: CosineBackground;
  /** One unit-length vector a text, in order. Texts may be empty or of any length. Rejects when the signal is aborted. */
  embed(texts: string[], options: EmbeddingOptions): Promise<Float32Array[]>;
}

export interface RerankOptions {
  /** Organization that it works for. */
  org: string;
  timeoutMs: number;
  /** Gives it up. */
  signal: AbortSignal;
}

/** The second stage of a search: reads the best of what was found beside the query. */
export interface Reranker {
  /** Names the model. */
  readonly id: string;
  /** Longest that a search waits for it. */
  readonly timeoutMs: number;
  /** How well each of at most 30 texts answers the query, 0..1, in their order. The caller checks the answer. */
  rerank(query: string, texts: string[], options: RerankOptions): Promise<number[]>;
}

/**
 * Something a language model is asked to do, as data: how to ask, what shape the answer has, and what to answer by rule
 * when there is no model or it fails. The rule may load what it needs on first use, hence the promise.
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
  /** True when a model was asked and the built-in rule had to answer. */
  fallback: boolean;
  /** Why the rule had to answer; nothing of what was asked or answered, and no secret. */
  failure?: string;
  /** The rule had to answer because the model's time was over. */
  isLate?: boolean;
  /** Of all the times the model was asked, also where its answer was no use; zero for the built-in rules. */
  usage: TokenUsage;
  /** Requests to the model, those that brought no answer included. */
  calls: number;
}

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

/** How much a model may take for a task; its own limits hold besides. */
export interface TaskLimits {
  /** Organization that it works for; organizations take turns at the rules. */
  org?: string;
  timeoutMs?: number;
  /** Most tokens of one answer. What is cut off there is no answer: the task itself should ask for less. */
  maxTokens?: number;
  /** 0 up to 2, as OpenAI counts; 0 unless given. Rules have none. */
  temperature?: number | undefined;
}

export interface LanguageModel {
  /** Present where it answers by the rules of tasks alone. */
  readonly isRules?: true;
  /** Asks, repeats and repairs within the limits, then answers by rule. */
  run<Input, Output>(
    task: LanguageTask<Input, Output>,
    input: Input,
    limits?: TaskLimits,
  ): Promise<LanguageAnswer<Output>>;
}

/** A model by who provides it and what it is called there. */
export interface ModelChoice {
  provider: (typeof MODEL_PROVIDERS)[number];
  model: string;
}

/** The language models that a home can reach. */
export interface LanguageModels {
  /** What the home's configuration names. */
  readonly usual: ModelChoice;
  /** Providers within reach, each with the model it is asked for unless told; `usual` is among them. */
  readonly providers: readonly ModelChoice[];
  /** The chosen model, or the usual one. Opened at its first use and remembered. Rejects for a provider out of reach. */
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
  /** Absent where searches have one stage alone. */
  reranker?: Reranker | undefined;
  models: LanguageModels;
  mailer: Mailer;
  secrets: Secrets;
  logs: LogStore;
}

export type PortName = keyof Ports;

/** A port, of secrets those of one purpose: what a function may use and is granted. */
export type Capability = Exclude<PortName, "secrets"> | "inventory:export" | `secrets:${SecretPurpose}`;
