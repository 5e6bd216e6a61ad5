import { dropText } from "../compat/requests.ts";
import type { JobHandler } from "../jobs/handler.ts";
import { type Job, newJob } from "../jobs/job.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { findJob, insertJob } from "../jobs/records.ts";
import { sha256 } from "../kernel/digest.ts";
import { ServiceError } from "../kernel/errors.ts";
import { derivedId } from "../kernel/ids.ts";
import { inBatches, inParallel } from "../kernel/parallel.ts";
import { eraseModelAnswers } from "../memory/model-answers.ts";
import { ENTITY_KIND, entityKey, isMentioned, memoriesOfUser, removeMemory, toMemory } from "../memory/records.ts";
import type { Context, OrgHome } from "../platform/context.ts";
import type { StoredRecord } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { eraseSession } from "../sessions/archive.ts";
import { sessionsOfUser, toSession } from "../sessions/records.ts";
import { recordsAbout } from "./references.ts";

export type EraseUserInput = { user_id: string };

/** The pass that is next, where in it, and how many records went so far. */
export type EraseUserCheckpoint = { pass: number; after?: string; erased: number };

type Reached = { erased: number; after?: string };
interface Pass {
  /** Waits before it begins, so that the change feed has made what follows from earlier writes. */
  delayMs?: number;
  run(home: OrgHome, user_id: string, after: string | undefined): Promise<Reached>;
}

const PAGE = 250;
const WIDTH = 8;
const DELETED_AT_ONCE = 40;
const FEED_LAG_MS = 15_000;

/** Records that repeat what others hold, or are to make something of it; the ends of all others follow from their owners'. */
const REFERRING_KINDS = [
  ...["delivery", "delivery_log", "dead_letter", "idempotency", "person", "subject", ENTITY_KIND],
  ...["compat_event", "compat_results", "conversation", "failed_row"],
  ...["remember_job", "forget_job", "remember_session_job", "memory_processing_job"],
];
/** What else lies in the collection of such a record goes with it. */
const WITH_COLLECTION = new Set(["delivery", "delivery_log", "dead_letter", "compat_event"]);

/**
 * While the memories and sessions are there, their ids tell whose the records are that name them; what their ends leave
 * names the user. So what refers to them goes first, and once more at the end.
 */
const PASSES: readonly Pass[] = [
  { run: eraseReferences },
  { run: eraseReferences, delayMs: FEED_LAG_MS },
  { run: eraseSessions },
  { run: eraseMemories },
  { run: eraseAnswers },
  { run: eraseReferences, delayMs: FEED_LAG_MS },
];

/**
 * Begins to erase everything that is stored of a user; repeated while the job is there, it answers that job. Throws
 * FORBIDDEN for an agent's key, which does not see all of it.
 */
export async function beginErasure(ctx: Context, user_id: string): Promise<Job<"erase_user">> {
  if (ctx.viewer !== undefined) {
    throw new ServiceError("FORBIDDEN", "A key of an agent cannot erase a user. Use a key of the organization.");
  }
  const id = derivedId("job", sha256(JSON.stringify(["erase_user", ctx.org, user_id])));
  const work = { input: { user_id }, checkpoint: { pass: 0, erased: 0 }, submitted_by: ctx.principal.id };
  const job = newJob(ctx, "erase_user", { id, ...work });
  const isNew = await writeUnlessChanged(ctx, insertJob(job));
  if (isNew) await enqueueJob(ctx, job);
  return (isNew ? undefined : await findJob(ctx.ports.records, ctx.org, id, "erase_user")) ?? job;
}

/** Erases what is stored of a user, pass by pass; each step may be repeated. */
export const eraseUser: JobHandler<"erase_user"> = {
  kind: "erase_user",

  async step(home, { job }) {
    const { pass, after: from, erased } = job.checkpoint;
    const current = PASSES[pass];
    if (!current) return { end: "completed" };
    const { erased: more, after } = await current.run(home, job.input.user_id, from);
    if (after !== undefined) return { checkpoint: { pass, after, erased: erased + more } };
    const delayMs = PASSES[pass + 1]?.delayMs;
    return { checkpoint: { pass: pass + 1, erased: erased + more }, ...(delayMs !== undefined && { delayMs }) };
  },

  onEnded({ logger }, { org, id, state, checkpoint }) {
    logger.info("USER_ERASED", { org, job: id, state, records: checkpoint.erased });
  },
};

