import { decode } from "../compression/algorithms/index.ts";
import { type CompressionOptions, compressWith } from "../compression/engine.ts";
import type { KeyPoint } from "../compression/gist.ts";
import type { TokenCounter } from "../compression/tokens.ts";
import { outline } from "./outline.ts";
import { tellMessages, toldLines } from "./sentences.ts";
import type { SessionMessage } from "./session.ts";

/**
 * The summary of a stretch of messages. A session's segments follow each other without gaps from its first message on;
 * together they are its summary. `level` is how often neighbours were joined to make it.
 */
export interface Segment {
  /** Positions of the first and the last message, both inclusive. */
  from: number;
  to: number;
  level: number;
  text: string;
  /** Whether `text` carries a dictionary, as the algorithms of compression may leave it. */
  folded: boolean;
  /** Of `text`, and of the messages. */
  tokens: number;
  original_tokens: number;
  /** Share of what the messages say that is still said, 0..1; over several condensations their product. */
  retention: number;
  key_points: KeyPoint[];
}

/** How long summaries may be; all in tokens. */
export interface SummaryBudget {
  /** What leaves the window at once, unless a single message is longer. */
  chunk: number;
  /** Of one segment. */
  segment: number;
  /** Of all of them. */
  whole: number;
}

/** Share of the window that leaves it at once, and the share of it that its summary may take. */
const CHUNK_SHARE = 1 / 4;
const SEGMENT_SHARE = 1 / 8;
/** Share of the window that the summary may take. */
const SUMMARY_SHARE = 1 / 4;
/** Folding more at once would make the message that does it wait. */
const MOST_CHUNK_TOKENS = 2048;
/** A sentence or two. */
const LEAST_SEGMENT_TOKENS = 24;

export function budgetOf(context_window: number): SummaryBudget {
  const chunk = Math.max(1, Math.min(MOST_CHUNK_TOKENS, Math.floor(context_window * CHUNK_SHARE)));
  const whole = Math.max(1, Math.floor(context_window * SUMMARY_SHARE));
  const segment = Math.min(whole, Math.max(LEAST_SEGMENT_TOKENS, Math.floor(chunk * SEGMENT_SHARE)));
  return { chunk, segment, whole };
}

const KEY_POINTS_A_SEGMENT = 5;
/** Most of a whole session. */
const MOST_KEY_POINTS = 10;

/** Sums up messages, of which there is at least one, in at most so many tokens: what they state, a sentence a line. */
export async function summarize(messages: SessionMessage[], most: number, tokens: TokenCounter): Promise<Segment> {
  const told = await tellMessages(messages);
  const gist = outline(told, { most, points: KEY_POINTS_A_SEGMENT }, tokens);
  return { ...rangeOf(messages), level: 0, ...gist, folded: false };
}

/** Of what is in the window, so much is read to tell the gist of a short session. */
const MOST_GIST_SOURCE_TOKENS = 1024;
/** The share of it that the gist may take; of a few short messages, which cannot be told in fewer sentences, more. */
const GIST_SHARE = 1 / 3;
const SHORT_GIST_SHARE = 2 / 3;
const SHORT_GIST_TOKENS = 120;

/** The newest of the messages summed up; undefined where there is nothing to sum up, or no room for it in the window. */
export async function gistOf(
  messages: SessionMessage[],
  context_window: number,
  tokens: TokenCounter,
): Promise<Segment | undefined> {
  const end = messages.at(-1);
  if (end === undefined) return undefined;
  const after = end.tokens_before + end.tokens;
  const newest = messages.filter(({ tokens_before }) => after - tokens_before <= MOST_GIST_SOURCE_TOKENS);
  const source = newest.length > 0 ? newest : [end];
  const { original_tokens } = rangeOf(source);
  const short = Math.min(SHORT_GIST_TOKENS, Math.ceil(original_tokens * SHORT_GIST_SHARE));
  const most = Math.max(LEAST_SEGMENT_TOKENS, short, Math.ceil(original_tokens * GIST_SHARE));
  const gist = await summarize(source, Math.min(most, budgetOf(context_window).segment), tokens);
  const [first = end] = messages;
  return after - first.tokens_before + gist.tokens <= context_window ? gist : undefined;
}

function rangeOf(messages: SessionMessage[]) {
  const positions = messages.map(({ position }) => position);
  const original_tokens = messages.reduce((sum, message) => sum + message.tokens, 0);
  return { from: Math.min(...positions), to: Math.max(...positions), original_tokens };
}

export function transcriptOf(messages: Pick<SessionMessage, "role" | "content">[]): string {
  return messages.map(({ role, content }) => `${role}: ${content}`).join("\n");
}

/**
 * The segments with another one behind them. Neighbours of one level are joined, as the digits of a binary counter carry:
 * of n stretches there are about log2(n) segments, each stretch has been condensed as often, and the older, the terser.
 * The oldest are joined too while all together are longer than the budget.
 */
