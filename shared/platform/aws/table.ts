import { FACETS } from "../facets.ts";
import type { IndexName } from "../ports.ts";

/** The shape of the one table, as data: the CDK app creates it so, and so do the tests on a local engine. */
export const TABLE_KEY = { partition: "pk", sort: "sk" } as const;

/** Attribute whose epoch second DynamoDB deletes an item after. */
export const TTL_ATTRIBUTE = "ttl";

/** Exports are among the archives, which no backup holds. */
export const TABLE_EXPORT_PREFIX = "backups/exports/";

export interface TableIndex {
  name: IndexName;
  partition: string;
  sort: string;
  /** Attributes held besides the keys; absent where the index holds whole items. */
  include?: readonly string[];
}

/** gsi3 carries `ttl` besides the facets, so that expired items can be left out of what it answers. */
export const TABLE_INDEXES: readonly TableIndex[] = [
  { name: "gsi1", partition: "gsi1pk", sort: "gsi1sk" },
  { name: "gsi2", partition: "gsi2pk", sort: "gsi2sk" },
  { name: "gsi3", partition: "gsi3pk", sort: "gsi3sk", include: [...FACETS, TTL_ATTRIBUTE] },
];
