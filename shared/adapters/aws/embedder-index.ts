import type { Client } from "@opensearch-project/opensearch";
import { sha256 } from "../../kernel/digest.ts";
import { inBatches, inSizedBatches } from "../../kernel/parallel.ts";
import { type Keyword, queryKeywords } from "../../language/words/keywords.ts";
import { misspelt } from "../../language/words/spellings.ts";
import { BackendBusyError } from "../../ports/errors.ts";
import { requireIndexName, requireQueryLimit } from "../../ports/preconditions.ts";
import type {
  AggregateField,
  Aggregates,
  BrowseAnswer,
  BrowseRequest,
  DocumentListing,
  DocumentListRequest,
  IndexedVersion,
  IndexRebuild,
  NeighbourRequest,
  Neighbours,
  SearchAnswer,
  SearchDocument,
  SearchRequest,
  SearchScope,
  SearchSource,
} from "../../ports/search-index.ts";
import { attempts } from "./backoff.ts";
import { type EmbedderIndexOptions, IndexGenerations } from "./index-generations.ts";
import type { StoredIndex } from "./index-names.ts";
import {
  type Answer,
  abortable,
  type Bucket,
  IndexMissingError,
  isMissing,
  keywordQueries,
  type Listed,
  type LookedUp,
  type Matched,
  refusalOf,
  toAnswer,
  toHit,
  toMatched,
  toVector,
} from "./search-answers.ts";
import { type IndexedDocument, toIndexed } from "./search-mapping.ts";
import {
  aggregateQuery,
  browseQuery,
  inScope,
  listQuery,
  neighboursQuery,
  ofAllMemories,
  semanticQuery,
  tombstonesBefore,
  vectorsQuery,
} from "./search-queries.ts";

/** Maximum bytes of a bulk request; small domains refuse more than 10 MB. */
const MAX_BULK_BYTES = 5_000_000;
/** A purge and a merge process many documents. */
const PURGE_TIMEOUT_MS = 60_000;
/** Maximum number of documents per lookup. */
const MAX_LOOK_UP = 1000;
/** Maximum number of vectors per lookup. */
const MAX_VECTORS = 100;
const STALE = 409;
/** Item statuses of a bulk request that mean the engine was too busy. */
const TRANSIENT_STATUSES = new Set([429, 503]);

/**
 * The documents with one embedder's vectors, on OpenSearch 2.19 or 3 with the k-NN plugin. Implements the verbs of
 * SearchIndex; they throw IndexMissingError if the index does not exist, for example because another embedder's index
 * replaced it.
 */
export class EmbedderIndex {
  readonly #client: Client;
  readonly #index: string;
  readonly #options: EmbedderIndexOptions;
  readonly #generations: IndexGenerations;

  constructor(client: Client, options: EmbedderIndexOptions) {
    this.#client = client;
    this.#index = options.names.read;
    this.#options = options;
    this.#generations = new IndexGenerations(client, options);
  }

  async vectorsOf(contents: Pick<SearchDocument, "org" | "content">[]): Promise<(Float32Array | undefined)[]> {
    const wanted = contents.map(({ org, content }) => ({ org, hash: sha256(content) }));
    const found = new Map<string, Float32Array>();
    for (const [org, wantedInOrg] of Map.groupBy(wanted, ({ org }) => org)) {
      for (const batch of inBatches([...new Set(wantedInOrg.map(({ hash }) => hash))], MAX_VECTORS)) {
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
    const deleted_ms = this.#options.clock();
    await this.#store(
      // Between two versions, so that a removal beats an upsert of its own version but no later one.
      references.map(({ org, id, version }) => ({
        version: version * 2 + 1,
        document: { org, id, deleted: true, deleted_ms },
      })),
    );
  }

  async search(request: SearchRequest): Promise<SearchAnswer> {
    const { semantic, keyword, signal: _, ...scope } = request;
    const keywords = queryKeywords(keyword?.text ?? "").map((keyword) => ({ ...keyword, spelt: [] }));
    const answers = await this.#multiSearch(request, {
      ...(semantic && { semantic: semanticQuery(semantic, scope) }),
      ...(keyword && keywordQueries(keywords, keyword.limit, scope)),
    });
    const matched = keyword && (await this.#withSpellings(request, keyword.limit, toMatched(keywords, answers)));
    return {
      semantic: (answers.semantic?.hits.hits ?? []).map(toHit),
      keyword: matched?.keyword ?? [],
      ...(matched && { statistics: matched.statistics }),
    };
  }

