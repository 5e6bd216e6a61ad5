import { findOrphanDocuments } from "./drift.ts";
import { type SyncPass, Tally } from "./pass.ts";

const PAGE = 500;
const AREA = "search_index";

/** One page of the search index: deletes documents without a record. */
export const syncDocuments: SyncPass = async ({ ports }, _job, after) => {
  const request = { limit: PAGE, ...(after !== undefined && { after }) };
  const { orphans, documents, cursor } = await findOrphanDocuments(ports.search, ports.records, request);
  await ports.search.remove(orphans);
  const tally = new Tally();
  tally.add(AREA, "checked", documents.length);
  tally.add(AREA, "removed", orphans.length);
  return { tallies: tally.tallies, ...(cursor !== undefined && { cursor }) };
};
