import { occurredMs } from "../../kernel/event-time.ts";
import { annotateDates } from "../../memory/dates/annotate.ts";
import type { TimeRange } from "../../memory/dates/asked.ts";
import type { Neighbours, SearchSource } from "../../platform/ports.ts";
import type { Ranked } from "../fusion.ts";
import { analyse, words } from "../text.ts";
import { AskedTime } from "./asked-time.ts";

/** What the ranking knows of a candidate, by name; each is about 0..1. */
export const FEATURES = [
  /** Share of the query's information that its words carry. */
  "keyword",
  /** How near it is in meaning, in deviations of unrelated texts. */
  "meaning",
  /** The same of what was said right before and after it in its session, and beyond that. */
  "previousKeyword",
  "nextKeyword",
  "nextMeaning",
  "fartherKeyword",
  /** The best candidate of its session. */
  "session",
  /** It asks something itself. */
  "question",
  /** The assistant said it; and the query asks what the assistant said. */
  "assistant",
  "assistantAsked",
  /** The query names who said it, or whom it begins with. */
  "subject",
  /** Short texts rarely answer anything. */
  "length",
  "short",
  /** Its place among the candidates in time, nearest to when it was asked 1; and where the query asks of the present. */
  "recent",
  "recentNow",
  /** It happened when the query asks about; how near to that it happened otherwise; and it names a date of that time. */
  "inTime",
  "nearTime",
  "namesTime",
  /** Share of the query's words that only say that time and that it holds: "every week" is not "last week". */
  "timeWords",
  /** It happened then: the share of the query's words that only say that time. */
  "timeAlone",
] as const;

export type Feature = (typeof FEATURES)[number];
export type Features = Record<Feature, number>;

/** A hit of the search; `meaning` is its cosine in deviations of the embedder's unrelated texts, 1 = three of them. */
export interface Candidate extends Ranked {
  meaning: number;
}

