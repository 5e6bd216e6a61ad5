import { occurredMs } from "../../../kernel/event-time.ts";
import { asLine } from "../../../kernel/text/prompt-text.ts";
import { termSet } from "../../../kernel/text/text.ts";
import type { Query } from "../../../language/questions/query.ts";
import { isAboutPast } from "../../../language/questions/question-time.ts";
import { dayHeading, INSTRUCTIONS_HEADING } from "../../../language/statements/recalled.ts";
import type { SearchAnswer } from "../../../ports/search-index.ts";
import type { TokenCounter } from "../../compression/condensing/tokens.ts";
import { type PlacedFact, statesValue } from "../../memory/fact-reader.ts";
import { heldAt, validityOf } from "../../memory/fact-validity.ts";
import { slotOf } from "../../memory/facts/records.ts";
import type { KnownFacts } from "../profiles/known-facts.ts";
import { wordsOf } from "../profiles/profile.ts";
import { endsAsQuestion, speakerOf } from "../ranking/features.ts";
import type { Ranked } from "../ranking/fusion.ts";
import type { NeighboursInTime, RankedInContext } from "../ranking/rank.ts";
import { type Block, render } from "./block.ts";
import { bridgesAmong } from "./bridges.ts";
import { choose } from "./choose.ts";
import { type ExcerptLimits, excerpt, type TermWorth } from "./excerpt.ts";
import { keyOf, type Line, type LineDocument, type LineRole, onOneLine } from "./line.ts";
import { opensWithReference } from "./references.ts";

/** Worth of a context line, as a share of the worth of the line that needs it. */
const CONTEXT_SHARE = 0.1;
/** Worth of an instruction that the search did not find, as a share of the best line's worth. */
const INSTRUCTION_SHARE = 0.003;
/** Worth of a superseding memory, as a share of the superseded line's worth. */
const SUCCESSOR_SHARE = 0.5;
/** Worth of a memory that states what holds in a slot of the query, as a share of the best line's worth. */
const ANSWER_SHARE = 0.5;
/** Share of its worth that a line keeps if some of its facts are no longer valid. */
const PARTLY_SUPERSEDED_SHARE = 0.5;
/** A memory up to this share of the budget becomes a line as a whole; both shares are at least MIN_LINE_TOKENS tokens. */
const WHOLE_SHARE = 0.15;
/** Maximum length of a line as a share of the budget. */
const LINE_SHARE = 1 / 3;
const MIN_LINE_TOKENS = 40;
const CONTEXT_LIMITS: ExcerptLimits = { whole: 24, max: 24 };
/** Minimum number of candidates read, and the tokens of the budget per candidate: twice as many as fit are read. */
const MIN_CANDIDATES = 40;
const TOKENS_PER_CANDIDATE = 20;
/** Maximum number of facts of a line that are noted as no longer valid. */
const MAX_NOTES = 2;
/** Placeholder for the label of any line. */
const LABEL = "[10] ";
/** Earlier than any event. */
const FIRST_MS = -1e15;

export interface CompositionRequest {
  query: Query;
  /** The slots of the user that the query asks about. */
  slots: string[];
  found: RankedInContext & { answer: Pick<SearchAnswer, "statistics"> };
  /** The relevant part of what is known of the user whose memories are searched. */
  known: KnownFacts;
  /** The user's instructions to the assistant. */
  instructions: readonly Pick<PlacedFact, "memory_id" | "content" | "value" | "as_read">[];
  maxTokens: number;
  /** Minimum score of a line, 0..1. */
  minRelevance?: number | undefined;
  /** The time whose valid facts are requested, in epoch milliseconds. */
  asOf?: number | undefined;
  counter: TokenCounter;
  /** Whether only words were compared, whose scores say too little to leave lines out. */
  isByWords?: boolean | undefined;
  /** Whether the hits seem to answer the query; otherwise few become lines. */
  isAnswered?: boolean | undefined;
}

/** Why a memory that the search found is not in the block. */
export const LEFT_OUT_REASONS = ["superseded", "later", "repeated", "no_room", "weak"] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** A memory that the search found, but that is not in the block. */
export interface LeftOut {
  hit: Ranked;
  reason: LeftOutReason;
}

