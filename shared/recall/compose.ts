import type { TokenCounter } from "../compression/tokens.ts";
import { isAboutPast } from "../facts/question-time.ts";
import { type PlacedFact, tellsValue } from "../facts/reader.ts";
import { heldAt, validityOf } from "../facts/validity.ts";
import { occurredMs } from "../kernel/event-time.ts";
import type { SearchAnswer } from "../platform/ports.ts";
import type { KnownFacts } from "../profiles/known-facts.ts";
import { instructionsOf } from "../profiles/profile.ts";
import type { RankedInContext } from "../retrieval/ranking/rank.ts";
import { analyse } from "../retrieval/text.ts";
import { type Block, render } from "./block.ts";
import { bridgesAmong } from "./bridges.ts";
import { choose } from "./choose.ts";
import { neededBefore } from "./context-lines.ts";
import { excerpt, type TermWorth } from "./excerpt.ts";
import { dayOf, type Line, type LineDocument, type LineRole, onOneLine } from "./line.ts";
import { weigh, worthOfTerms } from "./weights.ts";

/** Share of a line's worth that what it needs to be understood has. */
const CONTEXT_SHARE = 0.1;
/** Share of the best line's worth that an instruction has which the search did not find. */
const INSTRUCTION_SHARE = 0.003;
/** Share of its worth that a line hands to what holds instead of it. */
const SUCCESSOR_SHARE = 0.5;
/** Share of its worth that a line keeps of which some no longer holds. */
const PARTLY_SUPERSEDED_SHARE = 0.5;
/** Longest line, as a share of the budget, but at least so many tokens. */
const LINE_SHARE = 0.25;
const MIN_LINE_TOKENS = 40;
const MAX_CONTEXT_TOKENS = 24;
/** Candidates that are read: those that a budget has room for, and as many again. */
const MIN_CANDIDATES = 40;
const TOKENS_PER_CANDIDATE = 20;
/** Facts of a line that are said to be over. */
const MAX_NOTES = 2;
/** Stands for the label of any line. */
const LABEL = "[10] ";
const INSTRUCTIONS = "Instructions of the user";
/** Before whatever happened. */
const FIRST_MS = -1e15;

export interface CompositionRequest {
  query: string;
  found: RankedInContext & { answer: Pick<SearchAnswer, "statistics"> };
  /** What is known of the user whose memories are searched, as far as it matters. */
  known: KnownFacts;
  maxTokens: number;
  /** The moment that what held is asked for, in epoch milliseconds. */
  asOf?: number | undefined;
  counter: TokenCounter;
}

/** The block of the memories that are worth most for a query, within a budget of tokens. */
export function compose({ query, found, known, maxTokens, asOf, counter }: CompositionRequest): Block {
  const maxLine = Math.min(maxTokens, Math.max(MIN_LINE_TOKENS, Math.floor(maxTokens * LINE_SHARE)));
  const instructions = new Set(instructionsOf(known).map(({ memory_id }) => memory_id));
  const writer = new LineWriter(found, counter, instructions);
  const most = Math.max(MIN_CANDIDATES, Math.ceil(maxTokens / TOKENS_PER_CANDIDATE));
  const weighed = weigh(found.ranked, asOf, most).map(({ hit, worth }) =>
    writer.write(hit.document, "found", hit.score, worth, maxLine),
  );
  const lines = [...withValidity(weighed, { query, known, asOf, instructions, writer, maxLine }).values()];
  const bridges = bridgesAmong(lines, query);
  const followUps = (line: Line): Line[] => {
    if (line.role === "context") return [];
    const needed = neededBefore(line.document, found.neighbours);
    if (needed === undefined) return bridges(line);
    const context = writer.write(needed, "context", line.score, line.worth * CONTEXT_SHARE, MAX_CONTEXT_TOKENS);
    return [...bridges(line), context];
  };
  return render(choose(lines, { maxTokens, followUps }), maxTokens, counter);
}

