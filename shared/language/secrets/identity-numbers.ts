import { alternatives } from "../languages/lists.ts";
import {
  ibanLength,
  isAadhaar,
  isBelgianId,
  isBsn,
  isChineseId,
  isCnp,
  isCnpj,
  isCpf,
  isCuit,
  isCurp,
  isFinnishId,
  isFrenchNir,
  isGermanPensionNumber,
  isGermanTaxId,
  isIban,
  isItalianFiscalCode,
  isKoreanRrn,
  isLuhn,
  isNhsNumber,
  isNorwegianId,
  isPesel,
  isPolishNip,
  isPortugueseNif,
  isPps,
  isRut,
  isSpanishId,
  isSwissAhv,
  isTfn,
  isTurkishId,
} from "./checksums.ts";

/** The form of a card, account or identity number. */
export interface NumberFormat {
  type: string;
  pattern: RegExp;
  /** Given the digits and letters alone, in upper case. */
  isValid?: (compact: string) => boolean;
  /** How many digits and letters of a match may be the number; all of them by default. */
  lengthsOf?: (compact: string) => number[];
  /** A word that must precede it on the line, because its form and check are weak. */
  context?: RegExp;
}

/** Words before a number that say it is something else. */
export const OTHER_NUMBERS =
  /(?:order|invoice|tracking|parcel|shipment|imei|isbn|ean|sku|part|serial|model|ticket|case|reference|ref|batch|lot|article|item|commit|row|bestell\w{0,12}|rechnung\w{0,12}|auftrag\w{0,12}|sendung\w{0,12}|artikel\w{0,12}|commande|facture|colis|pedido|factura|ordine|fattura|encomenda|fatura|bestelling|factuur|zamówienie|faktura)\W{0,3}(?:no|nr|number|nummer|id|n°|número|numéro|numero|numer)?\W{0,6}(?:is|was|ist|lautet|est|es|è|é|to)?\W{0,3}$/iu;

/** One of the brands' beginnings with a length that the brand has. */
const CARD_BRANDS =
  /^(?:4(?:\d{15}|\d{18})|5[1-5]\d{14}|(?:222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|5\d\d|4[4-9]\d)\d{12}|62\d{14,17}|220[0-4]\d{12})$/;

