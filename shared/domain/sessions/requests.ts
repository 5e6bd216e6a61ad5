import { setOf } from "../../kernel/strings.ts";
import { analyse } from "../../kernel/text/text.ts";
import { alternatives, wordAlternatives } from "../../language/languages/lists.ts";
import { isQuestion } from "../../language/statements/moods.ts";
import { sentenceSegments } from "../../language/words/segments.ts";
import type { Turn } from "./sentences.ts";
import type { MessageRole } from "./session.ts";

/** "I'll always …", "I'll be …" describe a person, not a task. */
const PROMISE =
  /\b(?:(?:I|we)(?:'ll| will|'m going to| am going to|'re going to| are going to)|let me)\s+(?!know\b|be\b|explain\b|tell you\b|say\b|always\b|never\b|not\b|have\b|miss\b|see\b|need\b|try to be\b)(\w+)/i;
const FOREIGN_PROMISE = new RegExp(
  `(?<!\\p{L})(?:${alternatives(({ conversations }) => conversations?.promises)})`,
  "iu",
);
/** Verbs that make a user's "I will …" a promise and not an expectation. */
const USER_DOES =
  /^(?:send|share|forward|upload|provide|call|ring|email|mail|write|check|ask|pay|bring|sign|submit|confirm|finish|fix|update|review|get|let|remind|book|order|schedule|prepare|draft|do|make|talk|speak|come|pick|look|cancel|return|renew|register|apply)$/i;

const REQUEST =
  /^(?:(?:ok|okay|great|thanks|thank you|perfect|yes|and|also|then|so|now|hi|hello|hey|alright|oh|but|sure)[,.!]?\s+)*(?:please|(?:can|could|would|will) you(?: please| also)?|remember to|don't forget to|make sure(?: to)?|remind me)\s+(\w+)/i;
const NEED =
  /\b(?:I(?:'d| would)? (?:need|want|like) you to|please|you (?:need|have) to|follow up on|needs to be|must be|remind me)\s+(\w+)/i;
/** An amount with a limiting word: a condition of a task. */
const AMOUNT =
  /(?:[$€£¥]\s?\d|\d[\d.,]*\s?(?:[$€£¥%]|k\b|euros?\b|dollars?\b|pounds?\b|bucks\b|francs?\b|usd\b|eur\b|gbp\b|chf\b|per\b|a (?:night|month|week|day|year|person|head)\b|seats?\b|people\b))/i;
const LIMIT = new RegExp(`\\b(?:${alternatives(({ conversations }) => conversations?.limits)})\\b`, "i");
const FOREIGN_REQUEST = new RegExp(
  `(?<!\\p{L})(?:${alternatives(({ conversations }) => conversations?.requests)})(?!\\p{L})`,
  "iu",
);
/**
 * Words after a request that make it no action: requests for information are answered with the next message, and
 * "please" is often followed by no verb.
 */
const TALK =
  setOf(`tell explain help show say clarify recommend suggest know describe give be understand ask talk discuss confirm see answer
   not never always no do don't keep hold and just the a an it that him her them`);
/** Verbs that request a text, which the reply delivers. */
const WRITING_VERBS =
  "(?:write|draft|translate|summari[sz]e|list|rewrite|rephrase|compose|calculate|compute|compare|proofread|count)";
const WRITING = new RegExp(`\\b${WRITING_VERBS}\\b`, "i");
/** "Write a function that returns none on errors" reports no problem. */
export const WRITING_ORDER = new RegExp(`^(?:please )?${WRITING_VERBS}\\b`, "i");
const MIN_REPLY_WORDS = 4;

const DONE = new RegExp(`\\b(?:${alternatives(({ conversations }) => conversations?.done)})(?!\\p{L})`, "iu");
const JUST_DONE = new RegExp(`^(?:${alternatives(({ conversations }) => conversations?.justDone)})[.! ]*$`, "i");
/** A withdrawn request. */
const TAKEN_BACK = new RegExp(`\\b(?:${alternatives(({ conversations }) => conversations?.takenBack)})\\b`, "i");
/** Words by which a sentence reports nothing certain. Only lower case, because "May" is a month. */
export const UNCERTAIN = new RegExp(
  `\\b(?:${alternatives(({ conversations }) => conversations?.uncertain)})\\b|n't\\b`,
);

/** "Shall I …?", "Would you like me to …?" */
const OFFER = new RegExp(
  alternatives(({ conversations }) => conversations?.offers),
  "iu",
);
const ASSENT = new RegExp(
  String.raw`^(?:(?:oh|ah|god|ha|och)[,.]?\s+)*(?:${alternatives(({ conversations }) => conversations?.assents)})(?!\p{L})(?!,? (?:but )?(?:not|no|don't|${wordAlternatives(({ grammar }) => grammar?.not)})(?!\p{L}))`,
  "iu",
);
/** Number of first sentences of an answer in which a confirmation may occur. */
const ASSENT_SENTENCES = 2;

const NO_TERMS: ReadonlySet<string> = new Set();
/** Minimum share of an item's terms that a sentence about it contains. */
const MIN_OVERLAP = 0.4;

/** Whether a sentence requests or promises an action. */
export function isToDo(role: MessageRole, text: string, isEnglish: boolean): boolean {
  const isAsked = isQuestion(text);
  if (!isEnglish) return FOREIGN_PROMISE.test(text) ? !isAsked : role === "user" && FOREIGN_REQUEST.test(text);
  const request = REQUEST.exec(text);
  if (request === null && LIMIT.test(text) && AMOUNT.test(text)) return false;
  const promised = isAsked ? null : PROMISE.exec(text);
  if (role === "assistant") return promised !== null;
  if (promised !== null && USER_DOES.test(promised[1] ?? "")) return true;
  const asked = request ?? (isAsked ? null : NEED.exec(text));
  return asked !== null && !TALK.has(asked[1]?.toLowerCase() ?? "");
}

/** Returns the offer in the assistant's last sentence that the user accepts, as a sentence; otherwise undefined. */
export function acceptedOffer(offer: Turn | undefined, answer: Turn): string | undefined {
  if (offer?.role !== "assistant" || answer.role !== "user" || !isQuestion(offer.content)) return undefined;
  const isAccepted = sentencesOf(answer.content.slice(0, MAX_ANSWER_CHARACTERS))
    .slice(0, ASSENT_SENTENCES)
    .some((sentence) => ASSENT.test(sentence));
  const question = sentencesOf(offer.content.slice(-MAX_ANSWER_CHARACTERS)).at(-1) ?? "";
  return isAccepted && OFFER.test(question) ? `The user agreed: "${question}"` : undefined;
}

const MAX_ANSWER_CHARACTERS = 500;

function sentencesOf(text: string): string[] {
  return sentenceSegments(text.toWellFormed()).map(({ segment }) => segment.trim());
}

/** Returns the actions that are still pending after a sentence, which may report one as done or withdraw it. */
export function stillPending(actions: string[], role: MessageRole, text: string): string[] {
  if (actions.length === 0 || isQuestion(text)) return actions;
  const isReply =
    role === "assistant" && !PROMISE.test(text) && text.split(/\s+/, MIN_REPLY_WORDS).length === MIN_REPLY_WORDS;
  const remaining = isReply ? actions.filter((action) => !(WRITING.test(action) && REQUEST.test(action))) : actions;
  const isTakenBack = TAKEN_BACK.test(text);
  return isTakenBack || (DONE.test(text) && !UNCERTAIN.test(text))
    ? withoutOne(remaining, text, isTakenBack)
    : remaining;
}

/**
 * Returns the actions without the one that a sentence is about, or without the last one if the sentence is unspecific.
 */
export function withoutOne(actions: string[], text: string, isTakenBack = false): string[] {
  const last = isTakenBack || JUST_DONE.test(text) ? actions.at(-1) : undefined;
  const finished = mostAlike(actions, text) ?? last;
  return actions.filter((action) => action !== finished);
}

/**
 * Returns the item that shares the most terms with a sentence, the last one of equals. `ignored` terms do not count.
 */
export function mostAlike(items: string[], text: string, ignored = NO_TERMS): string | undefined {
  const terms = new Set(analyse(text).filter((term) => !ignored.has(term)));
  const overlaps = items.map((item) => {
    const itemTerms = new Set(analyse(item).filter((term) => !ignored.has(term)));
    const size = ignored.size === 0 ? itemTerms.size : Math.min(itemTerms.size, terms.size);
    return size === 0 ? 0 : [...itemTerms].filter((term) => terms.has(term)).length / size;
  });
  const best = Math.max(...overlaps);
  return best >= MIN_OVERLAP ? items[overlaps.lastIndexOf(best)] : undefined;
}
