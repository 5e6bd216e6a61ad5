import { logistic } from "../../../kernel/math.ts";
import { wordSet, words } from "../../../kernel/text/text.ts";
import type { AskedValue } from "../../../language/languages/pack.ts";
import { askedValueOf } from "../../../language/questions/asked-value.ts";
import { relationsIn } from "../../../language/questions/relations.ts";
import type { Calibrated, SearchAnswer, SearchHit } from "../../../ports/ports.ts";
import {
  embedderOf,
  isUnrelated,
  type Judged as Ranking,
  SIGNALS as SEARCH_SIGNALS,
  signalsOf,
} from "../ranking/confidence.ts";
import { informationOf } from "../ranking/fusion.ts";
import { asksOnlyForTime, isOfTime } from "../ranking/time-alone.ts";
import weights from "./confidence.json" with { type: "json" };
import { holdsValue } from "./held-values.ts";
import { type Question, readQuestion } from "./question.ts";

/**
 * Signals that distinguish questions that the memories answer from questions of which they contain only the names, each
 * about 0..1.
 */
export const SIGNALS = [
  ...SEARCH_SIGNALS,
  /** If memories hold a name of the query: the share of its other terms that none of these memories holds. */
  "apart",
  /** The same for a query with few other terms, and for one that asks for a fact. */
  "apartBrief",
  "apartAsked",
  /** The best text has no value of the kind that is asked for: a name; an amount or a code; an age, a colour, a surname. */
  "lacksName",
  "lacksNumber",
  "lacksExact",
  /** Share of the people and things that the query names by their relation ("my niece") and that no best text does. */
  "lacksRelation",
  /** No memory holds a word of the query, though the best are in its language; and the query is of a few words. */
  "unheard",
  "unheardBrief",
] as const;

export type Signals = Record<(typeof SIGNALS)[number], number>;

/** Maximum number of terms of a brief query besides its names, and of its words if no memory holds one. */
const MAX_BRIEF = 2;
const MAX_BRIEF_WORDS = 3;
/** Number of best texts that are searched for relations. */
const MAX_RELATED = 8;

/** The hits of a query, and the names of the user it is about, folded. */
export interface Judged extends Ranking {
  ownNames: ReadonlySet<string>;
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
  { ownNames, ...found }: Judged,
): Signals {
  const { answer } = found;
  const question = readQuestion(found.question.query, ownNames, found.question.now);
  const held = new Set(answer.keyword.flatMap(({ terms = [] }) => terms));
  const known = new Set([...question.names].filter((name) => held.has(name)));
  const apart = known.size === 0 ? 0 : 1 - bestShare(question, known, answer);
  const isBrief = question.rest.size <= MAX_BRIEF;
  const signals = signalsOf(embedder, found);
  const isUnheard = signals.coverage === 0;
  return {
    ...signals,
    apart,
    apartBrief: isBrief ? apart : 0,
    apartAsked: question.asksFor ? apart : 0,
    ...lackedValue(found),
    lacksRelation: lackedRelations(found),
    unheard: isUnheard ? 1 - signals.otherLanguage : 0,
    unheardBrief: isUnheard && words(found.question.query).length <= MAX_BRIEF_WORDS ? 1 : 0,
  };
}

/** Returns 1 for the signal of the kind of value that the query asks for if the best text has none. */
function lackedValue({ question: { query }, ranked: [best] }: Ranking) {
  const kind = askedValueOf(query);
  const isLacking =
    kind !== undefined && best !== undefined && !holdsValue(best.document.content, kind, wordSet(query));
  const signalOf = (...kinds: AskedValue[]) => (isLacking && kinds.includes(kind) ? 1 : 0);
  return {
    lacksName: signalOf("name"),
    lacksNumber: signalOf("amount", "code"),
    lacksExact: signalOf("age", "colour", "otherName"),
  };
}

/** Returns the share of the relations that the query names and that none of the best texts names. */
function lackedRelations({ question: { query }, ranked }: Ranking): number {
  const asked = relationsIn(query);
  if (asked.size === 0) return 0;
  const held = new Set(ranked.slice(0, MAX_RELATED).flatMap(({ document }) => [...relationsIn(document.content)]));
  return [...asked].filter((relation) => !held.has(relation)).length / asked.size;
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
