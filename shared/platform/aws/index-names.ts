import { NewerFormatError } from "../formats.ts";
import { INDEX_FORMAT, type IndexMeta } from "./search-mapping.ts";

/** Names by which the index of an embedder is asked for; each but the first is an alias, so that writes to it make no index. */
export interface IndexNames {
  /** What the names of all indexes of a deployment begin with. */
  prefix: string;
  /** The index in use. At first it has that name itself; one that was built anew has it as an alias. */
  read: string;
  /** The same, for writes. */
  write: string;
  /** The index that is being built to be used next. */
  building: string;
}

/** Names of the index of an embedder; those of two differ, as their vectors never mix. */
export function indexNames(prefix: string, embedderId: string): IndexNames {
  return namesOf(prefix, embedderId.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"));
}

function namesOf(prefix: string, embedder: string): IndexNames {
  const read = `${prefix}-${embedder}`;
  return { prefix, read, write: `${read}_in-use`, building: `${read}_building` };
}

/** An index as OpenSearch holds it. */
export interface StoredIndex {
  index: string;
  aliases: string[];
  meta: IndexMeta;
  createdMs: number;
}

/** An index in use whose vectors another embedder made. */
export interface FormerIndex extends StoredIndex {
  embedder: string;
  names: IndexNames;
}

/**
 * The newest index in use of another embedder. One of an earlier release does not say whose it is: it is known by its name
 * where that is of one of the ids.
 */
export function findFormer(stored: StoredIndex[], own: IndexNames, knownIds: string[]): FormerIndex | undefined {
  const inUse = ofOthers(stored, own, knownIds).filter(({ index, aliases, names }) =>
    [index, ...aliases].includes(names.read),
  );
  return inUse.toSorted((a, b) => b.createdMs - a.createdMs)[0];
}

/** The indexes of the deployment's other embedders, in use or not. */
export function ofOthers(stored: StoredIndex[], own: IndexNames, knownIds: string[]): FormerIndex[] {
  return stored.flatMap((one) => {
    const [name = ""] = one.index.split("--", 1);
    const isOurs = one.meta.prefix === undefined || one.meta.prefix === own.prefix;
    const embedder = one.meta.embedder ?? knownIds.find((id) => indexNames(own.prefix, id).read === name);
    if (!isOurs || embedder === undefined) return [];
    const names = indexNames(own.prefix, embedder);
    return names.read === own.read ? [] : [{ ...one, embedder, names }];
  });
}

/** Throws NewerFormatError where neither this release nor the one before it knows the documents of an index. */
export function requireKnownFormat(index: string, { format = 1, release }: IndexMeta): void {
  if (format <= INDEX_FORMAT + 1) return;
  const remedy = "Deploy that release or a newer one, or set another SEARCH_INDEX.";
  throw new NewerFormatError({ what: `The search index ${index}`, writer: release, remedy });
}
