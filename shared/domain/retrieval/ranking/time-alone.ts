import { occurredMs } from "../../../kernel/event-time.ts";
import { analyse } from "../../../kernel/text/text.ts";
import { allWords } from "../../../language/languages/lists.ts";
import { AskedTime } from "./asked-time.ts";
import { type Question, termsOfTime } from "./features.ts";
import type { Ranked } from "./fusion.ts";

/** Words that ask for anything that happened, and small words beside them. */
const HAPPENED = new Set(analyse(allWords(({ recall }) => recall?.happened)));
/** Score of what happened at the time that a query asks about, if it asks for nothing else; and of all other hits. */
const SCORE = { inTime: 0.9, other: 0.4 };
/** Factor by which each score is below the one before it. */
const BELOW = 1 - 1e-6;

/** Whether a query asks for nothing but a time: "What happened on 19 May?", "in February". */
export function asksOnlyForTime(question: Question): boolean {
  if (question.asked === undefined || question.asked.length === 0) return false;
  const time = termsOfTime(question);
  return question.query.termList.every((term) => time.has(term) || HAPPENED.has(term));
}

/** Whether a memory happened at the time that a question asks about. */
export function isOfTime({ asked = [] }: Question, { document }: Pick<Ranked, "document">): boolean {
  return new AskedTime(asked).holds(document);
}

/** Returns the hits of a query that asks for nothing but a time: what happened then in its order, then the others. */
export function inOrderOfTime(question: Question, hits: Ranked[]): Ranked[] {
  const { then = [], other = [] } = Object.groupBy(hits, (hit) => (isOfTime(question, hit) ? "then" : "other"));
  const ordered = then.toSorted((a, b) => occurredMs(a.document) - occurredMs(b.document));
  return [
    ...ordered.map((hit, index) => ({ ...hit, score: SCORE.inTime * BELOW ** index })),
    ...other.map((hit) => ({ ...hit, score: Math.min(hit.score, SCORE.other) })),
  ];
}