async function eraseReferences(home: OrgHome, user_id: string, after: string | undefined): Promise<Reached> {
  const { records, inventory } = home.ports;
  const request = { kinds: REFERRING_KINDS, limit: PAGE, ...(after !== undefined && { after }) };
  const { items, cursor } = await inventory.list(request);
  const own = items.filter(({ pk }) => pk.startsWith(`${home.org}#`));
  const about = await recordsAbout(records, home.org, user_id, own);
  await inParallel(about, WIDTH, (record) => {
    return record.kind === ENTITY_KIND ? eraseEntity(home, user_id, record) : eraseReference(home, record);
  });
  return { erased: about.length, ...(cursor !== undefined && { after: cursor }) };
}

async function eraseReference(home: OrgHome, record: StoredRecord): Promise<void> {
  const { records } = home.ports;
  const { pk, sk, kind, id, delivery_id } = record;
  if (kind === "compat_event") await dropText(home, { org: home.org, id: String(id) });
  const collections = WITH_COLLECTION.has(kind) ? [pk, ...(delivery_id ? [`${home.org}#${delivery_id}`] : [])] : [];
  for (const collection of new Set(collections)) {
    const { items } = await records.query({ pk: collection, limit: PAGE });
    for (const batch of inBatches(items, DELETED_AT_ONCE)) {
      await records.write(...batch.map((item) => ({ delete: { pk: item.pk, sk: item.sk } })));
    }
  }
  await records.write({ delete: { pk, sk } });
}

/** Removes an entity that the user's memories made known, unless somebody keeps it or a memory of others mentions it. */
async function eraseEntity(home: OrgHome, user_id: string, { pk, sk, id }: StoredRecord): Promise<void> {
  const isOthers = (memory: StoredRecord) => memory.user_id !== user_id;
  if (await isMentioned(home.ports.records, home.org, String(id), isOthers)) return;
  await writeUnlessChanged(home, { delete: { pk, sk }, condition: { is_kept: { absent: true } } });
}

async function eraseSessions(home: OrgHome, user_id: string): Promise<Reached> {
  const { items } = await home.ports.records.query({ ...sessionsOfUser(home.org, user_id), limit: WIDTH });
  await inParallel(items, WIDTH, (record) => eraseSession(home, toSession(record)));
  return { erased: items.length, ...(items.length > 0 && { after: "" }) };
}

async function eraseMemories(home: OrgHome, user_id: string): Promise<Reached> {
  const query = { index: "gsi2" as const, pk: memoriesOfUser(home.org, user_id), limit: PAGE };
  const { items } = await home.ports.records.query(query);
  const erased = await inParallel(items, WIDTH, (record) => eraseMemory(home, record));
  return { erased: erased.filter(Boolean).length, ...(items.length > 0 && { after: "" }) };
}

/** What no other memory mentions goes before the memory, which alone says what it mentions. */
async function eraseMemory(home: OrgHome, record: StoredRecord): Promise<boolean> {
  const memory = await toMemory(home, record);
  if (!memory) return false;
  const { records } = home.ports;
  for (const { id } of memory.entities ?? []) {
    if (await isMentioned(records, home.org, id, (other) => other.id !== memory.id)) continue;
    const agents = memory.agent_id === undefined ? [undefined] : [undefined, memory.agent_id];
    for (const agent of agents) {
      const condition = { is_kept: { absent: true as const } };
      await writeUnlessChanged(home, { delete: entityKey(home.org, id, agent), condition });
    }
  }
  return writeUnlessChanged(home, ...removeMemory(memory));
}

async function eraseAnswers({ ports, org }: OrgHome, user_id: string): Promise<Reached> {
  await eraseModelAnswers(ports.records, org, user_id);
  return { erased: 0 };
}
