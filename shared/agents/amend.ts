import { timestamp } from "../kernel/clock.ts";
import type { Json } from "../platform/ports.ts";

interface Amendable {
  updated_at: string;
  version: number;
}

/** What an update of a record sets and takes away, and the version that it must find. */
interface Amendment {
  set: { [attribute: string]: Json };
  remove: string[];
  condition: { version: number };
}

/**
 * The next version of something: what is undefined in a change stays, null takes away. `own` changes its record alone in
 * what was changed, and in where it stands in lists, so that what others keep in the record is not lost.
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

/** JSON leaves out what is undefined. */
function setOrRemove(values: object): Pick<Amendment, "set" | "remove"> {
  const set: Amendment["set"] = JSON.parse(JSON.stringify(values));
  return { set, remove: Object.keys(values).filter((name) => !Object.hasOwn(set, name)) };
}
