import { analyse, countShared } from "../../../kernel/text/text.ts";
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
    const ownTerms = terms.filter(({ length }) => length >= MIN_SENTENCE_TERMS);
    return [terms.flat(), ...ownTerms].some((each) => each.length > 0 && shareIn(covered, each) < MIN_COVERED_SHARE);
  });
}

/** Maximum number of consecutive sentences that support a statement. */
const WINDOW = 5;

/** The support of each statement by the text, 0..1: the share of its terms in the best few consecutive sentences. */
export function support(sentences: Pick<Sentence, "text" | "speaker" | "dates">[], statements: string[]): number[] {
  const own = sentences.map(({ text, speaker, dates }) => {
    const named = dates.flatMap(namesOfDate).map(({ name, iso }) => `${name} ${iso}`);
    return analyse([speaker, text, ...named].join(" "));
  });
  const held = own.map((_terms, place) => new Set(own.slice(Math.max(0, place - WINDOW + 1), place + 1).flat()));
  return statements.map((statement) => {
    const terms = analyse(statement);
    let best = 0;
    for (let place = 0; place < held.length && best < 1; place++) best = Math.max(best, shareIn(held[place], terms));
    return best;
  });
}

/** The share of the terms that are held. */
export function shareIn(held: ReadonlySet<string> | undefined, terms: string[]): number {
  return terms.length === 0 || held === undefined ? 0 : countShared(terms, held) / terms.length;
}
