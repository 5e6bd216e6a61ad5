import { type API, type Client, errors } from "@opensearch-project/opensearch";
import type { Clock } from "../../kernel/clock.ts";
import { RELEASE } from "../../ports/formats.ts";
import { type IndexNames, requireKnownFormat, type StoredIndex } from "./index-names.ts";
import { IndexMissingError, isMissing } from "./search-answers.ts";
import { INDEX_FORMAT, type IndexMeta, indexDefinition } from "./search-mapping.ts";

type Mappings = API.Indices_Create_RequestBody["mappings"];

export interface EmbedderIndexOptions {
  names: IndexNames;
  /** The embedder of its vectors; without dimensions the index can be used but not created. */
  embedder: { id: string; dimensions?: number };
  clock: Clock;
  /** Primary shards of the index, if it is created. */
  shards?: number | undefined;
  /** Whether a missing index is read as empty. */
  isEmptyWhereMissing?: boolean;
  /** Whether the names are index names, not aliases. */
  isConcrete?: boolean;
}

/** The index itself: its creation, its fields, and which of its generations is in use. */
export class IndexGenerations {
  readonly #client: Client;
  readonly #index: string;
  readonly #options: EmbedderIndexOptions;

  constructor(client: Client, options: EmbedderIndexOptions) {
    this.#client = client;
    this.#index = options.names.read;
    this.#options = options;
  }

  /** Creates a generation, or opens it with all fields; any other unfinished one is dropped. */
  async build(target: string, built: IndexGenerations): Promise<void> {
    const generations = await this.#generations();
    await this.#drop(generations.filter(({ index, inUse }) => index !== target && !inUse));
    const existing = generations.find(({ index }) => index === target);
    if (existing) await built.#addFields();
    else await built.create([]);
    if (!existing?.inUse) await this.#pointAlias(this.#options.names.building, target);
  }

  /** The rebuilt indexes, and whether they are in use. */
  async #generations(): Promise<{ index: string; inUse: boolean }[]> {
    const { body } = await this.#client.indices.getAlias({ index: `${this.#index}--*`, ignore_unavailable: true });
    return Object.entries(body).map(([index, { aliases }]) => ({ index, inUse: Object.hasOwn(aliases, this.#index) }));
  }

  /** Replaces the index in use in one cluster state update: every search and write sees exactly one of both indexes. */
  async activate(built: string, formers: string[]): Promise<void> {
    await this.#client.indices.refresh({ index: built });
    const { read, write, building } = this.#options.names;
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
    // A node without the update may still write to the former index, so the caller must retry.
    if (!switched.acknowledged) throw new Error(`some nodes do not use ${built} yet`);
  }

  /** Moves an alias to one generation; an alias of several indexes accepts no writes. */
  async #pointAlias(alias: string, index: string): Promise<void> {
    const remove = { index: `${this.#index}--*`, alias, must_exist: false };
    await this.#client.indices.updateAliases({ body: { actions: [{ remove }, { add: { index, alias } }] } });
  }

  async #drop(generations: { index: string }[]): Promise<void> {
    if (generations.length === 0) return;
    const actions = generations.map(({ index }) => ({ remove_index: { index } }));
    await this.#client.indices.updateAliases({ body: { actions } });
  }

  /** Creates the index with these aliases unless another process just did. */
  async create(aliases: string[]): Promise<void> {
    const { dimensions, id } = this.#options.embedder;
    if (dimensions === undefined) throw new Error(`the dimensions of ${id} are unknown`);
    const { mappings, settings } = indexDefinition(dimensions, this.#options.shards);
    const body = {
      settings,
      mappings: { ...mappings, _meta: this.#meta() },
      aliases: Object.fromEntries(aliases.map((alias) => [alias, {}])),
    };
    try {
      await this.#client.indices.create({ index: this.#index, body });
    } catch (error) {
      if (!isAlreadyThere(error)) throw error;
    }
  }

  #meta(): IndexMeta {
    const { embedder, names } = this.#options;
    return { format: INDEX_FORMAT, release: RELEASE, embedder: embedder.id, prefix: names.prefix };
  }

  /**
   * Adds the fields of this release to an index of an earlier one. The next release, with more fields, may run in
   * parallel as a canary. Throws NewerFormatError.
   */
  async prepare({ index, aliases, meta }: StoredIndex): Promise<void> {
    requireKnownFormat(index, meta);
    if ((meta.format ?? 1) <= INDEX_FORMAT) await this.#addFields();
    if (aliases.includes(this.#options.names.write)) return;
    const actions = [{ add: { index, alias: this.#options.names.write } }];
    await this.#missingAsError(() => this.#client.indices.updateAliases({ body: { actions } }));
  }

  /** Adds missing fields except the vector, whose length cannot change. */
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
}

/** Whether an index or an alias of that name exists. */
function isAlreadyThere(error: unknown): boolean {
  if (!(error instanceof errors.ResponseError)) return false;
  const { type, reason } = error.body?.error ?? {};
  if (type === "resource_already_exists_exception") return true;
  return type === "invalid_index_name_exception" && String(reason).includes("already exists as alias");
}
