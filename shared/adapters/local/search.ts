import { access, constants } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { embedByFormer } from "../../domain/retrieval/embed-query.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import { inSizedBatches } from "../../kernel/parallel.ts";
import { textToIndex } from "../../kernel/text/text-to-index.ts";
import { takeTurn } from "../../kernel/turns.ts";
import type { Embedder } from "../../ports/embedder.ts";
import { isOfMemories, skillsPartition } from "../../ports/partitions.ts";
import { requireIndexName, requireQueryLimit } from "../../ports/preconditions.ts";
import type {
  DocumentListing,
  DocumentListRequest,
  IndexedVersion,
  SearchDocument,
  SearchIndex,
  SearchScope,
} from "../../ports/search-index.ts";
import { EmbeddingBacklog } from "./search/embedding-backlog.ts";
import { Generations } from "./search/generations.ts";
import { openWriteThreads } from "./search/long-writes.ts";
import type { OrganizationIndex } from "./search/organization.ts";
import { type FindEmbedder, Organizations } from "./search/organizations.ts";
import { sourceText } from "./search/rows.ts";
import type { IndexWrite } from "./search/writes.ts";
import { DataFileError } from "./storage/data-files.ts";
import type { IndexMark, IndexState } from "./storage/index-marks.ts";

/** Maximum bytes of stored documents that one call writes, replaces or deletes here; a thread writes more. */
const MAX_HERE = 16_000;
/** Maximum bytes and number of the documents in one transaction, unless a single one has more: here a few milliseconds. */
const HERE = { maxSize: 8_000, maxItems: 16 };
const IN_THREAD = { maxSize: 64_000, maxItems: 128 };

export interface LocalSearchOptions {
  /** Contains one database file per organization; created if missing. */
  folder: string;
  /** The embedder of the vectors; computes missing ones. */
  embedder: Embedder;
  /** Opens an earlier start's embedder for queries until its vectors are replaced. */
  formerEmbedder?: FindEmbedder;
  /** Whether documents arrive without vectors. */
  embedsLater: boolean;
  /** Maximum number of an organization's documents without vectors; unlimited if absent. */
  maxPending?: number;
  clock: Clock;
  logger: Logger;
  /** Sequence of the newest record change; each file stores it with every write. */
  sequence?: () => number;
  /** Called when an index lost its last writes: they must be repeated. */
  onLost?: () => void;
}

/** A search index to be closed after use. */
export interface LocalSearch extends SearchIndex {
  /** Runs all migrations now; returns the organizations whose documents must be rebuilt from the records. */
  upgrade(): string[];
  /** Records that the documents of these organizations exist again. */
  noteFilled(): void;
  /** Starts to load vectors into memory for the organizations that were written last; searches continue meanwhile. */
  preload(): void;
  isCatchingUp: boolean;
  /** Whether an organization has too many documents without vectors, as of the last second. */
  isBacklogged(org: string): boolean;
  /** The state of each organization's file. */
  states(): Iterable<IndexState>;
  /** Marks of the indexes that were written since the last call. */
  takeMarks(): IndexMark[];
  close(): void;
}

/**
 * The search index on SQLite: FTS5 for keywords, an exact scan in memory for vectors. Each organization has its own
 * file, so its statistics, speed and deletion are independent. A write is visible when it resolves; to semantic search
 * once its vector is computed in the background. Every verb throws on an organization id with characters other than
 * letters, digits, `_` and `-`.
 */
