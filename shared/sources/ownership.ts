import type { Belongings } from "../identity/belongings.ts";
import { fromItem } from "../platform/item.ts";
import { replaceSource, sourcesIn } from "./records.ts";
import type { Source } from "./source.ts";

/** Sources about a user or made by one; their memories are handed on as all memories are. They stay where there is no heir. */
export const sourcesOwned: Belongings = {
  name: "sources",
  listing: (org) => ({ index: "gsi1", pk: sourcesIn(org) }),
  handOn(_home, record, { from, to }) {
    const source = fromItem<Source>(record);
    if (to === undefined || (source.user_id !== from && source.created_by !== from)) return undefined;
    const user = source.user_id === from ? { user_id: to } : {};
    const created_by = source.created_by === from ? to : source.created_by;
    return [replaceSource(source, { ...source, ...user, created_by })];
  },
};
