import { sentenceSegments } from "../words/segments.ts";
import { englishTest } from "./english.ts";
import type { Passage, Sentence } from "./passage.ts";
import { recalledIn } from "./recalled.ts";
import type { Omission, OmissionReason } from "./schemas.ts";
import type { Span } from "./spans.ts";
import { readLabel } from "./speakers.ts";
import { continuesStatement, Judge } from "./statements.ts";
import { isContinuedBy, isListItem, isStructuredLine } from "./structure.ts";
import type { Tagger } from "./tagging.ts";
import { MAIL_FIELD, MIN_MAIL_FIELDS } from "./voice/lexicon.ts";

/** A part of a message that is stored as one memory. */
export interface Piece extends Span {
  /** The question that it answers in a few words, as asked. */
  in_reply_to?: string;
  /** Who speaks, if not the message's speaker. */
  speaker?: string;
}

/**
 * Sentences of a paragraph up to this length stay together: they are about one thing, and one often gives the reason,
 * the time or the subject of another ("Lisbon is off. Thalia broke her ankle").
 */
const MAX_PIECE_CHARACTERS = 200;
/** A longer message has longer pieces, so that it has about as many at most. */
const MAX_PIECES = 60;
/** Maximum characters of a sentence that is judged; longer ones, and what follows this part of a text, are kept. */
const MAX_JUDGED_CHARACTERS = 380;
const MAX_JUDGED_TEXT = 50_000;

/** Reasons that leave a sentence out; others only keep rules from reading it. */
const LEFT_OUT: ReadonlySet<OmissionReason | undefined> = new Set(["small_talk", "question", "request", "repetition"]);

interface SplitInput {
  /** What was read from the message, with what was said before it. */
  passage: Pick<Passage, "context" | "sentences">;
  /** Who speaks where the message names nobody. */
  speaker: string;
  /** Ranges that hold facts, which are kept. */
  read: Span[];
  tag: Tagger;
}

/**
 * Splits a message into the pieces to store. Each character but white space is in a piece or left out with a reason.
 * Lists, tables, code, quotations and mails are not cut. Takes time linear in the message's length.
 */
export function splitMessage(message: string, input: SplitInput): { pieces: Piece[]; leftOut: Omission[] } {
  const pieces: Piece[] = [];
  const leftOut: Omission[] = [];
  const splitter = new ProseSplitter(message, input, pieces, leftOut);
  for (const { start, end, kind } of unitsOf(message)) {
    if (kind === "prose") splitter.split(start, end);
    else if (kind === "whole") pieces.push(trimmed(message, { start, end }));
    else leftOut.push({ text: message.slice(start, end).trim(), reason: kind });
  }
  const bounded = message.length > MAX_PIECES * MAX_PIECE_CHARACTERS ? merged(message, pieces) : pieces;
  return { pieces: withSpeakers(bounded, input), leftOut };
}

/** Joins neighbouring pieces of a long message with nothing left out between them. */
function merged(message: string, pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    const isNext = last !== undefined && message.slice(last.end, piece.start).trim() === "";
    if (last && isNext && (piece.end - last.start) * MAX_PIECES <= message.length) last.end = piece.end;
    else result.push({ ...piece });
  }
  return result;
}

/** Adds the speaker of each piece that the text attributes to somebody else as a whole. */
function withSpeakers(pieces: Piece[], { passage: { sentences }, speaker }: SplitInput): Piece[] {
  const within = itemsWithin(sentences, pieces);
  return pieces.map((piece, index) => {
    const [only, ...others] = new Set(within[index]?.map((sentence) => sentence.speaker));
    return only === undefined || others.length > 0 || only === speaker ? piece : { ...piece, speaker: only };
  });
}

/** Returns the items that start within each range; both are in order. */
export function itemsWithin<Item extends { span: Span }>(items: readonly Item[], ranges: readonly Span[]): Item[][] {
  let next = 0;
  return ranges.map(({ start, end }) => {
    while ((items[next]?.span.start ?? end) < start) next++;
    const first = next;
    while ((items[next]?.span.start ?? end) < end) next++;
    return items.slice(first, next);
  });
}

