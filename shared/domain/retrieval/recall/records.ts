import { timestamp } from "../../../kernel/clock.ts";
import { DAY_SECONDS } from "../../../kernel/durations.ts";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import { type Listing, listObjects } from "../../../ports/listing.ts";
import type { RecordKey, Write } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { RecallWhy } from "./recall.ts";

const RECALL_KIND = "recall";
const KEPT_SECONDS = DAY_SECONDS;

/** The result of a recall, by ids only: contents are read again with the permissions of the reader. */
export interface KeptRecall {
  id: string;
  org: string;
  user_id?: string | undefined;
  created_at: string;
  /** The principal that made the recall. */
  created_by: string;
  max_tokens: number;
  tokens: number;
  confident: boolean;
  /** Best first. */
  items: { memory_id: string; fact_id?: string | undefined; label: string; score: number; why: RecallWhy }[];
}

const recallKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: RECALL_KIND });
/** Partition of the recalls of a user's memories. */
export const recallsOf = (org: string, user: string): string => `${org}#recalls#${user}`;

/** Partition of the recalls that a principal made. */
const recallsBy = (org: string, principal: string): string => `${org}#recalls-by#${principal}`;

/** Returns the write that stores a recall for a day. */
export function putRecall(recall: KeptRecall, now: number): Write {
  const { org, id, user_id, created_at, created_by } = recall;
  const inOrder = `${created_at}#${id}`;
  const index = {
    ...(user_id !== undefined && { gsi1pk: recallsOf(org, user_id), gsi1sk: inOrder }),
    gsi2pk: recallsBy(org, created_by),
    gsi2sk: inOrder,
  };
  const ttl = Math.ceil(now / 1000) + KEPT_SECONDS;
  return { put: toItem(recallKey(org, id), RECALL_KIND, recall, { ...index, ttl }) };
}

/** One page of the recalls that a principal made within a day, newest first. */
export function listRecalls(
  { ports, org, clock }: Pick<OrgRuntime, "ports" | "org" | "clock">,
  principal: string,
  page: PageRequest,
): Promise<Listing<KeptRecall>> {
  const since = timestamp(clock() - KEPT_SECONDS * 1000);
  const query = { index: "gsi2", pk: recallsBy(org, principal), sk: { atLeast: since }, descending: true } as const;
  return listObjects<KeptRecall>(ports.records, query, page);
}

/** Returns a stored recall; undefined if there is none, or if it has expired. */
export async function findRecall({ ports, org }: Pick<OrgRuntime, "ports" | "org">, id: string) {
  const record = await ports.records.get(recallKey(org, id));
  return record && fromItem<KeptRecall>(record);
}
