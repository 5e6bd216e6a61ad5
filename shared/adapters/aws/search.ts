import { Client, errors } from "@opensearch-project/opensearch";
import { embedDocuments } from "../../domain/models/embed-documents.ts";
import { embedByFormer } from "../../domain/retrieval/embed-query.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { type Logger, silentLogger } from "../../kernel/logger.ts";
import type { Embedder } from "../../ports/embedder.ts";
import { BackendBusyError } from "../../ports/errors.ts";
import type {
  IndexedVersion,
  IndexRebuild,
  SearchAnswer,
  SearchDocument,
  SearchIndex,
  SearchRequest,
  SearchScope,
  VectorState,
} from "../../ports/search-index.ts";
import { attempts } from "./backoff.ts";
import type { OpenEmbedder } from "./embedder-by-id.ts";
import { EmbedderIndex } from "./embedder-index.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";
import { type FormerIndex, findFormer, type IndexNames, indexNames, listIndexes, ofOthers } from "./index-names.ts";
import { IndexMissingError } from "./search-answers.ts";

const REQUEST_TIMEOUT_MS = 10_000;
/** Two attempts that time out stay within the callers' time limits: 29 s for a request, a minute for the indexer. */
const MAX_RETRIES = 1;

type VectorSpace = Pick<Embedder, "id" | "dimensions">;

export interface OpenSearchOptions {
  clock?: Clock;
  logger?: Logger;
  /** Embedders of earlier deployments, used for queries until the current embedder's index is built. */
  openFormer?: OpenEmbedder;
  checkDomain?: () => Promise<void>;
  /** Primary shards of an index that is created. */
  shards?: number | undefined;
}

export async function openSearch(
  environment: Environment,
  embedder: VectorSpace,
  options: OpenSearchOptions = {},
): Promise<SearchIndex> {
  const node = required(environment, ENVIRONMENT.searchEndpoint);
  const limits = { requestTimeout: REQUEST_TIMEOUT_MS, maxRetries: MAX_RETRIES };
  const client = new Client({ node, ...limits, ...(await signing(node, environment)) });
  const prefix = required(environment, ENVIRONMENT.searchIndex);
  return new OpenSearchIndex(client, prefix, embedder, {
    checkDomain: domainCheck(environment),
    shards: shardsOf(environment),
    ...options,
  });
}

function shardsOf({ [ENVIRONMENT.searchShards]: shards = "" }: Environment): number | undefined {
  return shards === "" ? undefined : Number(shards);
}

/** Returns the client options that sign requests (SigV4); none for a local engine, which uses plain HTTP. */
async function signing(node: string, environment: Environment) {
  if (new URL(node).protocol === "http:") return {};
  const { signRequests } = await import("./signing.ts");
  return signRequests(required(environment, "AWS_REGION"));
}

/** Returns a health check of the domain, if there is one. Only the first call loads the SDK's client for domains. */
function domainCheck(environment: Environment): () => Promise<void> {
  const name = environment[ENVIRONMENT.searchDomain];
  return async () => {
    if (name) await (await import("./search-domain.ts")).requireHealthyDomain(name);
  };
}

/** The index that is searched until the current embedder's index is built. */
interface Former {
  index: EmbedderIndex;
  /** Undefined if it can no longer be opened. */
  embedder: Embedder | undefined;
}

/**
 * SearchIndex on OpenSearch. Each embedder has its own index. If only another embedder's index exists, it is searched
 * with that embedder or with keywords, and written to, until a rebuild replaces it in one step. The index in use is
 * looked up at the first write and when it disappears.
 */
export class OpenSearchIndex implements SearchIndex {
  readonly #client: Client;
  readonly #names: IndexNames;
  readonly #embedder: VectorSpace;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #openFormer: OpenEmbedder;
  readonly #checkDomain: () => Promise<void>;
  readonly #own: EmbedderIndex;
  /** The index that reads use before the first write. */
  readonly #empty: EmbedderIndex;
  /** The index that is being built; writes to the former one also go to it. */
  readonly #building: EmbedderIndex;
  #former: Former | undefined;
  /** Resolves when the index in use is known and exists. */
  #ready: Promise<void> | undefined;

