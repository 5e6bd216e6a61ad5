import { timestamp } from "../../kernel/clock.ts";
import type { Json } from "../../ports/ports.ts";

interface Amendable {
  updated_at: string;
  version: number;
}

/** The attributes that an update sets and removes, and the version that it requires. */
interface Amendment {
  set: { [attribute: string]: Json };
  remove: string[];
  condition: { version: number };
}

/**
 * The next version of a record: undefined fields of a change are kept, null removes a field. `own` updates only the
 * changed attributes and the list positions, so that attributes maintained by others are kept.
 */
export function amend<Thing extends Amendable>(
  before: Thing,
  change: object,
  now: number,
  placeOf: (after: Thing) => object,
): { after: Thing; own: Amendment } {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const values = Object.fromEntries(given.map(([name, value]) => [name, value ?? undefined]));
  const moved = { updated_at: timestamp(now), version: before.version + 1 };
  const after: Thing = { ...before, ...values, ...moved };
  return {
    after,
    own: { ...setOrRemove({ ...values, ...moved, ...placeOf(after) }), condition: { version: before.version } },
  };
}

/** JSON drops undefined values. */
function setOrRemove(values: object): Pick<Amendment, "set" | "remove"> {
  const set: Amendment["set"] = JSON.parse(JSON.stringify(values));
  return { set, remove: Object.keys(values).filter((name) => !Object.hasOwn(set, name)) };
}
