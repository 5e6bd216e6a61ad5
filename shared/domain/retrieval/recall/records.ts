import { DAY_SECONDS } from "../../../kernel/durations.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import type { RecordKey, Write } from "../../../ports/ports.ts";
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

/** Returns the write that stores a recall for a day. */
export function putRecall(recall: KeptRecall, now: number): Write {
  const { org, id, user_id, created_at } = recall;
  const index = user_id === undefined ? {} : { gsi1pk: recallsOf(org, user_id), gsi1sk: `${created_at}#${id}` };
  const ttl = Math.ceil(now / 1000) + KEPT_SECONDS;
  return { put: toItem(recallKey(org, id), RECALL_KIND, recall, { ...index, ttl }) };
}

/** Returns a stored recall; undefined if there is none, or if it has expired. */
export async function findRecall({ ports, org }: Pick<OrgRuntime, "ports" | "org">, id: string) {
  const record = await ports.records.get(recallKey(org, id));
  return record && fromItem<KeptRecall>(record);
}
