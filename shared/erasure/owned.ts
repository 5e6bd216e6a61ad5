import { removeSubject } from "../compat/subjects.ts";
import { connectionsOfUser } from "../connections/records.ts";
import { removeNow } from "../connections/remove.ts";
import { deleteIfThere } from "../connections/synchronize.ts";
import { ServiceError } from "../kernel/errors.ts";
import { inParallel } from "../kernel/parallel.ts";
import { eraseModelAnswers } from "../memory/model-answers.ts";
import { peopleIn } from "../memory/people.ts";
import { entityKey, isMentioned, memoriesOfUser, removeMemory, toMemory } from "../memory/records.ts";
import type { OrgHome } from "../platform/context.ts";
import type { StoredRecord } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { recallsOf } from "../recall/records.ts";
import { eraseSession } from "../sessions/archive.ts";
import { sessionsOfUser, toSession } from "../sessions/records.ts";
import { sourcesIn } from "../sources/records.ts";
import { CONCURRENCY, deleteAll, type Erasure, PAGE, type Reached } from "./pass.ts";

/** Removes the connections for the user, with their secrets and the sources that they brought. */
export async function eraseConnections(home: OrgHome, { user_id }: Erasure): Promise<Reached> {
  const query = { index: "gsi2" as const, pk: connectionsOfUser(home.org, user_id), limit: CONCURRENCY };
  const { items } = await home.ports.records.query(query);
  await inParallel(items, 1, ({ id }) => removeConnectionIfThere(home, String(id)));
  return { erased: items.length, ...(items.length > 0 && { after: "" }) };
}

async function removeConnectionIfThere(home: OrgHome, id: string): Promise<void> {
  try {
    await removeNow(home, id, true, 0);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "CONNECTION_NOT_FOUND")) throw error;
  }
}

/** Deletes the user's sources with their chunks and files; it reads the list of the organization's, which has no index by user. */
export async function eraseSources(home: OrgHome, { user_id }: Erasure, after: string | undefined): Promise<Reached> {
  const query = { index: "gsi1" as const, pk: sourcesIn(home.org), limit: PAGE };
  const { items, cursor } = await home.ports.records.query({ ...query, ...(after !== undefined && { after }) });
  const own = items.filter((source) => source.user_id === user_id);
  await inParallel(own, CONCURRENCY, ({ id }) => deleteIfThere(home, String(id)));
  return { erased: own.length, ...(cursor !== undefined && { after: cursor }) };
}

/** Erases sessions with their messages, summaries and archives. */
export async function eraseSessions(home: OrgHome, { user_id }: Erasure): Promise<Reached> {
  const { records } = home.ports;
  const { items } = await records.query({ ...sessionsOfUser(home.org, user_id), limit: CONCURRENCY });
  await inParallel(items, CONCURRENCY, async (record) => {
    const session = toSession(record);
    await eraseSession(home, session);
    await records.write(removeSubject(home.org, { type: "run", name: session.id }));
  });
  return { erased: items.length, ...(items.length > 0 && { after: "" }) };
}

/** Erases memories; their versions, facts, feedback and search documents go with them. */
export async function eraseMemories(home: OrgHome, { user_id }: Erasure): Promise<Reached> {
  const { records } = home.ports;
  const query = { index: "gsi2" as const, pk: memoriesOfUser(home.org, user_id), limit: PAGE };
  const { items } = await records.query(query);
  const agents = new Set(items.flatMap(({ agent_id }) => (typeof agent_id === "string" ? [agent_id] : [])));
  for (const agent of agents) await deleteAll(records, peopleIn(home.org, { user: user_id, agent }));
  const erased = await inParallel(items, CONCURRENCY, (record) => eraseMemory(home, record));
  return { erased: erased.filter(Boolean).length, ...(items.length > 0 && { after: "" }) };
}

/** What no other memory mentions goes before the memory, which alone says what it mentions. */
async function eraseMemory(home: OrgHome, record: StoredRecord): Promise<boolean> {
  const memory = await toMemory(home, record);
  if (!memory) return false;
  for (const { id } of memory.entities ?? []) await eraseEntity(home, id, memory.user_id, memory.agent_id);
  return writeUnlessChanged(home, ...removeMemory(memory));
}

/** Erases an entity that a user's memories made known, unless somebody keeps it or a memory of others mentions it. */
export async function eraseEntity(home: OrgHome, id: string, user_id?: string, agent_id?: string): Promise<void> {
  if (await isMentioned(home.ports.records, home.org, id, (memory) => memory.user_id !== user_id)) return;
  const agents = agent_id === undefined ? [undefined] : [undefined, agent_id];
  for (const agent of agents) {
    const condition = { is_kept: { absent: true as const } };
    await writeUnlessChanged(home, { delete: entityKey(home.org, id, agent), condition });
  }
}

/** Erases what was derived from the user's texts: people, answers of models, recalls, and the name among those of mem0's interface. */
export async function eraseDerived({ ports: { records }, org }: OrgHome, { user_id }: Erasure): Promise<Reached> {
  const people = await deleteAll(records, peopleIn(org, { user: user_id }));
  const recalls = await deleteAll(records, { index: "gsi1", pk: recallsOf(org, user_id) });
  await eraseModelAnswers(records, org, user_id);
  await records.write(removeSubject(org, { type: "user", name: user_id }));
  return { erased: people + recalls };
}
