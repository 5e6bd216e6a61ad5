import type * as z from "zod";
import { timestamp } from "../../kernel/clock.ts";
import type { Principal } from "../../runtime/access/principal.ts";
import type { Context, Runtime } from "../../runtime/context.ts";
import { readUsage, usageKey } from "./records.ts";
import type * as wire from "./wire.ts";

export type Activity = z.output<typeof wire.Activity>;

export const NO_ACTIVITY: Activity = { api_calls: 0, memories_created: 0, sessions_started: 0, searches_performed: 0 };

/** Counts `times` actions for the responsible user, if there is one. Costs no round trip. */
export function countActivity(
  { rollups, clock, principal }: Pick<Runtime, "rollups" | "clock"> & { principal: Pick<Principal, "org" | "owner"> },
  action: keyof Activity,
  times = 1,
): void {
  if (principal.owner === undefined || times === 0) return;
  const set = { kind: "usage", last_used: timestamp(clock()) };
  rollups.count(usageKey(principal.org, principal.owner), { add: { [action]: times }, set });
}

/** The activity of each user in the order of `ids`; counts of other processes arrive some seconds late. */
export async function readActivity(
  { ports, rollups }: Pick<Context, "ports" | "rollups">,
  org: string,
  ids: string[],
): Promise<Activity[]> {
  await rollups.flush();
  return readUsage(ports.records, org, ids, NO_ACTIVITY);
}
