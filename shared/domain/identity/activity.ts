import type * as z from "zod";
import { timestamp } from "../../kernel/clock.ts";
import type { Principal } from "../../runtime/access/principal.ts";
import type { Context, Runtime } from "../../runtime/context.ts";
import { type Counting, countDailyUse } from "./daily-use.ts";
import { countUse, readUsage, usageKey } from "./records.ts";
import type * as wire from "./wire.ts";

export type Activity = z.output<typeof wire.Activity>;

export const NO_ACTIVITY: Activity = { api_calls: 0, memories_created: 0, sessions_started: 0, searches_performed: 0 };

/** Counts a request for its credential, its responsible user and its organization. Costs no round trip. */
export function countRequest(
  runtime: Pick<Runtime, "rollups" | "clock"> & { principal: Principal },
  succeeded: boolean,
): void {
  const { principal } = runtime;
  if (principal.kind === "api_key") countUse(runtime, principal, succeeded);
  countForUser(runtime, "api_calls", 1);
  countDailyUse(runtime, succeeded ? { api_calls: 1 } : { api_calls: 1, failed_calls: 1 });
}

/** Counts `times` actions for the organization, the key if one acts, and the responsible user if there is one. */
export function countActivity(runtime: Counting, action: Exclude<keyof Activity, "api_calls">, times = 1): void {
  if (times === 0) return;
  countForUser(runtime, action, times);
  countDailyUse(runtime, { [action]: times });
}

function countForUser({ rollups, clock, principal }: Counting, action: keyof Activity, times: number): void {
  if (principal.owner === undefined) return;
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
