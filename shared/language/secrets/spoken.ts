import type { FoundSecret } from "./found-secret.ts";
import { digitsNear, isFunctionWord, isNear, isUserName, passwordInClause, passwordNear } from "./nearby.ts";
import {
  ADVERBS,
  CHANGE_WORDS,
  CODE_WORDS,
  COPULAS,
  isAboutPasswords,
  isIdentifier,
  KEY_WORDS,
  OTHER_CODES,
  PASSWORD_WORDS,
  PHRASE_WORDS,
  PIN_WORDS,
  PLAIN_PASSWORD_WORDS,
  SENT_WORDS,
  TEXT_MESSAGE,
  UNSPACED_PASSWORD_WORDS,
  UNSPACED_PIN_WORDS,
} from "./password-words.ts";
import { isResembling, looksChosen, looksRandom, PRODUCT, withoutPunctuation } from "./shapes.ts";

/** How far after its word a value may start, and how long it may be. */
const MAX_FILLER = 60;
const MAX_VALUE = 4000;
/** Minimum characters of a chosen value of a setting. */
const MIN_SETTING = 8;
/** How far before its word a value may start. */
const MAX_BEFORE = 240;
const MAX_ABOUT = 40;
/** How near to a word for a code another word says which. */
const MAX_OTHER = 16;

const word = (alternatives: string) => `(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}])`;
const PASSWORDS = new RegExp(`${word(PASSWORD_WORDS)}|(?<=\\p{Ll})(?:[Pp]assword|Passwd|Pwd)(?!\\p{L})`, "giu");
const UNSPACED = new RegExp(UNSPACED_PASSWORD_WORDS, "gu");
const PINS = new RegExp(`${word(PIN_WORDS)}|${UNSPACED_PIN_WORDS}`, "giu");
const CODES = new RegExp(word(CODE_WORDS), "giu");
const OTHERS = new RegExp(OTHER_CODES, "iu");
const SENT = new RegExp(word(SENT_WORDS), "iu");
const KEYS = new RegExp(word(KEY_WORDS), "giu");
/** One of these is in each text that says a secret in words: a text without any is not searched further. */
const ANY_WORD = new RegExp(
  `pass|pw|phrase|code|c[oó]d|cryptog|prüf|tan|key|pin|wort|schl|mdp|cl[eé]|frase|contrase|clave|parola|senha|chave|ww|wacht|zin|has[łl]|hesl|lozin|lösen|kod|salas|şifre|jels|sandi|mật|парол|слово|κωδ|كلمة|السري|סיס|पास|${UNSPACED_PASSWORD_WORDS}|${UNSPACED_PIN_WORDS}|geheim|otp|cv[vc]|2fa|пин|token|secret|creden|jeton|chiave|getto|sleut|klucz|ключ|токен|密钥|秘钥|キー|トークン|dsn|sms|lock|texted|смс|sent|merks|losung|zugang|acc[eè]s|lause|jelm|fr[aá]z|رمز|كود|पिन|ओटीपी|connection|mnemon|sess|csrf|session|csrf|banking`,
  "iu",
);

