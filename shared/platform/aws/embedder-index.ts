import { type API, type Client, errors } from "@opensearch-project/opensearch";
import type { Clock } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/digest.ts";
import { inBatches } from "../../kernel/parallel.ts";
import { type Keyword, queryKeywords } from "../../retrieval/keywords/keywords.ts";
import { misspelt } from "../../retrieval/keywords/spellings.ts";
import { BackendBusy } from "../errors.ts";
import { RELEASE } from "../formats.ts";
import type {
  AggregateField,
  Aggregates,
  BrowseAnswer,
  BrowseRequest,
  DocumentListing,
  DocumentListRequest,
  IndexedVersion,
  IndexRebuild,
  KeywordStatistics,
  NeighbourRequest,
  Neighbours,
  SearchAnswer,
  SearchDocument,
  SearchHit,
  SearchRequest,
  SearchScope,
  SearchSource,
} from "../ports.ts";
import { requireIndexName, requireQueryLimit } from "../preconditions.ts";
import { attempts } from "./backoff.ts";
import { type IndexNames, requireKnownFormat, type StoredIndex } from "./index-names.ts";
import { INDEX_FORMAT, type IndexedDocument, type IndexMeta, indexDefinition, toIndexed } from "./search-mapping.ts";
import {
  type AskedKeyword,
  aggregateQuery,
  browseQuery,
  heldIn,
  inScope,
  inTimeQuery,
  keywordQuery,
  listQuery,
  memberQuery,
  semanticQuery,
  statisticsQuery,
  tombstonesBefore,
  vectorsQuery,
} from "./search-queries.ts";

/** Most bytes of one bulk request; small domains refuse more than 10 MB. */
const MAX_BULK_BYTES = 5_000_000;
/** A purge works through many documents. */
const PURGE_TIMEOUT_MS = 60_000;
/** Documents that are looked up at a time. */
const MAX_LOOK_UP = 1000;
/** Vectors that are looked up at a time. */
const MAX_VECTORS = 100;
const STALE = 409;
/** Item statuses of a bulk that say the engine was too busy. */
const PASSING = new Set([429, 503]);

type Mappings = API.Indices_Create_RequestBody["mappings"];

/** An index that a request named is not there, or not by the name that it was written by. */
export class IndexMissingError extends Error {
  constructor(index: string) {
    super(`there is no index ${index}`);
  }
}

export interface EmbedderIndexOptions {
  names: IndexNames;
  /** Whose vectors it has; without dimensions it can be used, but not be made. */
  embedder: { id: string; dimensions?: number };
  clock: Clock;
  /** Whether an index that is not there is read as an empty one. */
  isEmptyWhereMissing?: boolean;
  /** Whether the names are those of an index, not aliases. */
  isConcrete?: boolean;
}

/**
 * The documents with vectors of one embedder, on OpenSearch 2.19 or 3 with its k-NN plugin. Its verbs are those of
 * SearchIndex; they throw IndexMissingError where the index is not there, as when that of another embedder took its place.
 */
export class EmbedderIndex {
  readonly #client: Client;
  readonly #index: string;
  readonly #names: IndexNames;
  readonly #embedder: EmbedderIndexOptions["embedder"];
  readonly #clock: Clock;
  readonly #isEmptyWhereMissing: boolean;
  readonly #isConcrete: boolean;

  constructor(client: Client, options: EmbedderIndexOptions) {
    const { names, embedder, clock, isEmptyWhereMissing = false, isConcrete = false } = options;
    this.#client = client;
    this.#index = names.read;
    this.#names = names;
    this.#embedder = embedder;
    this.#clock = clock;
    this.#isEmptyWhereMissing = isEmptyWhereMissing;
    this.#isConcrete = isConcrete;
  }

