import { FACETS } from "../../ports/facets.ts";
import type { IndexName } from "../../ports/record-store.ts";

/** The schema of the table as data, used by the CDK app and by tests on a local engine. */
export const TABLE_KEY = { partition: "pk", sort: "sk" } as const;

/** The attribute with the epoch second after which DynamoDB deletes an item. */
export const TTL_ATTRIBUTE = "ttl";

/** Key prefix of table exports. They are stored with the archives, which backups do not include. */
export const TABLE_EXPORT_PREFIX = "backups/exports/";

export interface TableIndex {
  name: IndexName;
  partition: string;
  sort: string;
  /** Projected attributes besides the keys; absent if the index holds whole items. */
  include?: readonly string[];
}

/** gsi3 holds `ttl` besides the facets, so that expired items can be left out. */
export const TABLE_INDEXES: readonly TableIndex[] = [
  { name: "gsi1", partition: "gsi1pk", sort: "gsi1sk" },
  { name: "gsi2", partition: "gsi2pk", sort: "gsi2sk" },
  { name: "gsi3", partition: "gsi3pk", sort: "gsi3sk", include: [...FACETS, TTL_ATTRIBUTE] },
];