const word = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}])`, "iu");

/** The more specific ones first: what one of them matched is not looked at again. */
export const NUMBER_FORMATS: readonly NumberFormat[] = [
  {
    type: "iban",
    // It also takes words that follow, which `lengthOf` cuts off.
    pattern: /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}/g,
    lengthsOf: (compact) => [ibanLength(compact) ?? 0],
    isValid: isIban,
  },
  {
    type: "card_number",
    pattern: /(?<![\w.,/+-])(?:\d[ -]?){12,18}\d(?![\w/]|[.,-]\d)/g,
    // The number on its back may follow.
    lengthsOf: ({ length }) => [length, 16, 15].filter((each) => each <= length),
    isValid: (compact) => CARD_BRANDS.test(compact) && isLuhn(compact) && new Set(compact).size > 1,
  },
  {
    type: "us_ssn",
    pattern: /(?<![\w.-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|\.\d)/g,
  },
  {
    type: "us_ssn",
    pattern: /(?<![\w.-])\d{3} ?\d{2} ?\d{4}(?![\w-])/g,
    context: word("ssn|social security(?: number| no\\.?)?"),
  },
  {
    type: "tax_id",
    pattern: /(?<!\w)\d{2}[ ]?\d{3}[ ]?\d{3}[ ]?\d{3}(?!\w)/g,
    isValid: isGermanTaxId,
    context: word("steuer-?id(?:nr|entifikationsnummer)?|steuerliche identifikationsnummer|idnr|steuernummer|tax id"),
  },
  {
    type: "social_security_number",
    pattern: /(?<!\w)[12][ ]?\d{2}[ ]?[0-9]{2}[ ]?(?:\d{2}|2[AB])[ ]?\d{3}[ ]?\d{3}[ ]?\d{2}(?!\w)/g,
    isValid: isFrenchNir,
  },
  {
    type: "national_id",
    pattern: /(?<![\w-])(?:\d{8}|[XYZ]-?\d{7})[- ]?[A-Z](?!\w)/gi,
    isValid: isSpanishId,
    context: word("dni|nif|nie|documento|identidad"),
  },
  {
    type: "tax_id",
    pattern: /(?<!\w)[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z](?!\w)/gi,
    isValid: isItalianFiscalCode,
  },
  { type: "national_id", pattern: /(?<!\w)\d{11}(?!\w)/g, isValid: isPesel, context: word("pesel\\w{0,3}") },
  { type: "tax_id", pattern: /(?<![\w.])\d{3}\.\d{3}\.\d{3}-\d{2}(?!\w)/g, isValid: isCpf },
  { type: "tax_id", pattern: /(?<!\w)\d{11}(?!\w)/g, isValid: isCpf, context: word("cpf") },
  { type: "tax_id", pattern: /(?<![\w.])\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}(?!\w)/g, isValid: isCnpj },
  {
    type: "tax_id",
    pattern: /(?<!\w)\d{3} ?\d{3} ?\d{3}(?!\w)/g,
    isValid: isPortugueseNif,
    context: word("nif|contribuinte"),
  },
  {
    type: "tax_id",
    pattern: /(?<!\w)\d{3}-?\d{3}-?\d{2}-?\d{2}(?!\w)/g,
    isValid: isPolishNip,
    context: word("nip\\w{0,2}"),
  },
  {
    type: "social_security_number",
    pattern: /(?<!\w)\d{2} ?\d{6} ?[A-Z] ?\d{3}(?!\w)/g,
    isValid: isGermanPensionNumber,
    context: word("sozialversicherungs?-?(?:nummer|nr)|rentenversicherungs?-?(?:nummer|nr)|svnr|sv-nummer|rvnr"),
  },
  {
    type: "national_id",
    pattern: /(?<![\w.])\d{1,2}\.?\d{3}\.?\d{3}-[\dK](?!\w)/gi,
    isValid: isRut,
    context: word("rut|run|cédula"),
  },
  { type: "tax_id", pattern: /(?<!\w)\d{2}-?\d{8}-?\d(?!\w)/g, isValid: isCuit, context: word("cui[tl]") },
  { type: "national_id", pattern: /(?<!\w)[1-8]\d{12}(?!\w)/g, isValid: isCnp, context: word("cnp") },
  {
    type: "national_id",
    pattern: /(?<!\w)\d{6} ?\d{5}(?!\w)/g,
    isValid: isNorwegianId,
    context: word("fødselsnummer|personnummer"),
  },
  { type: "national_id", pattern: /(?<!\w)\d{6}-?\d{4}(?!\w)/g, context: word("cpr(?:-?nummer|-?nr\\.?)?") },
  {
    type: "tax_id",
    pattern: /(?<!\w)\d{3} ?\d{3} ?\d{3}(?!\w)/g,
    isValid: isTfn,
    context: word("tfn|tax file number"),
  },
  {
    type: "national_id",
    pattern: /(?<!\w)\d{7}[A-W][A-IW]?(?!\w)/gi,
    isValid: isPps,
    context: word("pps(?:n| number| no\\.?)?"),
  },
  { type: "tax_id", pattern: /(?<!\w)[A-Z]{5}\d{4}[A-Z](?!\w)/g, context: word("pan(?: card| number| no\\.?)?") },
  {
    type: "national_id",
    pattern: /(?<!\w)\d{13}(?!\w)/g,
    isValid: isLuhn,
    context: word("sa id|south african id|id number|id no\\.?"),
  },
  { type: "national_id", pattern: /(?<!\w)[STFGM]\d{7}[A-Z](?!\w)/gi, context: word("nric|fin") },
  {
    type: "national_id",
    pattern: /(?<!\w)[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z\d]\d(?!\w)/g,
    isValid: isCurp,
  },
  {
    type: "national_id",
    pattern: /(?<!\w)\d{9}(?!\w)/g,
    isValid: isBsn,
    context: word("bsn|burgerservicenummer|sofinummer"),
  },
  {
    type: "national_insurance_number",
    pattern: /(?<!\w)(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] \d{2} \d{2} \d{2} [A-D](?!\w)/gi,
  },
  {
    type: "national_insurance_number",
    pattern: /(?<!\w)(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D](?!\w)/gi,
    context: word("nino|national insurance(?: number| no\\.?)?|ni number"),
  },
  {
    type: "health_number",
    pattern: /(?<!\w)\d{3}[ -]?\d{3}[ -]?\d{4}(?!\w)/g,
    isValid: isNhsNumber,
    context: word("nhs(?: number| no\\.?)?"),
  },
  {
    type: "national_id",
    pattern: /(?<!\w)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\w)/g,
    isValid: isChineseId,
  },
  { type: "national_id", pattern: /(?<![\w-])\d{6}-[1-8]\d{6}(?![\w-])/g, isValid: isKoreanRrn },
  {
    type: "national_id",
    pattern: /(?<!\w)[1-9]\d{10}(?!\w)/g,
    isValid: isTurkishId,
    context: word("tc|t\\.c\\.|kimlik\\w{0,6}|tckn"),
  },
  { type: "national_id", pattern: /(?<![\w.])\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}(?!\w)/g, isValid: isBelgianId },
  { type: "national_id", pattern: /(?<!\w)\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y](?!\w)/g, isValid: isFinnishId },
  {
    type: "national_id",
    pattern: /(?<!\w)(?:19|20)?\d{6}[-+]?\d{4}(?!\w)/g,
    isValid: (compact) => isLuhn(compact.slice(-10)),
    context: word("personnummer|samordningsnummer"),
  },
  { type: "social_security_number", pattern: /(?<![\w.])756\.\d{4}\.\d{4}\.\d{2}(?!\w)/g, isValid: isSwissAhv },
  {
    type: "national_id",
    pattern: /(?<!\w)[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}(?!\w)/g,
    isValid: isAadhaar,
    context: word("aadhaar|aadhar|uidai"),
  },
  {
    type: "social_security_number",
    pattern: /(?<!\w)\d{3}[ -]?\d{3}[ -]?\d{3}(?!\w)/g,
    isValid: isLuhn,
    context: word("sin|social insurance(?: number)?"),
  },
  {
    // Of a brand that only one country knows.
    type: "card_number",
    pattern: /(?<![\w-])\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?![\w-])/g,
    isValid: isLuhn,
    context: word(
      "(?:(?:credit|debit) )?card|(?:kredit)?karte|carte|tarjeta|carta|cartão|(?:bank)?kaart|kart[aąęy]?|карт[аыу]",
    ),
  },
  {
    type: "passport_number",
    // Letters and digits of eight or nine, or the series and number of Russian, Polish and Italian papers.
    pattern:
      /(?<![\w-])(?:(?!(?:19|20)\d{6}(?!\d))(?=[A-Z0-9]{0,8}\d)[A-Z0-9]{8,9}|[A-Z]{1,3} ?\d{6,7}|\d\d ?\d\d ?\d{6}|\d{12})(?![\w-])/g,
    context: new RegExp(
      `(?:(?<!\\p{L})(?:${alternatives(({ secrets }) => secrets?.passports)})(?!\\p{Ll})|${alternatives(({ secrets }) => secrets?.unspacedPassports)})[^\\n.;!?\\d]{0,12}(?:(?:no|nr|n|č|núm)[.°º]? ?)?[^\\n.;!?\\d]{0,30}$`,
      "iu",
    ),
  },
];

/** Whether a text may contain any of them: a run of digits that is long enough. */
export function mayHaveNumber(text: string): boolean {
  return /\d(?:[ .-]?[\dA-Za-z]){5}/.test(text);
}
