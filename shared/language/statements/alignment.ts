import { analyse, countShared } from "../../kernel/text/text.ts";
import { namesOfDate } from "./dates.ts";
import type { Sentence } from "./passage.ts";
import type { ExtractedFact } from "./schemas.ts";
import type { Statement } from "./statements.ts";

/** Minimum content terms of an informative sentence. */
const MIN_INFORMATIVE_TERMS = 4;
/** Minimum content terms of a sentence that adds something to its statement. */
const MIN_SENTENCE_TERMS = 2;
/** Minimum share of a sentence's content terms in facts for it to be covered. */
const MIN_COVERED_SHARE = 0.5;

/** Returns the informative sentences that no facts cover, in order, and the share of covered ones; 1 without any. */
export function align(sentences: Sentence[], facts: ExtractedFact[]) {
  const covered = new Set(facts.flatMap(({ content }) => analyse(content)));
  const informative = sentences
    .map((sentence) => ({ sentence, terms: analyse(sentence.text) }))
    .filter(({ sentence, terms }) => terms.length >= MIN_INFORMATIVE_TERMS && !sentence.text.endsWith("?"));
  const missed = informative.filter(({ terms }) => shareIn(covered, terms) < MIN_COVERED_SHARE);
  return {
    coverage: informative.length === 0 ? 1 : 1 - missed.length / informative.length,
    missed: missed.map(({ sentence }) => sentence),
  };
}

/** Returns the statements of which the facts cover less than half, or less than half of a sentence. */
export function uncoveredStatements(facts: Pick<ExtractedFact, "content">[], statements: Statement[]): Statement[] {
  const covered = new Set(facts.flatMap(({ content }) => analyse(content)));
  return statements.filter(({ sentences }) => {
    const terms = sentences.map(({ text }) => analyse(text));
    const longEnough = terms.filter(({ length }) => length >= MIN_SENTENCE_TERMS);
    return [terms.flat(), ...longEnough].some((part) => part.length > 0 && shareIn(covered, part) < MIN_COVERED_SHARE);
  });
}

/** Maximum number of consecutive sentences that support a statement. */
const WINDOW = 5;

/** Returns the support of each statement, 0..1: the share of its terms in the best few consecutive sentences. */
export function support(sentences: Pick<Sentence, "text" | "speaker" | "dates">[], statements: string[]): number[] {
  const sentenceTerms = sentences.map(({ text, speaker, dates }) => {
    const named = dates.flatMap(namesOfDate).map(({ name, iso }) => `${name} ${iso}`);
    return analyse([speaker, text, ...named].join(" "));
  });
  const windows = sentenceTerms.map(
    (_terms, index) => new Set(sentenceTerms.slice(Math.max(0, index - WINDOW + 1), index + 1).flat()),
  );
  return statements.map((statement) => {
    const terms = analyse(statement);
    let best = 0;
    for (let index = 0; index < windows.length && best < 1; index++)
      best = Math.max(best, shareIn(windows[index], terms));
    return best;
  });
}

/** Returns the share of terms that a set contains; 0 without terms. */
export function shareIn(known: ReadonlySet<string> | undefined, terms: string[]): number {
  return terms.length === 0 || known === undefined ? 0 : countShared(terms, known) / terms.length;
}
