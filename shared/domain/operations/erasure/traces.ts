import { DAY_MS } from "../../../kernel/durations.ts";
import { AFTER_ANY_ID } from "../../../ports/listing.ts";
import type { RecordQuery } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { agents } from "../../agents/records.ts";
import { connectionsOfUser } from "../../knowledge/connections/records.ts";
import { memoriesOfUser } from "../../memory/memory-keys.ts";
import { peopleIn } from "../../memory/people.ts";
import { patternsQuery } from "../../patterns/records.ts";
import { slotsOfUser } from "../../retrieval/profiles/user-slots.ts";
import { recallsOf } from "../../retrieval/recall/records.ts";
import { forgetQueries } from "../../retrieval/statistics.ts";
import { sessionsOfUser } from "../../sessions/records.ts";
import { type Erasure, PAGE } from "./pass.ts";
import type { StepResult } from "./steps.ts";

/** Between two attempts while a backup or another reader uses a file. */
const RETRY_MS = 5_000;

/** Deletes the organization's popular queries: they may quote the user and do not say about whom they were. */
export async function eraseQueries(
  runtime: OrgRuntime,
  _erasure: Erasure,
  after: string | undefined,
): Promise<StepResult> {
  const query = { index: "gsi1" as const, pk: agents.listOf(runtime.org), limit: PAGE, after };
  const { items, cursor } = await runtime.ports.records.query(query);
  await forgetQueries(
    runtime,
    items.map(({ id }) => String(id)),
  );
  return { erased: 0, after: cursor };
}

/** Throws if a record or a search document of the user is left that was stored before the request. */
export async function checkErased(runtime: OrgRuntime, { user_id, asked_at }: Erasure): Promise<StepResult> {
  const { ports, org, clock } = runtime;
  const untilAsked = { sk: { atMost: asked_at + AFTER_ANY_ID } };
  const queries: Record<string, Pick<RecordQuery, "index" | "pk" | "sk">> = {
    memories: { index: "gsi2", pk: memoriesOfUser(org, user_id), ...untilAsked },
    sessions: { ...sessionsOfUser(org, user_id), ...untilAsked },
    connections: { index: "gsi2", pk: connectionsOfUser(org, user_id), ...untilAsked },
    recalls: { index: "gsi1", pk: recallsOf(org, user_id), ...untilAsked },
    people: peopleIn(org, { user: user_id }),
    patterns: patternsQuery(org, user_id),
    slots: slotsOfUser(org, user_id),
  };
  const left: string[] = [];
  for (const [name, query] of Object.entries(queries)) {
    if ((await ports.records.count(query, 1)) > 0) left.push(name);
  }
  const filters = { user_id: [user_id], created_before: asked_at };
  const scope = { org, filters, now: clock() - DAY_MS, expired: "shown" as const };
  if ((await ports.search.count(scope)) > 0) left.push("search documents");
  if (left.length > 0) throw new Error(`an erasure left ${left.join(", ")} of its user`);
  return { erased: 0 };
}

/** Removes what deleted data left in the files of the databases. */
export async function scrubFiles({ ports, org }: OrgRuntime): Promise<StepResult> {
  const scrubbed = await Promise.all([ports.inventory.scrub?.(), ports.search.scrub?.(org), ports.queue.scrub?.()]);
  return { erased: 0, ...(scrubbed.includes(false) && { after: "", delayMs: RETRY_MS }) };
}
