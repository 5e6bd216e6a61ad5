import { timestamp } from "../../kernel/clock.ts";
import { fromItem } from "../../ports/item.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordKey, RecordStore } from "../../ports/ports.ts";
import type { Context } from "../../runtime/context.ts";
import { memoryKey } from "./memory-keys.ts";

/** How often and when a memory was read. It is stored separately, so that reading does not change the memory. */
export interface Access {
  memory_id: string;
  access_count: number;
  last_accessed_at: string;
}

const PAGE_SIZE = 1000;

const accessKey = (org: string, id: string): RecordKey => ({ pk: memoryKey(org, id).pk, sk: "access" });
const accessesOf = (org: string): string => `${org}#accesses`;

/** Counts one read of a memory. Costs no round trip: it is written with other counts. */
export function countAccess({ rollups, clock, org }: Pick<Context, "rollups" | "clock" | "org">, id: string): void {
  const last_accessed_at = timestamp(clock());
  rollups.count(accessKey(org, id), {
    add: { access_count: 1 },
    set: {
      kind: "access",
      memory_id: id,
      last_accessed_at,
      gsi1pk: accessesOf(org),
      gsi1sk: `${last_accessed_at}#${id}`,
    },
    owner: memoryKey(org, id),
  });
}

/** Returns the access records of all memories of an organization by memory id. */
export async function readAccesses(records: RecordStore, org: string): Promise<Map<string, Access>> {
  const accesses = new Map<string, Access>();
  for await (const items of queryPages(records, { index: "gsi1", pk: accessesOf(org), limit: PAGE_SIZE })) {
    for (const access of items.map(fromItem<Access>)) accesses.set(access.memory_id, access);
  }
  return accesses;
}