  async vectorsOf(contents: Pick<SearchDocument, "org" | "content">[]): Promise<(Float32Array | undefined)[]> {
    const wanted = contents.map(({ org, content }) => ({ org, hash: sha256(content) }));
    const found = new Map<string, Float32Array>();
    for (const [org, own] of Map.groupBy(wanted, ({ org }) => org)) {
      for (const batch of inBatches([...new Set(own.map(({ hash }) => hash))], MAX_VECTORS)) {
        const { vectors } = await this.#multiSearch({ org }, { vectors: vectorsQuery(org, batch) });
        for (const { fields } of vectors?.hits.hits ?? []) {
          const [hash] = fields?.content_hash ?? [];
          if (fields?.vector?.[0]) found.set(`${org}/${hash}`, toVector(fields.vector[0]));
        }
      }
    }
    return wanted.map(({ org, hash }) => found.get(`${org}/${hash}`));
  }

  async upsert(documents: SearchDocument[]): Promise<void> {
    await this.#store(documents.map((document) => ({ version: document.version * 2, document: toIndexed(document) })));
  }

  async remove(references: { org: string; id: string; version: number }[]): Promise<void> {
    const deleted_ms = this.#clock();
    await this.#store(
      // Between two versions, so that a removal beats an upsert of its own version and no later one.
      references.map(({ org, id, version }) => ({
        version: version * 2 + 1,
        document: { org, id, deleted: true, deleted_ms },
      })),
    );
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    const { semantic, keyword, signal: _, ...scope } = request;
    const keywords = queryKeywords(keyword?.text ?? "").map((one) => ({ ...one, spelt: [] }));
    const answers = await this.#multiSearch(request, {
      ...(semantic && { semantic: semanticQuery(semantic, scope) }),
      ...(keyword && keywordQueries(keywords, keyword.limit, scope)),
    });
    const matched = keyword && (await this.#mended(request, keyword.limit, toMatched(keywords, answers)));
    return {
      semantic: (answers.semantic?.hits.hits ?? []).map(toHit),
      keyword: matched?.keyword ?? [],
      ...(matched && { statistics: matched.statistics }),
    };
  }

  /** What the keywords match with the spellings within one edit of those that hardly any document has; costs a round trip. */
  async #mended(request: SearchRequest, limit: number, matched: Matched): Promise<Matched> {
    const { semantic: _semantic, keyword: _keyword, signal: _signal, ...scope } = request;
    const rare = new Set<Keyword>(misspelt(matched.keywords, matched.statistics));
    if (rare.size === 0) return matched;
    const keywords = matched.keywords.map((one) => (rare.has(one) ? { ...one, spelt: one.mendable } : one));
    return toMatched(keywords, await this.#multiSearch(request, keywordQueries(keywords, limit, scope)));
  }

  async neighbours(request: NeighbourRequest): Promise<Neighbours> {
    const { documents, reach, entities, mostMembers } = request;
    const answers = await this.#multiSearch(
      request,
      Object.fromEntries([
        ...documents.map((document) => [`before ${document.id}`, inTimeQuery(document, "desc", reach, request)]),
        ...documents.map((document) => [`after ${document.id}`, inTimeQuery(document, "asc", reach, request)]),
        ...entities.map((entity) => [`naming ${entity}`, memberQuery(entity, mostMembers, request)]),
      ]),
    );
    const found = new Map<string, SearchSource>();
    const idsOf = (sources: SearchSource[]) => {
      for (const source of sources) found.set(source.id, source);
      return sources.map(({ id }) => id);
    };
    const sources = (query: string) => (answers[query]?.hits.hits ?? []).map(({ _source }) => _source.source);
    const inTime = documents.map(({ id }): [string, string[]] => [
      id,
      idsOf([...sources(`before ${id}`).reverse(), ...sources(`after ${id}`)]),
    ]);
    const members = entities.map((entity): [string, string[]] => {
      const naming = sources(`naming ${entity}`);
      return [entity, naming.length > mostMembers ? [] : idsOf(naming)];
    });
    return { documents: [...found.values()], inTime: new Map(inTime), members: new Map(members) };
  }

  async count(scope: SearchScope): Promise<number> {
    const { body } = await abortable(scope.signal, () =>
      this.#client.count({
        index: this.#index,
        routing: scope.org,
        ignore_unavailable: true,
        body: { query: inScope(scope) },
      }),
    );
    this.#requireShards(body);
    return body.count;
  }

  async browse(request: BrowseRequest): Promise<BrowseAnswer> {
    const { page } = await this.#multiSearch(request, { page: browseQuery(request) });
    const documents = (page?.hits.hits ?? []).map(({ _source }) => _source.source);
    return { documents, total: page?.hits.total.value ?? 0 };
  }

  async aggregate(scope: SearchScope, fields: AggregateField[]): Promise<Aggregates> {
    const { all } = await this.#multiSearch(scope, { all: aggregateQuery(scope, fields) });
    const found = all?.aggregations ?? {};
    const terms = fields.map((field) => [
      field,
      (found[field]?.buckets ?? []).map(({ key, doc_count }) => ({ value: key, count: doc_count })),
    ]);
    const sum = (field: keyof Aggregates["sums"]) => found[field]?.value ?? 0;
    return {
      count: all?.hits.total.value ?? 0,
      terms: Object.fromEntries(terms),
      sums: {
        original_tokens: sum("original_tokens"),
        compressed_tokens: sum("compressed_tokens"),
        processing_ms: sum("processing_ms"),
      },
    };
  }

  async versions(references: Pick<IndexedVersion, "org" | "id">[]): Promise<IndexedVersion[]> {
    const found: IndexedVersion[] = [];
    for (const batch of inBatches(references, MAX_LOOK_UP)) {
      const docs = batch.map(({ org, id }) => ({ _id: `${org}/${id}`, routing: org, _source: false }));
      const { body } = await this.#client.mget({ index: this.#index, body: { docs } });
      for (const [place, answered] of (body.docs as LookedUp[]).entries()) {
        const reference = batch[place];
        const { _version: stored, error } = answered;
        if (isMissing(error) && !this.#isEmptyWhereMissing) throw new IndexMissingError(this.#index);
        // A tombstone's version is odd.
        if (reference && stored !== undefined && stored % 2 === 0) found.push({ ...reference, version: stored / 2 });
      }
    }
    return found;
  }

  /** As `SearchIndex.rebuild`; `formers` names the indexes of other embedders, which its activation drops too. */
  async rebuild(name: string, formers: () => Promise<string[]>): Promise<IndexRebuild> {
    requireIndexName(name);
    const own = `${this.#index}--${name}`;
    const generations = await this.#generations();
    await this.#drop(generations.filter(({ index, inUse }) => index !== own && !inUse));
    const built = new EmbedderIndex(this.#client, {
      names: { ...this.#names, read: own, write: own },
      embedder: this.#embedder,
      clock: this.#clock,
      isConcrete: true,
    });
    const begun = generations.find(({ index }) => index === own);
    if (begun) await built.#addFields();
    else await built.#make();
    if (!begun?.inUse) await this.#point(this.#names.building, own);
    return {
      upsert: (documents) => built.upsert(documents),
      remove: (references) => built.remove(references),
      versions: (references) => built.versions(references),
      list: (request) => built.list(request),
      activate: async () => this.#use(own, await formers()),
    };
  }

  async list({ org, limit, after }: DocumentListRequest): Promise<DocumentListing> {
    requireQueryLimit({ limit });
    await this.#client.indices.refresh({ index: this.#index, ignore_unavailable: true });
    const header = { routing: org, ignore_unavailable: true };
    const query: object = listQuery(limit + 1, org, after === undefined ? undefined : JSON.parse(after));
    const { body } = await this.#client.msearch({ index: this.#index, body: [header, query] });
    for (const response of body.responses) this.#requireShards(response);
    const found = toListed(body.responses[0]).hits.hits;
    const documents = found.slice(0, limit).map(({ sort: [partition, id], _version }) => {
      return { org: partition, id, version: _version / 2 };
    });
    const last = documents.at(-1);
    if (found.length <= limit || last === undefined) return { documents };
    return { documents, cursor: JSON.stringify([last.org, last.id]) };
  }

  async purge(before: number): Promise<number> {
    const { body } = await this.#client.deleteByQuery(
      {
        index: this.#index,
        ignore_unavailable: true,
        // A document written again meanwhile is a tombstone no more.
        conflicts: "proceed",
        refresh: true,
        body: { query: tombstonesBefore(before) },
      },
      // The engine goes on with one that nobody waits for any more: another would only work beside it.
      { requestTimeout: PURGE_TIMEOUT_MS, maxRetries: 0 },
    );
    return "deleted" in body ? (body.deleted ?? 0) : 0;
  }

  async #store(writes: VersionedDocument[]): Promise<void> {
    for (const batch of batchesOf(writes.map((write) => this.#operation(write)))) await this.#bulk(batch);
  }

  /** The indexes that were built anew, and whether they are in use. */
  async #generations(): Promise<{ index: string; inUse: boolean }[]> {
    const { body } = await this.#client.indices.getAlias({ index: `${this.#index}--*`, ignore_unavailable: true });
    return Object.entries(body).map(([index, { aliases }]) => ({ index, inUse: Object.hasOwn(aliases, this.#index) }));
  }

  /** One change of the cluster's state: no search and no write sees both, or none. */
  async #use(built: string, formers: string[]): Promise<void> {
    await this.#client.indices.refresh({ index: built });
    const { read, write, building } = this.#names;
    const { body: former } = await this.#client.indices.getAlias({ index: read, ignore_unavailable: true });
    const others = [...Object.keys(former), ...formers].filter((index) => index !== built);
    const { body: switched } = await this.#client.indices.updateAliases({
      body: {
        actions: [
          ...[read, write].map((alias) => ({ add: { index: built, alias } })),
          { remove: { index: built, alias: building, must_exist: false } },
          ...others.map((index) => ({ remove_index: { index } })),
        ],
      },
    });
    // A node that has not heard of it may still take writes into the former index: whoever goes on must come again.
    if (!switched.acknowledged) throw new Error(`not every node knows yet that ${built} is in use`);
  }

  /** Moves an alias to one of the generations: of several it would take no write. */
  async #point(alias: string, index: string): Promise<void> {
    const remove = { index: `${this.#index}--*`, alias, must_exist: false };
    await this.#client.indices.updateAliases({ body: { actions: [{ remove }, { add: { index, alias } }] } });
  }

  async #drop(generations: { index: string }[]): Promise<void> {
    if (generations.length === 0) return;
    const actions = generations.map(({ index }) => ({ remove_index: { index } }));
    await this.#client.indices.updateAliases({ body: { actions } });
  }

  /** Makes the index, unless another process just did. */
  async create(): Promise<void> {
    await this.#make({ [this.#names.write]: {} });
  }

  async #make(aliases: Record<string, object> = {}): Promise<void> {
    const { dimensions, id } = this.#embedder;
    if (dimensions === undefined) throw new Error(`nobody knows how long vectors of ${id} are`);
    const { mappings, settings } = indexDefinition(dimensions);
    const body = { settings, mappings: { ...mappings, _meta: this.#meta() }, aliases };
    try {
      await this.#client.indices.create({ index: this.#index, body });
    } catch (error) {
      if (!isAlreadyThere(error)) throw error;
    }
  }

  #meta(): IndexMeta {
    return { format: INDEX_FORMAT, release: RELEASE, embedder: this.#embedder.id, prefix: this.#names.prefix };
  }

  /**
   * Gives an index that an earlier release made what came since. The next release, which has more, may be at work beside
   * this one in its canary. Throws NewerFormatError.
   */
  async prepare({ index, aliases, meta }: StoredIndex): Promise<void> {
    requireKnownFormat(index, meta);
    if ((meta.format ?? 1) <= INDEX_FORMAT) await this.#addFields();
    if (aliases.includes(this.#names.write)) return;
    const actions = [{ add: { index, alias: this.#names.write } }];
    await this.#missingAsError(() => this.#client.indices.updateAliases({ body: { actions } }));
  }

  /** Vectors are as long as they were. */
  async #addFields(): Promise<void> {
    const { embedding: _, ...properties } = indexDefinition(0).mappings?.properties ?? {};
    const body: Mappings = { properties, _meta: { ...this.#meta() } };
    await this.#missingAsError(() => this.#client.indices.putMapping({ index: this.#index, body: body ?? {} }));
  }

  async #missingAsError<Response>(send: () => Promise<Response>): Promise<Response> {
    try {
      return await send();
    } catch (error) {
      if (error instanceof errors.ResponseError && isMissing(error.body?.error))
        throw new IndexMissingError(this.#index);
      throw error;
    }
  }

  #operation({ version, document }: VersionedDocument): Operation {
    const { org, id } = document;
    const action = { index: { _id: `${org}/${id}`, routing: org, version, version_type: "external_gte" } };
    return { lines: [action, document], bytes: Buffer.byteLength(JSON.stringify(document)) };
  }

  /**
   * A stale write is done: a newer one came first. What the engine was too busy for is sent again. By an alias, as by the
   * name of an index that is not there OpenSearch would make one.
   */
  async #bulk(batch: Operation[]): Promise<void> {
    const { write } = this.#names;
    let pending = batch;
    for await (const _attempt of attempts()) {
      const { body } = await this.#client.bulk({
        index: write,
        require_alias: !this.#isConcrete,
        body: pending.flatMap(({ lines }) => lines),
      });
      const items = body.items.map(({ index }) => index);
      if (items.some((item) => isMissing(item?.error))) throw new IndexMissingError(write);
      const isPassing = (item: (typeof items)[number]) => item !== undefined && PASSING.has(item.status);
      const failed = items.find((item) => item && item.status >= 300 && item.status !== STALE && !isPassing(item));
      if (failed) throw refusalOf(failed);
      pending = pending.filter((_operation, place) => isPassing(items[place]));
      if (pending.length === 0) return;
    }
    throw new BackendBusy(`OpenSearch was too busy for ${pending.length} of ${batch.length} documents`);
  }

  /** A read that no shard answered found no index. */
  #requireShards(answer: object): void {
    const { _shards }: { _shards?: { total: number } } = answer;
    if (_shards?.total === 0 && !this.#isEmptyWhereMissing) throw new IndexMissingError(this.#index);
  }

  /** One round trip for all queries, on the one shard that holds the organization. An index not made yet is empty. */
  async #multiSearch<Name extends string>(
    { org, signal }: Pick<SearchScope, "org" | "signal">,
    queries: { [name in Name]?: object },
  ): Promise<{ [name in Name]?: Answer }> {
    const names = Object.keys(queries) as Name[];
    if (names.length === 0) return {};
    const header = { routing: org, ignore_unavailable: true };
    const body = names.flatMap((name) => [header, queries[name] ?? {}]);
    const answered = await abortable(signal, () => this.#client.msearch({ index: this.#index, body }));
    for (const response of answered.body.responses) this.#requireShards(response);
    return Object.fromEntries(names.map((name, place) => [name, toAnswer(name, answered.body.responses[place])])) as {
      [name in Name]?: Answer;
    };
  }
}

/** Sends a request that the signal takes back: its connection ends, upon which the engine gives up its work too. */
async function abortable<Response>(
  signal: AbortSignal | undefined,
  send: () => Promise<Response> & { abort(): void },
): Promise<Response> {
  signal?.throwIfAborted();
  const request = send();
  // Answers nothing: a promise that a listener returns and that fails ends the process.
  const abort = () => {
    request.abort();
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await request;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

interface VersionedDocument {
  version: number;
  document: IndexedDocument;
}

interface Operation {
  lines: object[];
  bytes: number;
}

function batchesOf(operations: Operation[]): Operation[][] {
  const batches: Operation[][] = [];
  let room = 0;
  for (const operation of operations) {
    if (operation.bytes > room || batches.length === 0) {
      batches.push([]);
      room = MAX_BULK_BYTES;
    }
    batches.at(-1)?.push(operation);
    room -= operation.bytes;
  }
  return batches;
}

/** As an index, or as the alias of one. */
function isAlreadyThere(error: unknown): boolean {
  if (!(error instanceof errors.ResponseError)) return false;
  const { type, reason } = error.body?.error ?? {};
  if (type === "resource_already_exists_exception") return true;
  return type === "invalid_index_name_exception" && String(reason).includes("already exists as alias");
}

function isMissing(error: { type?: string } | undefined): boolean {
  return error?.type === "index_not_found_exception";
}

/** What is wrong with a document, or with an engine that takes none: it failed, or its disk is nearly full. */
function refusalOf({ _id, status, error }: { _id?: string | null; status: number; error?: Fault }): Error {
  const message = `OpenSearch refused ${_id}: ${error?.reason ?? status}`;
  const isTheEngines = status >= 500 || error?.type === "cluster_block_exception";
  return isTheEngines ? new BackendBusy(message) : new Error(message);
}

interface Fault {
  type?: string;
  reason?: string | null;
}

interface Hit {
  _score: number;
  _source: { source: SearchSource };
  matched_queries?: string[];
  fields?: { content_hash?: string[]; vector?: string[] };
}

interface Aggregation {
  value?: number;
  buckets?: { key: string; doc_count: number }[];
}

/** A document that was looked up; without a version there is none. */
interface LookedUp {
  _version?: number;
  error?: Fault;
}

/** What this adapter reads of a page of a walk. */
interface Listed {
  hits: { hits: { _version: number; sort: [org: string, id: string] }[] };
}

/** What this adapter reads of an answer; its queries ask for all of it. */
interface Answer {
  hits: { total: { value: number }; hits: Hit[] };
  aggregations?: { [name: string]: Aggregation };
}

/** Each query of a multi-search fails by itself, within a request that succeeds. */
function toAnswer(name: string, response: object | undefined): Answer {
  if (response === undefined || "error" in response) {
    throw new Error(`OpenSearch failed the ${name} query: ${JSON.stringify(response)}`);
  }
  return response as Answer;
}

function toVector(base64: string): Float32Array {
  return new Float32Array(Uint8Array.from(Buffer.from(base64, "base64")).buffer);
}

function toListed(response: object | undefined): Listed {
  toAnswer("list", response);
  return response as Listed;
}

function toHit({ _score, _source: { source } }: Hit): SearchHit {
  return { id: source.id, score: _score, document: source };
}

/** What the keyword query found, and the keywords that it asked for. */
interface Matched {
  keywords: AskedKeyword[];
  keyword: SearchHit[];
  statistics: KeywordStatistics;
}

function keywordQueries(keywords: AskedKeyword[], limit: number, scope: SearchScope) {
  return {
    ...(keywords.length > 0 && { keyword: keywordQuery(keywords, limit, scope) }),
    statistics: statisticsQuery(keywords, scope),
  };
}

function toMatched(keywords: AskedKeyword[], answers: { keyword?: Answer; statistics?: Answer }): Matched {
  const { hits, aggregations } = answers.statistics ?? { hits: { total: { value: 0 } } };
  const buckets = aggregations?.terms?.buckets ?? [];
  return {
    keywords,
    keyword: (answers.keyword?.hits.hits ?? []).map((hit) => ({
      ...toHit(hit),
      ...heldIn(keywords, hit.matched_queries ?? []),
    })),
    statistics: {
      documents: hits.total.value,
      terms: keywords.map(({ term }, place) => ({ term, documents: buckets[place]?.doc_count ?? 0 })),
    },
  };
}
