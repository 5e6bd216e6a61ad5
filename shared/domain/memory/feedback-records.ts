import type { PageRequest } from "../../kernel/pagination.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import { readPage } from "../../ports/listing.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/ports.ts";
import type { Feedback } from "./memory.ts";
import { memoryKey } from "./memory-keys.ts";

const feedbackKey = (org: string, id: string, feedback: string): RecordKey => ({
  pk: `${org}#${id}`,
  sk: `feedback#${feedback}`,
});

/** Stores a rating and updates the memory's sums in one transaction. */
export function insertFeedback(org: string, feedback: Feedback): Write[] {
  return [
    {
      update: memoryKey(org, feedback.memory_id),
      add: { feedback_count: 1, feedback_sum: feedback.rating, revision: 1 },
      condition: "present",
    },
    { put: toItem(feedbackKey(org, feedback.memory_id, feedback.id), "feedback", feedback) },
  ];
}

/** Deletes a rating and updates the memory's sums in one transaction; refused if the rating was already deleted. */
export function removeFeedback(org: string, { id, memory_id, rating }: Feedback): Write[] {
  return [
    {
      update: memoryKey(org, memory_id),
      add: { feedback_count: -1, feedback_sum: -rating, revision: 1 },
      condition: "present",
    },
    { delete: feedbackKey(org, memory_id, id), condition: "present" },
  ];
}

export async function findFeedback(
  records: RecordStore,
  org: string,
  memory_id: string,
  id: string,
): Promise<Feedback | undefined> {
  const record = await records.get(feedbackKey(org, memory_id, id));
  return record && fromItem<Feedback>(record);
}

/** A page of a memory's ratings, oldest first. */
export async function listFeedback(
  records: RecordStore,
  org: string,
  memory_id: string,
  page: PageRequest,
): Promise<{ feedback: Feedback[]; total: number; hasNext: boolean }> {
  const { pk } = memoryKey(org, memory_id);
  const { items, total, hasNext } = await readPage(records, { pk, sk: { beginsWith: "feedback#" } }, page);
  return { feedback: items.map(fromItem<Feedback>), total, hasNext };
}
