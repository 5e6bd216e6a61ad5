import { decode } from "../../shared/domain/compression/algorithms/index.ts";
import { loadTokenCounter, type TokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { type Compression, type CompressionOptions, compressWith } from "../../shared/domain/compression/engine.ts";
import { termOf, words } from "../../shared/kernel/text/text.ts";
import { cutTo } from "./kept-facts.ts";
import { answerable, type Conversation, readConversation, type SpokenTurn } from "./locomo.ts";
import { locomoFiles } from "./locomo-files.ts";

/**
 * The text of each session ("Name: what was said", one line per turn, under its time), and the text of each turn alone.
 */
export interface LocomoTexts {
  sessions: string[];
  turns: string[];
}

export interface CompressionFigures {
  /** Means over the texts, 0..1. */
  reduction: number;
  retention: number;
  /** Number of texts with more tokens after compression. */
  expansions: number;
  /** Milliseconds per text. */
  latency: number;
}

/** Means over the answerable questions, each measured on the compressed sessions that hold its evidence. */
export interface AnswerFigures {
  /** Share of the answer's content words in the original sessions that the compressed sessions keep. */
  answers: number;
  /** Share of an evidence turn's content words that are still together in one line of the compressed session. */
  evidence: number;
  /** Share of the sessions' tokens saved. */
  saved: number;
}

/** A shortened text, with its number of tokens before and after. */
interface Shortened {
  text: string;
  before: number;
  after: number;
}

interface CompressedSession {
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
  lines: ReadonlySet<string>[];
}

/** Returns all LoCoMo conversations in ../shared/bench; undefined if the data is absent. */
export function readConversations(): Conversation[] | undefined {
  const files = locomoFiles();
  return files.length === 0 ? undefined : files.map(readConversation);
}

export function textsOf(conversations: Conversation[]): LocomoTexts {
  return {
    sessions: conversations.flatMap((conversation) => sessionsOf(conversation).map(sessionText)),
    turns: conversations.flatMap(({ turns }) => turns.map(({ text }) => text)),
  };
}

export async function measureCompression(texts: string[], options: CompressionOptions): Promise<CompressionFigures> {
  const tokens = await loadTokenCounter();
  const startedAt = performance.now();
  const compressions = texts.map((text) => compressWith(tokens, text, options));
  const latency = (performance.now() - startedAt) / texts.length;
  return {
    reduction: mean(compressions.map(reductionOf)),
    retention: mean(compressions.map(({ retention }) => retention)),
    expansions: compressions.filter((each) => each.compressed_tokens > each.original_tokens).length,
    latency,
  };
}

export async function measureAnswers(
  conversations: Conversation[],
  options: CompressionOptions,
): Promise<AnswerFigures> {
  const tokens = await loadTokenCounter();
  return answersIn(conversations, (text) => compressed(tokens, text, options));
}

/** Measures the same on sessions truncated to as many tokens as compression leaves. */
export async function answersOfCut(conversations: Conversation[], options: CompressionOptions): Promise<AnswerFigures> {
  const tokens = await loadTokenCounter();
  return answersIn(conversations, (text) => {
    const { before, after } = compressed(tokens, text, options);
    return { text: cutTo(text, after / before).beginning, before, after };
  });
}

function compressed(tokens: TokenCounter, text: string, options: CompressionOptions): Shortened {
  const compression = compressWith(tokens, text, options);
  return {
    text: decode(compression),
    before: compression.original_tokens,
    after: compression.compressed_tokens,
  };
}

function answersIn(conversations: Conversation[], shorten: (text: string) => Shortened): AnswerFigures {
  const total = { before: 0, after: 0 };
  const answers: number[] = [];
  const evidence: number[] = [];
  for (const conversation of conversations) {
    const sessions = new Map(
      sessionsOf(conversation).map((turns) => {
        const text = sessionText(turns);
        const shortened = shorten(text);
        total.before += shortened.before;
        total.after += shortened.after;
        return [turns[0]?.session, compareTerms(text, shortened.text)];
      }),
    );
    const turns = new Map(conversation.turns.map((turn) => [turn.dia_id, turn]));
    for (const question of answerable(conversation)) {
      const evidenceTurns = question.evidence.flatMap((id) => turns.get(id) ?? []);
      const holding = evidenceTurns.flatMap(({ session }) => sessions.get(session) ?? []);
      const answer = [...termsOf(question.answer)].filter((term) => holding.some(({ before }) => before.has(term)));
      if (answer.length > 0) answers.push(shareOf(answer, (term) => holding.some(({ after }) => after.has(term))));
      evidence.push(
        ...evidenceTurns.map((turn) => {
          const spoken = [...termsOf(turnLine(turn))];
          const lines = sessions.get(turn.session)?.lines ?? [];
          return Math.max(0, ...lines.map((line) => shareOf(spoken, (term) => line.has(term))));
        }),
      );
    }
  }
  return { answers: mean(answers), evidence: mean(evidence), saved: 1 - total.after / total.before };
}

function compareTerms(text: string, after: string): CompressedSession {
  return { before: termsOf(text), after: termsOf(after), lines: after.split("\n").map(termsOf) };
}

function sessionsOf({ turns }: Conversation): SpokenTurn[][] {
  return [...Map.groupBy(turns, ({ session }) => session).values()];
}

function sessionText(turns: SpokenTurn[]): string {
  return [turns[0]?.sessionDateTime, ...turns.map(turnLine)].join("\n");
}

function turnLine({ speaker, text }: SpokenTurn): string {
  return `${speaker}: ${text}`;
}

function termsOf(text: string): ReadonlySet<string> {
  return new Set(words(text).flatMap(({ folded }) => (termOf(folded) === undefined ? [] : folded)));
}

function shareOf(terms: string[], holds: (term: string) => boolean): number {
  return terms.length === 0 ? 1 : terms.filter(holds).length / terms.length;
}

function reductionOf({ original_tokens, compressed_tokens }: Compression): number {
  return original_tokens === 0 ? 0 : 1 - compressed_tokens / original_tokens;
}

function mean(values: number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