export function openLocalSearch(options: LocalSearchOptions): LocalSearch {
  const {
    folder,
    embedder,
    formerEmbedder = () => undefined,
    embedsLater,
    maxPending = Number.POSITIVE_INFINITY,
    clock,
    logger,
    sequence = () => 0,
    onLost = () => {},
  } = options;
  const written = new Set<string>();
  const backlog = new EmbeddingBacklog(embedder, logger);
  const onUnembedded = (organizations: Organizations, org: string) => backlog.add(organizations, org);
  const writers = openWriteThreads();
  const opening = { embedder, formerEmbedder, onUnembedded, onLost, writers, logger };
  const generations = new Generations(folder, (within) => new Organizations(within, opening));
  const organizations = () => generations.current;
  const read = async <T>({ org, signal }: SearchScope, answer: (index: OrganizationIndex) => T): Promise<T> => {
    await takeTurn(org);
    signal?.throwIfAborted();
    return organizations().use(org, answer);
  };
  const dimensions = embedder.dimensions;
  const index = writesTo(() => generations.all, { dimensions, backlog, clock, sequence, written });
  return {
    ...index,
    embedsLater,
    async vectorState(orgs) {
      const indexed = orgs.filter((org) => organizations().has(org));
      const states = indexed.map((org) =>
        organizations().use(org, (index) => ({ pending: index.countUnembedded(), former: index.formerEmbedder })),
      );
      const pending = states.reduce((sum, state) => sum + state.pending, 0);
      const compared = states.some(({ former }) => former) ? "former" : "current";
      return { embedder: embedder.id, pending, compared, needsRebuild: false };
    },
    searchableVersion: async ({ org, id }) => organizations().use(org, (index) => index.searchableVersion(id)),
    vectorsOf: async (contents) =>
      contents.map(({ org, content }) => organizations().use(org, (index) => index.vectorOf(content))),
    async search(request) {
      request.signal?.throwIfAborted();
      if (request.semantic !== undefined) {
        checkDimensions(request.semantic.vector, embedder.dimensions);
        await loadVectors(organizations(), request.org, request.semantic.timeLimit);
      }
      const former = organizations().use(request.org, (index) => index.formerEmbedder);
      const byFormer = former && (await embedByFormer(request, former, logger));
      // The former vectors may have been replaced meanwhile; those in their place are not in memory yet.
      if (former && request.semantic !== undefined)
        await loadVectors(organizations(), request.org, request.semantic.timeLimit);
      await takeTurn(request.org);
      request.signal?.throwIfAborted();
      return organizations().use(request.org, (index) => {
        if (!former || !byFormer || index.formerEmbedder !== former) return index.search(request);
        const { background, isLexical } = former;
        return { ...index.search(byFormer), comparedBy: { background, isLexical } };
      });
    },
    neighbours: (request) => read(request, (index) => index.neighbours(request)),
    count: (scope) => read(scope, (index) => index.count(scope)),
    async countMemories(now) {
      let count = 0;
      for (const org of organizations().names().filter(isOfMemories)) {
        count += await read({ org, now }, (index) => index.count({ org, now }));
      }
      return count;
    },
    browse: (request) => read(request, (index) => index.browse(request)),
    aggregate: (scope, terms) => read(scope, (index) => index.aggregate(scope, terms)),
    versions: async (references) => findVersions(organizations(), references),
    list: async (request) => listDocuments(organizations(), request),
    async rebuild(name) {
      requireIndexName(name);
      generations.get(name);
      const built = writesTo(() => [generations.get(name)], { dimensions, backlog, clock, sequence, written });
      const withVector = ({ embedding, ...document }: SearchDocument) => {
        const stored = () => organizations().get(document.org).vectorOf(textToIndex(document));
        return { ...document, embedding: embedding ?? stored() };
      };
      return {
        ...built,
        upsert: (documents) => built.upsert(documents.map(withVector)),
        versions: async (references) => findVersions(generations.get(name), references),
        list: async (request) => listDocuments(generations.get(name), request),
        activate: async () => {
          generations.activate(name);
          for (const org of organizations().names()) written.add(org);
        },
      };
    },
    async purge(before) {
      let sum = 0;
      for (const org of organizations().names())
        sum += await organizations().write(org, (index) => index.purge(before));
      return sum;
    },
    async scrub(org) {
      const written = generations.all.filter((indexes) => indexes.has(org));
      const scrubbed = written.map((indexes) => indexes.write(org, (index) => index.scrub()));
      return (await Promise.all(scrubbed)).every(Boolean);
    },
    async ping() {
      await access(folder, constants.W_OK);
      organizations().probe();
    },
    upgrade: () => organizations().emptied(),
    noteFilled() {
      for (const org of organizations().emptied()) organizations().get(org).noteFilled();
    },
    preload() {
      organizations()
        .preloadVectors()
        .catch((error: unknown) => logger.warn("VECTORS_NOT_LOADED", { error }));
    },
    isCatchingUp: false,
    isBacklogged(org) {
      const partitions = [org, skillsPartition(org)].filter((partition) => organizations().has(partition));
      const count = (partition: string) => organizations().use(partition, (index) => index.recentlyLacking());
      return partitions.reduce((sum, partition) => sum + count(partition), 0) > maxPending;
    },
    states: () => organizations().states(),
    takeMarks() {
      return [...written].flatMap((org) => {
        try {
          const marks = [...organizations().states([org])];
          written.delete(org);
          return marks;
        } catch (error) {
          // The records are written anyway; /ready reports the file.
          if (error instanceof DataFileError) return [];
          throw error;
        }
      });
    },
    close() {
      backlog.close();
      generations.close();
      void writers.close();
    },
  };
}

interface Writing extends Required<Pick<LocalSearchOptions, "clock" | "sequence">> {
  dimensions: number;
  backlog: EmbeddingBacklog;
  /** Collects the organizations whose index is written. */
  written: Set<string>;
}

