import { type SummarySentence, summarySentencesOf, type Turn } from "./sentences.ts";

/** A conversation settles its matter at its end. */
const LAST_TURNS = 6;
const MAX_SENTENCES = 3;
/** Words of what was agreed, promised or done. */
const SETTLED =
  /(?<!\p{L})(?:agreed|deal|refund(?:ed|s)?|replac\p{L}+|resolved|solved|fixed|sorted|booked|confirmed|scheduled|arranged|approved|accepted|issued|sent|shipp\p{L}+|credited|cancell?ed|upgraded|works now|(?:i|we)(?:'ll| will|'ve| have)|you(?:'ll| will) (?:get|receive|have)|vereinbart|einverstanden|erstatt\p{L}+|gebucht|bestätigt|gelöst|erledigt|verschick\p{L}+|d'accord|convenu\p{L}*|rembours\p{L}+|confirm[ée]\p{L}*|réserv\p{L}+|résolu\p{L}*|acordad\p{L}+|de acuerdo|reembols\p{L}+|confirmad\p{L}+|reservad\p{L}+|resuelt\p{L}+|solucionad\p{L}+)(?!\p{L})/iu;

/** Returns what the last messages agree, promise or report as done, in their words. */
export async function outcomeOf(messages: Turn[]): Promise<string[]> {
  const said = await summarySentencesOf(messages.slice(-LAST_TURNS));
  return said
    .filter(isSettling)
    .slice(-MAX_SENTENCES)
    .map(({ text }) => text);
}

function isSettling({ text, quotation = text, isQuestion }: SummarySentence): boolean {
  return !isQuestion && SETTLED.test(quotation.replaceAll("’", "'"));
}
