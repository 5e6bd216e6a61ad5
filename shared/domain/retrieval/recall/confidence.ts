import { logistic } from "../../../kernel/math.ts";
import type { AskedValue } from "../../../language/languages/pack.ts";
import { askedValueOf } from "../../../language/questions/asked-value.ts";
import type { Calibrated } from "../../../ports/embedder.ts";
import type { SearchAnswer, SearchHit } from "../../../ports/search-index.ts";
import type { Asked } from "../ranking/asked.ts";
import {
  embedderOf,
  isUnrelated,
  type Judged as Ranking,
  SIGNALS as SEARCH_SIGNALS,
  signalsOf,
} from "../ranking/confidence.ts";
import { informationOf } from "../ranking/fusion.ts";
import { type KnownFact, probabilityHeld } from "../ranking/held-slots.ts";
import { type Question, readQuestion } from "../ranking/question.ts";
import { asksOnlyForTime, isOfTime } from "../ranking/time-alone.ts";
import weights from "./confidence.json" with { type: "json" };
import { holdsValue } from "./held-values.ts";

/**
 * Signals that distinguish questions that the memories answer from questions of which they contain only the names, each
 * about 0..1.
 */
export const SIGNALS = [
  ...SEARCH_SIGNALS,
  /**
   * If memories hold a name of the query: the share of its other terms that none of these memories holds, for a query
   * with few other terms, and for one that asks for a fact.
   */
  "apartBrief",
  "apartAsked",
  /** The query asks for a kind of value: a name, an amount, a code, an age, a colour; and the nearness of the best text without one. */
  "asksValue",
  "nearWithoutValue",
  /** No memory holds a name of the query, though the best are in its language. */
  "unheldName",
  /** No memory holds a word of the query, though the best are in its language; and the query is of a few words. */
  "unheard",
  "unheardBrief",
  /** The probability of the likeliest asked slot that a fact of the asked person has. */
  "slotHeld",
] as const;

export type Signals = Record<(typeof SIGNALS)[number], number>;

/** Maximum number of terms of a brief query besides its names, and of its words if no memory holds one. */
const MAX_BRIEF = 2;
const MAX_BRIEF_WORDS = 3;

/** The hits of a query, the names of the user it is about, folded, and what is known about what it asks. */
export interface Judged extends Ranking {
  ownNames: ReadonlySet<string>;
  /** The slots that the query asks for; undefined if its vector does not say it. */
  slots: Asked | undefined;
  /** The facts that the nearest hits state. */
  facts: readonly KnownFact[];
}

/** Whether the hits answer the query; false without hits. `current` is the embedder in use. */
export function isAnswered(current: Calibrated, found: Judged): boolean {
  const [best] = found.ranked;
  if (best === undefined || isUnrelated(current, found)) return false;
  if (asksOnlyForTime(found.question)) return isOfTime(found.question, best);
  const embedder = embedderOf(found.answer, current);
  const { signals, intercept, confident } = embedder.isLexical ? weights.lexical : weights.dense;
  const values = recallSignalsOf(embedder, found);
  return logistic(SIGNALS.reduce((sum, name) => sum + signals[name] * values[name], intercept)) >= confident;
}

/** Returns the signals of a query's hits. */
export function recallSignalsOf(
  embedder: Pick<Calibrated, "background" | "isLexical">,
  { ownNames, slots, facts, ...found }: Judged,
): Signals {
  const { answer } = found;
  const question = readQuestion(found.question.query, ownNames, found.question.now);
  const held = new Set(answer.keyword.flatMap(({ terms = [] }) => terms));
  const known = new Set([...question.names].filter((name) => held.has(name)));
  const apart = known.size === 0 ? 0 : 1 - bestShare(question, known, answer);
  const isBrief = question.rest.size <= MAX_BRIEF;
  const signals = signalsOf(embedder, found);
  const isUnheard = signals.coverage === 0;
  const isInLanguage = 1 - signals.otherLanguage;
  const kind = askedValueOf(found.question.query);
  return {
    ...signals,
    apartBrief: isBrief ? apart : 0,
    apartAsked: question.asksFor ? apart : 0,
    asksValue: kind === undefined ? 0 : 1,
    nearWithoutValue: lacksValue(found, kind) ? Math.max(0, signals.meaning) : 0,
    unheldName: [...question.names].every((name) => held.has(name)) ? 0 : isInLanguage,
    unheard: isUnheard ? isInLanguage : 0,
    unheardBrief: isUnheard && found.question.query.words.length <= MAX_BRIEF_WORDS ? 1 : 0,
    slotHeld: slots === undefined ? 0 : probabilityHeld(slots, question, facts),
  };
}

/** Whether the best text has no value of the kind that the query asks for. */
function lacksValue({ question: { query }, ranked: [best] }: Ranking, kind: AskedValue | undefined): boolean {
  return (
    kind !== undefined &&
    best !== undefined &&
    !holdsValue(best.document.content, kind, new Set(query.words.map(({ folded }) => folded)))
  );
}

/** Returns the largest share of the query's information, without its names, that one memory with a name contains. */
function bestShare({ rest }: Question, known: ReadonlySet<string>, { keyword, statistics }: SearchAnswer): number {
  if (statistics === undefined || rest.size === 0) return 1;
  const information = informationOf(statistics);
  const total = [...rest].reduce((sum, term) => sum + (information.get(term) ?? 0), 0);
  if (total === 0) return 1;
  const shareOf = ({ terms = [], weights: counts }: SearchHit) =>
    terms.reduce(
      (sum, term) => sum + (rest.has(term) ? (counts?.get(term) ?? 1) * (information.get(term) ?? 0) : 0),
      0,
    );
  const naming = keyword.filter(({ terms = [] }) => terms.some((term) => known.has(term)));
  return Math.max(0, ...naming.map(shareOf)) / total;
}
