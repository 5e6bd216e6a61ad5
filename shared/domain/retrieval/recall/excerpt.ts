import { sentenceSegments } from "../../../kernel/segments.ts";
import { analyse } from "../../../kernel/text/text.ts";
import type { TokenCounter } from "../../compression/condensing/tokens.ts";
import { condenseTo } from "../../compression/gist.ts";

/** Characters of a text that are split into sentences; of a longer text, the part that holds most of the query. */
const MAX_READ = 4_000;
/** Distance between the starts of two such parts, in characters. */
const STEP = 1_000;
const GAP = "… ";

/** The worth of each term of the query; very common terms are worth little. */
export type TermWorth = ReadonlyMap<string, number>;

/**
 * Returns the part of a text that matters for a query, in at most `maxTokens` tokens: the sentence that holds most of
 * the query, with the sentences right after and before it. A single sentence that is too long is condensed.
 */
export function excerpt(text: string, worth: TermWorth, maxTokens: number, counter: TokenCounter): string {
  if (text.length <= MAX_READ && counter.count(text) <= maxTokens) return text;
  const part = text.length <= MAX_READ ? text : bestPart(text, worth);
  const sentences = sentenceSegments(part).flatMap(({ segment }) => {
    const sentence = segment.replace(/\s+/g, " ").trim();
    return sentence === ""
      ? []
      : [{ sentence, tokens: counter.count(` ${sentence}`), value: worthOfSentence(sentence, worth) }];
  });
  const values = sentences.map(({ value }) => value);
  const best = values.indexOf(Math.max(...values));
  const room = maxTokens - 2 * counter.count(GAP);
  const first = sentences[best];
  if (first === undefined) return "";
  if (first.tokens > room) return condenseTo(first.sentence, Math.max(1, maxTokens), counter).text;
  let [from, to, used] = [best, best + 1, first.tokens];
  for (;;) {
    const [after, before] = [sentences[to], sentences[from - 1]];
    if (after && used + after.tokens <= room) {
      used += after.tokens;
      to++;
    } else if (before && used + before.tokens <= room) {
      used += before.tokens;
      from--;
    } else break;
  }
  const kept = sentences.slice(from, to).map(({ sentence }) => sentence);
  const isWhole = text.length <= MAX_READ;
  return `${from > 0 || !isWhole ? GAP : ""}${kept.join(" ")}${to < sentences.length || !isWhole ? " …" : ""}`;
}

function worthOfSentence(sentence: string, worth: TermWorth): number {
  return [...new Set(analyse(sentence))].reduce((sum, term) => sum + (worth.get(term) ?? 0), 0);
}

/** Returns the part of a long text with most of the query's terms, without analysing the whole text. */
function bestPart(text: string, worth: TermWorth): string {
  const folded = text.toLowerCase();
  let best = { start: 0, value: -1 };
  for (let start = 0; start < text.length; start += STEP) {
    const part = folded.slice(start, start + MAX_READ);
    const value = [...worth].reduce((sum, [term, termWorth]) => sum + (part.includes(term) ? termWorth : 0), 0);
    if (value > best.value) best = { start, value };
  }
  return text.slice(best.start, best.start + MAX_READ).toWellFormed();
}
