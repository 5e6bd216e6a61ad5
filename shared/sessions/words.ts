import { indexTerms, queryKeywords } from "../retrieval/keywords/keywords.ts";

/** Whether a text has each keyword of a query in one of its forms, as search takes words. A query of no keywords finds nothing. */
export function wordsTest(query: string): (content: string) => boolean {
  const wanted = queryKeywords(query).map(({ forms }) => [...forms.keys()]);
  return (content) => {
    const terms = new Set(indexTerms(content));
    return wanted.length > 0 && wanted.every((forms) => forms.some((form) => terms.has(form)));
  };
}