function trimmed(message: string, { start, end }: Span): Span {
  const text = message.slice(start, end);
  const first = start + text.length - text.trimStart().length;
  return { start: first, end: first + text.trim().length };
}

/** Splits paragraphs into sentences and joins those that belong together. */
class ProseSplitter {
  readonly #message: string;
  readonly #source: Sentence["message"];
  readonly #input: SplitInput;
  readonly #pieces: Piece[];
  readonly #leftOut: Omission[];
  readonly #judge = new Judge();
  readonly #isEnglish: (sentence: Pick<Sentence, "text">) => boolean;
  readonly #speakers: ReadonlySet<string>;
  readonly #limit: number;
  #nextRead = 0;
  #block = 0;

  constructor(message: string, input: SplitInput, pieces: Piece[], leftOut: Omission[]) {
    this.#message = message;
    this.#source = { text: message };
    this.#input = input;
    this.#pieces = pieces;
    this.#leftOut = leftOut;
    const { context, sentences } = input.passage;
    this.#isEnglish = englishTest([...context, ...sentences]);
    this.#speakers = new Set(sentences.map(({ speaker }) => speaker));
    this.#limit = Math.max(MAX_PIECE_CHARACTERS, Math.ceil(message.length / MAX_PIECES));
    for (const sentence of context) this.#judge.read(sentence, this.#tokensOf(sentence));
  }

  split(start: number, end: number): void {
    this.#block++;
    let piece: { start: number; end: number; speaker: string; sentences: Sentence[]; in_reply_to?: string } | undefined;
    let omitted: Omission[] = [];
    const close = () => {
      if (piece === undefined) return;
      const { in_reply_to } = piece;
      this.#pieces.push({ ...trimmed(this.#message, piece), ...(in_reply_to !== undefined && { in_reply_to }) });
      piece = undefined;
    };
    for (const span of this.#sentencesIn(start, end)) {
      const text = this.#message.slice(span.start, span.end).trim();
      if (text === "") continue;
      const { sentence, isFirst } = this.#sentenceAt(span, text);
      const { reason, question } = this.#judged(sentence, text);
      if (reason !== undefined) {
        omitted.push({ text, reason });
        continue;
      }
      const isJoined =
        piece !== undefined && !isFirst && question === undefined && this.#isJoined(piece, sentence, span.end);
      if (piece !== undefined && isJoined) {
        piece.end = span.end;
        piece.sentences.push(sentence);
      } else {
        close();
        this.#leftOut.push(...omitted);
        piece = { ...span, speaker: sentence.speaker, sentences: [sentence] };
        if (question !== undefined) piece.in_reply_to = question;
      }
      omitted = [];
    }
    close();
    this.#leftOut.push(...omitted);
  }

