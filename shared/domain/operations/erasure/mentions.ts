import { inParallel } from "../../../kernel/parallel.ts";
import { fromCursor, toCursor } from "../../../ports/cursor.ts";
import { deleteAll } from "../../../ports/pages.ts";
import type { RecordPage, RecordQuery, StoredRecord } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { Job } from "../../../runtime/jobs/job.ts";
import { listOf, toJob } from "../../../runtime/jobs/stored-form.ts";
import { eventsOf } from "../../integration/compat/events.ts";
import { dropText } from "../../integration/compat/requests.ts";
import { deadLettersOf } from "../../integration/webhooks/dead-letters.ts";
import { logOf } from "../../integration/webhooks/delivery-log.ts";
import { entitiesOf } from "../../memory/entity-records.ts";
import { eraseEntity } from "./owned.ts";
import { CONCURRENCY, DELETED_AT_ONCE, type Erasure, PAGE } from "./pass.ts";
import { recordsAbout } from "./references.ts";
import type { StepResult } from "./steps.ts";

/** A list whose members may name a user. */
type Mentioning = Pick<RecordQuery, "index" | "pk" | "sk"> & {
  /** Whether the records of a member's collection may name the user too. */
  isCollection?: true;
};

type List = Mentioning & {
  /** Erases a member and its data. */
  erase(runtime: OrgRuntime, record: StoredRecord, user_id: string): Promise<unknown>;
};

/** Lists whose members may name a user but have no index by user. All except entities are kept for 30 days at most. */
const listsOf = (org: string): List[] => [
  { index: "gsi1", pk: eventsOf(org), isCollection: true, erase: eraseEvent },
  { index: "gsi1", pk: logOf(org), erase: eraseDelivery },
  { index: "gsi1", pk: deadLettersOf(org), erase: eraseDelivery },
  { index: "gsi1", pk: listOf(org, "memory"), erase: eraseCollection },
  // An entity names the memory that introduced it, even if a later version no longer mentions it.
  { index: "gsi1", pk: entitiesOf(org), erase: (runtime, { id }, user) => eraseEntity(runtime, String(id), user) },
];

/** Erases a page of records that name the user, or that contain ids of existing memories and sessions of the user. */
export async function eraseMentions(
  runtime: OrgRuntime,
  { user_id }: Erasure,
  after: string | undefined,
): Promise<StepResult> {
  const [listIndex, from] = after === undefined ? [0, undefined] : fromCursor<[number, string | undefined]>(after);
  const list = listsOf(runtime.org)[listIndex];
  if (!list) return { erased: 0 };
  const { items, cursor } = await findMentions(runtime, list, user_id, from);
  await inParallel(items, CONCURRENCY, (record) => list.erase(runtime, record, user_id));
  const next = cursor === undefined ? [listIndex + 1] : [listIndex, cursor];
  return { erased: items.length, after: toCursor(next) };
}

/** Returns those members of a page of a list that name the user or contain ids of the user's existing data. */
export async function findMentions(
  runtime: OrgRuntime,
  { index, pk, sk, isCollection }: Mentioning,
  user_id: string,
  after: string | undefined,
): Promise<RecordPage> {
  const { records } = runtime.ports;
  const { items, cursor } = await records.query({ index, pk, sk, limit: PAGE, after });
  const pages = isCollection ? await inParallel(items, CONCURRENCY, (item) => collectionOf(runtime, item)) : [items];
  const about = await recordsAbout(records, runtime.org, user_id, pages.flat());
  const collections = new Set(about.map((record) => record.pk));
  return { items: items.filter((item) => collections.has(item.pk)), cursor };
}

async function collectionOf({ ports }: OrgRuntime, { pk }: StoredRecord): Promise<StoredRecord[]> {
  return (await ports.records.query({ pk, limit: PAGE })).items;
}

function eraseCollection({ ports }: OrgRuntime, { pk }: Pick<StoredRecord, "pk">): Promise<number> {
  return deleteAll(ports.records, { pk, limit: DELETED_AT_ONCE });
}

async function eraseEvent(runtime: OrgRuntime, record: StoredRecord): Promise<void> {
  await dropText(runtime, { org: runtime.org, id: String(record.id) });
  await eraseCollection(runtime, record);
}

/** Erases an attempt or a dead letter, with the delivery that holds its payload. */
async function eraseDelivery(runtime: OrgRuntime, record: StoredRecord): Promise<void> {
  const { delivery_id } = record;
  await eraseCollection(runtime, record);
  if (typeof delivery_id === "string") await eraseCollection(runtime, { pk: `${runtime.org}#${delivery_id}` });
}

/** Erases exports that may contain the user's memories, with their files, because their content is not indexed. */
export async function eraseExports(runtime: OrgRuntime, erasure: Erasure, after?: string): Promise<StepResult> {
  const { items, cursor } = await findExports(runtime, erasure, after);
  await inParallel(items, CONCURRENCY, async (record) => {
    for (const { blob } of toJob<"export">(record).checkpoint.files) await runtime.ports.blobs.delete(blob);
    await eraseEvent(runtime, record);
  });
  return { erased: items.length, after: cursor };
}

/** Returns those members of a page of the exports that may contain the user's memories. */
export async function findExports(
  { ports, org }: OrgRuntime,
  { user_id, asked_at }: Erasure,
  after: string | undefined,
): Promise<RecordPage> {
  const query = { index: "gsi1" as const, pk: listOf(org, "exports"), limit: PAGE, after };
  const { items, cursor } = await ports.records.query(query);
  const mayContain = ({ input, submitted_at }: Job<"export">) =>
    submitted_at <= asked_at && (input.filter.user_id ?? user_id) === user_id;
  return { items: items.filter((record) => mayContain(toJob<"export">(record))), cursor };
}
