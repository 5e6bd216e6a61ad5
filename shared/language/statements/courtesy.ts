import { setOf } from "../../kernel/strings.ts";
import { termOf, words } from "../../kernel/text/text.ts";
import { allWords } from "../languages/lists.ts";
import type { LanguageWords } from "../languages/pack.ts";
import { hasTag, type Token } from "./tagging.ts";

/** Words of greetings, thanks, agreement and farewell, in the form of `words`. */
const COURTESIES = setOf(allWords(({ courtesies, script }) => (isUnspaced(script) ? undefined : courtesies?.words)));

/** The same for scripts without spaces, long ones first, with signs. */
const UNSPACED_COURTESY = new RegExp(
  [...setOf(allWords(({ courtesies, script }) => (isUnspaced(script) ? courtesies?.words : undefined)))]
    .sort((one, other) => other.length - one.length)
    .concat(String.raw`[\p{P}\p{S}\p{Z}]`)
    .join("|"),
  "gu",
);

function isUnspaced(script: LanguageWords["script"]): boolean {
  return script === "Han" || script === "Kana";
}

const GREETINGS = setOf(allWords(({ courtesies }) => courtesies?.greetings));
/** "Good evening, Mrs Baumgart": a greeting and its addressee. */
const GREETED = /^([^,]{2,30}),\s+\p{Lu}[\p{L}.'-]*(?:\s\p{Lu}[\p{L}.'-]*){0,2}[\s.!]*$/u;

/** Whether a sentence consists only of courtesies, in any of the languages; "ok thanks!", "Guten Morgen", "谢谢你". */
export function isCourtesy(text: string): boolean {
  if (text.replace(UNSPACED_COURTESY, "") === "") return true;
  const greeting = GREETED.exec(text)?.[1];
  const spoken = words(greeting ?? text);
  if (greeting !== undefined && !spoken.some(({ folded }) => GREETINGS.has(folded))) return false;
  return spoken.every(({ folded }) => COURTESIES.has(folded) || !/[\p{L}\p{Nd}]/u.test(folded));
}

/** Returns the text after an opening courtesy ("Good morning, …", "Sure: …"); an opening yes or no is kept. */
export function afterCourtesy(text: string): string {
  const end = text.slice(0, MAX_COURTESY_CHARACTERS).search(/[,!:]\s/);
  const lead = text.slice(0, Math.max(0, end));
  const isUninformative = isCourtesy(lead) && words(lead).every(({ folded }) => !ANSWERS.has(folded));
  return isUninformative && lead !== "" ? text.slice(end + 1).trimStart() : text;
}

const ANSWERS = setOf(allWords(({ courtesies }) => courtesies?.answers));

/** Whether a text is an answer that opens with yes or no, in any of the languages. */
export function isAnswer(text: string): boolean {
  const [first] = words(text);
  return (first !== undefined && ANSWERS.has(first.folded)) || NOT_REALLY.test(text);
}

const NOT_REALLY = /^not really\b/i;
const MAX_COURTESY_CHARACTERS = 30;

const GENERIC = setOf(`
  thing things stuff lot lots bit time times day days night nights weekend week morning evening luck idea ideas question questions
  answer answers help support news advice info information way ways point fun pleasure problem course care something everything
  anything nothing someone everyone chat talk conversation message word words people man guy guys sense deal wonder kind sort
  be is am are was were been being have has had do does did get got go going make made take know think mean see saw say said tell
  hear heard feel want like love hope wish guess bet agree appreciate thank welcome congratulate sound sounds look looks seem
  seems wait suppose let try help keep come give understand enjoy matter happen happens use need work works sounds glad happy
  sorry sure fine ok right true awesome amazing lovely beautiful wonderful perfect interesting funny crazy good great nice cool
  best better bad worst worse fun sad excited inspiring impressive thoughtful kind sweet proud cute exciting fantastic incredible
  absolutely totally really definitely probably maybe actually honestly exactly still already always never again soon here there now
  today tonight tomorrow then too also well please yourself myself`);

/** Returns the number of words of an English sentence that are not only courtesy or judgement. */
export function informativeTokens(tokens: Token[]): number {
  return tokens.filter((token, index) => !isVocative(tokens, index) && isInformative(token)).length;
}

function isInformative(token: Token): boolean {
  const { normal } = token;
  if (/\d/.test(normal)) return true;
  if (termOf(normal) === undefined || GENERIC.has(normal) || COURTESIES.has(normal)) return false;
  return !hasTag(token, "Expression", "Pronoun", "Determiner", "Preposition", "Conjunction", "Modal", "Adverb");
}

const OPENINGS = setOf(`
  thank thanks congratulations congrats welcome sorry glad appreciate hope wish nice great happy enjoy`);
const LEAD_WORDS = 4;

/** "Thanks for …", "I hope you …", "Glad to hear …". */
export function opensCourteously(tokens: Token[]): boolean {
  return tokens.slice(0, LEAD_WORDS).some(({ normal }) => OPENINGS.has(normal));
}

/** Whether a sentence contains a name, a number, a date or something of the speaker's own. */
export function hasOwnInformation(tokens: Token[]): boolean {
  return tokens.some((token, index) => {
    if (isVocative(tokens, index)) return false;
    if (/\d/.test(token.text) || hasTag(token, "Date", "Person", "Place", "Organization"))
      return !GENERIC.has(token.normal);
    if (token.normal === "my" || token.normal === "our") return tokens.slice(index + 1, index + 4).some(isInformative);
    const isCapital = /^\p{Lu}\p{Ll}/u.test(token.text) && token.normal !== "i";
    return index > 0 && isCapital && !/[.!?]/.test(tokens[index - 1]?.after ?? "");
  });
}

const FILLERS =
  setOf(`hey hi hello wow whoa woah yeah yep yup oh ah aw aww well so and but also anyway btw thanks ok okay plus honestly haha lol
   woohoo yay phew congrats bye then basically ngl tbh imo fyi`);
/** Fillers only if punctuation follows them: "No, just …", not "no tumour". */
const FILLERS_SET_OFF =
  setOf(`yes no nope nah sure right great cool awesome nice actually totally absolutely definitely exactly agreed still really glad
   happy`);
const NAME_GREETINGS = setOf("hey hi hello dear thanks bye congrats yo thank welcome goodbye morning");

/** Whether a word opens a clause without being part of its statement. */
export function isFiller(tokens: Token[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined) return false;
  const isSetOff = /[,;.!?…–—]/.test(token.after);
  return FILLERS.has(token.normal) || (isSetOff && (FILLERS_SET_OFF.has(token.normal) || hasTag(token, "Expression")));
}

/** Whether a word is a name by which somebody is addressed: set off by commas, or after a greeting. */
function isVocative(tokens: Token[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined || !/^\p{Lu}\p{L}+$/u.test(token.text) || hasTag(token, "Pronoun", "Date", "Honorific"))
    return false;
  const previous = tokens[index - 1];
  const closed = /[,!?]/.test(token.after) || index === tokens.length - 1;
  if (!closed) return index > 0 && NAME_GREETINGS.has(previous?.normal ?? "") && hasTag(token, "Person");
  if (previous === undefined) return hasTag(token, "Person") && tokens.length > 1;
  const opened = /,/.test(previous.after) || isFiller(tokens, index - 1);
  return opened && (hasTag(token, "Person") || NAME_GREETINGS.has(previous.normal));
}

export function vocativesOf(tokens: Token[]): string[] {
  return tokens.flatMap((token, index) => (isVocative(tokens, index) && !isFiller(tokens, index) ? [token.text] : []));
}
