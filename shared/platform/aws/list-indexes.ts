import type { Client } from "@opensearch-project/opensearch";
import type { StoredIndex } from "./index-names.ts";
import type { IndexMeta } from "./search-mapping.ts";

/** What this adapter reads of the description of an index. */
interface Described {
  aliases?: { [name: string]: unknown };
  mappings?: { _meta?: IndexMeta };
  settings?: { index?: { creation_date?: string | number } };
}

/** The indexes whose names begin with a prefix, those of other deployments among them where its name begins so too. */
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
