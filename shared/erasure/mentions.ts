import { eventsOf } from "../compat/events.ts";
import { dropText } from "../compat/requests.ts";
import { listOf, toJob } from "../jobs/stored-form.ts";
import { inParallel } from "../kernel/parallel.ts";
import { entitiesOf } from "../memory/records.ts";
import type { OrgHome } from "../platform/context.ts";
import { fromCursor, toCursor } from "../platform/cursor.ts";
import type { RecordQuery, StoredRecord } from "../platform/ports.ts";
import { deadLettersOf } from "../webhooks/dead-letters.ts";
import { logOf } from "../webhooks/delivery-log.ts";
import { eraseEntity } from "./owned.ts";
import { CONCURRENCY, deleteAll, type Erasure, PAGE, type Reached } from "./pass.ts";
import { recordsAbout } from "./references.ts";

type List = Pick<RecordQuery, "index" | "pk"> & {
  /** Whether the records of a member's collection tell about it too. */
  isCollection?: true;
  /** Erases a member and what belongs to it. */
  erase(home: OrgHome, record: StoredRecord, user_id: string): Promise<unknown>;
};

/**
 * Lists of an organization whose members may tell of a user without an index by user: reading them costs what the
 * organization has of them. All but entities are kept for 30 days at most.
 */
const listsOf = (org: string): List[] => [
  { index: "gsi1", pk: eventsOf(org), isCollection: true, erase: eraseEvent },
  { index: "gsi1", pk: logOf(org), erase: eraseDelivery },
  { index: "gsi1", pk: deadLettersOf(org), erase: eraseDelivery },
  { index: "gsi1", pk: listOf(org, "memory"), erase: eraseCollection },
  // An entity names the memory that made it known, which a later version of that may not mention.
  { index: "gsi1", pk: entitiesOf(org), erase: (home, { id }, user_id) => eraseEntity(home, String(id), user_id) },
];

/** Erases a page of what tells of the user: by the user's name, or by the ids of memories and sessions that are still there. */
export async function eraseMentions(home: OrgHome, { user_id }: Erasure, after: string | undefined): Promise<Reached> {
  const [place, from] = after === undefined ? [0, undefined] : fromCursor<[number, string | undefined]>(after);
  const list = listsOf(home.org)[place];
  if (!list) return { erased: 0 };
  const { records } = home.ports;
  const { index, pk, isCollection, erase } = list;
  const { items, cursor } = await records.query({ index, pk, limit: PAGE, ...(from !== undefined && { after: from }) });
  const told = isCollection ? await inParallel(items, CONCURRENCY, (item) => collectionOf(home, item)) : [items];
  const about = await recordsAbout(records, home.org, user_id, told.flat());
  const collections = new Set(about.map((record) => record.pk));
  const erased = items.filter((item) => collections.has(item.pk));
  await inParallel(erased, CONCURRENCY, (record) => erase(home, record, user_id));
  const next = cursor === undefined ? [place + 1] : [place, cursor];
  return { erased: erased.length, after: toCursor(next) };
}

async function collectionOf({ ports }: OrgHome, { pk }: StoredRecord): Promise<StoredRecord[]> {
  return (await ports.records.query({ pk, limit: PAGE })).items;
}

function eraseCollection({ ports }: OrgHome, { pk }: StoredRecord): Promise<number> {
  return deleteAll(ports.records, { pk });
}

async function eraseEvent(home: OrgHome, record: StoredRecord): Promise<void> {
  await dropText(home, { org: home.org, id: String(record.id) });
  await eraseCollection(home, record);
}

/** An attempt or a dead letter, and the delivery that has its payload. */
async function eraseDelivery(home: OrgHome, record: StoredRecord): Promise<void> {
  const { delivery_id } = record;
  await eraseCollection(home, record);
  if (typeof delivery_id === "string") await deleteAll(home.ports.records, { pk: `${home.org}#${delivery_id}` });
}

/** Erases the files of exports that may hold memories of the user, and the exports, as nothing else tells what they hold. */
export async function eraseExports(home: OrgHome, { user_id, asked_at }: Erasure, after?: string): Promise<Reached> {
  const { records, blobs } = home.ports;
  const query = { index: "gsi1" as const, pk: listOf(home.org, "exports"), limit: PAGE };
  const { items, cursor } = await records.query({ ...query, ...(after !== undefined && { after }) });
  const exports = items.map((record) => ({ record, job: toJob<"export">(record) }));
  const affected = exports.filter(({ job: { input, submitted_at } }) => {
    return submitted_at <= asked_at && (input.filter.user_id ?? user_id) === user_id;
  });
  await inParallel(affected, CONCURRENCY, async ({ record, job }) => {
    for (const { blob } of job.checkpoint.files) await blobs.delete(blob);
    await eraseEvent(home, record);
  });
  return { erased: affected.length, ...(cursor !== undefined && { after: cursor }) };
}
