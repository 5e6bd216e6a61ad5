import type { Client } from "@opensearch-project/opensearch";
import type { StoredIndex } from "./index-names.ts";
import type { IndexMeta } from "./search-mapping.ts";

/** The parts of an index description that this adapter reads. */
interface Described {
  aliases?: { [name: string]: unknown };
  mappings?: { _meta?: IndexMeta };
  settings?: { index?: { creation_date?: string | number } };
}

/** The indexes with a name prefix, including those of other deployments with the same prefix. */
export async function listIndexes(client: Client, prefix: string): Promise<StoredIndex[]> {
  const filter_path = ["*.aliases", "*.mappings._meta", "*.settings.index.creation_date"];
  const { body } = await client.indices.get({ index: `${prefix}-*`, filter_path });
  return Object.entries(body as { [index: string]: Described }).map(([index, { aliases, mappings, settings }]) => ({
    index,
    aliases: Object.keys(aliases ?? {}),
    meta: mappings?._meta ?? {},
    createdMs: Number(settings?.index?.creation_date ?? 0),
  }));
}
