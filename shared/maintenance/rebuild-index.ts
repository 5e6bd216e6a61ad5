import type { Home } from "../platform/context.ts";
import type { IndexRebuild } from "../platform/ports.ts";
import { findLagging, findOrphanDocuments, INDEXED_KINDS, indexRecords } from "./drift.ts";
import { type SyncPass, Tally, type Task } from "./pass.ts";

const PAGE = 100;
const DOCUMENTS_PAGE = 500;
const AREA = "search_index";

/** Each sync builds an index of its own, which it finds again after a crash. */
function open(home: Home, { id }: Pick<Task<unknown>, "id">): Promise<IndexRebuild> {
  return home.ports.search.rebuild(id.slice(id.indexOf("_") + 1).toLowerCase());
}

/** One page of the records: embeds those that the index being built lacks, or has of an earlier version. */
export const buildIndex: SyncPass = async (home, job, after) => {
  const target = await open(home, job);
  const request = { kinds: INDEXED_KINDS, limit: PAGE, ...(after !== undefined && { after }) };
  const { items, cursor } = await home.ports.inventory.list(request);
  const { indexed } = await indexRecords(home, target, await findLagging(target, items));
  const tally = new Tally();
  tally.add(AREA, "repaired", indexed);
  return { tallies: tally.tallies, ...(cursor !== undefined && { cursor }) };
};

/** One page of the index being built: takes out what was deleted meanwhile. */
export const pruneIndex: SyncPass = async (home, job, after) => {
  const target = await open(home, job);
  const request = { limit: DOCUMENTS_PAGE, ...(after !== undefined && { after }) };
  const { orphans, cursor } = await findOrphanDocuments(target, home.ports.records, request);
  await target.remove(orphans);
  return { tallies: {}, ...(cursor !== undefined && { cursor }) };
};

/** Takes the index that was built into use. */
export const useIndex: SyncPass = async (home, job) => {
  await (await open(home, job)).activate();
  return { tallies: {} };
};
