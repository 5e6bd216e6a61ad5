import { sha256 } from "../../kernel/digest.ts";
import { DAY_SECONDS } from "../../kernel/durations.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import type { Json } from "../../ports/json.ts";
import { deleteAll } from "../../ports/pages.ts";
import type { RecordKey, RecordStore } from "../../ports/record-store.ts";
import type { OrgRuntime } from "../../runtime/context.ts";

/** Cached model answers, so that the same text is not sent twice. */
export interface ModelAnswers<Answer> {
  /** `question` is everything that the answer depends on. */
  find(question: Json): Promise<Answer | undefined>;
  keep(question: Json, answer: Answer): Promise<void>;
}

/** Slots of a user's cache. A later answer replaces an earlier one in its slot, which bounds the cache. */
const SLOTS = 512;
const TTL_SECONDS = 7 * DAY_SECONDS;
/** Longer answers are not cached. */
const MAX_CHARACTERS = 64 * 1024;
const DELETE_BATCH_SIZE = 40;

const answersIn = (org: string): string => `${org}#model_answers`;
const answersOf = (org: string, user_id: string | undefined): string =>
  `${answersIn(org)}#${user_id === undefined ? "" : sha256(user_id)}`;

function keyOf(org: string, user_id: string | undefined, digest: string): RecordKey {
  const slot = Number.parseInt(digest.slice(0, 8), 16) % SLOTS;
  return { pk: answersOf(org, user_id), sk: String(slot).padStart(3, "0") };
}

/** Returns the cache of answers about one user's texts, or about texts without a user. An agent viewer has its own. */
export function modelAnswers<Answer>(
  { ports: { records }, org, clock }: Pick<OrgRuntime, "ports" | "org" | "clock">,
  { user_id, viewer }: { user_id?: string | undefined; viewer?: string | undefined },
): ModelAnswers<Answer> {
  const digestOf = (question: Json) => sha256(JSON.stringify([viewer ?? null, question]));
  const now = () => Math.floor(clock() / 1000);
  return {
    async find(question) {
      const digest = digestOf(question);
      const record = await records.get(keyOf(org, user_id, digest));
      const cached = record && fromItem<{ digest: string; answer: Answer }>(record);
      // The store deletes expired items within days.
      const isExpired = record?.ttl === undefined || record.ttl <= now();
      return cached?.digest === digest && !isExpired ? cached.answer : undefined;
    },
    async keep(question, answer) {
      if (JSON.stringify(answer).length > MAX_CHARACTERS) return;
      const digest = digestOf(question);
      const key = keyOf(org, user_id, digest);
      const index = { gsi1pk: answersIn(org), gsi1sk: `${key.pk}#${key.sk}`, ttl: now() + TTL_SECONDS };
      await records.write({ put: toItem(key, "model_answer", { digest, answer }, index) });
    },
  };
}

/** Deletes the cached answers about one user's texts, or about texts without a user. */
export async function eraseModelAnswers(records: RecordStore, org: string, user_id: string | undefined): Promise<void> {
  await deleteAll(records, { pk: answersOf(org, user_id), limit: DELETE_BATCH_SIZE });
}

/** Deletes all cached answers of an organization. */
export async function eraseAllModelAnswers(records: RecordStore, org: string): Promise<void> {
  await deleteAll(records, { index: "gsi1", pk: answersIn(org), limit: DELETE_BATCH_SIZE });
}
