/** Check digits of card, account and identity numbers. Each function is given the number's digits and letters alone. */

/** ISO/IEC 7812: cards, Swedish and Canadian numbers. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const value = index % 2 === 1 ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Lengths of IBANs by country. */
const IBAN_LENGTHS: Record<string, number> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BR: 29, BY: 28, CH: 21, CR: 22, CY: 28 },
  ...{ CZ: 24, DE: 22, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18, FO: 18, FR: 27, GB: 22, GE: 22, GI: 23, GL: 18 },
  ...{ GR: 27, GT: 28, HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LC: 32 },
  ...{ LI: 21, LT: 20, LU: 20, LV: 21, MC: 27, MD: 24, ME: 22, MK: 19, MR: 27, MT: 31, MU: 30, NL: 18, NO: 15, PK: 24 },
  ...{ PL: 28, PS: 29, PT: 25, QA: 29, RO: 24, RS: 22, SA: 24, SE: 24, SI: 19, SK: 24, SM: 27, TN: 24, TR: 26, UA: 29 },
  ...{ VA: 22, VG: 24, XK: 20 },
};

/** Returns the length that an IBAN of this country has; undefined for others. */
export function ibanLength(iban: string): number | undefined {
  return IBAN_LENGTHS[iban.slice(0, 2)];
}

/** ISO 13616 with the check digits of ISO 7064. */
export function isIban(iban: string): boolean {
  return iban.length === ibanLength(iban) && mod97(iban.slice(4) + iban.slice(0, 4)) === 1;
}

/** The remainder by 97; letters count as 10 to 35. */
function mod97(value: string): number {
  let remainder = 0;
  for (const char of value) {
    for (const digit of String(Number.parseInt(char, 36))) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder;
}

/** The sum of the digits, each times its weight. */
function weigh(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

/** Germany's tax number: ISO 7064, modulus 11, 10. */
export function isGermanTaxId(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return digits[0] !== "0" && (11 - product) % 10 === Number(digits[10]);
}

/** France's number of social security; Corsica's departments have letters. */
export function isFrenchNir(value: string): boolean {
  const number = value.slice(0, 13).replace("2A", "19").replace("2B", "18");
  return /^\d{13}$/.test(number) && 97 - (Number(number) % 97) === Number(value.slice(13));
}

/** Spain's DNI, and the NIE of foreigners. */
export function isSpanishId(value: string): boolean {
  const number = value.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)));
  return "TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23] === value.at(-1);
}

const ODD_DIGITS = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Italy's codice fiscale. */
export function isItalianFiscalCode(value: string): boolean {
  let sum = 0;
  for (let index = 0; index < 15; index++) {
    const base36 = Number.parseInt(value[index] ?? "", 36);
    const digit = base36 < 10 ? base36 : base36 - 10;
    sum += index % 2 === 0 ? (ODD_DIGITS[digit] ?? 0) : digit;
  }
  return String.fromCharCode(65 + (sum % 26)) === value[15];
}

