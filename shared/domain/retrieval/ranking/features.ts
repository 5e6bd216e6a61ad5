import { occurredMs } from "../../../kernel/event-time.ts";
import { memoized } from "../../../kernel/memoized.ts";
import { setOf } from "../../../kernel/strings.ts";
import { analyse, firstTerm, words } from "../../../kernel/text/text.ts";
import type { TimeRange } from "../../../language/dates/asked.ts";
import { datesOf } from "../../../language/dates/asked.ts";
import { allPhrases, allWords } from "../../../language/languages/lists.ts";
import type { Query } from "../../../language/questions/query.ts";
import type { Neighbours, SearchSource } from "../../../ports/search-index.ts";
import { AskedTime } from "./asked-time.ts";
import type { Ranked } from "./fusion.ts";
import { readingOpening } from "./opening.ts";
import { ThirdParties } from "./third-parties.ts";

/** The names of the ranking's features of a candidate; each is about 0..1. */
export const FEATURES = [
  /** Share of the query's information that the candidate's words carry. */
  "keyword",
  /** Semantic similarity, in deviations of unrelated texts. */
  "meaning",
  /** The same for the neighbours right before and after it in its session, and for those beyond. */
  "previousKeyword",
  "nextKeyword",
  "nextMeaning",
  "fartherKeyword",
  /** The best candidate of its session. */
  "session",
  /** It is a question itself, and tells little besides. */
  "question",
  /**
   * Whether the assistant said it. The second feature is 0 unless the query addresses the assistant, the third unless it
   * asks what the assistant said before.
   */
  "assistant",
  "assistantAsked",
  "assistantSaid",
  /** The query names its speaker, or the name that it begins with. */
  "subject",
  /** Somebody whom the query does not name said it, in a conversation without the user and the assistant. */
  "thirdParty",
  /** Whether it happened in the requested time; otherwise, how near to it; whether it names a date of that time. */
  "inTime",
  "nearTime",
  "namesTime",
  /** Share of the query's words that only express that time and that it holds: "every week" is not "last week". */
  "timeWords",
  /** If it happened then: the share of the query's words that only express that time. */
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
/** Characters of a text that are searched for its speaker and subject. */
const OPENING_LENGTH = 100;
/** Characters of a text that are searched for words that express a time. */
const READ_LENGTH = 1000;
/** Characters at the end of a text that are searched for its last punctuation mark. */
const ENDING_LENGTH = 20;

/** Words by which a query addresses the assistant. */
const ADDRESSES = setOf(allWords(({ recall }) => recall?.assistant));
/** Words and phrases by which a query asks what the assistant said before. */
const ASKS_WHAT_WAS_SAID = allPhrases(({ recall }) => recall?.assistantSaid).map((phrase) => ` ${phrase} `);

/** A query, its time in epoch milliseconds, and the time ranges that it asks about. */
export interface Question {
  query: Query;
  now: number;
  asked?: TimeRange[] | undefined;
}

/**
 * Returns the features of all candidates of a query. `neighbours` are the temporal neighbours of candidates with a
 * session.
 */
export function featuresOf(
  { query, now, asked: ranges = [] }: Question,
  candidates: Candidate[],
  neighbours: Pick<Neighbours, "inTime" | "documents">,
): Features[] {
  const queryWords = query.words.map(({ folded }) => folded);
  const askedWords = new Set(queryWords);
  const { terms } = query;
  const addressesAssistant = queryWords.some((word) => ADDRESSES.has(word));
  const asksWhatWasSaid = asksAssistant(query);
  const context = new Context(candidates, neighbours);
  const thirdParties = new ThirdParties([...neighbours.documents, ...candidates.map(({ document }) => document)]);
  const byThirdParties = new Set(candidates.filter(({ document }) => thirdParties.include(document, askedWords)));
  const time = new AskedTime(ranges);
  const timeTerms = ranges.length === 0 ? new Set<string>() : termsOfTime({ query, now, asked: ranges });
  return candidates.map((candidate) => {
    const { document, keywordScore, meaning } = candidate;
    const { previous, next, farther } = context.around(document);
    const speaker = speakerOf(document);
    const byAssistant = speaker === "assistant";
    return {
      keyword: keywordScore,
      meaning,
      previousKeyword: previous?.keywordScore ?? 0,
      nextKeyword: next?.keywordScore ?? 0,
      nextMeaning: next?.meaning ?? 0,
      fartherKeyword: Math.max(0, ...farther.map((one) => one.keywordScore)),
      session: context.bestOfSession(document),
      question: toNumber(onlyAsks(document.content)),
      assistant: toNumber(byAssistant),
      assistantAsked: toNumber(byAssistant && addressesAssistant),
      assistantSaid: toNumber(byAssistant && asksWhatWasSaid),
      subject: toNumber(isSubject(document, speaker, terms)),
      thirdParty: toNumber(byThirdParties.has(candidate)),
      inTime: toNumber(time.holds(document)),
      nearTime: time.nearness(document),
      namesTime: time.namedBy(document),
      timeWords: shareHeld(timeTerms, terms, document),
      timeAlone: time.holds(document) ? timeTerms.size / Math.max(1, terms.size) : 0,
    };
  });
}

/** Whether a query asks what the assistant said before. */
export function asksAssistant({ spaced }: Query): boolean {
  return ASKS_WHAT_WAS_SAID.some((phrase) => spaced.includes(phrase));
}

/** Whether a text ends like a question, in any script. */
export function endsAsQuestion(content: string): boolean {
  return QUESTION.test(content.slice(-ENDING_LENGTH).trimEnd());
}

/** Minimum words before the clause that asks with which a text tells something: "I fly on Friday, can you …?" */
const TOLD_WORDS = 12;
/** Maximum length in characters of a text that only asks. */
const ASKING_LENGTH = 400;
const CLAUSE_END = /[.!?;:,\n—]/u;

/** Whether a text ends like a question and tells hardly anything before it. */
const onlyAsks = readingOpening(ASKING_LENGTH + 1, (content) => {
  if (content.length > ASKING_LENGTH || !endsAsQuestion(content)) return false;
  const clauses = content.trimEnd().replace(QUESTION, "").split(CLAUSE_END);
  return words(clauses.slice(0, -1).join(" ")).length < TOLD_WORDS;
});

/** Returns the terms by which a query expresses the time that it asks about: of dates and of events. */
export function termsOfTime({ query, now, asked = [] }: Question): Set<string> {
  const dates = datesOf(query, { instant: new Date(now) });
  return new Set([...dates.map(({ text }) => text), ...asked.flatMap(({ said }) => said ?? [])].flatMap(analyse));
}

/** Returns the number of `timeTerms` that a text contains, as a share of all terms of the query. */
function shareHeld(timeTerms: Set<string>, terms: ReadonlySet<string>, { content }: SearchSource): number {
  if (timeTerms.size === 0) return 0;
  const held = termsRead(content);
  return [...timeTerms].filter((term) => held.has(term)).length / Math.max(1, terms.size);
}

/** Returns the terms at a text's beginning. */
export const termsRead = readingOpening(READ_LENGTH, (opening): ReadonlySet<string> => new Set(analyse(opening)));

function toNumber(holds: boolean): number {
  return holds ? 1 : 0;
}

/**
 * Returns the speaker in lower case: the document's, `speaker` or `role` of the metadata, or the name before a colon at
 * the text's beginning.
 */
export function speakerOf({
  speaker,
  metadata,
  content,
}: Pick<SearchSource, "speaker" | "metadata" | "content">): string | undefined {
  const noted = speaker ?? (typeof metadata.speaker === "string" ? metadata.speaker : metadata.role);
  const name = typeof noted === "string" ? noted : NAMED_SPEAKER.exec(content.slice(0, OPENING_LENGTH))?.groups?.name;
  return name?.toLowerCase();
}

function isSubject({ content }: SearchSource, speaker: string | undefined, terms: ReadonlySet<string>): boolean {
  const names = speaker === undefined ? firstTermOf(content) : [...firstTermOf(content), ...termsOfName(speaker)];
  return names.some((name) => terms.has(name));
}

const firstTermOf = readingOpening(OPENING_LENGTH, (opening) => {
  const first = firstTerm(opening);
  return first === undefined ? [] : [first];
});

const MAX_CACHED_NAMES = 1000;
const termsOfName = memoized((name) => analyse(name.slice(0, OPENING_LENGTH)), MAX_CACHED_NAMES);

/** The session context of candidates. */
class Context {
  readonly #candidates: Map<string, Candidate>;
  readonly #moments: Map<string, number>;
  readonly #inTime: Map<string, string[]>;
  readonly #sessions: Map<string | undefined, number>;

  constructor(candidates: Candidate[], { documents, inTime }: Pick<Neighbours, "inTime" | "documents">) {
    const candidateDocuments = candidates.map(({ document }) => document);
    this.#candidates = new Map(candidates.map((candidate) => [candidate.id, candidate]));
    this.#moments = new Map(
      [...documents, ...candidateDocuments].map((document) => [document.id, occurredMs(document)]),
    );
    this.#inTime = inTime;
    const sessions = Map.groupBy(candidates, ({ document }) => document.session_id);
    this.#sessions = new Map([...sessions].map(([id, members]) => [id, Math.max(...members.map(strength))]));
  }

  /** Returns the neighbours that are candidates themselves; the others match nothing. */
  around(document: SearchSource): { previous?: Candidate; next?: Candidate; farther: Candidate[] } {
    const near = document.session_id === undefined ? [] : (this.#inTime.get(document.id) ?? []);
    const moment = near.length === 0 ? 0 : occurredMs(document);
    const before = near.filter((id) => this.#isBefore(id, document.id, moment));
    const after = near.slice(before.length);
    const [previous, next] = [before.at(-1), after[0]].map((id) => (id === undefined ? id : this.#candidates.get(id)));
    const farther = [...before.slice(0, -1), ...after.slice(1)].flatMap((id) => this.#candidates.get(id) ?? []);
    return { ...(previous && { previous }), ...(next && { next }), farther };
  }

  bestOfSession({ session_id }: SearchSource): number {
    return session_id === undefined ? 0 : (this.#sessions.get(session_id) ?? 0);
  }

  /** Neighbours are ordered by when they happened, then by id. */
  #isBefore(neighbour: string, id: string, moment: number): boolean {
    const difference = (this.#moments.get(neighbour) ?? Number.NEGATIVE_INFINITY) - moment;
    return difference < 0 || (difference === 0 && neighbour < id);
  }
}

function strength({ keywordScore, meaning }: Candidate): number {
  return (keywordScore + Math.max(0, meaning)) / 2;
}
