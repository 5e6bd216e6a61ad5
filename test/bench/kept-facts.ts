/** Measures what compressed texts still say, compared with the same texts truncated to as many tokens. */
import { decode } from "../../shared/domain/compression/algorithms/index.ts";
import type { TokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { type CompressionMode, compressWith } from "../../shared/domain/compression/engine.ts";
import type { CompressionCase, Groups } from "./understanding-cases.ts";

export interface KeptFacts {
  /** Share of the tokens saved, 0..1. */
  saved: number;
  facts: number;
  kept: number;
  /** Number of facts kept by the beginnings and by the ends of the texts, truncated to as many tokens. */
  keptOfBeginnings: number;
  keptOfEnds: number;
}

/** Counts kept facts. A fact is kept if one sentence, or two consecutive ones, state all of it. */
export function measureKeptFacts(tokens: TokenCounter, cases: CompressionCase[], mode: CompressionMode): KeptFacts {
  const sum = { facts: 0, kept: 0, keptOfBeginnings: 0, keptOfEnds: 0, original: 0, compressed: 0 };
  for (const { text, facts: all } of cases) {
    const facts = all.filter((fact) => says(text, fact));
    const compression = compressWith(tokens, text, { mode });
    const { beginning, end } = cutTo(text, compression.compressed_tokens / compression.original_tokens);
    const keptIn = (shortened: string) => facts.filter((fact) => says(shortened, fact)).length;
    sum.facts += facts.length;
    sum.kept += keptIn(decode(compression));
    sum.keptOfBeginnings += keptIn(beginning);
    sum.keptOfEnds += keptIn(end);
    sum.original += compression.original_tokens;
    sum.compressed += compression.compressed_tokens;
  }
  const { original, compressed, ...counts } = sum;
  return { ...counts, saved: 1 - compressed / original };
}

/** Returns the beginning and the end of a text, each of the given share of its length. */
export function cutTo(text: string, share: number): { beginning: string; end: string } {
  const length = Math.floor(text.length * share);
  return { beginning: text.slice(0, length), end: text.slice(text.length - length) };
}

function says(text: string, fact: Groups): boolean {
  const sentences = text
    .toLowerCase()
    .replaceAll("’", "'")
    .split(/\n|(?<=[.!?;])\s/);
  const passages = sentences.flatMap((sentence, position) => [
    sentence,
    `${sentence} ${sentences[position + 1] ?? ""}`,
  ]);
  return passages.some((passage) => fact.every((group) => group.split("|").some((word) => passage.includes(word))));
}
