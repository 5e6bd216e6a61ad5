import { setOf, trimmedEnd } from "../../kernel/strings.ts";
import { alternatives } from "../languages/lists.ts";
import type { MoodWords } from "../languages/pack.ts";
import { isFiller } from "./courtesy.ts";
import { hasTag, type Token, textOf } from "./tagging.ts";

function moodWords(list: keyof MoodWords): string {
  return alternatives(({ moods }) => moods?.[list]);
}

const QUESTION_END = /[?？؟]$/u;
const ASKING_END = new RegExp(`(?:${moodWords("asking")})[。.]?$`, "u");
const AROUND_END = /[\s"'”’)\]!]/u;

const AUXILIARIES = setOf("can could would will shall should may might do does did is are was were am have has had");
const QUESTION_WORDS = setOf("what which who whom whose when where why how");
const ASKED = setOf("you i we they he she it there this that anyone anybody someone my your the");

/** Whether a sentence is a question: by its last character, and with tokens also without a question mark. */
export function isQuestion(text: string, tokens: Token[] = []): boolean {
  const end = trimmedEnd(text, AROUND_END);
  return QUESTION_END.test(end) || ASKING_END.test(end) || isInversionAt(tokens, startOf(tokens));
}

/** Whether words have the order of a question: "can you …", "do you …", "what is …", "how do I …". */
function isInversionAt(tokens: Token[], index: number): boolean {
  const [first, second, third] = tokens.slice(index, index + 3).map(({ normal }) => normal);
  if (first === undefined || second === undefined) return false;
  if (ELIDING.has(first) && OWN.has(second) && !hasVerbAfter(tokens, index + 2)) return false;
  if (AUXILIARIES.has(first)) return ASKED.has(second);
  return QUESTION_WORDS.has(first) && AUXILIARIES.has(second) && (third === undefined || ASKED.has(third));
}

/** "did the refresher on Thursday" omits its subject; "did the parcel arrive" is a question. */
const ELIDING = new Set(["did", "had"]);
const OWN = new Set(["my", "the"]);

function hasVerbAfter(tokens: Token[], from: number): boolean {
  const next = tokens.slice(from);
  const comma = next.findIndex(({ after }) => after.includes(","));
  const clause = comma === -1 ? next : next.slice(0, comma + 1);
  return clause.some((token) => hasTag(token, "Infinitive", "PastTense"));
}

function startOf(tokens: Token[]): number {
  const start = tokens.findIndex((_token, index) => !isFiller(tokens, index));
  return start === -1 ? 0 : start;
}

const REASONS = new Set(["because", "since", "as"]);
const SPEAKERS = new Set(["i", "we", "my", "our"]);

/** Returns the statement in a question, if any: "My daughter is vegan, can you …?", "Any tips, because I'm …?" */
export function declarativePart(tokens: Token[]): string | undefined {
  for (let index = 1; index < tokens.length; index++) {
    const mark = tokens[index - 1]?.after ?? "";
    const isBreak =
      /[,;:–—-]\s/.test(mark) || /\s[-–—]/.test(mark) || ["and", "so", "but"].includes(tokens[index]?.normal ?? "");
    if (!isBreak) continue;
    const next = hasTag(tokens[index], "Conjunction") ? index + 1 : index;
    if (isInversionAt(tokens, next) && isStatement(tokens.slice(0, index))) return partOf(tokens.slice(0, index));
  }
  const isSpeaker = (index: number) => SPEAKERS.has(tokens[index]?.normal ?? "");
  const reason = tokens.findIndex(({ normal }, index) => REASONS.has(normal) && isSpeaker(index + 1));
  return reason > 0 && isStatement(tokens.slice(reason + 1)) ? partOf(tokens.slice(reason + 1)) : undefined;
}

function isStatement(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const verb = tokens.findIndex((token, index) => index > start && hasTag(token, "Verb", "Copula", "Modal"));
  return verb !== -1 && !isInversionAt(tokens, start) && !QUESTION_WORDS.has(tokens[start]?.normal ?? "");
}

function partOf(tokens: Token[]): string {
  return trimmedEnd(textOf(tokens), /[\s,;:?–—-]/u).trimStart();
}

const HYPOTHETICAL = new Set(["would", "could", "might"]);

/** Whether a sentence is hypothetical: "If I won the lottery I would …". Plain conditions are rules and are kept. */
export function isHypothetical(tokens: Token[]): boolean {
  const condition = tokens.findIndex(({ normal }) => normal === "if");
  if (condition === -1 || !tokens.some(({ normal }) => HYPOTHETICAL.has(normal))) return false;
  const verb = tokens.slice(condition + 1).find((token) => hasTag(token, "Verb", "Copula", "Modal"));
  return hasTag(verb, "PastTense") || verb?.normal === "were";
}

const REQUEST_VERBS =
  setOf(`tell show give write explain help find suggest recommend translate summarize summarise list draft check look search describe
   compare compute calculate generate create rewrite rephrase edit proofread fix debug paste read open play continue try wait
   let ignore see think imagine pretend act convert brainstorm implement solve set plan`);
/** Words that make an order lasting. */
const LASTING = setOf("always never whenever every not only instead don't avoid stop prefer remember");

/** Whether a sentence is a one-time request: "write me a poem". A lasting one ("always …") is an instruction. */
export function isRequest(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const verb = tokens[start]?.normal === "please" ? start + 1 : start;
  const isVerb =
    hasTag(tokens[verb], "Infinitive", "Imperative", "PresentTense") ||
    hasTag(tokens[verb + 1], "Determiner", "Pronoun");
  const isOrder = isVerb && (REQUEST_VERBS.has(tokens[verb]?.normal ?? "") || isOnText(tokens.slice(verb)));
  // What follows a colon is handed over for the task.
  const colon = tokens.findIndex(({ after }) => after.includes(":"));
  const said = colon === -1 ? tokens : tokens.slice(0, colon + 1);
  const isFromNowOn = said.some(({ normal }, index) => normal === "from" && said[index + 1]?.normal === "now");
  return isOrder && !isFromNowOn && !said.some(({ normal }) => LASTING.has(normal));
}

/** "Turn this into …", "rank these", "make me a list": a task on what lies before both, or whose result is handed over. */
function isOnText([verb, ...object]: Token[]): boolean {
  // "Keep it short" is about all that follows.
  if (verb?.normal === "keep") return false;
  if (!hasTag(verb, "Infinitive", "Imperative", "PresentTense") || hasTag(verb, "Copula", "Modal", "Auxiliary"))
    return false;
  const [first, second] = object;
  return (
    DEMONSTRATIVES.has(first?.normal ?? "") || (first?.normal === "me" && FOR_THE_SPEAKER.has(second?.normal ?? ""))
  );
}

const DEMONSTRATIVES = setOf("it this that these those them");
const FOR_THE_SPEAKER = setOf("a an some another what how why");

/** The same in other languages, by the verb that opens the sentence. */
const FOREIGN_REQUEST = new RegExp(String.raw`^(?:${moodWords("requests")})(?!\p{L})`, "iu");
/** An order whose result the speaker receives: "raconte-moi", "empfiehl mir", "recomiéndame"; not how to speak to them. */
const FOREIGN_RECEIVED = new RegExp(
  String.raw`^(?!${moodWords("notReceived")})(?:${moodWords("received")})\s+(?:${moodWords("receivedObjects")})(?!\p{L})`,
  "iu",
);

export function isForeignRequest(text: string): boolean {
  const said = text.trimStart();
  return FOREIGN_REQUEST.test(said) || FOREIGN_RECEIVED.test(said);
}

/** Asks to remember something that follows. */
const REMEMBER = new RegExp(
  String.raw`\b(?:remember|memori[sz]e|note|save|store|log|record|(?:keep|bear) in mind|don'?t forget|write down|jot down)\b(?: down)?(?: please)?(?:\s*:|,? (?:that )?(?:i|i'm|i've|my|we|we're|our|the|he|she|they|it's)\b[^?]* (?:is|are|was|were|am|has|have|[a-z]+s|[a-z]+ed)\b)|\b(?:${moodWords("remembers")})(?!\p{L})|${moodWords("unspacedRemembers")}`,
  "iu",
);
/** Says how the user wants to be called. */
const CALLED = new RegExp(
  `\\b(?:call|address) me (?!(?:back|when|if|at|on|a|an|the|tomorrow|later|today|tonight|again|now|in|after|before)(?!\\p{L}))\\p{L}{2,}|\\b(?:${moodWords("called")})(?!\\p{L})`,
  "iu",
);
/** Asks whether something that follows is known. */
const TOLD = new RegExp(
  String.raw`\b(?:did i (?:ever |already )?(?:tell|mention)|have i (?:ever |already )?(?:told|mentioned)|did you know|do you (?:know|remember)|can you believe)(?: to)?(?: you)?(?: that)? (?:i|i'm|i've|my|we|we're|we've|our) (?:[\p{L}'’]+ ){1,4}\p{L}+|\b(?:${moodWords("told")})(?!\p{L})`,
  "iu",
);
/** A statement about the speaker before the question or request of the same sentence, in other languages. */
const FOREIGN_LEAD = new RegExp(String.raw`^(?:¿|¡)?(?:${moodWords("leads")})(?=[\s'’\p{Lo}])[^,;，、]+[,;，、]`, "iu");
/** The same without a pronoun: "prendo Eutirox la mattina, dopo quanto …" */
const FOREIGN_VERB_LEAD = new RegExp(
  String.raw`^(?!(?:${moodWords("notOwnVerbs")})(?!\p{L}))(?:${moodWords("ownVerbs")}) [^,;?]{4,}[,;] [^,;?]*\p{L}`,
  "iu",
);
/** The same after it, and what is to be said or noted: "…, wir haben einen Hund", "…, dass ich …". */
const FOREIGN_CLAUSE = new RegExp(
  String.raw`[,;–—]\s+(?:${moodWords("clauses")})(?![\p{L}])|${moodWords("statements")}|(?<=(?:${moodWords("notes")})\p{L}*(?:[ ,][^,]{1,30},?)? )(?:${moodWords("that")}) `,
  "iu",
);
/** Before a text of others. */
const HANDED_OVER = /[:：]\s|["“«„]/u;
/** "meinen Sohn Emil, der …", "ma fille Zoé", "mi jefa, Lola": something of the speaker's own with a name or a clause. */
const NAMED_OWN = new RegExp(String.raw`(?<!\p{L})(?:${moodWords("namedOwn")})`, "u");
/** Holds for what comes, in any sentence. */
const LASTING_PHRASE = new RegExp(`(?<!\\p{L})(?:${moodWords("lasting")})(?!\\p{L})`, "iu");
const FOREIGN_OWN = new RegExp(
  String.raw`(?:^|[^\p{L}])(?:${moodWords("own")})(?!\p{L})|${moodWords("unspacedOwn")}`,
  "iu",
);
const FOREIGN_CHANGE = new RegExp(moodWords("changes"), "iu");
const DATUM = /\p{Nd}|@|["“«„]/u;

/**
 * Whether a question or a request of the user states something of lasting use: what to remember, a name, a change of the
 * user's data, or a fact beside the question. `tokens` are those of an English sentence.
 */
export function carriesData(text: string, tokens?: Token[]): boolean {
  if (REMEMBER.test(text) || CALLED.test(text) || TOLD.test(text)) return true;
  if (LASTING_PHRASE.test(text)) return true;
  if (tokens === undefined)
    return (
      FOREIGN_LEAD.test(text) ||
      FOREIGN_CLAUSE.test(text.split(HANDED_OVER, 1)[0] ?? "") ||
      FOREIGN_VERB_LEAD.test(text) ||
      NAMED_OWN.test(text) ||
      (FOREIGN_OWN.test(text) && (DATUM.test(text) || FOREIGN_CHANGE.test(text)))
    );
  // What follows a colon, or a quotation, is handed over for the task.
  const end = tokens.findIndex(({ text: word, after }) => /["“«]/u.test(word) || after.includes(":"));
  const own = end === -1 ? tokens : tokens.slice(0, end + 1);
  return declarativePart(tokens) !== undefined || addsStatement(own) || namesOwn(tokens) || sets(tokens);
}

/** "what can I eat I'm back on …": a contraction is never the order of a question. */
const CONTRACTED =
  /(?<!(?:pretend|imagine|if|when|that|whether|think|what|how|where|who|like|time|till?|until|while|than|as|know|sure|before|after|once|so) )(?<=\p{L} )(?:i['’]m|i['’]ve|we['’]re|we['’]ve) \p{L}|(?<=(?:someone|somebody|person|man|woman) [^?]{1,60})like me(?!\p{L})/iu;

/** "…, I wear size 43", "…, since that's our nearest airport", "As a Type 1 diabetic, what can I …" */
function addsStatement(tokens: Token[]): boolean {
  const isOwn = ({ normal }: Token) => SPEAKERS.has(normal);
  const start = startOf(tokens);
  const describesSelf =
    (tokens[start]?.normal === "as" || tokens[start]?.normal === "being") &&
    ARTICLES.has(tokens[start + 1]?.normal ?? "");
  if (describesSelf && tokens.some(({ normal }) => normal === "i")) return true;
  if (CONTRACTED.test(textOf(tokens))) return true;
  const opening = tokens[start]?.normal ?? "";
  const isOrder = REQUEST_OPENINGS.has(opening) || !(AUXILIARIES.has(opening) || QUESTION_WORDS.has(opening));
  return tokens.some((token, index) => {
    const rest = tokens.slice(index + 1);
    const [first, second] = rest;
    if (first === undefined) return false;
    if (token.after.includes(",") && REASONS.has(first.normal)) return rest.some(isOwn);
    if (isOrder && isRecorded(token, tokens[index - 1]) && first.normal === "that")
      return !hasVerb(rest.slice(1, 2)) && hasVerb(rest.slice(2));
    const isBreak = /[,;:–—-]/u.test(token.after);
    if (isBreak && REFERRING.has(first.normal) && hasTag(second, "Copula")) return rest.slice(2).some(isOwn);
    if (!isBreak || !isOwn(first)) return false;
    return !AUXILIARIES.has(second?.normal ?? "") ? hasVerb(rest.slice(1)) : hasTag(second, "Copula");
  });
}

const ARTICLES = setOf("a an the");
const REFERRING = setOf("that this it");

function hasVerb(tokens: Token[]): boolean {
  return tokens.some((token) => hasTag(token, "Verb", "Copula", "Modal"));
}

/** "Log that …", "tell my landlord that …": what follows is said, not asked. */
function isRecorded(verb: Token, before: Token | undefined): boolean {
  return ![verb, before].some((token) => ASKING.has(token?.normal ?? ""));
}

const ASKING = setOf(
  "think believe say said know sure check confirm see guess true told tell mention hope mean ensure explain",
);

/** Questions about what is known of the speaker, rather than for advice: "When is my flight?" */
const LOOKUPS = setOf("when where who whom whose which");

/**
 * "my daughter Ida", "my dad, who's nearly blind", "my passport from Canada": something of the speaker's own with a name, a
 * number, a place or a clause of its own; "call me X", "put me down as X".
 */
function namesOwn(tokens: Token[]): boolean {
  const [first, second] = tokens.slice(startOf(tokens));
  if (LOOKUPS.has(first?.normal ?? "") || (first?.normal === "what" && second?.normal !== "should")) return false;
  return tokens.some(({ normal }, index) => {
    const next = tokens.slice(index + 1, index + 1 + MAX_OWN_WORDS);
    if (normal === "me") return next.some((token, at) => token.normal === "as" && isDatum(next[at + 1]));
    if (normal !== "my" && normal !== "our") return false;
    const end = next.findIndex((token) => hasTag(token, "Verb", "Copula", "Modal"));
    return (end === -1 ? next : next.slice(0, end + 1)).some((token) => isDatum(token) || RELATIVES.has(token.normal));
  });
}

const MAX_OWN_WORDS = 6;
const RELATIVES = setOf("who who's whose");

/** "Can you change my address to 14 Mill Lane?", "set the budget at 400 pounds": an order that gives something a value. */
function sets(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const isAsked = AUXILIARIES.has(tokens[start]?.normal ?? "") && ASKED_TO_SET.has(tokens[start + 1]?.normal ?? "");
  const order = tokens.slice(isAsked ? start + 2 : start).filter(({ normal }) => !COURTEOUS.has(normal));
  const verb = order[0]?.normal ?? "";
  const isOwn = order.some(({ normal }) => normal === "my" || normal === "our");
  if (isOwn && isAsked && !REQUEST_VERBS.has(verb) && order.slice(1).some(isDatum)) return true;
  if (!SETTING.has(verb)) return false;
  return order.some(
    ({ normal }, index) => BEFORE_VALUES.has(normal) && (isOwn || order.slice(index + 1).some(isNumber)),
  );
}

const ASKED_TO_SET = setOf("you we");
const SETTING = setOf("change update set switch move rename correct put make address send deliver ship");
const BEFORE_VALUES = setOf("to at as");

function isNumber({ text }: Token): boolean {
  return /\d/.test(text);
}

function isDatum(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return /[\d@]/.test(token.text) || /^\p{Lu}/u.test(token.text) || hasTag(token, "Date");
}

const ALWAYS_OR_NEVER = setOf("always never");

/** Whether a sentence is a lasting order, whatever it is about: "Please never say great question". */
export function isLastingOrder(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const first = tokens[start]?.normal === "please" ? start + 1 : start;
  const verb = tokens[first + 1];
  return ALWAYS_OR_NEVER.has(tokens[first]?.normal ?? "") && hasTag(verb, "Infinitive") && verb?.normal !== "mind";
}

const REQUEST_OPENINGS = setOf("can could would will");
const COURTEOUS = setOf("please kindly also just maybe");
const STOPS = setOf("stop avoid leave drop skip cut spare");
/** Words for the form of answers: an order about it holds for every answer. */
export const FORM_OF_ANSWERS = setOf(
  `answers replies responses messages sentences paragraphs bullets bullet lists headings tables emoji emojis markdown jargon
   pleasantries apologies disclaimers exclamation units metric imperial grams kilos ounces miles kilometres kilometers
   metres meters millimetres millimeters feet inches celsius fahrenheit`,
);
const MAX_WORDS_BEFORE_FORM = 4;

/** Returns the order in a question that asks for a lasting change, if any: "stop using emojis" in "Could you stop …?". */
export function lastingOrderIn(tokens: Token[]): string | undefined {
  const start = startOf(tokens);
  if (!REQUEST_OPENINGS.has(tokens[start]?.normal ?? "") || tokens[start + 1]?.normal !== "you") return undefined;
  const order = tokens.slice(start + 2).filter(({ normal }) => !COURTEOUS.has(normal));
  const [verb, ...others] = order;
  const isAboutForm = others.slice(0, MAX_WORDS_BEFORE_FORM).some(({ normal }) => FORM_OF_ANSWERS.has(normal));
  const isStop = STOPS.has(verb?.normal ?? "") && (isAboutForm || hasTag(others[0], "Gerund"));
  return isStop || isLastingOrder(order) ? partOf(order) : undefined;
}

/** Words whose negation is no refusal: "I don't know". */
const ATTITUDES = setOf(`
  know mind wait sure think care believe worry understand see get agree say said remember blame complain imagine mean bad surprised`);

const HAPPENED = setOf("done gone happening over");

/** Whether something will not be done or was not done: "So I'm not having it", "it was not done". */
export function refuses(tokens: Token[]): boolean {
  const denial = tokens.findIndex((token) => hasTag(token, "Negative"));
  if (denial === -1) return false;
  const next = tokens.slice(denial + 1).find((token) => !hasTag(token, "Adverb"));
  if (next === undefined) return false;
  const isOwn = tokens.slice(0, denial).some(({ normal }) => normal === "i" || normal === "we");
  return isOwn ? !ATTITUDES.has(next.normal) : HAPPENED.has(next.normal) || hasTag(next, "Participle");
}

const OPENING =
  /^(?:oh,? (?:great|joy|good|wonderful|fantastic|perfect|lovely|brilliant)|(?:great|wonderful|fantastic|perfect|lovely|brilliant)),? (?:another|yet another|not again|there goes|here we go)\b/;
const PHRASE =
  /\b(?:yeah,? right|just what i needed|as if that|because that worked so well|what could possibly go wrong)\b|\/s$|🙄/u;
const PRAISE = setOf("best love greatest favorite favourite fantastic wonderful amazing brilliant perfect");

/** Whether the words reveal that praise means its opposite: "Oh great, another outage". */
export function isIronic(tokens: Token[]): boolean {
  const words = tokens.map(({ text, after }) => text + after);
  const sentence = words.join("").trim().toLowerCase();
  return OPENING.test(sentence) || PHRASE.test(sentence);
}

/** Whether a sentence praises something. Praise next to irony is ironic, too. */
export function isPraise(tokens: Token[]): boolean {
  return tokens.some(({ normal }) => PRAISE.has(normal));
}
