import type { Sentence } from "../statements/passage.ts";
import { isInQuotes } from "./words.ts";

export interface ForeignToken {
  text: string;
  normal: string;
  start: number;
  end: number;
  isName: boolean;
}

/** The tokens of a sentence that belong to one verb. */
export interface ForeignClause {
  tokens: ForeignToken[];
  isQuoted: boolean;
}

/** An elided article or pronoun is a separate token: "j'", "l'", "s'". */
const TOKEN = /(?:qu|\p{L})['’](?=\p{L})|\p{L}[\p{L}\p{M}\p{N}-]*|\p{N}[\p{N}.,:]*\p{N}|\p{N}/gu;
const BREAK = /[,;:.!?…()–—]/u;

export function foreignTokens(text: string): ForeignToken[] {
  return [...text.matchAll(TOKEN)].map(({ 0: word, index }) => ({
    text: word,
    normal: word.toLowerCase().replace("’", "'"),
    start: index,
    end: index + word.length,
    isName: /^\p{Lu}/u.test(word),
  }));
}

/** Splits at punctuation outside dates, at quotation marks, and at an "and" that is soon followed by another verb. */
export function foreignClauses(
  { text, dates }: Pick<Sentence, "text" | "dates">,
  tokens: ForeignToken[],
  isAnd: (token: ForeignToken) => boolean,
  isVerb: (token: ForeignToken) => boolean,
): ForeignClause[] {
  const isWithinDate = ({ start }: ForeignToken) => dates.some((date) => date.start < start && start < date.end);
  const clauses: ForeignClause[] = [];
  let isQuoted = false;
  let before = 0;
  let current: ForeignClause | undefined;
  for (const [index, token] of tokens.entries()) {
    const gap = text.slice(before, token.start);
    isQuoted = isInQuotes(gap, isQuoted);
    before = token.end;
    const startsClause = isAnd(token) && tokens.slice(index + 1, index + 1 + MAX_VERB_DISTANCE).some(isVerb);
    if (
      current === undefined ||
      startsClause ||
      (BREAK.test(gap) && !isWithinDate(token)) ||
      current.isQuoted !== isQuoted
    ) {
      current = { tokens: [], isQuoted };
      clauses.push(current);
    }
    if (!startsClause) current.tokens.push(token);
  }
  return clauses.filter((clause) => clause.tokens.length > 0);
}

/** Maximum number of tokens from "and" to the verb of a new clause. */
const MAX_VERB_DISTANCE = 3;
