import { setImmediate as nextTurn } from "node:timers/promises";
import { pagesOf } from "../../../ports/pages.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { documentOf, findLagging, findOrphanDocuments, INDEXED_KINDS, indexRecords } from "./drift.ts";

const RECORDS_PAGE = 100;
const DOCUMENTS_PAGE = 500;

/** The result of catching up an index. */
export interface CaughtUp {
  indexed: number;
  removed: number;
  /** Memories whose content is lost. */
  failed: number;
}

/**
 * Brings the search index up to date with the records of some or all organizations. Stops between two pages when the
 * signal is aborted, and throws its reason.
 */
export async function catchUpIndex(
  runtime: Runtime,
  orgs: string[] | undefined,
  signal: AbortSignal,
): Promise<CaughtUp> {
  const { inventory, search, records } = runtime.ports;
  const done: CaughtUp = { indexed: 0, removed: 0, failed: 0 };
  const isMeant = (org: string) => orgs === undefined || orgs.includes(org);
  const kinds = INDEXED_KINDS;
  for await (const { items } of pagesOf((after) => inventory.list({ kinds, limit: RECORDS_PAGE, after }))) {
    signal.throwIfAborted();
    const meant = items.filter((record) => isMeant(documentOf(record).org));
    const { indexed, failed } = await indexRecords(runtime, search, await findLagging(search, meant));
    done.indexed += indexed;
    done.failed += failed;
    await nextTurn();
  }
  for (const org of orgs ?? [undefined]) {
    const list = (after?: string) => findOrphanDocuments(search, records, { limit: DOCUMENTS_PAGE, org, after });
    for await (const { orphans } of pagesOf(list)) {
      signal.throwIfAborted();
      await search.remove(orphans);
      done.removed += orphans.length;
      await nextTurn();
    }
  }
  return done;
}