  constructor(client: Client, prefix: string, embedder: VectorSpace, options: OpenSearchOptions = {}) {
    const { clock = systemClock, logger = silentLogger, openFormer = async () => undefined, shards } = options;
    this.#client = client;
    this.#names = indexNames(prefix, embedder.id);
    this.#embedder = embedder;
    this.#clock = clock;
    this.#logger = logger;
    this.#openFormer = openFormer;
    this.#checkDomain = options.checkDomain ?? (async () => {});
    const { building } = this.#names;
    const own = { names: this.#names, embedder, clock, shards };
    this.#own = new EmbedderIndex(client, own);
    this.#empty = new EmbedderIndex(client, { ...own, isEmptyWhereMissing: true });
    this.#building = new EmbedderIndex(client, {
      ...own,
      names: { ...this.#names, read: building, write: building },
      isEmptyWhereMissing: true,
    });
  }

  /** Returns whether a rebuild is needed, and the number of documents that the index being built lacks (`pending`). */
  async vectorState(orgs: string[]): Promise<VectorState> {
    return this.#read(async (index, former) => {
      const counts = orgs.map(async (org) => {
        const all: SearchScope = { org, now: this.#clock(), expired: "shown" };
        const stored = await index.count(all);
        return former === undefined ? 0 : Math.max(0, stored - (await this.#building.count(all)));
      });
      const pending = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      const { id: embedder } = this.#embedder;
      if (former === undefined) return { embedder, pending, compared: "current", needsRebuild: false };
      return { embedder, pending, compared: former.embedder ? "former" : "none", needsRebuild: true };
    });
  }

  async searchableVersion(reference: Pick<IndexedVersion, "org" | "id">): Promise<number> {
    return this.#read(async (index, former) => {
      const [found] = former && !former.embedder ? [] : await index.versions([reference]);
      return found?.version ?? 0;
    });
  }

  /** Vectors of the current embedder, taken from the index being built if there is no other. */
  vectorsOf(contents: Pick<SearchDocument, "org" | "content">[]): Promise<(Float32Array | undefined)[]> {
    return this.#read((index, former) => (former ? this.#building : index).vectorsOf(contents));
  }

  async upsert(documents: SearchDocument[]): Promise<void> {
    const incomplete = documents.find(({ embedding }) => embedding === undefined);
    if (incomplete) throw new Error(`the document ${incomplete.id} has no vector`);
    if (documents.length === 0) return;
    await this.#write(async (index, former) => {
      await index.upsert(former ? await this.#embedByFormer(former, documents) : documents);
      if (former) await this.#writeToBuilding((building) => building.upsert(documents));
    });
  }

  async remove(references: { org: string; id: string; version: number }[]): Promise<void> {
    if (references.length === 0) return;
    await this.#write(async (index, former) => {
      await index.remove(references);
      if (former) await this.#writeToBuilding((building) => building.remove(references));
    });
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    return this.#read(async (index, former) => {
      if (former === undefined) return index.search(request);
      const answer = await index.search(await embedByFormer(request, former.embedder, this.#logger));
      if (former.embedder === undefined) return answer;
      const { background, isLexical } = former.embedder;
      return { ...answer, comparedBy: { background, isLexical } };
    });
  }

  readonly neighbours: SearchIndex["neighbours"] = (request) => this.#read((index) => index.neighbours(request));
  readonly count: SearchIndex["count"] = (scope) => this.#read((index) => index.count(scope));
  readonly countMemories: SearchIndex["countMemories"] = (now) => this.#read((index) => index.countMemories(now));
  readonly browse: SearchIndex["browse"] = (request) => this.#read((index) => index.browse(request));
  readonly aggregate: SearchIndex["aggregate"] = (scope, fields) =>
    this.#read((index) => index.aggregate(scope, fields));
  readonly versions: SearchIndex["versions"] = (references) => this.#read((index) => index.versions(references));
  readonly list: SearchIndex["list"] = (request) => this.#read((index) => index.list(request));
  readonly purge: SearchIndex["purge"] = (before) => this.#read((index) => index.purge(before));

  /** The merge concerns all organizations, because an engine cannot rewrite the documents of one. */
  async scrub(): Promise<boolean> {
    try {
      await this.#read((index) => index.scrub());
      return true;
    } catch (error) {
      // The engine goes on with the merge; the next attempt returns when it is done.
      if (error instanceof errors.TimeoutError) return false;
      throw error;
    }
  }

  async rebuild(name: string): Promise<IndexRebuild> {
    const others = await this.#listOthers();
    // During a canary deployment, two releases work on the same job. An index that the other release started does not
    // have this embedder's vectors.
    const foreign = others.find(({ index }) => index.endsWith(`--${name}`));
    if (foreign) throw new BackendBusyError(`a release with the embedder ${foreign.embedder} builds ${foreign.index}`);
    const built = await this.#own.rebuild(name, async () => (await this.#listOthers()).map(({ index }) => index));
    return {
      ...built,
      activate: async () => {
        await built.activate();
        this.#use(undefined);
      },
    };
  }

  async ping(): Promise<void> {
    await Promise.all([this.#client.ping(), this.#checkDomain()]);
  }

  /** Returns the indexes of other embedders. */
  async #listOthers(): Promise<FormerIndex[]> {
    const stored = await listIndexes(this.#client, this.#names.prefix);
    return ofOthers(stored, this.#names);
  }

  /** Reads the index in use, or an empty one if there is none. */
  async #read<T>(read: (index: EmbedderIndex, former?: Former) => Promise<T>): Promise<T> {
    for await (const _attempt of attempts()) {
      const former = this.#former;
      try {
        return await read(former?.index ?? this.#own, former);
      } catch (error) {
        if (!(error instanceof IndexMissingError)) throw error;
        if (!(await this.#findIndex())) return read(this.#empty);
      }
    }
    throw new BackendBusyError("the search index was replaced repeatedly");
  }

  /** Writes to the index in use, which is created if it does not exist. */
  async #write(write: (index: EmbedderIndex, former?: Former) => Promise<void>): Promise<void> {
    for await (const _attempt of attempts()) {
      try {
        await this.#prepare();
        const former = this.#former;
        return await write(former?.index ?? this.#own, former);
      } catch (error) {
        if (!(error instanceof IndexMissingError)) throw error;
        this.#ready = undefined;
      }
    }
    throw new BackendBusyError("the search index was replaced repeatedly");
  }

  /** Finds or creates the index in use: once, and again after a failure. */
  #prepare(): Promise<void> {
    this.#ready ??= this.#findIndex()
      .then((isFound) => (isFound ? undefined : this.#own.create()))
      .catch((error: unknown) => {
        this.#ready = undefined;
        throw error;
      });
    return this.#ready;
  }

  /** Finds the index in use and adds its missing fields; returns whether there is one. */
  async #findIndex(): Promise<boolean> {
    const stored = await listIndexes(this.#client, this.#names.prefix);
    const own = stored.find(({ index, aliases }) => [index, ...aliases].includes(this.#names.read));
    if (own) {
      this.#use(undefined);
      await this.#own.prepare(own);
      return true;
    }
    const found = findFormer(stored, this.#names);
    if (found === undefined) return false;
    const { names, embedder: id } = found;
    const index = new EmbedderIndex(this.#client, { names, embedder: { id }, clock: this.#clock });
    await index.prepare(found);
    const embedder = await this.#openFormer(id);
    this.#use({ index, embedder });
    const meanwhile = embedder ? "former vectors" : "words";
    this.#logger.warn("EMBEDDER_CHANGED", { from: id, to: this.#embedder.id, meanwhile });
    return true;
  }

  /** Makes the former index, or else the current embedder's own index, the index in use. */
  #use(former: Former | undefined): void {
    this.#former = former;
    this.#ready = Promise.resolve();
  }

  /** Replaces the vectors by the former embedder's. If it fails, removes them; such documents are found by keywords. */
  async #embedByFormer({ index, embedder }: Former, documents: SearchDocument[]): Promise<SearchDocument[]> {
    const unembedded = documents.map(({ embedding: _, ...source }) => source);
    if (embedder === undefined) return unembedded;
    try {
      return await embedDocuments({ embedder, search: { vectorsOf: (wanted) => index.vectorsOf(wanted) } }, unembedded);
    } catch (error) {
      if (error instanceof IndexMissingError) throw error;
      this.#logger.warn("FORMER_EMBEDDER_FAILED", { documents: unembedded.length, error });
      return unembedded;
    }
  }

  /** Writes to the index that is being built, if there is one. */
  async #writeToBuilding(write: (building: EmbedderIndex) => Promise<void>): Promise<void> {
    try {
      await write(this.#building);
    } catch (error) {
      if (!(error instanceof IndexMissingError)) throw error;
    }
  }
}
