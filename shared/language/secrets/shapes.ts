/** Shapes of values: what people choose as passwords, what is random, and what only resembles either. */

const RESEMBLING = [
  // Dates, times, versions, numbers with units, addresses, files.
  /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ].*)?$/,
  /^\d{1,2}:\d{2}(?::\d{2})?$/,
  /^v?\d{1,4}\.\d{1,4}(?:\.[\w-]{1,20}){0,3}$/i,
  /^[a-z][a-z\d+.-]{1,20}:\/\//i,
  /^[\w.-]{1,80}\.(?:ts|js|json|md|txt|pdf|html?|py|yml|yaml|env|png|jpe?g|docx?|xlsx?)$/i,
  /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$/,
  // Placeholders, and references of code.
  /^[A-Z]+(?:_[A-Z]+)+$/,
  /^[a-z-]+=\d*$|^[?-]\p{L}+\}?$/iu,
  /^(?:\$\{?\w|%\w{1,40}%|<[^>]{0,80}>?|\{\{|\*{3,}|x{4,}|•{2,}|\.{3}|…|\[REDACTED)/i,
  /^[a-z_]\w{0,60}(?:\.[a-z_]\w{0,60}){0,5}(?:\(|\[|\.[a-z_]\w{0,60}(?<!\d\d)$)/i,
  /^(?:your|insert|enter|put|example|sample|dummy|placeholder|replace)(?:[-_.].{0,80}|me)?$|^change-?_?me$/i,
  /(?:^|[_-])your[_-]/i,
  /^(?:1password|2fa|mfa|oauth2?|sha-?\d{1,3}|md5|base64|ipv[46]|utf-?8|ed25519|rsa-?\d{4}|wpa[23]?|argon2id?)$/i,
];

/** Whether a value is a placeholder, a date, a version, an address or a file's name. */
export function isResembling(value: string): boolean {
  return RESEMBLING.some((pattern) => pattern.test(value));
}

/** Whether a value mixes what words do not mix: letters with digits, signs, or capitals inside. */
export function looksChosen(value: string): boolean {
  if (value.length < 4 || isResembling(value)) return false;
  const hasLetter = /\p{L}/u.test(value);
  const hasDigit = /\d/.test(value);
  if (hasLetter && hasDigit) return true;
  if (hasLetter && /[!@#$%^&*+=~?§€£_]/.test(value)) return true;
  if (hasDigit && /[!@#$%^&*+=~?§€£_]/.test(value)) return true;
  if (/\p{Ll}\p{Lu}/u.test(value) && value.length >= 8) return true;
  return /^\p{L}+(?:-\p{L}+){2,}$/u.test(value);
}

/** A sign that people put into passwords, and that no word has inside. */
const SIGN = /[!@#$%^&*+~?§€£_]|<\d/u;
/** What has signs or digits without being made up: code, addresses, orders, products, ordinals and quantities. */
const NOT_HANDMADE = [
  /[/\\=;,:>]|\.{2}|^[@#$%&*+<~-]|%[\dA-F]{2}|\$\$|^\p{L}+@\d+$|^\D+[@#$%&*+<-]$/u,
  /^[\p{Lu}\d_.+&-]+$/u,
  /^[\da-f-]+$/u,
  /^\p{L}+(?:[-_']\p{L}+)*$/u,
  /^\d+[.,]?\d*[-_]?\p{L}+$/u,
  /^(?:\p{L}{1,2}-?\d+|\p{L}+-?\d{1,2})$/u,
  /^\p{L}{1,2}[&+]\p{L}{1,3}$/u,
  /[\w.+-]@[\w-]+\.\p{L}/u,
  /^\p{L}+(?:\.\p{L}+)+$/u,
];

/** Products whose names have a number: "opens with Word2019". */
export const PRODUCT =
  /^(?:windows|word|excel|office|iphone|ipad|macbook|galaxy|pixel|android|ios|playstation|ps|xbox|covid|python|node|java|web|http|version|team|room|level|face|touch)[- ]?\d/iu;

/** Whether somebody made this value up: letters with digits or signs inside, and no code, order, product or quantity. */
export function isHandmade(value: string): boolean {
  if (value.length < 6 || isResembling(value) || PRODUCT.test(value)) return false;
  if (NOT_HANDMADE.some((pattern) => pattern.test(value)) || !/\p{L}{2}/u.test(value)) return false;
  return /\d/.test(value) || SIGN.test(value);
}

/** Whether a value is a password by its form: three kinds of characters, with signs or digits among the letters. */
export function isPlainlyPassword(value: string): boolean {
  if (value.length < 8 || !isHandmade(value)) return false;
  const kinds = [/\p{Ll}{2}/u, /\p{Lu}/u, /\d/, /[!@#$%^&*+~?§€£_<.-]/u].filter((kind) => kind.test(value)).length;
  return (
    kinds >= 3 &&
    /[!@#$%^&*+~?§€£]|<\d|\p{L}\d\p{Ll}{2}|\p{Ll}\d\p{L}*$|^\p{L}{3,}(?:[.-]\p{L}{3,})+[.-]\d{1,4}$/u.test(value)
  );
}

/** Minimum bits of a character in a random value; English words have about 3 at these lengths. */
const MIN_BITS = 3;
const MIN_RANDOM_LENGTH = 16;

/** Whether a value is as random as keys are, by Shannon's entropy of its characters. */
export function looksRandom(value: string): boolean {
  if (value.length < MIN_RANDOM_LENGTH || isResembling(value)) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return bitsPerCharacter(value) >= MIN_BITS;
}

function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** A value without the sentence's punctuation; a mark behind a digit may be part of a password. */
export function withoutPunctuation(token: string): string {
  let end = /\d[!?][.,;:]$/.test(token) ? token.length - 1 : token.length;
  const whole = end;
  while (
    end > 0 &&
    /[.,:;!?)\]}'"”’»。、，…]/u.test(token[end - 1] ?? "") &&
    !(end === whole && /[!?]/.test(token[end - 1] ?? "") && /\d/.test(token))
  )
    end -= 1;
  return token.slice(0, end);
}
