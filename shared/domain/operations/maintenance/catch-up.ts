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

/** Indexes the records of some or all organizations that the index lacks. Throws the signal's reason when aborted. */
export async function catchUpIndex(
  runtime: Runtime,
  orgs: string[] | undefined,
  signal: AbortSignal,
): Promise<CaughtUp> {
  const { search, records } = runtime.ports;
  const counts = { ...(await indexLagging(runtime, orgs, signal)), removed: 0 };
  for (const org of orgs ?? [undefined]) {
    const list = (after?: string) => findOrphanDocuments(search, records, { limit: DOCUMENTS_PAGE, org, after });
    for await (const { orphans } of pagesOf(list)) {
      signal.throwIfAborted();
      await search.remove(orphans);
      counts.removed += orphans.length;
      await nextTurn();
    }
  }
  return counts;
}

/** Indexes every record that the search index lacks before it resolves. */
export async function fillIndex(runtime: Runtime): Promise<void> {
  const { indexed } = await indexLagging(runtime);
  runtime.logger.info("SEARCH_INDEX_FILLED", { indexed });
}

async function indexLagging(runtime: Runtime, orgs?: string[], signal?: AbortSignal) {
  const { inventory, search } = runtime.ports;
  const counts = { indexed: 0, failed: 0 };
  const kinds = INDEXED_KINDS;
  for await (const { items } of pagesOf((after) => inventory.list({ kinds, limit: RECORDS_PAGE, after }))) {
    signal?.throwIfAborted();
    const included = orgs ? items.filter((record) => orgs.includes(documentOf(record).org)) : items;
    const { indexed, failed } = await indexRecords(runtime, search, await findLagging(search, included));
    counts.indexed += indexed;
    counts.failed += failed;
    await nextTurn();
  }
  return counts;
}