/** Number of memories whose absence is explained: the best ones. */
const MAX_LEFT_OUT = 10;

/** Returns the block of the memories that are worth most for a query, within a budget of tokens, and what it leaves out. */
export function compose(request: CompositionRequest): Block & { leftOut: LeftOut[] } {
  const {
    query,
    slots,
    found,
    known,
    instructions,
    maxTokens,
    asOf,
    counter,
    minRelevance = 0,
    isByWords = false,
    isAnswered = true,
  } = request;
  const limits = limitsOf(maxTokens);
  const writer = new LineWriter(found, counter);
  const isFilled = isAnswered || isByWords;
  const max = isFilled ? Math.max(MIN_CANDIDATES, Math.ceil(maxTokens / TOKENS_PER_CANDIDATE)) : MAX_UNANSWERING;
  const weighed = weigh(found.ranked, asOf, max).map(({ hit, worth }) =>
    writer.write(hit.document, "found", hit.score, worth, limits),
  );
  const { lines, over } = withValidity(weighed, { query, slots, known, asOf, instructions, writer, limits });
  const candidates = [...lines.values()];
  const bridges = bridgesAmong(candidates, query);
  const followUps = (line: Line): Line[] => {
    if (line.role === "context") return [];
    const needed = neededBefore(line.document, found.neighbours);
    if (needed === undefined) return bridges(line);
    const context = writer.write(needed, "context", line.score, line.worth * CONTEXT_SHARE, CONTEXT_LIMITS);
    return [...bridges(line), context];
  };
  const minWorth = (filled: number) => (isByWords ? 0 : minShareOf(query, isAnswered, filled) ** ODDS_EXPONENT);
  const serves = (line: Line, filled: number) => {
    const { role, worth, score } = line;
    if (score < minRelevance) return false;
    // What a chosen line led to is wanted, however full the block is.
    const isLedTo = worth > (lines.get(keyOf(line))?.worth ?? 0);
    return role !== "found" || worth >= minWorth(isLedTo ? 0 : filled);
  };
  const { chosen, repeated, filled } = choose(candidates, { maxTokens, followUps, serves });
  const block = render(chosen, maxTokens, counter);
  const reasonFor = (id: string): LeftOutReason => {
    const line = lines.get(id);
    if (line !== undefined && serves(line, filled)) return repeated.has(id) ? "repeated" : "no_room";
    return over.get(id) ?? "weak";
  };
  const inBlock = new Set(block.lines.map(({ id }) => id));
  const absent = found.ranked.filter(({ id }) => !inBlock.has(id)).slice(0, MAX_LEFT_OUT);
  return { ...block, leftOut: absent.map((hit) => ({ hit, reason: reasonFor(hit.id) })) };
}

function limitsOf(maxTokens: number): ExcerptLimits {
  const tokensOf = (share: number) => Math.min(maxTokens, Math.max(MIN_LINE_TOKENS, Math.floor(maxTokens * share)));
  return { whole: tokensOf(WHOLE_SHARE), max: tokensOf(LINE_SHARE) };
}

interface ValidityRequest extends Pick<CompositionRequest, "query" | "slots" | "known" | "instructions" | "asOf"> {
  writer: LineWriter;
  limits: ExcerptLimits;
}

/**
 * Returns the lines by memory: without superseded ones unless the question is about the past, with their successors and
 * the user's instructions; and why others are not among them.
 */