  /** If keywords are rare, searches again with their spellings within one edit; otherwise returns `matched`. */
  async #withSpellings(request: SearchRequest, limit: number, matched: Matched): Promise<Matched> {
    const { semantic: _semantic, keyword: _keyword, signal: _signal, ...scope } = request;
    const rare = new Set<Keyword>(misspelt(matched.keywords, matched.statistics));
    if (rare.size === 0) return matched;
    const keywords = matched.keywords.map((keyword) =>
      rare.has(keyword) ? { ...keyword, spelt: keyword.fuzzyForms } : keyword,
    );
    return toMatched(keywords, await this.#multiSearch(request, keywordQueries(keywords, limit, scope)));
  }

  async neighbours(request: NeighbourRequest): Promise<Neighbours> {
    const { documents, entities, maxMembers } = request;
    if (documents.length + entities.length === 0) return { documents: [], inTime: new Map(), members: new Map() };
    const { all } = await this.#multiSearch(request, { all: neighboursQuery(request) });
    const found = new Map<string, SearchSource>();
    const idsOf = (bucket: Bucket | undefined) =>
      (bucket?.nearest?.hits.hits ?? []).map(({ _source: { source } }) => {
        found.set(source.id, source);
        return source.id;
      });
    const { before, after, naming } = all?.aggregations ?? {};
    const inTime = documents.map(({ id }, position): [string, string[]] => [
      id,
      [...idsOf(before?.buckets?.[position]).reverse(), ...idsOf(after?.buckets?.[position])],
    ]);
    const members = entities.map((entity, position): [string, string[]] => {
      const bucket = naming?.buckets?.[position];
      return [entity, (bucket?.doc_count ?? 0) > maxMembers ? [] : idsOf(bucket)];
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

  async countMemories(now: number): Promise<number> {
    const query = ofAllMemories(now);
    const { body } = await this.#client.count({ index: this.#index, ignore_unavailable: true, body: { query } });
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
      for (const [position, answered] of (body.docs as LookedUp[]).entries()) {
        const reference = batch[position];
        const { _version: stored, error } = answered;
        if (isMissing(error) && !this.#options.isEmptyWhereMissing) throw new IndexMissingError(this.#index);
        // A tombstone has an odd version.
        if (reference && stored !== undefined && stored % 2 === 0) found.push({ ...reference, version: stored / 2 });
      }
    }
    return found;
  }

  /** Creates the index unless another process just did. */
  create(): Promise<void> {
    return this.#generations.create([this.#options.names.write]);
  }

  /**
   * Adds the fields of this release to an index of an earlier one. The next release, with more fields, may run in
   * parallel as a canary. Throws NewerFormatError.
   */
  prepare(stored: StoredIndex): Promise<void> {
    return this.#generations.prepare(stored);
  }

  /** As `SearchIndex.rebuild`; `formers` names the indexes of other embedders, which activation drops too. */
  async rebuild(name: string, formers: () => Promise<string[]>): Promise<IndexRebuild> {
    requireIndexName(name);
    const target = `${this.#index}--${name}`;
    const { names, ...others } = this.#options;
    const options = { ...others, names: { ...names, read: target, write: target }, isConcrete: true };
    await this.#generations.build(target, new IndexGenerations(this.#client, options));
    const built = new EmbedderIndex(this.#client, options);
    return {
      upsert: (documents) => built.upsert(documents),
      remove: (references) => built.remove(references),
      versions: (references) => built.versions(references),
      list: (request) => built.list(request),
      activate: async () => this.#generations.activate(target, await formers()),
    };
  }

  async list({ org, limit, after }: DocumentListRequest): Promise<DocumentListing> {
    requireQueryLimit({ limit });
    await this.#client.indices.refresh({ index: this.#index, ignore_unavailable: true });
    const header = { routing: org, ignore_unavailable: true };
    const query: object = listQuery(limit + 1, org, after === undefined ? undefined : JSON.parse(after));
    const { body } = await this.#client.msearch({ index: this.#index, body: [header, query] });
    for (const response of body.responses) this.#requireShards(response);
    const found = (toAnswer("list", body.responses[0]) as unknown as Listed).hits.hits;
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
        // A document that was written again meanwhile is no longer a tombstone.
        conflicts: "proceed",
        refresh: true,
        body: { query: tombstonesBefore(before) },
      },
      // The engine continues after a client timeout, so a retry would run in parallel.
      { requestTimeout: PURGE_TIMEOUT_MS, maxRetries: 0 },
    );
    return "deleted" in body ? (body.deleted ?? 0) : 0;
  }

  /** Rewrites the segments that contain deleted documents; until then, their texts stay in the engine's files. */
  async scrub(): Promise<void> {
    const index = this.#index;
    // By default the engine keeps segments in which less than a tenth is deleted.
    const body = { "index.merge.policy.expunge_deletes_allowed": 0 };
    await this.#client.indices.putSettings({ index, ignore_unavailable: true, body });
    await this.#client.indices.forcemerge(
      { index, ignore_unavailable: true, only_expunge_deletes: true },
      { requestTimeout: PURGE_TIMEOUT_MS, maxRetries: 0 },
    );
  }

  async #store(writes: VersionedDocument[]): Promise<void> {
    const operations = writes.map((write) => this.#operation(write));
    const limits = { maxSize: MAX_BULK_BYTES };
    for (const batch of inSizedBatches(operations, ({ bytes }) => bytes, limits)) await this.#bulk(batch);
  }

  #operation({ version, document }: VersionedDocument): Operation {
    const { org, id } = document;
    const action = { index: { _id: `${org}/${id}`, routing: org, version, version_type: "external_gte" } };
    return { lines: [action, document], bytes: Buffer.byteLength(JSON.stringify(document)) };
  }

