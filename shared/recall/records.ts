import type { OrgHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, Write } from "../platform/ports.ts";
import type { RecallWhy } from "./recall.ts";

const RECALL_KIND = "recall";
const KEPT_SECONDS = 86_400;

/** What a recall answered, by ids alone: contents are read again under the rights of whoever asks. */
export interface KeptRecall {
  id: string;
  org: string;
  user_id?: string | undefined;
  created_at: string;
  /** Principal that made it. */
  created_by: string;
  max_tokens: number;
  tokens: number;
  confident: boolean;
  /** Best first. */
  items: { memory_id: string; fact_id?: string | undefined; label: string; score: number; why: RecallWhy }[];
}

const recallKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: RECALL_KIND });
/** The recalls of a user's memories. */
export const recallsOf = (org: string, user: string): string => `${org}#recalls#${user}`;

/** Keeps a recall for a day. */
export function putRecall(recall: KeptRecall, now: number): Write {
  const { org, id, user_id, created_at } = recall;
  const index = user_id === undefined ? {} : { gsi1pk: recallsOf(org, user_id), gsi1sk: `${created_at}#${id}` };
  const ttl = Math.ceil(now / 1000) + KEPT_SECONDS;
  return { put: toItem(recallKey(org, id), RECALL_KIND, recall, { ...index, ttl }) };
}

export async function findRecall({ ports, org }: Pick<OrgHome, "ports" | "org">, id: string) {
  const record = await ports.records.get(recallKey(org, id));
  return record && fromItem<KeptRecall>(record);
}
