import { analyse } from "../../../shared/kernel/text/text.ts";

const K1 = 1.2;
const B = 0.75;

/**
 * Ranks texts for a query by BM25 (Robertson & Zaragoza 2009, equation 3.15), best first; texts without any of its
 * words are left out.
 */
export function rankByBm25(texts: Map<string, string>, query: string): string[] {
  const documents = [...texts].map(([name, text]) => ({ name, terms: analyse(text) }));
  const length = documents.reduce((sum, { terms }) => sum + terms.length, 0) / documents.length;
  const scored = documents.map(({ name, terms }) => {
    const score = [...new Set(analyse(query))].reduce((sum, term) => {
      const frequency = terms.filter((each) => each === term).length;
      const holding = documents.filter((each) => each.terms.includes(term)).length;
      const idf = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
      return sum + (idf * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * terms.length) / length));
    }, 0);
    return { name, score };
  });
  const found = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
  return found.map(({ name }) => name);
}
