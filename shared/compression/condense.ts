import type { Word } from "../retrieval/text.ts";
import { FUNCTION_WORDS } from "./function-words.ts";
import { Ledger, type Tally, tallyOf } from "./ledger.ts";
import { type Line, readPassage } from "./passage.ts";
import { type TermWeights, weighTerms } from "./salience.ts";
import { shorten } from "./shorten.ts";
import type { TokenCounter } from "./tokens.ts";

/** A text read once, so that it can be condensed to several strengths. */
export interface Condensable {
  readonly weights: TermWeights;
  /**
   * The text without what adds least. `keep`, 0..1, is the share of the salience of all occurrences that stays: a
   * stricter figure than retention, since what is said twice and dropped once counts as a loss too.
   */
  condense(keep: number): string;
}

/** Part of the loss that may go to single words; the rest is left for whole sentences. */
const WORDS_SHARE = 0.5;
/** Share of function words from which a text counts as English prose; other languages and code stay below. */
const ENGLISH_SHARE = 0.2;
/** A sentence whose loss per token has grown by this factor since it was ranked is ranked anew. */
const STALE_FACTOR = 1.5;

interface Unit {
  text: string;
  tally: Tally;
  tokens: number;
  kept: boolean;
}

interface Row {
  label: Unit;
  sentences: Unit[];
  blank: boolean;
}

interface Candidate {
  row: Row;
  sentence: Unit;
}

/** Cuts and weighs a text. See `Condensable`. */
export function readCondensable(text: string, tokens: TokenCounter): Condensable {
  const lines = readPassage(text);
  const words = lines.flatMap(({ label, sentences }) => [label, ...sentences].flatMap((unit) => unit.words));
  const weights = weighTerms(text, lines, tokens);
  const condense = (keep: number): string => {
    if (keep >= 1) return text;
    const ledger = new Ledger(words, weights);
    const budget = (1 - keep) * ledger.total;
    const unwanted = isEnglish(words) ? unwantedWords(weights, ledger, budget * WORDS_SHARE) : new Set<string>();
    const rows = lines.map((line) => shortenLine(text, line, unwanted, ledger, tokens));
    dropSentences(rows, ledger, budget);
    return render(rows) || text;
  };
  return { weights, condense };
}

function isEnglish(words: Word[]): boolean {
  const known = words.filter(({ folded }) => FUNCTION_WORDS.has(folded)).length;
  return known >= ENGLISH_SHARE * words.length;
}

/** Function words that cost least per occurrence, as many as the budget pays for. */
function unwantedWords(weights: TermWeights, ledger: Ledger, budget: number): Set<string> {
  const present = [...weights.keys()].filter((term) => FUNCTION_WORDS.has(term));
  const ranked = present
    .map((term) => ({ term, loss: ledger.lossOf(new Map([[term, ledger.left(term)]])), uses: ledger.left(term) }))
    .sort((a, b) => a.loss / a.uses - b.loss / b.uses);
  const unwanted = new Set<string>();
  let left = budget;
  for (const { term, loss } of ranked) {
    if (loss > left) break;
    left -= loss;
    unwanted.add(term);
  }
  return unwanted;
}

function shortenLine(
  text: string,
  line: Line,
  unwanted: ReadonlySet<string>,
  ledger: Ledger,
  tokens: TokenCounter,
): Row {
  const label = text.slice(line.label.start, line.label.end);
  const sentences = line.sentences.map((sentence): Unit => {
    const short = shorten(text, sentence, unwanted);
    ledger.drop(tallyOf(short.dropped));
    return unitOf(short.text, short.kept, tokens);
  });
  return {
    label: unitOf(label, line.label.words, tokens),
    sentences,
    blank: text.slice(line.label.start, line.sentences.at(-1)?.end).trim() === "",
  };
}

function unitOf(text: string, words: Word[], tokens: TokenCounter): Unit {
  return { text, tally: tallyOf(words), tokens: tokens.count(text), kept: text.trim() !== "" };
}

/** Drops sentences in the order of loss per token saved while the ledger's loss stays within the budget; never the last one. */
function dropSentences(rows: Row[], ledger: Ledger, budget: number): void {
  let candidates = rows.flatMap((row): Candidate[] =>
    row.sentences.filter(({ kept }) => kept).map((sentence) => ({ row, sentence })),
  );
  let remaining = candidates.length;
  while (candidates.length > 0) {
    const ranked = candidates
      .map((candidate) => ({ candidate, price: priceOf(candidate, ledger) }))
      .sort((a, b) => a.price - b.price);
    candidates = [];
    for (const { candidate, price } of ranked) {
      if (remaining <= 1) return;
      const tallies = removedWith(candidate).map(({ tally }) => tally);
      const loss = tallies.reduce((sum, tally) => sum + ledger.lossOf(tally), 0);
      if (priceOf(candidate, ledger) > price * STALE_FACTOR) candidates.push(candidate);
      else if (ledger.lost + loss <= budget) {
        for (const tally of tallies) ledger.drop(tally);
        candidate.sentence.kept = false;
        remaining--;
      }
    }
  }
}

/** Loss per token saved. */
function priceOf(candidate: Candidate, ledger: Ledger): number {
  const removed = removedWith(candidate);
  const loss = removed.reduce((sum, unit) => sum + ledger.lossOf(unit.tally), 0);
  const saved = removed.reduce((sum, unit) => sum + unit.tokens, 0);
  return loss / Math.max(1, saved);
}

/** The sentence, and with the last sentence of a line its label. */
function removedWith({ row, sentence }: Candidate): Unit[] {
  const others = row.sentences.some((other) => other !== sentence && other.kept);
  return others || row.label.text === "" ? [sentence] : [sentence, row.label];
}

/** Lines that have a sentence left; of blank lines in a row, one. */
function render(rows: Row[]): string {
  const rendered: string[] = [];
  for (const { label, sentences, blank } of rows) {
    const kept = sentences.filter((sentence) => sentence.kept).map((sentence) => sentence.text);
    if (kept.length > 0) rendered.push((label.text + kept.join("")).trimEnd());
    else if (blank && rendered.length > 0 && rendered.at(-1) !== "") rendered.push("");
  }
  return rendered.join("\n").trimEnd();
}
