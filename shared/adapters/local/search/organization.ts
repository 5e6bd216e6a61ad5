import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import { LRUCache } from "lru-cache";
import { byScoreThenId } from "../../../domain/retrieval/ranking/fusion.ts";
import type { Embedder } from "../../../ports/embedder.ts";
import { metadataPath, valueFacet } from "../../../ports/search-facets.ts";
import type {
  AggregateField,
  Aggregates,
  BrowseAnswer,
  BrowseRequest,
  DocumentOrder,
  KeywordStatistics,
  NeighbourRequest,
  Neighbours,
  SearchAnswer,
  SearchHit,
  SearchRequest,
  SearchScope,
} from "../../../ports/search-index.ts";
import type { IndexState } from "../storage/index-marks.ts";
import type { Database } from "../storage/sqlite.ts";
import { type MatrixRow, VectorMatrix } from "../vectors/matrix.ts";
import type { VectorPool } from "../vectors/pool.ts";
import { vectorOfBytes } from "../vectors/quantized.ts";
import { type ScoredKey, selectBest } from "../vectors/select.ts";
import type { DocumentRows, RowCache } from "./cached-rows.ts";
import { Counts, matchAny } from "./counts.ts";
import { type FoundKeyword, findKeywords, type KeywordMatch, matchesIn } from "./keywords.ts";
import { completeModelChange, discardReplaced, hasReplaced } from "./model-change.ts";
import { findNeighbours } from "./neighbours.ts";
import { EMPTIED } from "./schema.ts";
import { conditionOf, isFiltered } from "./scope.ts";
import { EXPIRED, type ScopeCache, type ScopedDocuments } from "./scoped-documents.ts";
import type { TimelineCache, Timelines } from "./timelines.ts";
import {
  currentVector,
  listUnembedded,
  postponeEmbedding,
  scoreStored,
  storeVectors,
  type Unembedded,
} from "./vectors.ts";
import { type IndexWrite, performWrite, purgeRemovals, type WrittenRow } from "./writes.ts";

export type { Unembedded } from "./vectors.ts";

/** If filters keep at most this share of documents, a search reads only these; otherwise it filters its best hits. */
const RARE_SHARE = 1 / 32;
/** A keyword in more than this share of documents, and in more than this number, adds too little for its cost. */
const COMMON_SHARE = 1 / 8;
const COMMON_COUNT = 1000;
/** Growth factor of the number of candidates in each round of filtering; the first round takes the requested number. */
const SIEVE_GROWTH = 4;
/** Approximate cosines rank the best results within this many further positions. */
const RESCORED_BEYOND = 50;
/** Maximum number of values per aggregated field. */
const MAX_VALUES = 100;
/** Vectors per read. */
const VECTORS_PER_PAGE = 128;
/** Maximum number of documents whose searchable versions are known. */
const MAX_SEARCHABLE = 1_000;
/** Maximum age in milliseconds of a count that no user sees. */
const RECENT_MS = 1_000;

const NO_DOCUMENTS: ReadonlySet<number> = new Set();

/** The former embedder, if the index still has its vectors, and the memory of those vectors. */
export interface FormerModel {
  embedder: Pick<Embedder, "embed" | "background" | "isLexical">;
  pool: VectorPool;
  /** Called when vectors of the current embedder have replaced them. */
  onReplaced(): void;
}

/** The memory that the indexes of all organizations share. */
export interface SharedMemory {
  pool: VectorPool;
  rows: RowCache;
  scopes: ScopeCache;
  timelines: TimelineCache;
}

/** A scope, with the numbers of its documents if they are known without a query. */
interface Searched extends SearchScope {
  scoped: ReadonlySet<number> | undefined;
}

/** The search index of one organization: its own tables, and its vectors in memory once needed. */
export class OrganizationIndex {
  readonly #database: Database;
  readonly #counts: Counts;
  readonly #memory: SharedMemory;
  #rows: DocumentRows;
  #scoped: ScopedDocuments;
  #timelines: Timelines;
  /** The documents among which the running query searches. */
  #searched = NO_DOCUMENTS;
  #matrix: VectorMatrix;
  #former: FormerModel | undefined;
  #lacking = { count: 0, at: Number.NEGATIVE_INFINITY };
  /** Versions of documents that have a vector, by id: each read of a memory asks for it. */
  readonly #searchable = new LRUCache<string, number>({ max: MAX_SEARCHABLE });

