import { inParallel } from "../../kernel/parallel.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import type { RecordQuery, StoredRecord, Write } from "../../ports/record-store.ts";
import type { OrgRuntime } from "../../runtime/context.ts";

/** The user whose resources are transferred, and the successor; resources without a successor are ended or kept. */
export interface OwnershipChange {
  from: string;
  to?: string;
  /** The name of a user of a client changes, who has no account: `to` is the new one. */
  isRename?: true;
}

/** How resources of one kind are listed and transferred. */
export interface OwnedResource {
  /** Their name in the response and the log. */
  name: string;
  listing(org: string, from: string): Pick<RecordQuery, "index" | "pk">;
  /**
   * The writes that transfer a resource, or end it without a successor; none if it belongs to another user or is kept.
   * Each must be conditional on the former owner, so that repeating it is harmless.
   */
  reassign(
    runtime: OrgRuntime,
    record: StoredRecord,
    change: OwnershipChange,
  ): Write[] | undefined | Promise<Write[] | undefined>;
}

/** Records per read; some lists contain all resources of an organization. */
const PAGE = 200;
const CONCURRENCY = 10;

/** Transfers one page of a list and returns the cursor of the next page as `after`, if there is one. */
export async function reassignPage(
  runtime: OrgRuntime,
  resource: OwnedResource,
  change: OwnershipChange,
  after: string | undefined,
): Promise<{ transferred: number; after?: string }> {
  const query = { ...resource.listing(runtime.org, change.from), limit: PAGE, after };
  const { items, cursor } = await runtime.ports.records.query(query);
  const outcomes = await inParallel(items, CONCURRENCY, async (record) => {
    const writes = await resource.reassign(runtime, record, change);
    // Resources that changed in between are found by the second pass.
    return writes !== undefined && (await tryWrite(runtime, ...writes));
  });
  return { transferred: outcomes.filter(Boolean).length, after: cursor };
}

/** Resources whose owner is in `created_by`, listed by organization on gsi1; not changed without a successor. */
export function createdResources(name: string, listOf: (org: string) => string): OwnedResource {
  return {
    name,
    listing: (org) => ({ index: "gsi1", pk: listOf(org) }),
    reassign: (_runtime, { pk, sk, created_by }, { from, to }) =>
      created_by === from && to !== undefined
        ? [{ update: { pk, sk }, set: { created_by: to }, condition: { created_by: from } }]
        : undefined,
  };
}