export function withSegment(
  segments: readonly Segment[],
  added: Segment,
  budget: SummaryBudget,
  tokens: TokenCounter,
): Segment[] {
  const all = [...segments, added];
  const joinAt = (place: number): void => {
    const [one, other] = all.slice(place, place + 2);
    if (one && other) all.splice(place, 2, joined([one, other], budget.segment, tokens));
  };
  while (all.length > 1 && all.at(-1)?.level === all.at(-2)?.level) joinAt(all.length - 2);
  while (all.length > 1 && summaryTokens(all) > budget.whole) joinAt(0);
  return all.map((segment) => (all.length === 1 ? withinBudget(segment, budget.whole, tokens) : segment));
}

function joined(segments: Segment[], most: number, tokens: TokenCounter): Segment {
  const gist = outline(toldLines(textOf(segments)), { most, points: 0 }, tokens);
  return {
    ...stretchOf(segments),
    level: Math.max(...segments.map(({ level }) => level)) + 1,
    text: gist.text,
    folded: false,
    tokens: gist.tokens,
    retention: gist.retention * retentionOf(segments),
    key_points: bestPoints(segments, 2 * KEY_POINTS_A_SEGMENT),
  };
}

function withinBudget(segment: Segment, most: number, tokens: TokenCounter): Segment {
  return segment.tokens <= most ? segment : { ...joined([segment], most, tokens), level: segment.level };
}

function stretchOf(segments: Segment[]): Pick<Segment, "from" | "to" | "original_tokens"> {
  return {
    from: Math.min(...segments.map(({ from }) => from)),
    to: Math.max(...segments.map(({ to }) => to)),
    original_tokens: segments.reduce((sum, { original_tokens }) => sum + original_tokens, 0),
  };
}

/**
 * One segment for all there is, made anew as the options say: of what the segments say, and of the messages behind them.
 * Undefined where the algorithm saves nothing. It keeps to `most` tokens even where that loses more than was asked for.
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
      : [{ ...summaryless(messages), key_points: await keyPointsOf(messages, MOST_KEY_POINTS, tokens) }];
  const parts = [...segments, ...tail];
  const segment: Segment = {
    ...stretchOf(parts),
    level: Math.max(...parts.map(({ level }) => level)) + 1,
    text: compression.content,
    folded: compression.folded,
    tokens: compression.compressed_tokens,
    retention: compression.retention * retentionOf(parts),
    key_points: bestPoints(parts, MOST_KEY_POINTS),
  };
  return withinBudget(segment, most, tokens);
}

/** Messages as a part of which nothing is lost yet. */
function summaryless(messages: SessionMessage[]): Segment {
  const range = rangeOf(messages);
  return { ...range, level: 0, text: "", folded: false, tokens: range.original_tokens, retention: 1, key_points: [] };
}

/** What messages state that says most, at most so many, in their order. */
export async function keyPointsOf(
  messages: Pick<SessionMessage, "role" | "content">[],
  points: number,
  tokens: TokenCounter,
): Promise<KeyPoint[]> {
  return outline(await tellMessages(messages), { most: 0, points }, tokens).key_points;
}

/** What segments say, in full: without dictionaries. */
function textOf(segments: Segment[]): string {
  return segments.map(({ text, folded }) => decode({ content: text, folded })).join("\n");
}

/** What a model is given of the segments. */
export function summaryOf(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join("\n");
}

/** The segments as people read them: the sentences of each in one paragraph. A text with a dictionary keeps its lines. */
export function paragraphsOf(segments: readonly Segment[]): string {
  return segments.map(({ text, folded }) => (folded ? text : text.replaceAll("\n", " "))).join("\n");
}

export function keyPointsIn(segments: Segment[]): string[] {
  return bestPoints(segments, MOST_KEY_POINTS).map(({ text }) => text);
}

/** The best of all, in the order of the conversation; what was said again counts where it was said last. */
function bestPoints(segments: Segment[], most: number): KeyPoint[] {
  const distinct = new Map<string, KeyPoint>();
  for (const point of segments.flatMap(({ key_points }) => key_points)) {
    distinct.delete(point.text);
    distinct.set(point.text, point);
  }
  const all = [...distinct.values()];
  const least = all.map(({ score }) => score).sort((one, other) => other - one)[most - 1] ?? 0;
  return all.filter(({ score }) => score >= least).slice(-most);
}

export function summaryTokens(segments: readonly Segment[]): number {
  return segments.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Mean over the tokens that the segments stand for; 1 where there are none. */
export function retentionOf(segments: readonly Pick<Segment, "original_tokens" | "retention">[]): number {
  const whole = segments.reduce((sum, { original_tokens }) => sum + original_tokens, 0);
  const kept = segments.reduce((sum, { original_tokens, retention }) => sum + original_tokens * retention, 0);
  return whole === 0 ? 1 : kept / whole;
}
