import { DAY_MS } from "../../../kernel/durations.ts";
import { fromCursor, toCursor } from "../../../ports/cursor.ts";
import { AFTER_ANY_ID } from "../../../ports/listing.ts";
import type { RecordQuery } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { agents } from "../../agents/records.ts";
import { eventsOf } from "../../integration/compat/events.ts";
import { deadLettersOf } from "../../integration/webhooks/dead-letters.ts";
import { logOf } from "../../integration/webhooks/delivery-log.ts";
import { connectionsOfUser } from "../../knowledge/connections/records.ts";
import { inSlotsFrom } from "../../memory/facts/records.ts";
import { memoriesOfUser } from "../../memory/memory-keys.ts";
import { peopleIn } from "../../memory/people.ts";
import { patternsQuery } from "../../patterns/records.ts";
import { slotsOfUser } from "../../retrieval/profiles/user-slots.ts";
import { recallsOf } from "../../retrieval/recall/records.ts";
import { forgetQueries, hasQueriesBefore } from "../../retrieval/statistics.ts";
import { sessionsOfUser } from "../../sessions/records.ts";
import { findExports, findMentions } from "./mentions.ts";
import { findSources } from "./owned.ts";
import { type Erasure, PAGE } from "./pass.ts";
import { hasPending } from "./pending.ts";
import type { StepResult } from "./steps.ts";

/** Between two attempts while a backup or another reader uses a file. */
const RETRY_MS = 5_000;

/** Deletes the organization's popular queries: they may quote the user and do not say about whom they were. */
export async function eraseQueries(
  runtime: OrgRuntime,
  _erasure: Erasure,
  after: string | undefined,
): Promise<StepResult> {
  const { ids, cursor } = await pageOfAgents(runtime, after);
  await forgetQueries(runtime, ids);
  return { erased: 0, after: cursor };
}

async function pageOfAgents({ ports, org }: OrgRuntime, after: string | undefined) {
  const query = { index: "gsi1" as const, pk: agents.listOf(org), limit: PAGE, after };
  const { items, cursor } = await ports.records.query(query);
  return { ids: items.map(({ id }) => String(id)), cursor };
}

/** Examines a page of what may name the user: whether something is left, and the next page. */
type Check = (
  runtime: OrgRuntime,
  erasure: Erasure,
  after: string | undefined,
) => Promise<{ isLeft: boolean; cursor?: string | undefined }>;

const untilAsked = ({ asked_at }: Erasure) => ({ sk: { atMost: asked_at + AFTER_ANY_ID } });

/** What has an index by user. */
const indexed =
  (queryOf: (org: string, user: string, erasure: Erasure) => Omit<RecordQuery, "limit">): Check =>
  async ({ ports, org }, erasure) => {
    const count = await ports.records.count(queryOf(org, erasure.user_id, erasure), 1);
    return { isLeft: count > 0 };
  };

/** A list in order of time whose members may name the user. */
const mentioning =
  (listOf: (org: string) => string, more: { isCollection?: true } = {}): Check =>
  async (runtime, erasure, after) => {
    const list = { index: "gsi1" as const, pk: listOf(runtime.org), ...untilAsked(erasure), ...more };
    const { items, cursor } = await findMentions(runtime, list, erasure.user_id, after);
    return { isLeft: items.length > 0, cursor };
  };

/** What may be left of a user, as an error names it. Nothing that was stored after the request counts. */
export const TRACES: Readonly<Record<string, Check>> = {
  memories: indexed((org, user, erasure) => {
    return { index: "gsi2", pk: memoriesOfUser(org, user), ...untilAsked(erasure) };
  }),
  // With the decisions about them.
  facts: indexed((org, user, { asked_at }) => {
    return { ...inSlotsFrom(org, user), where: { created_at: { atMost: asked_at } } };
  }),
  sessions: indexed((org, user, erasure) => ({ ...sessionsOfUser(org, user), ...untilAsked(erasure) })),
  connections: indexed((org, user, erasure) => {
    return { index: "gsi2", pk: connectionsOfUser(org, user), ...untilAsked(erasure) };
  }),
  recalls: indexed((org, user, erasure) => ({ index: "gsi1", pk: recallsOf(org, user), ...untilAsked(erasure) })),
  people: indexed((org, user) => peopleIn(org, { user })),
  patterns: indexed((org, user) => patternsQuery(org, user)),
  slots: indexed((org, user) => slotsOfUser(org, user)),
  events: mentioning(eventsOf, { isCollection: true }),
  deliveries: mentioning(logOf),
  "dead letters": mentioning(deadLettersOf),
  async exports(runtime, erasure, after) {
    const { items, cursor } = await findExports(runtime, erasure, after);
    return { isLeft: items.length > 0, cursor };
  },
  async sources(runtime, erasure, after) {
    const { items, cursor } = await findSources(runtime, erasure.user_id, { ...untilAsked(erasure), after });
    return { isLeft: items.length > 0, cursor };
  },
  jobs: async (runtime, erasure) => ({ isLeft: await hasPending(runtime, erasure) }),
  async "queries of earlier days"(runtime, { asked_at }, after) {
    const { ids, cursor } = await pageOfAgents(runtime, after);
    return { isLeft: await hasQueriesBefore(runtime, ids, Date.parse(asked_at)), cursor };
  },
  async "search documents"({ ports, org, clock }, { user_id, asked_at }) {
    const filters = { user_id: [user_id], created_before: asked_at };
    const scope = { org, filters, now: clock() - DAY_MS, expired: "shown" as const };
    return { isLeft: (await ports.search.count(scope)) > 0 };
  },
};

/** Throws if something of the user is left that was stored before the request. One step examines a page. */
export async function checkErased(
  runtime: OrgRuntime,
  erasure: Erasure,
  after: string | undefined,
): Promise<StepResult> {
  const [index, from] = after === undefined ? [0, undefined] : fromCursor<[number, string | undefined]>(after);
  const [name, check] = Object.entries(TRACES)[index] ?? [];
  if (check === undefined) return { erased: 0 };
  // A process may store what it counted on an earlier day after the pass that erases queries.
  if (check === TRACES["queries of earlier days"]) await eraseQueries(runtime, erasure, from);
  const { isLeft, cursor } = await check(runtime, erasure, from);
  if (isLeft) throw new Error(`an erasure left ${name} of its user`);
  return { erased: 0, after: toCursor(cursor === undefined ? [index + 1] : [index, cursor]) };
}

/** Removes what deleted data left in the files of the databases. */
export async function scrubFiles({ ports, org }: OrgRuntime): Promise<StepResult> {
  const scrubbed = await Promise.all([ports.inventory.scrub?.(), ports.search.scrub?.(org), ports.queue.scrub?.()]);
  return { erased: 0, ...(scrubbed.includes(false) && { after: "", delayMs: RETRY_MS }) };
}
