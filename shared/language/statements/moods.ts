import { setOf, trimmedEnd } from "../../kernel/strings.ts";
import { isFiller } from "./courtesy.ts";
import { hasTag, type Token, textOf } from "./tagging.ts";

const QUESTION_END = /[?？؟]$/u;
const ASKING_END = /(?:ですか|ますか|でしょうか|吗|呢|嗎)[。.]?$/u;
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

const UNREAL = new Set(["would", "could", "might"]);

/** Whether a sentence is hypothetical: "If I won the lottery I would …". Plain conditions are rules and are kept. */
export function isHypothetical(tokens: Token[]): boolean {
  const condition = tokens.findIndex(({ normal }) => normal === "if");
  if (condition === -1 || !tokens.some(({ normal }) => UNREAL.has(normal))) return false;
  const verb = tokens.slice(condition + 1).find((token) => hasTag(token, "Verb", "Copula", "Modal"));
  return hasTag(verb, "PastTense") || verb?.normal === "were";
}

const REQUEST_VERBS =
  setOf(`tell show give write explain help find suggest recommend translate summarize summarise list draft check look search describe
   compare compute calculate generate create rewrite rephrase edit proofread fix debug paste read open play continue try wait
   let ignore see think imagine pretend act convert brainstorm implement solve`);
/** Words that make an order lasting. */
const LASTING = setOf("always never whenever every not only instead don't avoid stop prefer remember");

/** Whether a sentence is a one-time request: "write me a poem". A lasting one ("always …") is an instruction. */
export function isRequest(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const verb = tokens[start]?.normal === "please" ? start + 1 : start;
  const isVerb =
    hasTag(tokens[verb], "Infinitive", "Imperative", "PresentTense") ||
    hasTag(tokens[verb + 1], "Determiner", "Pronoun");
  const isOrder = REQUEST_VERBS.has(tokens[verb]?.normal ?? "") && isVerb;
  // What follows a colon is handed over for the task.
  const colon = tokens.findIndex(({ after }) => after.includes(":"));
  const said = colon === -1 ? tokens : tokens.slice(0, colon + 1);
  const isFromNowOn = said.some(({ normal }, index) => normal === "from" && said[index + 1]?.normal === "now");
  return isOrder && !isFromNowOn && !said.some(({ normal }) => LASTING.has(normal));
}

/** The same in other languages, by the verb that opens the sentence. */
const FOREIGN_REQUEST =
  /^(?:bitte |por favor,? )?(?:zeig|zeige|schreib|schreibe|erklär|erkläre|übersetze|übersetz|finde|suche|such|vergleiche|fasse|nenne|erstelle|muéstrame|escribe|escríbeme|explica|explícame|traduce|busca|búscame|compara|resume|dame|enséñame|montre|écris|explique|traduis|trouve|cherche|compare|résume|donne|mostrami|scrivi|scrivimi|spiega|traduci|trova|cerca|confronta|riassumi|mostra|escreve|escreva|explica|traduz|traduza|procura|compara|schrijf|vertaal|zoek|vergelijk)(?:-moi)?(?!\p{L})/iu;

export function isForeignRequest(text: string): boolean {
  return FOREIGN_REQUEST.test(text.trimStart());
}

/** Asks to remember something that follows. */
const REMEMBER =
  /\b(?:remember|memori[sz]e|note|save|store|keep in mind|don'?t forget|write down|jot down)\b(?: down)?(?: please)?(?:\s*:|,? (?:that )?(?:i|i'm|i've|my|we|we're|our|the|he|she|they|it's)\b[^?]* (?:is|are|was|were|am|has|have|[a-z]+s|[a-z]+ed)\b)|\b(?:merk(?:e|en)? dir|(?:dir|sich) [^?]*merken|notier(?:e|en)?|vergiss nicht|(?:recuerda|recordar|anota|apunta|no olvides|retiens|retenir|souviens-toi|te souvenir|note|n'oublie pas|ricorda(?:ti|re)?|annota|lembra|lembre|lembrar|anote|guarda) (?:de )?(?:que|che)|onthoud(?:en)?|noteer|zapamięta\p{L}*|zanotuj|unutma)(?!\p{L})|запомни|запиши|记住|記住|记得|记一下|覚えて|メモして|기억해|메모해|याद रख|تذكر/iu;
