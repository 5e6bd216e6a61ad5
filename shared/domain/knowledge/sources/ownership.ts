import { fromItem } from "../../../ports/item.ts";
import type { OwnedResource } from "../../identity/owned-resources.ts";
import { replaceSource, sourcesIn } from "./records.ts";
import type { Source } from "./source.ts";

/** Sources about or by a user; their memories are transferred like all memories. Without a successor they are kept. */
export const sourcesOwned: OwnedResource = {
  name: "sources",
  listing: (org) => ({ index: "gsi1", pk: sourcesIn(org) }),
  reassign(_runtime, record, { from, to }) {
    const source = fromItem<Source>(record);
    if (to === undefined || (source.user_id !== from && source.created_by !== from)) return undefined;
    const user = source.user_id === from ? { user_id: to } : {};
    const created_by = source.created_by === from ? to : source.created_by;
    return [replaceSource(source, { ...source, ...user, created_by })];
  },
};
