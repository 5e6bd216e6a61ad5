import { succeeded } from "../../../kernel/errors.ts";
import { inParallel } from "../../../kernel/parallel.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import { deleteAll } from "../../../ports/pages.ts";
import type { RecordPage, RecordQuery, StoredRecord } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { removeSubject } from "../../integration/compat/subjects.ts";
import { connectionsOfUser } from "../../knowledge/connections/records.ts";
import { removeNow } from "../../knowledge/connections/remove.ts";
import { deleteSourceIfExists } from "../../knowledge/sources/delete.ts";
import { sourcesIn } from "../../knowledge/sources/records.ts";
import { entityKey, isMentioned } from "../../memory/entity-records.ts";
import { memoriesOfUser } from "../../memory/memory-keys.ts";
import { eraseModelAnswers } from "../../memory/model-answers.ts";
import { peopleIn } from "../../memory/people.ts";
import { removeMemory, toMemory } from "../../memory/records.ts";
import { patternsQuery, removeReading } from "../../patterns/records.ts";
import { slotsOfUser } from "../../retrieval/profiles/user-slots.ts";
import { recallsOf } from "../../retrieval/recall/records.ts";
import { eraseSession } from "../../sessions/archive.ts";
import { sessionsOfUser, toSession } from "../../sessions/records.ts";
import { CONCURRENCY, DELETED_AT_ONCE, type Erasure, PAGE } from "./pass.ts";
import type { StepResult } from "./steps.ts";

/** Deletes the user's connections with their secrets and sources. */
export async function eraseConnections(runtime: OrgRuntime, { user_id }: Erasure): Promise<StepResult> {
  const query = { index: "gsi2" as const, pk: connectionsOfUser(runtime.org, user_id), limit: CONCURRENCY };
  const { items } = await runtime.ports.records.query(query);
  await inParallel(items, 1, ({ id }) => succeeded(removeNow(runtime, String(id), true, 0), "CONNECTION_NOT_FOUND"));
  return { erased: items.length, ...(items.length > 0 && { after: "" }) };
}

/** Deletes the user's sources with chunks and files; reads the organization's list, which has no index by user. */
export async function eraseSources(
  runtime: OrgRuntime,
  { user_id }: Erasure,
  after: string | undefined,
): Promise<StepResult> {
  const { items, cursor } = await findSources(runtime, user_id, { after });
  await inParallel(items, CONCURRENCY, ({ id }) => deleteSourceIfExists(runtime, String(id)));
  return { erased: items.length, after: cursor };
}

/** Returns the user's sources in a page of the organization's. */
export async function findSources(
  { ports, org }: OrgRuntime,
  user_id: string,
  page: Pick<RecordQuery, "sk" | "after">,
): Promise<RecordPage> {
  const query = { index: "gsi1" as const, pk: sourcesIn(org), limit: PAGE, ...page };
  const { items, cursor } = await ports.records.query(query);
  return { items: items.filter((source) => source.user_id === user_id), cursor };
}

/** Erases sessions with their messages, summaries and archives. */
export async function eraseSessions(runtime: OrgRuntime, { user_id }: Erasure): Promise<StepResult> {
  const { records } = runtime.ports;
  const { items } = await records.query({ ...sessionsOfUser(runtime.org, user_id), limit: CONCURRENCY });
  await inParallel(items, CONCURRENCY, async (record) => {
    const session = toSession(record);
    await eraseSession(runtime, session);
    await records.write(removeSubject(runtime.org, { type: "run", name: session.id }));
  });
  return { erased: items.length, ...(items.length > 0 && { after: "" }) };
}

/** Erases memories with their versions, facts, feedback and search documents. */
export async function eraseMemories(runtime: OrgRuntime, { user_id }: Erasure): Promise<StepResult> {
  const { records } = runtime.ports;
  const query = { index: "gsi2" as const, pk: memoriesOfUser(runtime.org, user_id), limit: PAGE };
  const { items } = await records.query(query);
  const agents = new Set(items.flatMap(({ agent_id }) => (typeof agent_id === "string" ? [agent_id] : [])));
  for (const agent of agents) {
    await deleteAll(records, { ...peopleIn(runtime.org, { user: user_id, agent }), limit: DELETED_AT_ONCE });
  }
  const erased = await inParallel(items, CONCURRENCY, (record) => eraseMemory(runtime, record));
  return { erased: erased.filter(Boolean).length, ...(items.length > 0 && { after: "" }) };
}

/** Erases a memory. Entities that no other memory mentions are deleted first, because only the memory names them. */
async function eraseMemory(runtime: OrgRuntime, record: StoredRecord): Promise<boolean> {
  const memory = await toMemory(runtime, record);
  if (!memory) return false;
  for (const { id } of memory.entities ?? []) await eraseEntity(runtime, id, memory.user_id, memory.agent_id);
  return tryWrite(runtime, ...removeMemory(memory));
}

/** Erases an entity that the user's memories introduced, unless a request created it or other memories mention it. */
export async function eraseEntity(runtime: OrgRuntime, id: string, user_id?: string, agent_id?: string): Promise<void> {
  if (await isMentioned(runtime.ports.records, runtime.org, id, (memory) => memory.user_id !== user_id)) return;
  const agents = agent_id === undefined ? [undefined] : [undefined, agent_id];
  for (const agent of agents) {
    const condition = { is_kept: { absent: true as const } };
    await tryWrite(runtime, { delete: entityKey(runtime.org, id, agent), condition });
  }
}

/**
 * Erases what was derived from the user's texts: people, slots of facts, patterns, model answers, recalls and the name
 * in mem0's interface.
 */
export async function eraseDerived({ ports: { records }, org }: OrgRuntime, { user_id }: Erasure): Promise<StepResult> {
  const limit = DELETED_AT_ONCE;
  const people = await deleteAll(records, { ...peopleIn(org, { user: user_id }), limit });
  const recalls = await deleteAll(records, { index: "gsi1", pk: recallsOf(org, user_id), limit });
  const patterns = await deleteAll(records, { ...patternsQuery(org, user_id), limit });
  await deleteAll(records, { ...slotsOfUser(org, user_id), limit });
  await eraseModelAnswers(records, org, user_id);
  await records.write(removeSubject(org, { type: "user", name: user_id }), removeReading(org, user_id));
  return { erased: people + recalls + patterns };
}