/** Verbs that write to all targets. */
function writesTo(
  targets: () => Organizations[],
  { dimensions, backlog, clock, sequence, written }: Writing,
): Pick<SearchIndex, "upsert" | "remove"> {
  return {
    async upsert(documents) {
      for (const { embedding } of documents) if (embedding) checkDimensions(embedding, dimensions);
      for (const [org, documentsOfOrg] of Map.groupBy(documents, (document) => document.org)) {
        await writeParts(targets(), org, documentsOfOrg, {
          bytesOf: (document) => Buffer.byteLength(sourceText(document)),
          toWrite: (part) => ({ upsert: part, sequence: sequence() }),
          onWritten: (organizations, part) => {
            written.add(org);
            if (part.some(({ embedding }) => embedding === undefined)) backlog.add(organizations, org);
          },
        });
      }
    },
    async remove(references) {
      const now = clock();
      for (const [org, removals] of Map.groupBy(references, (reference) => reference.org)) {
        await writeParts(targets(), org, removals, {
          bytesOf: () => 0,
          toWrite: (part) => ({ remove: part, now, sequence: sequence() }),
          onWritten: () => written.add(org),
        });
      }
    },
  };
}

interface Parts<Item> {
  /** Bytes that the item adds to the index, besides those that it replaces. */
  bytesOf(item: Item): number;
  toWrite(part: Item[]): IndexWrite;
  onWritten(organizations: Organizations, part: Item[]): void;
}

/** Writes an organization's documents in transactions that take milliseconds, or in a thread. */
async function writeParts<Item extends { id: string }>(
  targets: Organizations[],
  org: string,
  items: Item[],
  { bytesOf, toWrite, onWritten }: Parts<Item>,
): Promise<void> {
  for (const organizations of targets) {
    const stored = organizations.use(org, (index) => index.storedBytes(items.map(({ id }) => id)));
    const sizeOf = (item: Item) => bytesOf(item) + (stored.get(item.id) ?? 0);
    const isLong = items.reduce((sum, item) => sum + sizeOf(item), 0) > MAX_HERE;
    for (const part of inSizedBatches(items, sizeOf, isLong ? IN_THREAD : HERE)) {
      await takeTurn(org);
      // Another generation is in use by now, or the process ends.
      if (organizations.isClosed) break;
      if (isLong) await organizations.writeInThread(org, toWrite(part));
      else await organizations.write(org, (index) => index.write(toWrite(part)));
      onWritten(organizations, part);
    }
  }
}

/** Waits at most `timeLimit` milliseconds for the vectors to be in memory; without them a search uses only keywords. */
async function loadVectors(organizations: Organizations, org: string, timeLimit: number | undefined): Promise<void> {
  if (organizations.use(org, (index) => index.hasVectors)) return;
  const timeout = timeLimit === undefined ? [] : [sleep(timeLimit, undefined, { ref: false })];
  await Promise.race([organizations.loadVectors(org), ...timeout]);
}

function checkDimensions(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions) {
    throw new RangeError(`a vector of ${vector.length} dimensions, where the index has ${dimensions}`);
  }
}

/** One page of all documents: by organization name, then by id. */
function listDocuments(
  organizations: Pick<Organizations, "names" | "get">,
  { org: onlyOrg, limit, after }: DocumentListRequest,
): DocumentListing {
  requireQueryLimit({ limit });
  const [lastOrg, lastId]: string[] = after === undefined ? [] : JSON.parse(after);
  const documents: IndexedVersion[] = [];
  const names = organizations.names().filter((name) => onlyOrg === undefined || name === onlyOrg);
  for (const org of names.sort()) {
    if (lastOrg !== undefined && org < lastOrg) continue;
    const afterId = org === lastOrg ? lastId : undefined;
    const rows = organizations.get(org).list(limit + 1 - documents.length, afterId);
    documents.push(...rows.map((row) => ({ org, ...row })));
    if (documents.length > limit) break;
  }
  if (documents.length <= limit) return { documents };
  const shown = documents.slice(0, limit);
  const last = shown.at(-1);
  return { documents: shown, cursor: JSON.stringify([last?.org, last?.id]) };
}

/** The versions of those documents that exist. */
function findVersions(
  organizations: Pick<Organizations, "get">,
  references: Pick<IndexedVersion, "org" | "id">[],
): IndexedVersion[] {
  const byOrg = Map.groupBy(references, ({ org }) => org);
  return [...byOrg].flatMap(([org, referencesOfOrg]) =>
    organizations
      .get(org)
      .versions(referencesOfOrg.map(({ id }) => id))
      .map((found) => ({ org, ...found })),
  );
}
