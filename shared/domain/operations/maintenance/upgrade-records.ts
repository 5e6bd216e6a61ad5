import { type SyncPass, Tally } from "./pass.ts";

const PAGE = 250;

/** One page of records: upgrades those of earlier releases. */
export const upgradeRecords: SyncPass = async ({ ports }, _task, after) => {
  const request = { limit: PAGE, ...(after !== undefined && { after }) };
  const { checked, upgraded, cursor } = await ports.inventory.upgrade(request);
  const tally = new Tally();
  tally.add("items", "checked", checked);
  tally.add("items", "upgraded", upgraded);
  return { tallies: tally.tallies, ...(cursor !== undefined && { cursor }) };
};
