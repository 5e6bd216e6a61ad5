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
  /^(?:\$\{?\w|%\w{1,40}%|<[^>]{0,80}>?|\{\{|\*{3,}|x{4,}|•{2,}|\.{3}|…|\[REDACTED)/i,
  /^[a-z_]\w{0,60}(?:\.[a-z_]\w{0,60}){0,5}(?:\(|\[|\.[a-z_]\w{0,60}(?<!\d\d)$)/i,
  /^(?:your|insert|enter|put|example|sample|dummy|placeholder|replace)(?:[-_.].{0,80}|me)?$|^change-?_?me$/i,
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
