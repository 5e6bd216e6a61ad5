import type { Client } from "@opensearch-project/opensearch";
import { NewerFormatError } from "../../ports/formats.ts";
import { INDEX_FORMAT, type IndexMeta } from "./search-mapping.ts";

/** Names of an embedder's index. Writes use aliases, so that they cannot create an index. */
export interface IndexNames {
  /** Prefix of all index names of a deployment. */
  prefix: string;
  /** The index in use: the name of the first index, and an alias of a rebuilt one. */
  read: string;
  /** Alias for writes to the index in use. */
  write: string;
  /** Alias of the index that is being built. */
  building: string;
}

/** Returns an embedder's index names. They differ between embedders, because vectors of two embedders must not mix. */
export function indexNames(prefix: string, embedderId: string): IndexNames {
  return namesOf(prefix, embedderId.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"));
}

function namesOf(prefix: string, embedder: string): IndexNames {
  const read = `${prefix}-${embedder}`;
  return { prefix, read, write: `${read}_in-use`, building: `${read}_building` };
}

/** An index as OpenSearch describes it. */
export interface StoredIndex {
  index: string;
  aliases: string[];
  meta: IndexMeta;
  createdMs: number;
}

/** An index in use with another embedder's vectors. */
export interface FormerIndex extends StoredIndex {
  embedder: string;
  names: IndexNames;
}

/** Returns the newest index in use of another embedder. */
export function findFormer(stored: StoredIndex[], own: IndexNames): FormerIndex | undefined {
  const inUse = ofOthers(stored, own).filter(({ index, aliases, names }) => [index, ...aliases].includes(names.read));
  return inUse.toSorted((a, b) => b.createdMs - a.createdMs)[0];
}

/** Returns the indexes of the deployment's other embedders, in use or not. */
export function ofOthers(stored: StoredIndex[], own: IndexNames): FormerIndex[] {
  return stored.flatMap((candidate) => {
    const { prefix, embedder } = candidate.meta;
    if (embedder === undefined || (prefix ?? own.prefix) !== own.prefix) return [];
    const names = indexNames(own.prefix, embedder);
    return names.read === own.read ? [] : [{ ...candidate, embedder, names }];
  });
}

/** Throws NewerFormatError if the format of an index is more than one version newer than this release's format. */
export function requireKnownFormat(index: string, { format = 1, release }: IndexMeta): void {
  if (format <= INDEX_FORMAT + 1) return;
  const remedy = "Deploy that release or a newer one, or set another SEARCH_INDEX.";
  throw new NewerFormatError({ what: `The search index ${index}`, writer: release, remedy });
}

/** The parts of an index description that this adapter reads. */
interface IndexInfo {
  aliases?: { [name: string]: unknown };
  mappings?: { _meta?: IndexMeta };
  settings?: { index?: { creation_date?: string | number } };
}

/** Returns the indexes whose names start with a prefix, including those of other deployments with this prefix. */
export async function listIndexes(client: Client, prefix: string): Promise<StoredIndex[]> {
  const filter_path = ["*.aliases", "*.mappings._meta", "*.settings.index.creation_date"];
  const { body } = await client.indices.get({ index: `${prefix}-*`, filter_path });
  return Object.entries(body as { [index: string]: IndexInfo }).map(([index, { aliases, mappings, settings }]) => ({
    index,
    aliases: Object.keys(aliases ?? {}),
    meta: mappings?._meta ?? {},
    createdMs: Number(settings?.index?.creation_date ?? 0),
  }));
}
