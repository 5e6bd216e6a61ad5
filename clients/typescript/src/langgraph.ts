import {
  BaseStore,
  getTextAtPath,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import type * as api from "./api.ts";
import type { MemoryClient } from "./client.ts";
import { NotFoundError } from "./errors.ts";
import { fromMemory, isUnder, passes, prefixFilter, type StoredItem, toMemory, typeOf } from "./langgraph-items.ts";

export interface MemoryStoreOptions {
  client: MemoryClient;
  /**
   * Category of the memories that hold items, which separates the stores of one organization; `langgraph` by default.
   */
  category?: string;
  /**
   * Returns the user whose memory an item is, so that recalls and profiles of the user include it; no user by default.
   */
  userOf?: (namespace: string[], key: string) => string | undefined;
  /** Paths of the texts in a value that searches find, such as `["text"]`; all texts by default. */
  fields?: string[];
  /** Called for a memory of the category that is not an item, which reads leave out; logs a warning by default. */
  onError?: (error: unknown) => void;
}

const PAGE = 100;
/** Maximum results of one search. */
const MAX_FOUND = 50;
const CONCURRENCY = 8;
const DEFAULT_LIMIT = 10;
/** The service rejects longer queries. The end of a text is kept because it usually contains the question. */
const MAX_QUERY = 1_000;

/**
 * A LangGraph store on the memory service. Each item is a memory: searches find its content, and its metadata hold
 * namespace, key and value. Reads of one item and lists see every write; searches with a query lag behind by the time
 * indexing takes.
 */
export class MemoryStore extends BaseStore {
  readonly #options: MemoryStoreOptions;
  readonly #category: string;

  constructor(options: MemoryStoreOptions) {
    super();
    this.#options = options;
    this.#category = options.category ?? "langgraph";
  }

  /**
   * Runs reads before writes, as other stores do. If an item is written several times, only the last write is applied.
   */
  override async batch<Operations extends Operation[]>(operations: Operations): Promise<OperationResults<Operations>> {
    const results: unknown[] = operations.map(() => undefined);
    const reads: (() => Promise<void>)[] = [];
    const writes = new Map<string, () => Promise<void>>();
    for (const [index, operation] of operations.entries()) {
      if ("value" in operation) {
        writes.set(JSON.stringify([operation.namespace, operation.key]), () => this.#write(operation));
      } else {
        reads.push(async () => {
          results[index] = await this.#read(operation);
        });
      }
    }
    await runAll(reads);
    await runAll([...writes.values()]);
    return results as OperationResults<Operations>;
  }

  #read(operation: Exclude<Operation, PutOperation>): Promise<unknown> {
    if ("namespacePrefix" in operation) return operation.query ? this.#find(operation) : this.#list(operation);
    if ("key" in operation) return this.#get(operation.namespace, operation.key);
    return this.#namespaces(operation);
  }

  async #get(namespace: string[], key: string): Promise<Item | null> {
    for (const memory of await this.#memoriesOf(namespace, key)) {
      const item = this.#itemOf(memory);
      if (item !== undefined) return item;
    }
    return null;
  }

  /** Returns the item of a memory; undefined, after a report, if no store made the memory. */
  #itemOf(memory: StoredItem): Item | undefined {
    try {
      return fromMemory(memory);
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: a library has no other log
      const { onError = console.warn } = this.#options;
      onError(error);
      return undefined;
    }
  }

  /** Returns the memories of an item, newest first. There is more than one if two writers created it concurrently. */
  async #memoriesOf(namespace: string[], key: string): Promise<StoredItem[]> {
    const found: StoredItem[] = [];
    const filters = { category: this.#category, type: await typeOf(namespace, key), limit: PAGE };
    for await (const memory of this.#options.client.list(filters)) found.push(memory);
    return found;
  }

  async #write({ namespace, key, value, index }: PutOperation): Promise<void> {
    const { client, userOf } = this.#options;
    const [newest, ...others] = await this.#memoriesOf(namespace, key);
    for (const { id } of others) await forget(client, id);
    if (value === null) {
      if (newest !== undefined) await forget(client, newest.id);
      return;
    }
    const fields = index === false ? undefined : (index ?? this.#options.fields);
    const texts = fields?.flatMap((path) => getTextAtPath(value, path));
    const content = await toMemory({ namespace, key, value }, texts, index !== false);
    if (newest !== undefined) {
      await client.update(newest.id, content);
      return;
    }
    const user = userOf?.(namespace, key);
    const owner = user === undefined ? {} : { user_id: user };
    await client.remember({ ...content, ...owner, category: this.#category, type: await typeOf(namespace, key) });
  }

  /** Yields every item under a prefix, newest first. */
  async *#items(prefix: string[]): AsyncGenerator<Item> {
    for await (const memory of this.#options.client.list({ category: this.#category, limit: PAGE })) {
      const item = this.#itemOf(memory);
      if (item !== undefined && isUnder(item.namespace, prefix)) yield item;
    }
  }

  async #list({ namespacePrefix, filter, offset = 0, limit = DEFAULT_LIMIT }: SearchOperation): Promise<SearchItem[]> {
    const items: SearchItem[] = [];
    if (limit <= 0) return items;
    let skipped = 0;
    for await (const item of this.#items(namespacePrefix)) {
      if (!passes(item.value, filter)) continue;
      if (skipped++ >= offset && items.push(item) === limit) break;
    }
    return items;
  }

  /** Searches by meaning and words, best first. The filter on values is applied to the results of the service. */
  async #find(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter, query = "", offset = 0, limit = DEFAULT_LIMIT } = operation;
    const wanted = offset + limit;
    const filters: api.SearchFilters = {
      category: this.#category,
      metadata: { langgraph: { indexed: true, ...(await prefixFilter(namespacePrefix)) } },
    };
    const items: SearchItem[] = [];
    for (let start = 0; items.length < wanted; start += MAX_FOUND) {
      const options = { limit: MAX_FOUND, offset: start, threshold: 0 };
      const { results, pagination } = await this.#options.client.search(query.slice(-MAX_QUERY), { filters, options });
      for (const { score, ...memory } of results) {
        const item = this.#itemOf(memory as StoredItem);
        if (item !== undefined && passes(item.value, filter)) items.push({ ...item, score });
      }
      if (!pagination.has_next || results.length === 0) break;
    }
    return items.slice(offset, wanted);
  }

  async #namespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const found = new Map<string, string[]>();
    for await (const { namespace } of this.#items([])) {
      const isMatch = matchConditions.every(({ matchType, path }) => {
        const part = matchType === "prefix" ? namespace.slice(0, path.length) : namespace.slice(-path.length);
        return part.length === path.length && path.every((label, level) => label === "*" || label === part[level]);
      });
      const shown = namespace.slice(0, maxDepth);
      if (isMatch) found.set(JSON.stringify(shown), shown);
    }
    const inOrder = [...found.values()].sort((one, other) => one.join(":").localeCompare(other.join(":")));
    return inOrder.slice(offset, offset + limit);
  }
}

/** Deletes a memory. Does nothing if it no longer exists. */
async function forget(client: MemoryClient, id: string): Promise<void> {
  try {
    await client.forget(id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}

/** Runs tasks with a concurrency of `CONCURRENCY`. */
async function runAll(tasks: (() => Promise<void>)[]): Promise<void> {
  const waiting = tasks.values();
  const work = async () => {
    for (const task of waiting) await task();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}