function withValidity(found: Line[], { query, slots, known, asOf, instructions, writer, limits }: ValidityRequest) {
  const lines = new Map(found.map((line) => [line.id, line]));
  const over = new Map<string, LeftOutReason>();
  const add = (id: string, role: LineRole, score: number, worth: number) => {
    const line = lines.get(id);
    const document = documentOf(id, known);
    if (line !== undefined) lines.set(id, { ...line, worth: Math.max(line.worth, worth) });
    else if (document !== undefined) lines.set(id, writer.write(document, role, score, worth, limits));
  };
  const isOfPast = asOf === undefined && isAboutPast(query);
  const validity = validityOf(known.facts, asOf);
  for (const { id, worth, score } of found) {
    for (const successor of validity.get(id)?.successors ?? [])
      add(successor, "successor", score, SUCCESSOR_SHARE * worth);
  }
  const best = Math.max(0, ...found.map(({ worth }) => worth));
  const score = Math.min(...found.map((line) => line.score));
  if (found.length > 0) {
    if (!isOfPast)
      for (const id of memoriesStating(slots, known.facts, asOf)) add(id, "successor", score, ANSWER_SHARE * best);
    for (const [id, own] of Map.groupBy(instructions, ({ memory_id }) => memory_id)) {
      const line = lines.get(id);
      const document = line?.document ?? documentOf(id, known);
      if (document === undefined) continue;
      const worth = INSTRUCTION_SHARE * best;
      const content = joined(own.map(wordsOf));
      const instruction = writer.write(
        { ...document, content, session_id: undefined },
        "instruction",
        score,
        worth,
        limits,
      );
      lines.set(keyOf(instruction), { ...instruction, worth: Math.max(worth, line?.worth ?? 0) });
      if (line?.document.content.trim() === joined(own.map((each) => each.content))) lines.delete(id);
    }
  }
  const held = asOf === undefined ? undefined : heldAt(known.facts, asOf, query);
  for (const [key, line] of lines) {
    const { id } = line;
    const superseded = validity.get(id)?.superseded;
    const isTooLate = asOf !== undefined && line.order > asOf && held?.has(id) !== true;
    if (isTooLate || (superseded === "all" && !isOfPast)) {
      lines.delete(key);
      over.set(id, isTooLate ? "later" : "superseded");
    } else if (superseded !== undefined && asOf === undefined && line.role !== "instruction") {
      const worth = isOfPast ? line.worth : line.worth * PARTLY_SUPERSEDED_SHARE;
      lines.set(key, writer.withNote({ ...line, worth }, supersededFacts(known.facts, id)));
    }
  }
  return { lines, over };
}

function documentOf(id: string, { memories }: CompositionRequest["known"]): LineDocument | undefined {
  const memory = memories.get(id);
  return memory?.content === undefined ? undefined : { ...memory, content: memory.content, session_id: undefined };
}

/** Joins the sentences of a memory's instructions; several instructions may stand in one. */
function joined(sentences: string[]): string {
  return [...new Set(sentences)].join(" ");
}

/** Returns the memories whose facts state what holds in some slots of the user. */
function memoriesStating(slots: string[], facts: PlacedFact[], asOf: number | undefined): Set<string> {
  const asked = facts.filter((fact) => slots.includes(slotOf(fact)));
  if (asOf !== undefined) return heldAt(asked, asOf);
  return new Set(asked.filter(({ status }) => status === "current").map(({ memory_id }) => memory_id));
}

/** Returns the facts of a memory that are no longer valid, and since when: "lives in: Hamburg, until 1 Jul 2026". */
function supersededFacts(facts: PlacedFact[], id: string): string {
  const over = facts.filter((fact) => fact.memory_id === id && fact.superseded_by !== undefined && statesValue(fact));
  return over
    .slice(0, MAX_NOTES)
    .map(({ attribute, value, valid_to }) => {
      const until = valid_to === undefined ? "no longer" : `until ${dayHeading(valid_to)}`;
      return `${attribute.replaceAll("_", " ")}: ${value}, ${until}`;
    })
    .join("; ");
}

/** Writes memories as lines. */
class LineWriter {
  readonly #termWorth: TermWorth;
  readonly #counter: TokenCounter;
  readonly #hits: Map<string, RankedInContext["ranked"][number]>;

  constructor({ ranked, answer }: CompositionRequest["found"], counter: TokenCounter) {
    this.#termWorth = worthOfTerms(answer);
    this.#counter = counter;
    this.#hits = new Map(ranked.map((hit) => [hit.id, hit]));
  }