const QUESTION = /[?？؟;՞]["'”’)\]]?$/u;
const NAMED_SPEAKER = /^(?<name>\p{L}[\p{L}\p{M}\p{N} .'’-]{0,40}):\s/u;
/** As much of a text as its speaker and subject are looked for in. */
const OPENING_LENGTH = 100;
/** As much of a text as words for a time are looked for in. */
const READ_LENGTH = 1000;
/** As much of a text as its last sign is looked for in. */
const ENDING_LENGTH = 20;
/** Characters of a text beyond which its length says no more. */
const LONG = 400;
const SHORT = 20;

/** Words by which a query addresses the assistant, and by which it asks of the present or the past. */
const ADDRESSES = new Set([
  "you",
  "your",
  "assistant",
  "du",
  "dir",
  "dein",
  "deine",
  "tu",
  "te",
  "vous",
  "usted",
  "ti",
]);
const PRESENT = new Set(["now", "current", "currently", "still", "today", "is", "are", "do", "does", "am"]);
const PAST = new Set([
  "was",
  "were",
  "did",
  "before",
  "used",
  "first",
  "original",
  "originally",
  "former",
  "previously",
]);

/** What was asked, the moment that it was asked at, in epoch milliseconds, and the time that it asks about. */
export interface Question {
  query: string;
  now: number;
  asked?: TimeRange[] | undefined;
}

/** The features of all candidates of a query. `neighbours` are those in time of candidates that have a session. */
export function featuresOf(
  { query, now, asked: ranges = [] }: Question,
  candidates: Candidate[],
  neighbours: Pick<Neighbours, "inTime" | "documents">,
): Features[] {
  const asked = words(query).map(({ folded }) => folded);
  const terms = new Set(analyse(query));
  const addressesAssistant = asked.some((word) => ADDRESSES.has(word));
  const isOfPresent = asked.some((word) => PRESENT.has(word)) && !asked.some((word) => PAST.has(word));
  const context = new Context(candidates, neighbours, now);
  const time = new AskedTime(ranges);
  const timeTerms = ranges.length === 0 ? new Set<string>() : termsOfDates({ query, now });
  return candidates.map((candidate) => {
    const { document, keywordScore, meaning } = candidate;
    const { previous, next, farther } = context.around(document);
    const speaker = speakerOf(document);
    const byAssistant = speaker === "assistant";
    const recent = context.recency(candidate);
    return {
      keyword: keywordScore,
      meaning,
      previousKeyword: previous?.keywordScore ?? 0,
      nextKeyword: next?.keywordScore ?? 0,
      nextMeaning: next?.meaning ?? 0,
      fartherKeyword: Math.max(0, ...farther.map((one) => one.keywordScore)),
      session: context.bestOfSession(document),
      question: toNumber(endsAsQuestion(document.content)),
      assistant: toNumber(byAssistant),
      assistantAsked: toNumber(byAssistant && addressesAssistant),
      subject: toNumber(isSubject(document, speaker, terms)),
      length: Math.min(1, Math.log1p(document.content.length) / Math.log1p(LONG)),
      short: toNumber(document.content.length <= SHORT),
      recent,
      recentNow: isOfPresent ? recent : 0,
      inTime: toNumber(time.holds(document)),
      nearTime: time.nearness(document),
      namesTime: time.namedBy(document),
      timeWords: shareHeld(timeTerms, terms, document),
      timeAlone: time.holds(document) ? timeTerms.size / Math.max(1, terms.size) : 0,
    };
  });
}

/** Whether a text ends like a question, in any script. */
export function endsAsQuestion(content: string): boolean {
  return QUESTION.test(content.slice(-ENDING_LENGTH).trimEnd());
}

/** The terms of the dates that a query names. */
export function termsOfDates({ query, now }: Question): Set<string> {
  const dates = annotateDates(query, { instant: new Date(now) });
  return new Set(dates.flatMap(({ text }) => analyse(text)));
}

/** How many of some terms of a query a text holds, as a share of all. */
function shareHeld(some: Set<string>, terms: Set<string>, { content }: SearchSource): number {
  if (some.size === 0) return 0;
  const held = new Set(analyse(content.slice(0, READ_LENGTH)));
  return [...some].filter((term) => held.has(term)).length / Math.max(1, terms.size);
}

function toNumber(holds: boolean): number {
  return holds ? 1 : 0;
}

/** Who said it: `speaker` or `role` of the metadata, or the name before a colon that the text opens with; in lower case. */
export function speakerOf({ metadata, content }: Pick<SearchSource, "metadata" | "content">): string | undefined {
  const noted = typeof metadata.speaker === "string" ? metadata.speaker : metadata.role;
  const name = typeof noted === "string" ? noted : NAMED_SPEAKER.exec(content.slice(0, OPENING_LENGTH))?.groups?.name;
  return name?.toLowerCase();
}

function isSubject({ content }: SearchSource, speaker: string | undefined, terms: Set<string>): boolean {
  const [first] = analyse(content.slice(0, OPENING_LENGTH));
  const names = [first, ...(speaker === undefined ? [] : analyse(speaker.slice(0, OPENING_LENGTH)))];
  return names.some((name) => name !== undefined && terms.has(name));
}

/** What surrounds candidates in their sessions and in time. */
class Context {
  readonly #candidates: Map<string, Candidate>;
  readonly #documents: Map<string, SearchSource>;
  readonly #inTime: Map<string, string[]>;
  readonly #sessions: Map<string | undefined, number>;
  readonly #places: Map<string, number>;
  readonly #last: number;

  constructor(candidates: Candidate[], { documents, inTime }: Pick<Neighbours, "inTime" | "documents">, now: number) {
    const own = candidates.map(({ document }) => document);
    this.#candidates = new Map(candidates.map((candidate) => [candidate.id, candidate]));
    this.#documents = new Map([...documents, ...own].map((document) => [document.id, document]));
    this.#inTime = inTime;
    const sessions = Map.groupBy(candidates, ({ document }) => document.session_id);
    this.#sessions = new Map([...sessions].map(([id, members]) => [id, Math.max(...members.map(strength))]));
    const distances = own.map((document) => ({ id: document.id, distance: Math.abs(now - occurredMs(document)) }));
    const order = distances.sort((a, b) => b.distance - a.distance);
    this.#places = new Map(order.map(({ id }, place) => [id, place]));
    this.#last = Math.max(1, order.length - 1);
  }

  /** Neighbours that are candidates themselves; the others match nothing. */
  around(document: SearchSource): { previous?: Candidate; next?: Candidate; farther: Candidate[] } {
    const near = document.session_id === undefined ? [] : (this.#inTime.get(document.id) ?? []);
    const before = near.filter((id) => this.#isBefore(id, document));
    const after = near.slice(before.length);
    const [previous, next] = [before.at(-1), after[0]].map((id) => (id === undefined ? id : this.#candidates.get(id)));
    const farther = [...before.slice(0, -1), ...after.slice(1)].flatMap((id) => this.#candidates.get(id) ?? []);
    return { ...(previous && { previous }), ...(next && { next }), farther };
  }

  bestOfSession({ session_id }: SearchSource): number {
    return session_id === undefined ? 0 : (this.#sessions.get(session_id) ?? 0);
  }

  recency({ id }: Candidate): number {
    return (this.#places.get(id) ?? 0) / this.#last;
  }

  /** Neighbours come in the order of when they happened, then id. */
  #isBefore(id: string, document: SearchSource): boolean {
    const neighbour = this.#documents.get(id);
    const between = (neighbour === undefined ? Number.NEGATIVE_INFINITY : occurredMs(neighbour)) - occurredMs(document);
    return between < 0 || (between === 0 && id < document.id);
  }
}

function strength({ keywordScore, meaning }: Candidate): number {
  return (keywordScore + Math.max(0, meaning)) / 2;
}
