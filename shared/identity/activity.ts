import { timestamp } from "../kernel/clock.ts";
import type { Context, Home } from "../platform/context.ts";
import { fromItem } from "../platform/item.ts";
import type { Principal } from "./principal.ts";
import { usageKey } from "./records.ts";

/** What a user did, by themselves or by their API keys. */
export interface Activity {
  api_calls: number;
  memories_created: number;
  sessions_started: number;
  searches_performed: number;
}

const NONE: Activity = { api_calls: 0, memories_created: 0, sessions_started: 0, searches_performed: 0 };

/** Counts what was done, once or more often, for the user who answers for it, if there is one. Costs no round trip. */
export function countActivity(
  { rollups, clock, principal }: Pick<Home, "rollups" | "clock"> & { principal: Pick<Principal, "org" | "owner"> },
  what: keyof Activity,
  times = 1,
): void {
  if (principal.owner === undefined || times === 0) return;
  const set = { kind: "usage", last_used: timestamp(clock()) };
  rollups.count(usageKey(principal.org, principal.owner), { add: { [what]: times }, set });
}

/** What each user did, in the order of `ids`; counts of other processes come some seconds late. */
export async function readActivity(
  { ports, rollups }: Pick<Context, "ports" | "rollups">,
  org: string,
  ids: string[],
): Promise<Activity[]> {
  await rollups.flush();
  const found = await ports.records.getMany(ids.map((id) => usageKey(org, id)));
  const byPartition = new Map(found.map((record) => [record.pk, fromItem<Activity>(record)]));
  return ids.map((id) => {
    const counted: Activity = { ...NONE, ...byPartition.get(usageKey(org, id).pk) };
    const { api_calls, memories_created, sessions_started, searches_performed } = counted;
    return { api_calls, memories_created, sessions_started, searches_performed };
  });
}