/** Says how the user wants to be called. */
const CALLED =
  /\b(?:call|address) me (?!(?:back|when|if|at|on|a|an|the|tomorrow|later|today|tonight|again|now|in|after|before)(?!\p{L}))\p{L}{2,}|\b(?:nenn(?:e|en)? mich|mich [^?]{1,40}nennen|llámame|llamarme|appelle-moi|m'appeler|chiamami|chiamarmi|me chamar|chama-me|noem me|me [^?]{1,40}noemen)(?!\p{L})/iu;
/** Asks whether something that follows is known. */
const TOLD =
  /\b(?:did i (?:ever |already )?(?:tell|mention)|have i (?:ever |already )?(?:told|mentioned)|did you know|do you (?:know|remember)|can you believe)(?: to)?(?: you)?(?: that)? (?:i|i'm|i've|my|we|we're|we've|our) (?:[\p{L}'’]+ ){1,4}\p{L}+|\b(?:hab(?:e)? ich [^?]*(?:gesagt|erzählt|erwähnt), dass|weißt du, dass|(?:te|le) (?:he dicho|dije|conté|había dicho) que|sab(?:es|ías|ia) que|t'ai(?:-je)? (?:déjà )?dit que|tu sais que|ti ho (?:già )?detto che|lo sai che|te (?:disse|contei) que|heb ik [^?]*(?:verteld|gezegd) dat)(?!\p{L})/iu;
/** A statement about the speaker before the question or request of the same sentence, in other languages. */
const FOREIGN_LEAD =
  /^(?:¿|¡)?(?:ich|mein\p{L}*|wir|unser\p{L}*|yo|soy|estoy|tengo|vivo|mi|mis|je|j'|mon|ma|mes|nous|io|sono|ho|mio|mia|eu|sou|tenho|meu|minha|ik|mijn|wij|ja|mam|jestem|mój|moja|я|у меня|мой|моя|我|私|僕|저는|나는|제|ben|benim)(?=[\s'’\p{Lo}])[^,;，、]+[,;，、]/iu;
const FOREIGN_OWN =
  /(?:^|[^\p{L}])(?:mein\p{L}*|unser\p{L}*|mis?|nuestr\p{L}+|mon|ma|mes|notre|nos|mi[ao]|miei|nostr\p{L}+|meus?|minhas?|noss\p{L}+|mijn|onze|mój|moj\p{L}+|мо[йяеи]|benim)(?!\p{L})|我的|私の|僕の|내 |제 |मेर/iu;
const FOREIGN_CHANGE =
  /änder|aktualisier|umstell|cambi|chang|actuali[sz]|modifi|aggiorn|atuali[sz]|mud[ea]|wijzig|zmie[nń]|измени|поменя|改|変更|바꿔|değiştir/iu;
const DATUM = /\p{Nd}|@|["“«„]/u;

/**
 * Whether a question or a request of the user states something of lasting use: what to remember, a name, a change of the
 * user's data, or a fact beside the question. `tokens` are those of an English sentence.
 */
export function carriesData(text: string, tokens?: Token[]): boolean {
  if (REMEMBER.test(text) || CALLED.test(text) || TOLD.test(text)) return true;
  if (tokens === undefined)
    return FOREIGN_LEAD.test(text) || (FOREIGN_OWN.test(text) && (DATUM.test(text) || FOREIGN_CHANGE.test(text)));
  return declarativePart(tokens) !== undefined || namesOwn(tokens) || changesOwn(tokens);
}

/** "my daughter Ida", "our flight on 3 May": a name or a number right after something of the speaker's own. */
function namesOwn(tokens: Token[]): boolean {
  if (QUESTION_WORDS.has(tokens[startOf(tokens)]?.normal ?? "")) return false;
  return tokens.some(({ normal }, index) => {
    if (normal !== "my" && normal !== "our") return false;
    const named = tokens.slice(index + 1, index + 4);
    const end = named.findIndex((token) => hasTag(token, "Preposition"));
    return (end === -1 ? named : named.slice(0, end)).some(isDatum);
  });
}

/** "Can you change my delivery address to 14 Mill Lane?": an order about something of the speaker's own, with a value. */
function changesOwn(tokens: Token[]): boolean {
  const start = startOf(tokens);
  const isAsked = AUXILIARIES.has(tokens[start]?.normal ?? "") && tokens[start + 1]?.normal === "you";
  if (!isAsked) return false;
  const order = tokens.slice(start + 2).filter(({ normal }) => !COURTEOUS.has(normal));
  if (REQUEST_VERBS.has(order[0]?.normal ?? "")) return false;
  const own = order.findIndex(({ normal }) => normal === "my" || normal === "our");
  return own !== -1 && order.slice(own + 1).some(isDatum);
}

function isDatum(token: Token): boolean {
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

const REQUEST_OPENINGS = setOf("can could");
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