  /** Returns the line with a note appended. */
  withNote(line: Line, note: string): Line {
    if (note === "") return line;
    const text = `${line.text} (${asLine(note)})`;
    return { ...line, text, tokens: this.#counter.count(`${LABEL}${text}\n`) };
  }

  write(document: LineDocument, role: LineRole, score: number, worth: number, limits: ExcerptLimits): Line {
    const { id } = document;
    const text = onOneLine(document, excerpt(document.content, this.#termWorth, limits, this.#counter));
    const tokens = this.#counter.count(`${LABEL}${text}\n`);
    const hit = this.#hits.get(id);
    const happened = occurredMs(document);
    const [heading, order] =
      role === "instruction"
        ? [INSTRUCTIONS_HEADING, FIRST_MS + happened]
        : [dayHeading(document.occurred_at ?? document.created_at), happened];
    const terms = termSet(text);
    return { id, role, document, score, ...(hit && { hit }), text, heading, order, worth, tokens, terms };
  }
}

/** Returns the previous document of the session if it is needed to understand this one. */
function neededBefore(document: LineDocument, { inTime, documents }: NeighboursInTime): LineDocument | undefined {
  if (document.session_id === undefined) return undefined;
  const before = new Set((inTime.get(document.id) ?? []).filter((id) => id !== document.id));
  const moment = occurredMs(document);
  const previous = documents
    .filter((other) => before.has(other.id) && isBefore(other, document, moment))
    .reduce<LineDocument | undefined>(
      (last, other) => (last && isBefore(other, last, occurredMs(last)) ? last : other),
      undefined,
    );
  if (previous === undefined) return undefined;
  const answers = endsAsQuestion(previous.content) && speakerOf(previous) !== speakerOf(document);
  return answers || opensWithReference(document.content) ? previous : undefined;
}

function isBefore(one: LineDocument, other: LineDocument, moment: number): boolean {
  const between = occurredMs(one) - moment;
  return between < 0 || (between === 0 && one.id < other.id);
}

/**
 * A hit whose share of the best one's odds is smaller has little to do with the query and does not become a line, even
 * if there is space.
 */
const MIN_SHARE = 0.05;
/**
 * A hit whose share is smaller becomes a line only if another line makes it worth more: it shares a name with it. The
 * second limit applies to a full block: the more is there, the less likely the answer is still missing.
 */
const MIN_LINE_SHARE: Limits = { empty: 0.4, full: 0.8 };
/** The same for questions about the past: "before the blue one" is more like the blue one than what was before it. */
const MIN_PAST_SHARE: Limits = { empty: 0.2, full: 0.4 };
/** The same, and the maximum number of hits that may become lines, if the hits do not seem to answer the query. */
const MIN_UNANSWERING_SHARE = 0.5;
const MAX_UNANSWERING = 4;
/** The worth of a line is its share of the best one's odds, to this power. */
const ODDS_EXPONENT = 2.4;
const MAX_ODDS = 1e6;
/** Factor on the worth of a statement that was made after the requested day. */
const LATER_SHARE = 0.3;

/** Limits for an empty and a full block; between them, it grows with the share of the budget that is used. */
interface Limits {
  empty: number;
  full: number;
}

function minShareOf(query: Query, isAnswered: boolean, filled: number): number {
  if (!isAnswered) return MIN_UNANSWERING_SHARE;
  const { empty, full } = isAboutPast(query) ? MIN_PAST_SHARE : MIN_LINE_SHARE;
  return empty + (full - empty) * filled;
}

/** Returns the hits that may become lines, best first, at most `max`, with their worth in 0..1; the best has 1. */
function weigh(ranked: Ranked[], asOf: number | undefined, max: number) {
  const best = Math.max(...ranked.map(oddsOf));
  return ranked
    .filter((hit) => oddsOf(hit) >= MIN_SHARE * best)
    .slice(0, max)
    .map((hit) => {
      const isLater = asOf !== undefined && occurredMs(hit.document) > asOf;
      return { hit, worth: (oddsOf(hit) / best) ** ODDS_EXPONENT * (isLater ? LATER_SHARE : 1) };
    });
}

function oddsOf({ score }: Pick<Ranked, "score">): number {
  return Math.min(MAX_ODDS, score / (1 - score));
}

/** Returns the worth of the query's terms; rare terms are worth more. */
function worthOfTerms({ statistics }: Pick<SearchAnswer, "statistics">): TermWorth {
  if (statistics === undefined) return new Map();
  const { documents, terms } = statistics;
  return new Map(
    terms.map(({ term, documents: containing }) => [term, Math.log(1 + documents / Math.max(1, containing))]),
  );
}