  #isJoined(piece: Span & { speaker: string; sentences: Sentence[] }, sentence: Sentence, end: number): boolean {
    if (end - piece.start <= this.#limit) return true;
    return continuesStatement(piece, sentence, this.#tokensOf(sentence));
  }

  /** Returns the reason to leave a sentence out, if any, and the question that it answers. */
  #judged(sentence: Sentence, text: string): { reason?: OmissionReason; question?: string } {
    const { start, end } = sentence.span;
    const { read } = this.#input;
    while ((read[this.#nextRead]?.start ?? Number.POSITIVE_INFINITY) < start) this.#nextRead++;
    if (start >= MAX_JUDGED_TEXT || text.length > MAX_JUDGED_CHARACTERS) return {};
    const { kept, reason, question } = this.#judge.read(sentence, this.#tokensOf(sentence));
    if (kept !== undefined) return question === undefined ? {} : { question };
    if ((read[this.#nextRead]?.start ?? Number.POSITIVE_INFINITY) < end) return {};
    if (reason === "not_prose") return HAS_WORD.test(text) ? {} : { reason };
    return LEFT_OUT.has(reason) && reason !== undefined ? { reason } : {};
  }

  #sentenceAt(span: Span, text: string): { sentence: Sentence; isFirst: boolean } {
    const label = readLabel(text);
    const isLabelled = label !== undefined && this.#speakers.has(label.speaker);
    const speaker = isLabelled ? label.speaker : this.#input.speaker;
    const said = isLabelled ? label.rest : text;
    const rest = { message: this.#source, span, dates: [], isSpoken: true, block: this.#block };
    return {
      sentence: { ...rest, text: said, speaker, isEnglish: this.#isEnglish({ text: said }) },
      isFirst: isLabelled,
    };
  }

  #tokensOf(sentence: Sentence) {
    return sentence.isEnglish && sentence.text.length <= MAX_JUDGED_CHARACTERS ? this.#input.tag(sentence) : undefined;
  }

  /** Returns the sentences of a paragraph; one may continue on the next line. */
  #sentencesIn(start: number, end: number): Span[] {
    const spans: Span[] = [];
    for (const { segment, index } of sentenceSegments(this.#message.slice(start, end))) {
      const span = { start: start + index, end: start + index + segment.length };
      const last = spans.at(-1);
      const before = last && this.#message.slice(Math.max(last.start, last.end - MAX_JUDGED_CHARACTERS), last.end);
      if (last && before?.endsWith("\n") && isContinuedBy(before.trimEnd(), segment)) last.end = span.end;
      else spans.push(span);
    }
    return spans;
  }
}

const HAS_WORD = /[\p{L}\p{N}]{2}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** A part of a message that is kept whole, split into sentences, or left out. */
interface Unit extends Span {
  kind: "whole" | "prose" | "recalled";
}

const FENCE = /^\s*(?<mark>```+|~~~+)/;
const HEADING = /^\s*#{1,6}\s/;

/** Returns the units of a message in order: paragraphs, blocks of code, lists, tables, quotations and mails. */
function unitsOf(message: string): Unit[] {
  const units: Unit[] = [];
  const recalled = recalledIn(message);
  let start = 0;
  let open: Unit | undefined;
  let fence: string | undefined;
  let isMail = false;
  let headers = 0;
  const close = () => {
    if (open !== undefined) units.push(open);
    open = undefined;
  };
  while (start < message.length) {
    const [next] = recalled;
    if (next !== undefined && next.start <= start) {
      close();
      units.push({ ...next, kind: "recalled" });
      start = next.end;
      recalled.shift();
      continue;
    }
    const newline = message.indexOf("\n", start);
    const end = Math.min(newline === -1 ? message.length : newline + 1, next?.start ?? message.length);
    const line = message.slice(start, end);
    const mark = FENCE.exec(line)?.groups?.mark;
    headers = MAIL_FIELD.test(line) ? headers + 1 : 0;
    isMail ||= headers >= MIN_MAIL_FIELDS;
    if (fence === undefined && !isMail && line.trim() === "") close();
    else {
      open ??= { start, end, kind: "prose" };
      open.end = end;
      if (isMail || mark !== undefined || isStructuredLine(line)) open.kind = "whole";
    }
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    start = end;
  }
  close();
  return joined(message, units);
}

/** Joins what introduces a unit ("The steps:", a heading) with it, and the items of a list with blank lines between. */
function joined(message: string, units: Unit[]): Unit[] {
  const result: Unit[] = [];
  for (const unit of units) {
    const last = result.at(-1);
    if (last !== undefined && last.kind !== "recalled" && unit.kind !== "recalled" && isOneUnit(message, last, unit)) {
      last.end = unit.end;
      if (unit.kind === "whole") last.kind = "whole";
    } else result.push({ ...unit });
  }
  return result;
}

function isOneUnit(message: string, before: Unit, unit: Unit): boolean {
  const text = message.slice(before.start, before.end).trimEnd();
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  if (lastLine.endsWith(":") || lastLine.endsWith("：") || HEADING.test(lastLine)) return true;
  const firstLine = message.slice(unit.start, unit.end).split("\n", 1)[0] ?? "";
  return before.kind === "whole" && isListItem(lastLine) && isListItem(firstLine);
}
