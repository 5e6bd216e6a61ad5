import type { IndexRebuild } from "../../../ports/ports.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { findLagging, findOrphanDocuments, INDEXED_KINDS, indexRecords } from "./drift.ts";
import type { SyncPass, Task } from "./pass.ts";

const PAGE = 100;
const DOCUMENTS_PAGE = 500;
const AREA = "search_index";

/** Each sync builds its own index, which it finds again after a crash. */
function open(runtime: Runtime, { id }: Pick<Task<unknown>, "id">): Promise<IndexRebuild> {
  return runtime.ports.search.rebuild(id.slice(id.indexOf("_") + 1).toLowerCase());
}

/** One page of records: embeds those that the new index lacks or has in an earlier version. */
export const buildIndex: SyncPass = async (runtime, job, tally, after) => {
  const target = await open(runtime, job);
  const { items, cursor } = await runtime.ports.inventory.list({ kinds: INDEXED_KINDS, limit: PAGE, after });
  const { indexed } = await indexRecords(runtime, target, await findLagging(target, items));
  tally.add(AREA, "repaired", indexed);
  return cursor;
};

/** One page of the new index: deletes documents whose record was deleted meanwhile. */
export const pruneIndex: SyncPass = async (runtime, job, _tally, after) => {
  const target = await open(runtime, job);
  const { orphans, cursor } = await findOrphanDocuments(target, runtime.ports.records, {
    limit: DOCUMENTS_PAGE,
    after,
  });
  await target.remove(orphans);
  return cursor;
};

/** Switches to the new index. */
export const useIndex: SyncPass = async (runtime, job) => {
  await (await open(runtime, job)).activate();
  return undefined;
};
