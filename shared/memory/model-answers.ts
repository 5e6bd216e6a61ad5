import { sha256 } from "../kernel/digest.ts";
import { inBatches } from "../kernel/parallel.ts";
import type { OrgHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { queryPages } from "../platform/pages.ts";
import type { Json, RecordKey, RecordQuery, RecordStore } from "../platform/ports.ts";

/** What a model made of texts, so that the same text is not sent to it twice. */
export interface ModelAnswers<Answer> {
  /** `question` is everything that the answer depends on. */
  find(question: Json): Promise<Answer | undefined>;
  keep(question: Json, answer: Answer): Promise<void>;
}

/** Whose texts they are, and who reads them: an agent's answers are its own. */
export interface AnswersOwner {
  user_id?: string | undefined;
  viewer?: string | undefined;
}

interface KeptAnswer {
  digest: string;
  answer: unknown;
}

/** A later answer takes the place of an earlier one in the same slot, so a user has no more of them. */
const SLOTS = 512;
const KEPT_SECONDS = 7 * 86_400;
/** Longer answers are not kept. */
const MAX_CHARACTERS = 64 * 1024;
const PAGE = 100;
const DELETED_AT_ONCE = 40;

const answersIn = (org: string): string => `${org}#model_answers`;
const answersOf = (org: string, user_id: string | undefined): string =>
  `${answersIn(org)}#${user_id === undefined ? "" : sha256(user_id)}`;

function keyOf(org: string, user_id: string | undefined, digest: string): RecordKey {
  const slot = Number.parseInt(digest.slice(0, 8), 16) % SLOTS;
  return { pk: answersOf(org, user_id), sk: String(slot).padStart(3, "0") };
}

/** The answers that are kept of one user's texts, or of those of nobody in particular. */
export function modelAnswers<Answer>(
  { ports: { records }, org, clock }: Pick<OrgHome, "ports" | "org" | "clock">,
  { user_id, viewer }: AnswersOwner,
): ModelAnswers<Answer> {
  const digestOf = (question: Json) => sha256(JSON.stringify([viewer ?? null, question]));
  const now = () => Math.floor(clock() / 1000);
  return {
    async find(question) {
      const digest = digestOf(question);
      const record = await records.get(keyOf(org, user_id, digest));
      const kept = record && fromItem<KeptAnswer>(record);
      // The store removes what is over within days.
      const isOver = record?.ttl === undefined || record.ttl <= now();
      return kept?.digest === digest && !isOver ? (kept.answer as Answer) : undefined;
    },
    async keep(question, answer) {
      if (JSON.stringify(answer).length > MAX_CHARACTERS) return;
      const digest = digestOf(question);
      const key = keyOf(org, user_id, digest);
      const index = { gsi1pk: answersIn(org), gsi1sk: `${key.pk}#${key.sk}`, ttl: now() + KEPT_SECONDS };
      await records.write({ put: toItem(key, "model_answer", { digest, answer }, index) });
    },
  };
}

/** Erases what is kept of one user's texts, or of those of nobody in particular. */
export async function eraseModelAnswers(records: RecordStore, org: string, user_id: string | undefined): Promise<void> {
  await eraseAll(records, { pk: answersOf(org, user_id), limit: PAGE });
}

/** Erases what is kept of an organization's texts, whoever's they are. */
export async function eraseAllModelAnswers(records: RecordStore, org: string): Promise<void> {
  await eraseAll(records, { index: "gsi1", pk: answersIn(org), limit: PAGE });
}

async function eraseAll(records: RecordStore, query: RecordQuery): Promise<void> {
  for await (const items of queryPages(records, query)) {
    for (const batch of inBatches(items, DELETED_AT_ONCE)) {
      await records.write(...batch.map(({ pk, sk }) => ({ delete: { pk, sk } })));
    }
  }
}