/** The signs that assign a value, or the words that say it. */
const CONNECTION = new RegExp(
  `['’]s\\s|\\s(?=["“„«\`])|["'\`*_)\\]]{0,3}\\s{0,3}(?::=|=>|->|→|[:=：＝>])\\s{0,3}|\\s[-–—]\\s|[\\s,](?:${COPULAS})\\s{1,3}(?:(?:${ADVERBS})\\s{1,3})?`,
  "giu",
);
const ADJACENT = /^["'`*]{0,2},?[ \t]{1,3}/u;
/** The next clause, if it gives the value: "the wifi password? it's …". */
const NEXT_CLAUSE =
  /^[^\n.!?;,]{0,50}(?:[?,:;.]\s{1,2}(?:(?:now|jetzt|maintenant|ahora|ora|agora|nu|teraz|теперь) )?(?:(?:it|that)['’]s|it is|(?:es|das) ist|c['’]est|es|è|é|het is|to jest|to|now|it|(?:the |das |le |la |el |het )?(?:new one|new|neu|neue[sr]?|nouveau|nueva|nuova|nova|nieuwe?|nowe|новый|yeni(?:si)?)(?: (?:is|ist|est|es|è|é|to))?:?)\s|\?\s)/iu;
/** The end of the sentence or line, after which nothing is said about the word any more. */
const END_OF_FILLER = /[\n!?;,]|\.(?:\s|$)/u;
/** A value, and what connects it with the word after it: "mango-42 is our wifi password". */
const VALUE_BEFORE =
  /(?<!\S)(\S{4,128}?)(?:\s(?:is|ist|est|es|è|é|to|as|als|comme|como|come|de|jako|это|är|er)\s(?:[\p{L}'’-]{1,20}\s){0,3}|\s[-–—(]\s?(?:(?:that['’]s|it['’]s|this is|is|c['’]est|das ist|es|è|é|to)\s)?(?:[\p{L}'’-]{1,20}\s){0,3}|(?:\s[\p{L}'’-]{1,20}){0,2},\s(?:[\p{L}'’-]{1,5}\s)?)$/iu;
const NEGATION = /(?<!\p{L})(?:not|\p{L}{1,6}n['’]t|nicht|pas|non|não|niet|nie|не)(?!\p{L})/iu;
const UNSPACED_CONNECTION = /^[^\n。，、？?!-~]{0,12}(?:[:：＝=]\s{0,2})?/u;

/** Returns the passwords, codes and keys that a text gives after or before a word for them. */
export function* findSpoken(text: string): Generator<FoundSecret> {
  if (!ANY_WORD.test(text)) return;
  for (const match of text.matchAll(PASSWORDS)) {
    if (isPlaceholder(text, match)) continue;
    const span = { start: match.index, end: endOf(match) };
    const found =
      passwordAfter(text, match) ??
      passwordInClause(text, span) ??
      passwordBefore(text, match) ??
      passwordNear(text, span);
    if (found && !isIdentifier(text.slice(found.start, found.end))) yield found;
  }
  for (const match of text.matchAll(UNSPACED)) {
    const rest = text.slice(endOf(match), endOf(match) + MAX_FILLER + MAX_VALUE);
    const connection = UNSPACED_CONNECTION.exec(rest)?.[0];
    const value = connection === undefined ? undefined : /^[!-~]{4,128}/.exec(rest.slice(connection.length))?.[0];
    const kept = value === undefined ? undefined : withoutPunctuation(value);
    if (connection === undefined || kept === undefined || !(looksChosen(kept) || isNumber(kept))) continue;
    const start = endOf(match) + connection.length;
    yield { type: "password", start, end: start + kept.length };
  }
  for (const match of text.matchAll(PINS)) {
    let isFound = false;
    for (const start of [...starts(text, match), ...startOfNextClause(text, match)]) {
      const digits = /^["'`*]{0,2}(\d{3} \d{3}|\d{3,8}[A-D]?)(?![\w%]|[.,:/-]\d)/.exec(
        text.slice(start, start + 16),
      )?.[1];
      if (digits === undefined || !isPin(match[0], digits)) continue;
      const from = text.indexOf(digits, start);
      yield { type: "pin", start: from, end: from + digits.length };
      isFound = true;
      break;
    }
    const near = isFound ? undefined : digitsNear(text, { start: match.index, end: endOf(match) });
    if (near && isPin(match[0], text.slice(near.start, near.end))) yield near;
  }
  for (const match of text.matchAll(CODES)) {
    const span = { start: match.index, end: endOf(match) };
    if (OTHERS.test(text.slice(Math.max(0, match.index - MAX_OTHER), endOf(match) + MAX_OTHER))) continue;
    const isMessage = TEXT_MESSAGE.test(match[0]);
    const near = isMessage || isNear(text, span, SENT) ? digitsNear(text, span) : undefined;
    if (near && !(isMessage && isShortNumber(text, near))) yield near;
  }
  for (const match of text.matchAll(KEYS)) {
    for (const start of starts(text, match)) {
      const value = valueAt(text, start);
      if (value === undefined || !isKey(text, match, value)) continue;
      yield { type: typeOfKey(match[0]), ...value };
      break;
    }
  }
}

/** A random value, or a chosen one that a setting is assigned: `JWT_SECRET="hunter-moon-over-kiel"`. */
function isKey(text: string, match: RegExpExecArray, { start, end }: Value): boolean {
  const value = text.slice(start, end);
  if (looksRandom(value)) return true;
  const isSetting = /^[A-Z_]{3,}$/.test(match[0]) && /^["']?\s?=\s?["']?$/.test(text.slice(endOf(match), start));
  return isSetting && value.length >= MIN_SETTING && looksChosen(value);
}

/** A part of an example ("user:password@host") or of a variable ("${DB_PASS:?missing}"). */
function isPlaceholder(text: string, match: RegExpExecArray): boolean {
  return text[endOf(match)] === "@" || /\$\{\w{0,60}$/.test(text.slice(Math.max(0, match.index - 62), match.index));
}

/** The number that a text message is sent to, or one that is too short for a code of which nothing else is said. */
function isShortNumber(text: string, { start, end }: FoundSecret): boolean {
  return (
    end - start < 5 ||
    /(?:^|\s)(?:to|text|an|au|à|al|a|ao|naar|na|nr|на|till|til|till)\s$/iu.test(
      text.slice(Math.max(0, start - 6), start),
    )
  );
}

const endOf = (match: RegExpExecArray): number => match.index + match[0].length;

/** A word in lower case may be a noun of another meaning ("pin"); two digits too few may be a card's check number. */
function isPin(named: string, digits: string): boolean {
  if (/^(?:cv|card)/i.test(named)) return digits.length <= 4;
  if (/^(?:security|prüf|kartenprüf|cryptog|código de seg|codice di sic|güvenlik)/iu.test(named)) return true;
  return digits.length >= 4 && (named !== "pin" || digits.length <= 6);
}

function typeOfKey(named: string): string {
  if (/token|jeton|gettone|токен|トークン/iu.test(named)) return "token";
  return /secret|geheim|segreta|secreta|secrète|密/iu.test(named) ? "secret" : "api_key";
}

/** The places after a word where its value may start: after each connection of its clause, then right after it. */
function starts(text: string, match: RegExpExecArray): number[] {
  const end = endOf(match);
  const rest = text.slice(end, end + MAX_FILLER);
  const filler = rest.slice(0, END_OF_FILLER.exec(rest)?.index ?? rest.length);
  const found: number[] = [];
  for (const connection of filler.matchAll(CONNECTION)) found.push(end + endOf(connection));
  const adjacent = ADJACENT.exec(rest)?.[0];
  return adjacent === undefined ? found : [...found, end + adjacent.length];
}

function passwordAfter(text: string, match: RegExpExecArray): FoundSecret | undefined {
  const end = endOf(match);
  const later = laterValue(text, match);
  if (later) return later;
  const adjacent = ADJACENT.exec(text.slice(end, end + MAX_FILLER))?.[0];
  for (const start of starts(text, match)) {
    const isAdjacent = adjacent !== undefined && start === end + adjacent.length;
    const value =
      PHRASE_WORDS.test(match[0]) && !isAdjacent
        ? (phraseAt(text, start) ?? valueAt(text, start))
        : valueAt(text, start);
    if (value === undefined) continue;
    const said = text.slice(value.start, value.end);
    const isSingle = !/\s/.test(said);
    const isNamed = PLAIN_PASSWORD_WORDS.test(match[0]) && !NEGATION.test(text.slice(end, start));
    const isPlain = isNamed && !isAdjacent && start - end <= MAX_ABOUT && isConnected(text, match, start);
    if (!isSingle && !value.isPhrase) continue;
    if (
      value.isPhrase ||
      (looksChosen(said) && !PRODUCT.test(said)) ||
      (!isAdjacent && isNumber(said)) ||
      (isPlain && isWordAtEnd(text, value))
    ) {
      if (isAdjacent && said.length < 5) continue;
      return { type: "password", start: value.start, end: value.end };
    }
  }
  return undefined;
}

/** Whether what connects a plain word is more than "to" or "in", which need a change: "changed my password to bluebird". */
function isConnected(text: string, match: RegExpExecArray, start: number): boolean {
  if (!/[\s,](?:to|as|auf|pour|en|in|a|na|pra|para|naar|on|je)\s{1,3}$/iu.test(text.slice(endOf(match), start)))
    return true;
  return CHANGE_WORDS.test(text.slice(Math.max(0, match.index - MAX_FILLER), start));
}

/** Where the next clause gives a value, if it does. */
function startOfNextClause(text: string, match: RegExpExecArray): number[] {
  const end = endOf(match);
  const clause = NEXT_CLAUSE.exec(text.slice(end, end + MAX_FILLER + 20))?.[0];
  return clause === undefined ? [] : [end + clause.length];
}

/** A value in the clause after that of the word. */
function laterValue(text: string, match: RegExpExecArray): FoundSecret | undefined {
  const [start] = startOfNextClause(text, match);
  const value = start === undefined ? undefined : valueAt(text, start);
  if (value === undefined || !looksChosen(text.slice(value.start, value.end))) return undefined;
  return { type: "password", start: value.start, end: value.end };
}

function passwordBefore(text: string, match: RegExpExecArray): FoundSecret | undefined {
  const before = text.slice(Math.max(0, match.index - MAX_BEFORE), match.index);
  const found = VALUE_BEFORE.exec(before);
  if (!found?.[1]) return undefined;
  const value = withoutPunctuation(found[1].replace(/^["'`*“„«(]+/u, ""));
  if (!looksChosen(value)) return undefined;
  const start = match.index - before.length + found.index + found[1].indexOf(value);
  if (isUserName(text, start)) return undefined;
  return { type: "password", start, end: start + value.length };
}

const isNumber = (value: string): boolean => /^\d{4,20}$/.test(value);

interface Value {
  start: number;
  end: number;
  isPhrase?: true;
}

const QUOTES: Record<string, string> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "„": "“",
  "«": "»",
  "「": "」",
  "‘": "’",
};

/** The value that starts here: within its quotes, or up to the next blank, without the sentence's punctuation. */
function valueAt(text: string, at: number): Value | undefined {
  const opening = text[at] ?? "";
  const closing = QUOTES[opening];
  if (closing !== undefined) {
    const end = text.slice(0, at + MAX_VALUE).indexOf(closing, at + 1);
    const quoted = end === -1 ? "" : text.slice(at + 1, end);
    if (quoted !== "" && !quoted.includes("\n")) return { start: at + 1, end };
  }
  const start = closing === undefined ? at : at + 1;
  const token = /^(?:[^\s;"`<>]|<(?=\d)){3,4000}/u.exec(text.slice(start, start + MAX_VALUE))?.[0];
  const value = token === undefined ? "" : withoutPunctuation(token);
  return value.length < 3 ? undefined : { start, end: start + value.length };
}

/** Three to twenty-four words up to the end of the clause. */
function phraseAt(text: string, at: number): Value | undefined {
  const words = /^["'“„«]?(\p{L}{1,14}(?:[ -]\p{L}{1,14}){2,23})(?=["'”“».,;!?\n]| [(]|$)/u.exec(
    text.slice(at, at + 320),
  )?.[1];
  if (words === undefined) return undefined;
  const all = words.split(/[ -]/);
  const isAssigned = /[:=→"'“„«]\s{0,3}$/u.test(text.slice(Math.max(0, at - 4), at + 1).replace(/\p{L}$/u, ""));
  const isCommon = (each: string) => isAboutPasswords(each) || (!isAssigned && isFunctionWord(each));
  if (all.filter(isCommon).length * 2 >= all.length) return undefined;
  const start = text.indexOf(words, at);
  return { start, end: start + words.length, isPhrase: true };
}

/** Whether a value is one plain word that ends its clause and does not describe the password. */
function isWordAtEnd(text: string, { start, end }: Value): boolean {
  const said = text.slice(start, end);
  const next = text.slice(end, end + 2);
  return (
    /^\p{L}[\p{L}-]{3,30}$/u.test(said) &&
    !isResembling(said) &&
    !isAboutPasswords(said) &&
    /^(?:$|[.!?,;"'”»)\n]|\s?$)/u.test(next)
  );
}
