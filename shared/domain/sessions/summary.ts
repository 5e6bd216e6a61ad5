import { decode } from "../compression/algorithms/index.ts";
import type { TokenCounter } from "../compression/condensing/tokens.ts";
import { type CompressionOptions, compressWith } from "../compression/engine.ts";
import type { KeyPoint } from "../compression/gist.ts";
import { outline } from "./outline.ts";
import { parseSummaryLines, summarySentencesOf } from "./sentences.ts";
import type { SessionMessage } from "./session.ts";

/** The summary of consecutive messages; segments cover a session without gaps. */
export interface Segment {
  /** Positions of the first and the last message, both inclusive. */
  from: number;
  to: number;
  /** How often it was merged from other segments. */
  level: number;
  text: string;
  /** Whether `text` contains a dictionary of the compression algorithms. */
  folded: boolean;
  /** Tokens of `text`; `original_tokens`: of the messages. */
  tokens: number;
  original_tokens: number;
  /** Share of the messages' information that is kept, 0..1; a product over several condensations. */
  retention: number;
  key_points: KeyPoint[];
}

/** Limits of summaries in tokens. */
export interface SummaryBudget {
  /** Maximum tokens of messages that leave the window at once, unless a single message is longer. */
  chunk: number;
  /** Maximum of one segment. */
  segment: number;
  /** Maximum of all segments together. */
  whole: number;
}

/** Share of the window that leaves it at once. */
const CHUNK_SHARE = 1 / 4;
const SEGMENT_SHARE = 1 / 8;
/** Maximum share of the window for the summary. */
const SUMMARY_SHARE = 1 / 4;
/** Larger chunks would delay the message that triggers the compaction. */
const MAX_CHUNK_TOKENS = 2048;
/** Enough for one or two sentences. */
const MIN_SEGMENT_TOKENS = 24;

/** Returns the limits of a summary, in tokens, for a context window of this many tokens. */
export function budgetOf(context_window: number): SummaryBudget {
  const chunk = Math.max(1, Math.min(MAX_CHUNK_TOKENS, Math.floor(context_window * CHUNK_SHARE)));
  const whole = Math.max(1, Math.floor(context_window * SUMMARY_SHARE));
  const segment = Math.min(whole, Math.max(MIN_SEGMENT_TOKENS, Math.floor(chunk * SEGMENT_SHARE)));
  return { chunk, segment, whole };
}

const KEY_POINTS_PER_SEGMENT = 5;
/** Maximum for a whole session. */
const MAX_KEY_POINTS = 10;

/** Summarizes one or more messages within a token limit: their statements, one sentence per line. */
export async function summarize(messages: SessionMessage[], most: number, tokens: TokenCounter): Promise<Segment> {
  const sentences = await summarySentencesOf(messages);
  const gist = outline(sentences, { most, points: KEY_POINTS_PER_SEGMENT }, tokens);
  return { ...rangeOf(messages), level: 0, ...gist, folded: false };
}

/** Maximum tokens of the window to read for the summary of a short session. */
const MAX_GIST_SOURCE_TOKENS = 1024;
/** Maximum share of these tokens for the summary; more for a few short messages, which need a sentence each. */
const GIST_SHARE = 1 / 3;
const SHORT_GIST_SHARE = 2 / 3;
const SHORT_GIST_TOKENS = 120;

/** Returns a summary of the newest messages; undefined without messages or space in the window. */
export async function gistOf(messages: SessionMessage[], context_window: number, tokens: TokenCounter) {
  const end = messages.at(-1);
  if (end === undefined) return undefined;
  const after = end.tokens_before + end.tokens;
  const newest = messages.filter(({ tokens_before }) => after - tokens_before <= MAX_GIST_SOURCE_TOKENS);
  const source = newest.length > 0 ? newest : [end];
  const { original_tokens } = rangeOf(source);
  const short = Math.min(SHORT_GIST_TOKENS, Math.ceil(original_tokens * SHORT_GIST_SHARE));
  const most = Math.max(MIN_SEGMENT_TOKENS, short, Math.ceil(original_tokens * GIST_SHARE));
  const gist = await summarize(source, Math.min(most, budgetOf(context_window).segment), tokens);
  const [first = end] = messages;
  return after - first.tokens_before + gist.tokens <= context_window ? gist : undefined;
}

function rangeOf(messages: SessionMessage[]) {
  const positions = messages.map(({ position }) => position);
  const original_tokens = messages.reduce((sum, message) => sum + message.tokens, 0);
  return { from: Math.min(...positions), to: Math.max(...positions), original_tokens };
}

/** Returns messages as a text for a model: `role: content`, one after another. */
export function transcriptOf(messages: Pick<SessionMessage, "role" | "content">[]): string {
  return messages.map(({ role, content }) => `${role}: ${content}`).join("\n");
}

/**
 * Returns the segments with a new one at the end. Neighbours of the same level are merged like the digits of a binary
 * counter: n chunks become about log2(n) segments, and older chunks are condensed more often, at most log2(n) times.
 * The oldest are also merged while the total exceeds the budget.
 */