interface ValidityRequest extends Pick<CompositionRequest, "query" | "known" | "asOf"> {
  /** Memories that say what the user asked the assistant to do. */
  instructions: ReadonlySet<string>;
  writer: LineWriter;
  maxLine: number;
}

/**
 * The lines by their memories, without what no longer holds unless the question is about the past, with what holds instead
 * and with the instructions of the user.
 */
function withValidity(
  found: Line[],
  { query, known, asOf, instructions, writer, maxLine }: ValidityRequest,
): Map<string, Line> {
  const lines = new Map(found.map((line) => [line.id, line]));
  const add = (id: string, role: LineRole, score: number, worth: number) => {
    const line = lines.get(id);
    const memory = known.memories.get(id);
    if (line !== undefined) lines.set(id, { ...line, worth: Math.max(line.worth, worth) });
    else if (memory?.content !== undefined) {
      const document = { ...memory, content: memory.content, session_id: undefined };
      lines.set(id, writer.write(document, role, score, worth, maxLine));
    }
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
    for (const id of instructions) add(id, "instruction", score, INSTRUCTION_SHARE * best);
  }
  const held = asOf === undefined ? undefined : heldAt(known.facts, asOf);
  for (const [id, line] of lines) {
    const superseded = validity.get(id)?.superseded;
    const isTooLate = asOf !== undefined && line.order > asOf && held?.has(id) !== true;
    if (isTooLate || (superseded === "all" && !isOfPast)) lines.delete(id);
    else if (superseded !== undefined && asOf === undefined) {
      const worth = isOfPast ? line.worth : line.worth * PARTLY_SUPERSEDED_SHARE;
      lines.set(id, writer.noted({ ...line, worth }, overIn(known.facts, id)));
    }
  }
  return lines;
}

/** What of a memory no longer holds, and since when: "lives in: Hamburg, until 1 Jul 2026". */
function overIn(facts: PlacedFact[], id: string): string {
  const over = facts.filter(
    (fact) => fact.memory_id === id && fact.attribute !== "" && fact.superseded_by !== undefined && tellsValue(fact),
  );
  return over
    .slice(0, MAX_NOTES)
    .map(({ attribute, value, valid_to }) => {
      const until = valid_to === undefined ? "no longer" : `until ${dayOf({ occurred_at: valid_to, created_at: "" })}`;
      return `${attribute.replaceAll("_", " ")}: ${value}, ${until}`;
    })
    .join("; ");
}

/** Writes memories as lines. */
class LineWriter {
  readonly #termWorth: TermWorth;
  readonly #counter: TokenCounter;
  readonly #hits: Map<string, RankedInContext["ranked"][number]>;
  readonly #instructions: ReadonlySet<string>;

  constructor(
    { ranked, answer }: CompositionRequest["found"],
    counter: TokenCounter,
    instructions: ReadonlySet<string>,
  ) {
    this.#termWorth = worthOfTerms(answer);
    this.#counter = counter;
    this.#hits = new Map(ranked.map((hit) => [hit.id, hit]));
    this.#instructions = instructions;
  }

  /** The line with what is to be said of it. */
  noted(line: Line, note: string): Line {
    if (note === "") return line;
    const text = `${line.text} (${note})`;
    return { ...line, text, tokens: this.#counter.count(`${LABEL}${text}\n`) };
  }

  write(document: LineDocument, role: LineRole, score: number, worth: number, most: number): Line {
    const { id } = document;
    const text = onOneLine(document, excerpt(document.content, this.#termWorth, most, this.#counter));
    const tokens = this.#counter.count(`${LABEL}${text}\n`);
    const hit = this.#hits.get(id);
    const happened = occurredMs(document);
    const isInstruction = this.#instructions.has(id);
    const [heading, order] = isInstruction ? [INSTRUCTIONS, FIRST_MS + happened] : [dayOf(document), happened];
    const terms = new Set(analyse(text));
    return { id, role, document, score, ...(hit && { hit }), text, heading, order, worth, tokens, terms };
  }
}
