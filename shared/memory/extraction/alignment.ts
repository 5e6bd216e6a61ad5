import { analyse } from "../../retrieval/text.ts";
import { namesOfDate } from "./dates.ts";
import type { Sentence } from "./passage.ts";
import type { ExtractedFact } from "./schemas.ts";
import type { Statement } from "./statements.ts";

/** A sentence with fewer content terms says nothing that could be missed. */
const LEAST_INFORMATIVE_TERMS = 4;
/** Share of a sentence's content terms that its facts must hold for it to count as told. */
const TOLD_SHARE = 0.5;

export interface Alignment {
  /** Share of the informative sentences that the facts tell; 1 where there are none. */
  coverage: number;
  /** The others, in the text's order. */
  missed: Sentence[];
}

/** Lays the facts beside the text they came from. */
export function align(sentences: Sentence[], facts: ExtractedFact[]): Alignment {
  const told = new Set(facts.flatMap(({ content }) => analyse(content)));
  const informative = sentences
    .map((sentence) => ({ sentence, terms: analyse(sentence.text) }))
    .filter(({ sentence, terms }) => terms.length >= LEAST_INFORMATIVE_TERMS && !sentence.text.endsWith("?"));
  const missed = informative.filter(({ terms }) => shareIn(told, terms) < TOLD_SHARE);
  return {
    coverage: informative.length === 0 ? 1 : 1 - missed.length / informative.length,
    missed: missed.map(({ sentence }) => sentence),
  };
}

/** Statements of which the facts hold less than half of what they say. */
export function untoldBy(facts: Pick<ExtractedFact, "content">[], statements: Statement[]): Statement[] {
  const told = new Set(facts.flatMap(({ content }) => analyse(content)));
  return statements.filter(({ sentences }) => {
    const terms = analyse(sentences.map(({ text }) => text).join(" "));
    return terms.length > 0 && shareIn(told, terms) < TOLD_SHARE;
  });
}

/** Sentences in a row that a statement may draw on. */
const WINDOW = 5;

/**
 * How much of a statement the text says, 0..1: the share of its content terms that the best few sentences in a row hold.
 * Answers for each statement.
 */
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

function shareIn(held: ReadonlySet<string> | undefined, terms: string[]): number {
  return terms.length === 0 || held === undefined ? 0 : terms.filter((term) => held.has(term)).length / terms.length;
}