  /** `former` is the model of the index's vectors if it is not the current embedder. */
  constructor(database: Database, memory: SharedMemory, former?: FormerModel) {
    this.#database = database;
    this.#memory = memory;
    this.#rows = memory.rows.partOf(database);
    this.#scoped = memory.scopes.partOf(database);
    this.#timelines = memory.timelines.partOf(database);
    database.define("is_searched", (doc) => this.#searched.has(doc));
    this.#counts = new Counts(database);
    this.#matrix = new VectorMatrix(former?.pool ?? memory.pool);
    this.#former = former;
    this.#completeModelChange();
  }

  /** The embedder for queries if it is not the current one. */
  get formerEmbedder(): FormerModel["embedder"] | undefined {
    return this.#former?.embedder;
  }

  /** Whether an upgrade dropped its documents and not all exist again. */
  isEmptied(): boolean {
    return this.#database.get("SELECT 1 FROM settings WHERE name = ?", EMPTIED) !== undefined;
  }

  noteFilled(): void {
    this.#database.run("DELETE FROM settings WHERE name = ?", EMPTIED);
  }

  write(write: IndexWrite): void {
    this.#follow(performWrite(this.#database, write));
  }

  /** Lets a thread write to the file; until it has, nothing else may write to this index. */
  async writeInThread(write: () => Promise<WrittenRow[]>): Promise<void> {
    await this.#database.lend(write, (written) => this.#follow(written));
  }

  /** Set while a thread writes to the file; resolves when it does no longer. */
  get writing(): Promise<void> | undefined {
    return this.#database.lent;
  }

  /** Bytes of the stored documents with these ids, by id. */
  storedBytes(ids: string[]): Map<string, number> {
    const rows = this.#database.tuples(STORED_BYTES, JSON.stringify(ids));
    return new Map(rows.map(([id, bytes]) => [String(id), Number(bytes)]));
  }

  /** Forgets what is in memory of documents, because some were lost, or written without a report. */
  forgetMemory(): void {
    this.#counts.forget();
    this.#searchable.clear();
    this.#rows = this.#memory.rows.partOf(this.#database);
    this.#scoped = this.#memory.scopes.partOf(this.#database);
    this.#timelines = this.#memory.timelines.partOf(this.#database);
    this.#matrix.clear();
  }

  /** The state of the file, with everything that was written so far. */
  state(): Omit<IndexState, "org"> {
    this.#database.commitGroup();
    const settings = new Map(
      this.#database.tuples("SELECT name, value FROM settings").map(([name, value]) => [name, value]),
    );
    return {
      file: String(settings.get("file")),
      commits: Number(settings.get("commits")),
      sequence: Number(settings.get("sequence")),
    };
  }

  /** The first documents without a vector. */
  unembedded(limit: number): Unembedded[] {
    return listUnembedded(this.#database, limit);
  }

  countUnembedded(): number {
    return Number(this.#database.get("SELECT count(*) AS count FROM unembedded")?.count);
  }

  /** Whether a change of the model left vectors behind. */
  hasReplacedVectors(): boolean {
    return hasReplaced(this.#database);
  }

  /** Deletes some of these vectors. */
  discardReplacedVectors(): void {
    discardReplaced(this.#database);
  }

  /** The number of documents that semantic search cannot find, as of the last second, because counting is linear. */
  recentlyLacking(): number {
    const now = performance.now();
    if (now - this.#lacking.at >= RECENT_MS) {
      this.#lacking = { count: Number(this.#database.get(COUNT_LACKING)?.count), at: now };
    }
    return this.#lacking.count;
  }

  storeVectors(documents: Unembedded[], vectors: Float32Array[]): void {
    this.#followVectors(storeVectors(this.#database, documents, vectors));
  }

  postpone(documents: Unembedded[]): void {
    postponeEmbedding(this.#database, documents);
    this.#completeModelChange();
  }

  /** The version of a document if it has a vector, otherwise 0. */
  searchableVersion(id: string): number {
    const known = this.#searchable.get(id);
    if (known !== undefined) return known;
    const version = Number(this.#database.get(WITH_VECTOR, id)?.version ?? 0);
    if (version > 0) this.#searchable.set(id, version);
    return version;
  }

  /** The current embedder's vector of the content, if a document has it. */
  vectorOf(content: string): Float32Array | undefined {
    return currentVector(this.#database, content);
  }

  versions(ids: string[]): { id: string; version: number }[] {
    return this.#versions("id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
  }

  /** The first documents by id, only those after the id `after`. */
  list(limit: number, after = ""): { id: string; version: number }[] {
    return this.#versions("id > ? ORDER BY id LIMIT ?", after, limit);
  }

  #versions(condition: string, ...values: SQLInputValue[]): { id: string; version: number }[] {
    const rows = this.#database.tuples(`SELECT id, version FROM documents WHERE ${condition}`, ...values);
    return rows.map(([id, version]) => ({ id: String(id), version: Number(version) }));
  }

  purge(before: number): number {
    return purgeRemovals(this.#database, before);
  }

  /** See `Database.scrub`. */
  scrub(): boolean {
    return this.#database.scrub();
  }

  /** Whether the vectors are in memory; without them searches use only keywords. */
  get hasVectors(): boolean {
    return this.#matrix.loaded;
  }

  /** Loads the vectors into memory and yields in between; they may be cleared meanwhile. */
  async loadVectors(): Promise<void> {
    if (!this.#matrix.loaded) await this.#matrix.load(vectorPages(this.#database));
  }

  /** Memory of the vectors in bytes. */
  vectorBytes(): number {
    return this.#counts.documents() * this.#memory.pool.rowBytes;
  }

  search(request: SearchRequest): SearchAnswer {
    const { semantic, keyword } = request;
    const scoped = isFiltered(request) ? this.#scoped.find(request, true) : undefined;
    const scope = { ...request, scoped };
    const few = isFiltered(request) ? this.#fewPassing(scope) : undefined;
    const found = keyword ? findKeywords(this.#counts, keyword.text) : [];
    const statistics = keyword && this.#statistics(request, found);
    const nearest = semantic && this.hasVectors ? this.#nearest(scope, few, semantic.vector, semantic.limit) : [];
    const matching = keyword && statistics ? this.#matching(scope, few, { found, statistics }, keyword.limit) : [];
    const sources = this.#rows.sources.read([...nearest.map(keyOf), ...matching.map(docOf)]);
    const pending = this.#docs(PENDING, JSON.stringify(matching.map(docOf)));
    const hitOf = (doc: number, score: number): SearchHit[] => {
      const document = sources.get(doc);
      return document === undefined ? [] : [{ id: document.id, score, document }];
    };
    return {
      semantic: nearest.flatMap(({ key, score }) => hitOf(key, (1 + score) / 2)).sort(byScoreThenId),
      keyword: matching
        .flatMap(({ doc, score, terms, weights }) => {
          const isPending = pending.has(doc);
          return hitOf(doc, score).map((hit) => ({ ...hit, terms, weights, ...(isPending && { isPending }) }));
        })
        .sort(byScoreThenId),
      ...(statistics && { statistics }),
    };
  }

  neighbours(request: NeighbourRequest): Neighbours {
    const [scoped, expired] = isFiltered(request)
      ? [this.#scoped.find(request), undefined]
      : [undefined, this.#docs(EXPIRED, request.now)];
    const passes = scoped ? (doc: number) => scoped.has(doc) : expired && ((doc: number) => !expired.has(doc));
    const known = { sources: this.#rows.sources, timelines: this.#timelines, passes };
    return findNeighbours(this.#database, known, request);
  }

  count(scope: SearchScope): number {
    const condition = conditionOf(scope);
    const sql = `SELECT count(*) AS count FROM documents d WHERE ${condition.text}`;
    const row = this.#database.get(sql, ...condition.values);
    return Number(row?.count);
  }

  browse(request: BrowseRequest): BrowseAnswer {
    const { order = "created_at", descending, limit, offset, after } = request;
    const { text, values } = conditionOf(request);
    const continuation = after === undefined ? [] : [Date.parse(after.created_at), after.id];
    const sql = browseSql(text, { order, descending, isContinued: after !== undefined });
    const page = this.#database.tuples(sql, ...values, ...continuation, limit, offset);
    const docs = page.map(([doc]) => Number(doc));
    const sources = this.#rows.sources.read(docs);
    return { documents: docs.flatMap((doc) => sources.get(doc) ?? []), total: this.count(request) };
  }

  aggregate(scope: SearchScope, fields: AggregateField[]): Aggregates {
    const { text, values } = conditionOf(scope);
    const sums = this.#database.get(`${SUMS} WHERE ${text}`, ...values);
    const terms = fields.map((field) => {
      const rows = this.#database.all(termsSql(field, text), ...values, MAX_VALUES);
      return [field, rows.map((row) => ({ value: String(row.value), count: Number(row.count) }))] as const;
    });
    return {
      count: Number(sums?.count),
      terms: Object.fromEntries(terms),
      sums: {
        original_tokens: Number(sums?.original_tokens),
        compressed_tokens: Number(sums?.compressed_tokens),
        processing_ms: Number(sums?.processing_ms),
      },
    };
  }

  /** Performs a write that changes nothing and waits for no disk. */
  probe(): void {
    this.#database.lightTransaction(() => this.#database.run("UPDATE settings SET value = value"));
  }

  close(): void {
    this.#matrix.clear();
    this.#database.close();
  }

  /** Updates the data in memory, including loaded vectors, after a write. */
  #follow(written: WrittenRow[]): void {
    if (written.length > 0) {
      this.#counts.forget();
      this.#searchable.clear();
      const docs = written.map(docOf);
      this.#scoped.forget(docs);
      this.#timelines.forget(docs);
    }
    for (const { doc } of written) {
      this.#rows.sources.forget(doc);
      this.#rows.terms.forget(doc);
    }
    this.#followVectors(written);
  }

  /** The same after vectors of unchanged documents were written. */
  #followVectors(written: WrittenRow[]): void {
    this.#completeModelChange();
    if (!this.#matrix.isFilling) return;
    for (const { doc, vector } of written) {
      if (vector === undefined) this.#matrix.delete(doc);
      else this.#matrix.set(doc, vectorOfBytes(vector));
    }
  }

  /** Completes a due change of the model: from then on searches compare vectors of the current embedder. */
  #completeModelChange(): void {
    if (this.#former === undefined || !completeModelChange(this.#database)) return;
    this.#former.onReplaced();
    this.#former = undefined;
    this.#searchable.clear();
    this.#matrix.clear();
    this.#matrix = new VectorMatrix(this.#memory.pool);
  }

  #statistics({ org, viewer, now }: SearchScope, found: FoundKeyword[]): KeywordStatistics {
    if (viewer !== undefined) return this.#statisticsOf({ org, viewer, now }, found);
    return {
      documents: this.#counts.documents(),
      terms: found.map(({ keyword, documents }) => ({ term: keyword.term, documents })),
    };
  }

  /** The same for what an agent may see, counted each time. */
  #statisticsOf(scope: SearchScope, found: FoundKeyword[]): KeywordStatistics {
    const { text, values } = conditionOf(scope);
    const holding = this.#database.prepare(holdingSql(text));
    const count = (foundKeyword: FoundKeyword) => {
      const forms = formsOf([foundKeyword]);
      return forms.length === 0 ? 0 : Number(holding.get(...values, matchAny(forms))?.count);
    };
    return {
      documents: this.count(scope),
      terms: found.map((foundKeyword) => ({ term: foundKeyword.keyword.term, documents: count(foundKeyword) })),
    };
  }

  /** The best documents of the scope by BM25; documents with only common keywords count if the others are too few. */
  #matching(
    scope: Searched,
    few: number[] | undefined,
    { found, statistics }: { found: FoundKeyword[]; statistics: KeywordStatistics },
    limit: number,
  ): KeywordMatch[] {
    const distinctive = distinctiveKeywords(found, statistics);
    const rows = this.#matchingRows(scope, few, distinctive, limit);
    const enough = rows.length >= limit || distinctive.length === found.length;
    const best = enough ? rows : this.#matchingRows(scope, few, found, limit);
    const terms = this.#rows.terms.read(best);
    const indexed = best.map((doc) => ({ doc, indexed: terms.get(doc) ?? "" }));
    return matchesIn(indexed, found, this.#counts.documents());
  }

  #matchingRows(scope: Searched, few: number[] | undefined, found: FoundKeyword[], limit: number): number[] {
    const forms = formsOf(found);
    if (forms.length === 0 || few?.length === 0) return [];
    const match = matchAny(forms);
    const searched = few === undefined ? scope.scoped : new Set(few);
    if (searched !== undefined) return this.#bestAmong(searched, match, limit);
    if (!isFiltered(scope)) {
      const hasExpired = this.#database.get(ANY_EXPIRED, scope.now) !== undefined;
      if (hasExpired) return this.#numbers(bestSql(`AND rowid NOT IN (${EXPIRED})`), match, scope.now, limit);
      return this.#numbers(bestSql(""), match, limit);
    }
    const { text, values } = conditionOf(scope);
    return this.#numbers(matchingSql(text), match, ...values, limit);
  }

  #bestAmong(searched: ReadonlySet<number>, match: string, limit: number): number[] {
    this.#searched = searched;
    try {
      return this.#numbers(bestSql("AND is_searched(rowid)"), match, limit);
    } finally {
      this.#searched = NO_DOCUMENTS;
    }
  }

  /** The documents of the scope nearest to the vector with their cosines, chosen from the nearest by approximate cosine. */
  #nearest(scope: Searched, few: number[] | undefined, vector: Float32Array, limit: number): ScoredKey[] {
    const candidates = this.#nearby(scope, few, vector, limit + RESCORED_BEYOND);
    return selectBest(scoreStored(this.#database, candidates.map(keyOf), vector), limit);
  }

  /** The same with approximate cosines. */
  #nearby(scope: Searched, few: number[] | undefined, vector: Float32Array, limit: number): ScoredKey[] {
    if (few !== undefined) return selectBest(this.#matrix.scoreSome(vector, few), limit);
    const scored = this.#matrix.scoreAll(vector);
    for (let taken = limit; ; taken *= SIEVE_GROWTH) {
      const best = selectBest(scored, taken);
      const passing = this.#passing(scope, best.map(keyOf));
      const kept = best.filter(({ key }) => passing.has(key));
      if (kept.length >= limit || taken >= this.#matrix.size) return kept.slice(0, limit);
    }
  }

  /** The documents of a filtered scope if they are few, otherwise undefined. A rare metadata value finds them. */
  #fewPassing(scope: Searched): number[] | undefined {
    const max = Math.ceil(this.#counts.documents() * RARE_SHARE);
    if (scope.scoped !== undefined) return scope.scoped.size > max ? undefined : [...scope.scoped];
    const withValue = this.#database.prepare("SELECT doc FROM facets WHERE term = ? LIMIT ?");
    for (const [path, value] of Object.entries(scope.filters?.metadata ?? {})) {
      const rows = withValue.all(valueFacet(metadataPath(path), value), max + 1);
      if (rows.length <= max) return [...this.#passing(scope, rows.map(docOf))];
    }
    const { text, values } = conditionOf(scope);
    const rows = this.#database.all(`SELECT d.doc FROM documents d WHERE ${text} LIMIT ?`, ...values, max + 1);
    return rows.length > max ? undefined : rows.map(docOf);
  }

  /** Those of the documents in the scope. Without filters, all except the expired ones, which are few and indexed. */
  #passing(scope: Searched, docs: number[]): ReadonlySet<number> {
    if (scope.scoped !== undefined) return scope.scoped;
    if (!isFiltered(scope)) {
      const expired = this.#docs(EXPIRED, scope.now);
      return new Set(docs.filter((doc) => !expired.has(doc)));
    }
    const { text, values } = conditionOf(scope);
    const inScope = `SELECT d.doc FROM documents d WHERE d.doc IN (SELECT value FROM json_each(?)) AND ${text}`;
    return this.#docs(inScope, JSON.stringify(docs), ...values);
  }

  /** The document numbers that a query returns. */
  #docs(text: string, ...values: SQLInputValue[]): Set<number> {
    return new Set(this.#numbers(text, ...values));
  }

  #numbers(text: string, ...values: SQLInputValue[]): number[] {
    return this.#database.tuples(text, ...values).map(([doc]) => Number(doc));
  }
}

const SUMS = `
  SELECT count(*) AS count, total(original_tokens) AS original_tokens, total(compressed_tokens) AS compressed_tokens,
    total(processing_ms) AS processing_ms
  FROM documents d`;

/** The words table comes first: it returns rows by rank, up to the limit. */
function matchingSql(condition: string): string {
  return `
    SELECT w.rowid FROM words w CROSS JOIN documents d ON d.doc = w.rowid
    WHERE words MATCH ? AND ${condition} ORDER BY w.rank LIMIT ?`;
}

const COLUMNS = { created_at: "created_ms", occurred_at: "occurred_ms", updated_at: "updated_ms" } as const;

function browseSql(
  condition: string,
  { order, descending, isContinued }: { order: DocumentOrder; descending: boolean; isContinued: boolean },
): string {
  const direction = descending ? "DESC" : "ASC";
  const continuation = isContinued ? `AND (d.created_ms, d.id) ${descending ? "<" : ">"} (?, ?)` : "";
  return `
    SELECT d.doc FROM documents d WHERE ${condition} ${continuation}
    ORDER BY d.${COLUMNS[order]} ${direction}, d.id ${direction} LIMIT ? OFFSET ?`;
}

/** Counts the documents that meet the condition and contain a term. */
function holdingSql(condition: string): string {
  return `
    SELECT count(*) AS count FROM documents d
    WHERE ${condition} AND d.doc IN (SELECT rowid FROM words WHERE words MATCH ?)`;
}

const COUNT_LACKING = "SELECT count(*) AS count FROM unembedded WHERE doc NOT IN (SELECT doc FROM vectors)";

const STORED_BYTES = `
  SELECT d.id, octet_length(s.source) FROM documents d JOIN sources s ON s.doc = d.doc
  WHERE d.id IN (SELECT value FROM json_each(?))`;

const SELECT_VECTORS = "SELECT doc, vector FROM vectors WHERE doc > ? ORDER BY doc LIMIT ?";

const WITH_VECTOR = `
  SELECT version FROM documents WHERE id = ? AND doc IN (SELECT doc FROM vectors)`;

/** Documents without vectors are in a short list; vectors themselves are large to read. */
const PENDING = `
  SELECT value FROM json_each(?)
  WHERE (value IN (SELECT doc FROM unembedded) OR value IN (SELECT doc FROM next_vectors))
    AND value NOT IN (SELECT doc FROM vectors)`;

/** Usually empty, which saves checking each match. */
const ANY_EXPIRED = `${EXPIRED} LIMIT 1`;

/** Keeps only the best rows while ranking, which FTS5 cannot do when it orders by rank. */
function bestSql(condition: string): string {
  return `SELECT rowid FROM words WHERE words MATCH ? ${condition} ORDER BY bm25(words), rowid LIMIT ?`;
}

function termsSql(field: AggregateField, condition: string): string {
  return `
    SELECT d.${field} AS value, count(*) AS count FROM documents d WHERE d.${field} IS NOT NULL AND ${condition}
    GROUP BY value ORDER BY count DESC, value LIMIT ?`;
}

function* vectorPages(database: Database): Generator<MatrixRow[]> {
  for (let last = -1; ; ) {
    const page = database.tuples(SELECT_VECTORS, last, VECTORS_PER_PAGE);
    if (page.length === 0) return;
    last = Number(page.at(-1)?.[0]);
    yield page.map(([doc, vector]) => ({ key: Number(doc), vector: vectorOfBytes(vector as Uint8Array) }));
  }
}

function distinctiveKeywords(found: FoundKeyword[], { documents, terms }: KeywordStatistics): FoundKeyword[] {
  const common = Math.max(COMMON_COUNT, documents * COMMON_SHARE);
  return found.filter((_, index) => (terms[index]?.documents ?? 0) <= common);
}

function formsOf(found: FoundKeyword[]): string[] {
  return [...new Set(found.flatMap(({ keyword }) => [...keyword.forms.keys()]))];
}

function docOf({ doc }: { doc?: SQLOutputValue }): number {
  return Number(doc);
}

function keyOf({ key }: ScoredKey): number {
  return key;
}