  /**
   * A stale write counts as done, because a newer one came first. Operations that the engine was too busy for are sent
   * again. Writes use an alias, because OpenSearch would create a missing index by its name.
   */
  async #bulk(batch: Operation[]): Promise<void> {
    const { write } = this.#options.names;
    let pending = batch;
    for await (const _attempt of attempts()) {
      const { body } = await this.#client.bulk({
        index: write,
        require_alias: !this.#options.isConcrete,
        body: pending.flatMap(({ lines }) => lines),
      });
      const items = body.items.map(({ index }) => index);
      if (items.some((item) => isMissing(item?.error))) throw new IndexMissingError(write);
      const isTransient = (item: (typeof items)[number]) => item !== undefined && TRANSIENT_STATUSES.has(item.status);
      const failed = items.find((item) => item && item.status >= 300 && item.status !== STALE && !isTransient(item));
      if (failed) throw refusalOf(failed);
      pending = pending.filter((_operation, position) => isTransient(items[position]));
      if (pending.length === 0) return;
    }
    throw new BackendBusyError(`OpenSearch was too busy for ${pending.length} of ${batch.length} documents`);
  }

  /** A response of zero shards means that the index does not exist. */
  #requireShards(answer: object): void {
    const { _shards }: { _shards?: { total: number } } = answer;
    if (_shards?.total === 0 && !this.#options.isEmptyWhereMissing) throw new IndexMissingError(this.#index);
  }

  /** Sends all queries in one request to the shard of the organization. Returns the answers by query name. */
  async #multiSearch<Name extends string>(
    { org, signal }: Pick<SearchScope, "org" | "signal">,
    queries: { [name in Name]?: object },
  ): Promise<{ [name in Name]?: Answer }> {
    const names = Object.keys(queries) as Name[];
    if (names.length === 0) return {};
    const header = { routing: org, ignore_unavailable: true };
    const body = names.flatMap((name) => [header, queries[name] ?? {}]);
    const { body: results } = await abortable(signal, () => this.#client.msearch({ index: this.#index, body }));
    for (const response of results.responses) this.#requireShards(response);
    return Object.fromEntries(names.map((name, position) => [name, toAnswer(name, results.responses[position])])) as {
      [name in Name]?: Answer;
    };
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
