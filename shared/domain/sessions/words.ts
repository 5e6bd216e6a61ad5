import { indexTerms, queryKeywords } from "../../kernel/text/keywords/keywords.ts";

/**
 * Returns a test whether a text contains each keyword of a query in one of its forms, as search analyzes words. A query
 * without keywords matches nothing.
 */
export function wordsTest(query: string): (content: string) => boolean {
  const wanted = queryKeywords(query).map(({ forms }) => [...forms.keys()]);
  return (content) => {
    const terms = new Set(indexTerms(content));
    return wanted.length > 0 && wanted.every((forms) => forms.some((form) => terms.has(form)));
  };
}
