import type { Word } from "../../../kernel/text/text.ts";
import { type FunctionWords, functionWordsOf } from "./function-words.ts";
import { Ledger, type Loss, sumOf, type Tally, tallyOf } from "./ledger.ts";
import { type Line, readPassage } from "./passage.ts";
import { type TermWeights, weighTerms } from "./salience.ts";
import { shorten } from "./shorten.ts";
import type { TokenCounter } from "./tokens.ts";

/** A text parsed once, so that it can be condensed to several strengths. */
export interface Condensable {
  readonly lines: Line[];
  readonly weights: TermWeights;
  /**
   * Returns the text without the sentences and words that add least. `keep`, 0..1, is the share of salience to keep,
   * both of the terms (retention) and of all their mentions. The mentions are stricter: dropping one of two mentions is
   * already a loss.
   */
  condense(keep: number): string;
}

/** Share of the allowed loss available to single words; the rest is left for whole sentences. */
const WORDS_SHARE = 0.5;
/** A sentence is ranked again if its loss per token has grown by this factor since it was ranked. */
const STALE_FACTOR = 1.5;
/** Weight of lost mentions in the price of a sentence, relative to terms that are lost completely. */
const MENTIONS_SHARE = 0.7;
const NO_WORDS: ReadonlySet<string> = new Set();

interface Unit {
  text: string;
  tally: Tally;
  tokens: number;
  kept: boolean;
}

interface Row {
  label: Unit;
  sentences: Unit[];
  /** Number of sentences still kept. */
  left: number;
}

/** A blank line: nothing to keep or to drop. */
const BLANK_ROW: Row = { label: { text: "", tally: new Map(), tokens: 0, kept: false }, sentences: [], left: 0 };

interface Candidate {
  row: Row;
  sentence: Unit;
}

/** Splits a text into sentences and weighs its terms. See `Condensable`. */
export function readCondensable(text: string, tokens: TokenCounter): Condensable {
  const lines = readPassage(text);
  const words = lines.flatMap(({ label, sentences }) => [label, ...sentences].flatMap((unit) => unit.words));
  const functionWords = functionWordsOf(words);
  const weights = weighTerms(text, lines, tokens, functionWords);
  /** The lines without any word dropped, which are the same at every strength. */
  let whole: Row[] | undefined;
  const condense = (keep: number): string => {
    if (keep >= 1) return text;
    const ledger = new Ledger(words, weights);
    const unwanted = unwantedWords(weights, functionWords, ledger, (1 - keep) * WORDS_SHARE);
    const shortened = () => lines.map((line) => shortenLine(text, line, { unwanted, functionWords }, ledger, tokens));
    if (unwanted.size === 0) whole ??= shortened();
    const rows =
      unwanted.size === 0 && whole !== undefined
        ? whole.map((row) => ({ ...row, sentences: row.sentences.map((sentence) => ({ ...sentence })) }))
        : shortened();
    dropSentences(rows, ledger, 1 - keep);
    return render(rows) || text;
  };
  return { lines, weights, condense };
}

/** Returns the function words with the least salience per occurrence, as many as the share of salience allows. */
function unwantedWords(weights: TermWeights, functionWords: FunctionWords, ledger: Ledger, share: number): Set<string> {
  const ranked = [...weights.keys()]
    .filter((term) => functionWords.has(term))
    .map((term) => ({ term, uses: ledger.left(term) }))
    .map(({ term, uses }) => ({ term, uses, loss: ledger.lossOf(new Map([[term, uses]])) }))
    .sort((a, b) => a.loss.mentions / a.uses - b.loss.mentions / b.uses);
  const unwanted = new Set<string>();
  const sum: Loss = { mentions: 0, terms: 0 };
  for (const { term, loss } of ranked) {
    sum.mentions += loss.mentions;
    sum.terms += loss.terms;
    if (!ledger.affords(sum, share)) break;
    unwanted.add(term);
  }
  return unwanted;
}

function shortenLine(
  text: string,
  line: Line,
  { unwanted, functionWords }: { unwanted: ReadonlySet<string>; functionWords: FunctionWords },
  ledger: Ledger,
  tokens: TokenCounter,
): Row {
  const end = line.sentences.at(-1)?.end ?? line.label.end;
  if (text.slice(line.label.start, end).trim() === "") return BLANK_ROW;
  const label = text.slice(line.label.start, line.label.end);
  const shortened = line.sentences.map((sentence) => shorten(text, sentence, unwanted, functionWords));
  // Without sentences the line would lose its label too, and that loss would not be accounted for.
  const isLabelLost = line.label.words.length > 0 && shortened.every((short) => short.text.trim() === "");
  const kept = isLabelLost
    ? line.sentences.map((sentence) => shorten(text, sentence, NO_WORDS, functionWords))
    : shortened;
  const sentences = kept.map((short): Unit => {
    ledger.drop(tallyOf(short.dropped));
    return unitOf(short.text, short.kept, tokens);
  });
  const left = sentences.filter(({ kept }) => kept).length;
  return { label: unitOf(label, line.label.words, tokens), sentences, left };
}

function unitOf(text: string, words: Word[], tokens: TokenCounter): Unit {
  return { text, tally: tallyOf(words), tokens: tokens.count(text), kept: text.trim() !== "" };
}

/** Drops sentences in ascending order of loss per token saved, within the share of loss; keeps at least one. */
function dropSentences(rows: Row[], ledger: Ledger, share: number): void {
  let candidates = rows.flatMap((row) => row.sentences.map((sentence) => ({ row, sentence })));
  candidates = candidates.filter(({ sentence }) => sentence.kept);
  let remaining = candidates.length;
  while (candidates.length > 0) {
    const ranked = candidates
      .map((candidate) => ({ candidate, rank: priceOf(candidate, ledger).price }))
      .sort((a, b) => a.rank - b.rank);
    candidates = [];
    for (const { candidate, rank } of ranked) {
      if (remaining <= 1) return;
      const { price, tally, loss } = priceOf(candidate, ledger);
      if (price > rank * STALE_FACTOR) candidates.push(candidate);
      else if (ledger.affords(loss, share)) {
        ledger.drop(tally);
        candidate.sentence.kept = false;
        candidate.row.left--;
        remaining--;
      }
    }
  }
}

/** The loss per token saved by dropping a sentence. Dropping the last sentence of a line drops its label too. */
function priceOf({ row, sentence }: Candidate, ledger: Ledger): { price: number; tally: Tally; loss: Loss } {
  const removed = row.left === 1 ? [sentence, row.label] : [sentence];
  const tally = sumOf(removed.map((unit) => unit.tally));
  const loss = ledger.lossOf(tally);
  const saved = removed.reduce((sum, unit) => sum + unit.tokens, 0);
  return { price: (loss.terms + MENTIONS_SHARE * loss.mentions) / Math.max(1, saved), tally, loss };
}

/** Joins the lines that still have a sentence; consecutive blank lines become one. */
function render(rows: Row[]): string {
  const rendered: string[] = [];
  for (const { label, sentences } of rows) {
    const kept = sentences.filter((sentence) => sentence.kept).map((sentence) => sentence.text);
    const blank = sentences.every((sentence) => sentence.text.trim() === "");
    if (kept.length > 0) rendered.push((label.text + kept.join("")).trimEnd());
    else if (blank && rendered.length > 0 && rendered.at(-1) !== "") rendered.push("");
  }
  return rendered.join("\n").trimEnd();
}