export function isPesel(digits: string): boolean {
  return (10 - (weigh(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(digits[10]);
}

/** Brazil's CPF. */
export function isCpf(digits: string): boolean {
  if (new Set(digits).size === 1) return false;
  const check = (count: number) =>
    ((weigh(
      digits,
      Array.from({ length: count }, (_, index) => count + 1 - index),
    ) *
      10) %
      11) %
    10;
  return check(9) === Number(digits[9]) && check(10) === Number(digits[10]);
}

/** The Netherlands' citizen service number. */
export function isBsn(digits: string): boolean {
  return weigh(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** The United Kingdom's NHS number. */
export function isNhsNumber(digits: string): boolean {
  return (11 - (weigh(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(digits[9]);
}

/** China's resident identity number. */
export function isChineseId(value: string): boolean {
  const sum = weigh(value, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return "10X98765432"[sum % 11] === value[17];
}

/** Korea's resident registration number. */
export function isKoreanRrn(digits: string): boolean {
  return (11 - (weigh(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === Number(digits[12]);
}

/** Turkey's citizen number. */
export function isTurkishId(digits: string): boolean {
  const tenth = ((weigh(digits, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10) + 10) % 10;
  const sum = weigh(digits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  return digits[0] !== "0" && tenth === Number(digits[9]) && sum % 10 === Number(digits[10]);
}

/** Belgium's national number; those born since 2000 count with a 2 before it. */
export function isBelgianId(digits: string): boolean {
  const check = Number(digits.slice(9));
  return [digits.slice(0, 9), `2${digits.slice(0, 9)}`].some((number) => 97 - (Number(number) % 97) === check);
}

/** Finland's personal identity code. */
export function isFinnishId(value: string): boolean {
  const number = Number(value.slice(0, 6) + value.slice(7, 10));
  return "0123456789ABCDEFHJKLMNPRSTUVWXY"[number % 31] === value[10];
}

/** Switzerland's AHV number: an EAN-13. */
export function isSwissAhv(digits: string): boolean {
  return (10 - (weigh(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === Number(digits[12]);
}

const VERHOEFF_ROWS = [
  "0123456789",
  "1576283094",
  "5803796142",
  "8916043527",
  "9453126870",
  "4286573901",
  "2793806415",
  "7046913258",
];

/** India's Aadhaar: Verhoeff's check in the dihedral group of order ten. */
export function isAadhaar(digits: string): boolean {
  let check = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    check = dihedral(check, Number(VERHOEFF_ROWS[index % 8]?.[digit]));
  }
  return check === 0 && !/^[01]/.test(digits);
}

function dihedral(one: number, other: number): number {
  if (one < 5) return other < 5 ? (one + other) % 5 : 5 + ((one + other) % 5);
  return other < 5 ? 5 + ((one - other + 5) % 5) : (one - other + 5) % 5;
}

/** Check digits by weights, modulo 11: the digit is 11 less the rest, or 0. */
function hasElevenCheck(digits: string, weights: readonly number[]): boolean {
  const rest = weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0) % 11;
  return Number(digits[weights.length]) === (rest < 2 ? 0 : 11 - rest);
}

/** Brazilian firms. */
export function isCnpj(digits: string): boolean {
  const weights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  return digits.length === 14 && hasElevenCheck(digits, weights.slice(1)) && hasElevenCheck(digits, weights);
}

/** Portuguese tax numbers. */
export function isPortugueseNif(digits: string): boolean {
  return /^[1-35-9]\d{8}$/.test(digits) && hasElevenCheck(digits, [9, 8, 7, 6, 5, 4, 3, 2]);
}

/** Polish tax numbers. */
export function isPolishNip(digits: string): boolean {
  const sum = [6, 5, 7, 2, 3, 4, 5, 6, 7].reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return digits.length === 10 && sum % 11 === Number(digits[9]);
}

/** Numbers of the German pension insurance. */
export function isGermanPensionNumber(compact: string): boolean {
  const [, start = "", letter = "A", serial = "", check] = /^(\d{8})([A-Z])(\d{2})(\d)$/.exec(compact) ?? [];
  const digits = start + String(letter.charCodeAt(0) - 64).padStart(2, "0") + serial;
  const sum = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].reduce((total, weight, index) => {
    const product = weight * Number(digits[index]);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return check !== undefined && sum % 10 === Number(check);
}

/** Mexican persons. */
export function isCurp(compact: string): boolean {
  const alphabet = "0123456789ABCDEFGHIJKLMN\u00d1OPQRSTUVWXYZ";
  const sum = [...compact.slice(0, 17)].reduce((total, char, at) => total + alphabet.indexOf(char) * (18 - at), 0);
  return (10 - (sum % 10)) % 10 === Number(compact[17]);
}

/** The sum of digits by weights. */
function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

/** Chilean numbers: the last is a digit or K. */
export function isRut(compact: string): boolean {
  const body = compact.slice(0, -1).padStart(8, "0");
  const check = 11 - (weighted(body, [3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return compact.at(-1) === (check === 11 ? "0" : check === 10 ? "K" : String(check));
}

/** Argentine tax numbers. */
export function isCuit(digits: string): boolean {
  const check = 11 - (weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return digits.length === 11 && Number(digits[10]) === (check === 11 ? 0 : check);
}

/** Romanian persons. */
export function isCnp(digits: string): boolean {
  const rest = weighted(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return Number(digits[12]) === (rest === 10 ? 1 : rest);
}

/** Norwegian persons. */
export function isNorwegianId(digits: string): boolean {
  return (
    weighted(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
}

/** Australian tax file numbers. */
export function isTfn(digits: string): boolean {
  return weighted(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
}

/** Irish personal numbers. */
export function isPps(compact: string): boolean {
  const sum = weighted(compact, [8, 7, 6, 5, 4, 3, 2]) + 9 * (compact[8] ? compact.charCodeAt(8) - 64 : 0);
  return compact[7] === "WABCDEFGHIJKLMNOPQRSTUV"[sum % 23];
}
