import type { LanguagePack } from "../../language/languages/pack.ts";
import { PACKS } from "../../language/languages/packs.ts";
import { isQuestion } from "../../language/statements/moods.ts";

/** Words that may precede an order, such as "Also" or "ok thanks,". */
const LEAD =
  "^(?:(?:ok|okay|oh|and|also|but|so|yes|no|hey|please|pls|kindly|then|thanks|by the way|btw|one more thing|from now on|in (?:the )?future|ps)[,.:!]?\\s+)*";

const english = (source: string) => new RegExp(source, "i");

/** English patterns of lasting instructions, at the start of a sentence or anywhere in it. */
const INSTRUCTIONS = [
  english(
    `${LEAD}(?:never (?!mind)|always |avoid |stop \\w+ing|only (?:ever )?(?:use|book|write|answer|send|suggest)\\b)`,
  ),
  english(`${LEAD}(?:don't|do not) (?!worry|mind|ask|know|think|care|get me wrong|be |forget|bother|gloat)\\w+`),
  english(
    `${LEAD}keep (?:it|them|things|everything|\\w*\\s?(?:answers|replies|summaries|mails|messages|notes|drafts))\\b`,
  ),
  english(`${LEAD}(?:answer|reply|respond|speak|talk|write) (?:to me |me )?(?:always )?(?:in|with|like|as)\\b`),
  english(`${LEAD}(?:call me (?!back|later|at|when|if|on|tomorrow|today)|use |address me)`),
  english(`${LEAD}no [^,.?!]{2,60},? (?:please|pls)\\b`),
  /\b(?:please|pls|kindly) (?:never|always|don't|do not|avoid|stop|no|not (?:more|longer)|only|keep)\b/i,
  /(?:[,;:]\s+|\b(?:but|and|so|then|or|just)\s+)(?:please\s+)?(?:don't|do not|never) (?:ping|remind|call|message|mail|nag|suggest|book|quote|recommend|mention|use|write|send|put|add|mix|offer|include|change|share|turn|touch|add)\b/i,
  /\bno [^,.?!]{2,60},? (?:please|pls)\b/i,
  /\b(?:when(?:ever)?|every time|each time|if) you (?:draft|write|answer|remind|book|send|make|give|plan|reply|suggest|recommend|mention|use|add|list|summari[sz]e|explain|translate)\b/i,
  /\b(?:if|when) (?:anyone|someone|somebody) asks you\b/i,
  /\bfrom now on,? (?:please|always|never|only|use|write|answer|keep|you|no)\b/i,
  /\b(?:short|brief|concise|formal|informal|plain|metric|bulleted) (?:answers?|replies|reply|summar(?:y|ies)|sentences|mails?|messages?|lists?|units)\b[^.?!]{0,30}\b(?:please|pls|only)\b/i,
  /\b(?:\d{1,3}|one|two|three|four|five|six|ten) (?:lines?|sentences?|words?|pages?|bullets?|paragraphs?) (?:max|at most|or less|only)\b/i,
];

/** A preference or aversion of the speaker. */
const ENGLISH_LIKING =
  /\b(?:I|I'm|I'd|I've|we|we'd|me|my|our|mine)\b[^.?!]{0,60}\b(?:prefer(?:s|red|ence)?|favou?rites?|hates?|dislikes?|adores?|cherish|(?<!(?:'d|would) )(?:loves?|likes?)|enjoys?|allergic|intolerant|vegan|vegetarian|can(?:'t|not| not) stand|rather not|fan of|obsessed|passionate|keen on)\b|\bI (?:don't|do not|never|can't|cannot) (?:like|want|eat|drink|fly)\b/i;

/** Lasting instructions, preferences and aversions in other languages. */
const FOREIGN = Object.values(PACKS).flatMap(({ preferences = [] }: LanguagePack) => preferences);

/** "Could you stop …?" asks for a lasting change. */
const ASKED = /\b(?:can|could|would|will) you (?:please |kindly )?(?:stop|always|never|avoid|only|not)\b/i;

/** Whether a user's sentence states a preference, an aversion or a lasting instruction for the assistant. */
export function isLastingInstruction({ text, isEnglish }: { text: string; isEnglish: boolean }): boolean {
  if (isQuestion(text)) return ASKED.test(text);
  const isEnglishWish = isEnglish && (ENGLISH_LIKING.test(text) || INSTRUCTIONS.some((pattern) => pattern.test(text)));
  // A short sentence may be detected as English in any language.
  return isEnglishWish || FOREIGN.some((pattern) => pattern.test(text));
}