export function withSegment(segments: readonly Segment[], added: Segment, budget: SummaryBudget, tokens: TokenCounter) {
  const all = [...segments, added];
  const joinAt = (index: number): void => {
    const [one, other] = all.slice(index, index + 2);
    if (one && other) all.splice(index, 2, joined([one, other], budget.segment, tokens));
  };
  while (all.length > 1 && all.at(-1)?.level === all.at(-2)?.level) joinAt(all.length - 2);
  while (all.length > 1 && summaryTokens(all) > budget.whole) joinAt(0);
  return all.map((segment) => (all.length === 1 ? withinBudget(segment, budget.whole, tokens) : segment));
}

function joined(segments: Segment[], most: number, tokens: TokenCounter): Segment {
  const gist = outline(parseSummaryLines(textOf(segments)), { most, points: 0 }, tokens);
  return {
    ...coverageOf(segments),
    level: Math.max(...segments.map(({ level }) => level)) + 1,
    text: gist.text,
    folded: false,
    tokens: gist.tokens,
    retention: gist.retention * retentionOf(segments),
    key_points: bestPoints(segments, 2 * KEY_POINTS_PER_SEGMENT),
  };
}

function withinBudget(segment: Segment, most: number, tokens: TokenCounter): Segment {
  return segment.tokens <= most ? segment : { ...joined([segment], most, tokens), level: segment.level };
}

function coverageOf(segments: Segment[]): Pick<Segment, "from" | "to" | "original_tokens"> {
  return {
    from: Math.min(...segments.map(({ from }) => from)),
    to: Math.max(...segments.map(({ to }) => to)),
    original_tokens: segments.reduce((sum, { original_tokens }) => sum + original_tokens, 0),
  };
}

/**
 * Returns one new segment for everything with the given options: for the segments and for the messages after them.
 * Returns undefined if the algorithm saves nothing. It respects `most` tokens even if that loses more than requested.
 */
export async function compressAll(
  segments: Segment[],
  messages: SessionMessage[],
  options: CompressionOptions,
  most: number,
  tokens: TokenCounter,
): Promise<Segment | undefined> {
  if (segments.length + messages.length === 0) return undefined;
  const source = [textOf(segments), transcriptOf(messages)].filter((text) => text !== "").join("\n");
  const compression = compressWith(tokens, source, options);
  if (compression.compressed_tokens >= compression.original_tokens) return undefined;
  const tail =
    messages.length === 0
      ? []
      : [{ ...verbatimPart(messages), key_points: await keyPointsOf(messages, MAX_KEY_POINTS, tokens) }];
  const parts = [...segments, ...tail];
  const segment: Segment = {
    ...coverageOf(parts),
    level: Math.max(...parts.map(({ level }) => level)) + 1,
    text: compression.content,
    folded: compression.folded,
    tokens: compression.compressed_tokens,
    retention: compression.retention * retentionOf(parts),
    key_points: bestPoints(parts, MAX_KEY_POINTS),
  };
  return withinBudget(segment, most, tokens);
}

/** Returns messages as a lossless segment without text. */
function verbatimPart(messages: SessionMessage[]): Segment {
  const range = rangeOf(messages);
  return { ...range, level: 0, text: "", folded: false, tokens: range.original_tokens, retention: 1, key_points: [] };
}

/** Returns the most informative statements of messages, at most `points`, in order. */
export async function keyPointsOf(
  messages: Pick<SessionMessage, "role" | "content">[],
  points: number,
  tokens: TokenCounter,
): Promise<KeyPoint[]> {
  return outline(await summarySentencesOf(messages), { most: 0, points }, tokens).key_points;
}

/** Returns the text of the segments, decoded if it contains a dictionary. */
function textOf(segments: Segment[]): string {
  return segments.map(({ text, folded }) => decode({ content: text, folded })).join("\n");
}

/** Returns the segments as one text for a model. */
export function summaryOf(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join("\n");
}

/** Returns the segments as readable text, one paragraph per segment. A text with a dictionary keeps its lines. */
export function paragraphsOf(segments: readonly Segment[]): string {
  return segments.map(({ text, folded }) => (folded ? text : text.replaceAll("\n", " "))).join("\n");
}

/** Returns the best key points of segments in the order of the conversation. */
export function keyPointsIn(segments: Segment[]): string[] {
  return bestPoints(segments, MAX_KEY_POINTS).map(({ text }) => text);
}

/** Returns the best points in conversation order; a repeated one keeps its last position. */
function bestPoints(segments: Segment[], most: number): KeyPoint[] {
  const distinct = new Map<string, KeyPoint>();
  for (const point of segments.flatMap(({ key_points }) => key_points)) {
    distinct.delete(point.text);
    distinct.set(point.text, point);
  }
  const all = [...distinct.values()];
  const minScore = all.map(({ score }) => score).sort((one, other) => other - one)[most - 1] ?? 0;
  return all.filter(({ score }) => score >= minScore).slice(-most);
}

export function summaryTokens(segments: readonly Segment[]): number {
  return segments.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Returns the mean retention of segments, weighted by their messages' tokens; 1 without segments. */
export function retentionOf(segments: readonly Pick<Segment, "original_tokens" | "retention">[]): number {
  const total = segments.reduce((sum, { original_tokens }) => sum + original_tokens, 0);
  const kept = segments.reduce((sum, { original_tokens, retention }) => sum + original_tokens * retention, 0);
  return total === 0 ? 1 : kept / total;
}
