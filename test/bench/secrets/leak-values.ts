import { SECRETS, type Values } from "./values.ts";

/** More fake values, for the set of leaks: see values.ts for why they are made and not written down. */

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const ALNUM = LOWER + UPPER + DIGITS;
const BASE64 = `${ALNUM}+/`;
const URL64 = `${ALNUM}-_`;

type Make = (values: Values) => string;

const capital = (word: string) => (word[0] ?? "").toUpperCase() + word.slice(1);
const weighted = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
const uuid: Make = (v) => [8, 4, 4, 4, 12].map((length) => v.chars(HEX, length)).join("-");
const pick = (v: Values, ...makes: Make[]) => (v.pick(makes) as Make)(v);

/** A prefix and characters after it. The prefix is given in two parts, so that no scanner takes the source for a key. */
const after =
  (start: string, rest: string, alphabet: string, count: number): Make =>
  (v) =>
    `${start}${rest}${v.chars(alphabet, count)}`;

const nhsBase: Make = (v) =>
  v.checked(
    () => `4${v.digits(9)}`,
    (digits) => {
      const check = 11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
      return check !== 10 && (check === 11 ? 0 : check) === Number(digits[9]);
    },
  );

const cnpj: Make = (v) => {
  let digits = `${v.digits(8)}0001`;
  for (const weights of [
    [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
    [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
  ]) {
    const rest = weighted(digits, weights) % 11;
    digits += rest < 2 ? 0 : 11 - rest;
  }
  return digits.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5");
};

const portugueseNif: Make = (v) => {
  const base = `2${v.digits(7)}`;
  const check = 11 - (weighted(base, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return base + (check > 9 ? 0 : check);
};

const polishNip: Make = (v) =>
  v.checked(
    () => `5${v.digits(9)}`,
    (digits) => weighted(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(digits[9]),
  );

/** The German pension number: area, birthday, initial, serial, check digit. */
const germanPension: Make = (v) => {
  const start = `65${v.pick(["07", "21"])}${v.pick(["03", "11"])}${70 + v.below(29)}`;
  const letter = v.chars(UPPER, 1);
  const serial = `0${v.below(10)}`;
  const digits = start + String(UPPER.indexOf(letter) + 1).padStart(2, "0") + serial;
  const sum = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].reduce((total, weight, index) => {
    const product = weight * Number(digits[index]);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return `${start.slice(0, 2)} ${start.slice(2)} ${letter} ${serial}${sum % 10}`;
};

const swissAhv: Make = (v) => {
  const base = `756${v.digits(9)}`;
  const sum = [...base].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return (base + ((10 - (sum % 10)) % 10)).replace(/(...)(....)(....)(..)/, "$1.$2.$3.$4");
};

const mexicanCurp: Make = (v) => {
  const alphabet = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ";
  const base = `GOMA${v.pick(["85", "91"])}0${1 + v.below(9)}1${v.below(9)}${v.pick("HM")}DF${v.chars("BCDFGLMNPR", 3)}0`;
  const sum = [...base].reduce((total, char, index) => total + alphabet.indexOf(char) * (18 - index), 0);
  return `${base}${(10 - (sum % 10)) % 10}`;
};

const ENGLISH =
  "army basket cactus debate eagle fabric garlic hobby icon jelly kidney lamp magnet nephew oak panda rabbit salad tiger umbrella valve wagon yard zebra".split(
    " ",
  );

/** What stands in a message and is no secret. */
export const NO_SECRETS: Record<string, Make> = {
  email: (v) => `${v.word()}@${v.word()}.example`,
  word: (v) => v.word(),
  digits_15: (v) => v.digits(15),
};

/** Makers of what leaks, by name. */
export const LEAKS: Record<string, Make> = {
  ...SECRETS,
  password: (v) =>
    pick(
      v,
      () => `${capital(v.word())}${2019 + v.below(8)}`,
      () => `${capital(v.word())}${2019 + v.below(8)}!`,
      () => `${v.word()}${v.digits(3)}`,
      () => `${v.digits(2)}${v.word()}${v.digits(2)}`,
      () => `${v.word().replace("a", "4").replace("e", "3")}!${v.digits(2)}`,
      () => `${capital(v.word())}#${capital(v.word())}`,
      () => `${v.word()}.${v.word()}.${v.digits(2)}`,
      () => `${v.word()}-${v.word()}-${v.word()}`,
      () => v.chars(ALNUM, 9) + v.digits(1),
      () => `${v.chars(ALNUM, 5)}$${v.chars(ALNUM, 5)}`,
      () => `${v.word()}@${v.digits(4)}`,
    ),
  strong_password: (v) => `${v.chars(ALNUM, 7)}${v.pick("!#%*")}${v.chars(ALNUM, 8)}`,
  strong_secret: (v) => `${v.chars(`${ALNUM}!#%^&*(-_=+)`, 49)}7`,
  pin: (v) => v.digits(v.pick([4, 4, 6]) as number),
  cvv: (v) => v.digits(3),
  otp: (v) => v.digits(6),
  combination: (v) => `${10 + v.below(89)}-${10 + v.below(89)}-${10 + v.below(89)}`,
  door_code: (v) => `${v.digits(4)}${v.pick("AB")}`,
  backup_code: (v) => `${v.chars(HEX, 5)}-${v.chars(HEX, 5)}`,
  mnemonic: (v) => Array.from({ length: 12 }, () => v.pick(ENGLISH)).join(" "),
  eth_key: (v) => `0x${v.chars(HEX, 64)}`,
  wif: (v) => `L${v.chars("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 51)}`,
  nsec: (v) => `nsec1${v.chars("023456789acdefghjklmnpqrstuvwxyz", 58)}`,
  xprv: (v) => `xprv9${v.chars("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 106)}`,
  nhs: (v) => nhsBase(v).replace(/(...)(...)(....)/, "$1 $2 $3"),
  passport: (v) => v.digits(9),
  de_svnr: germanPension,
  ch_ahv: swissAhv,
  es_nie: (v) => {
    const number = v.digits(7);
    return `X${number}${"TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23]}`;
  },
  mx_curp: mexicanCurp,
  br_cnpj: cnpj,
  pt_nif: portugueseNif,
  pl_nip: polishNip,
  iban_at: (v) => ibanOf("AT", v.digits(16)),
  iban_ch: (v) => ibanOf("CH", v.digits(17)),
  iban_be: (v) => ibanOf("BE", v.digits(12)),
  random_key: (v) =>
    pick(
      v,
      (w) => w.chars(ALNUM, 32),
      (w) => w.chars(HEX, 40),
      (w) => w.chars(URL64, 43),
    ),
  basic_auth: (v) => Buffer.from(`ada:${v.chars(ALNUM, 14)}`).toString("base64"),
  base32_secret: (v) => v.chars(`${UPPER}234567`, 16),
  base64_40: (v) => v.chars(BASE64, 40),
  base64_43: (v) => v.chars(BASE64, 43),
  base64_64: (v) => v.chars(BASE64, 64),
  base64_88: (v) => `${v.chars(BASE64, 86)}==`,
  session_token: (v) => `IQoJb3JpZ2luX2Vj${v.chars(BASE64, 200)}`,
  azure_sig: (v) => `${v.chars(ALNUM, 43)}%3D`,
  hex_32: (v) => v.chars(HEX, 32),
  hex_40: (v) => v.chars(HEX, 40),
  hex_64: (v) => v.chars(HEX, 64),
  alnum_27: (v) => v.chars(ALNUM, 27),
  cloudflare: (v) => pick(v, after("v1", ".0-", HEX, 171), after("cf", "ut_", ALNUM, 40)),
  openrouter: after("sk-", "or-v1-", HEX, 64),
  langsmith: (v) => `${"lsv2"}_pt_${v.chars(HEX, 32)}_${v.chars(HEX, 10)}`,
  langfuse: (v) => `${"sk"}-lf-${uuid(v)}`,
  resend: (v) => `${"re"}_${v.chars(ALNUM, 8)}_${v.chars(ALNUM, 24)}`,
  netlify: after("nf", "p_", ALNUM, 36),
  circleci: (v) => `${"CCI"}PAT_${v.chars(ALNUM, 22)}_${v.chars(HEX, 40)}`,
  sonar: (v) => `${"sq"}${v.pick("pu")}_${v.chars(HEX, 40)}`,
  dynatrace: (v) => `${"dt0"}c01.${v.chars(UPPER, 24)}.${v.chars(UPPER + DIGITS, 64)}`,
  flutterwave: (v) => `${"FLW"}SECK-${v.chars(HEX, 32)}-X`,
  plaid: (v) => `${"access"}-production-${uuid(v)}`,
  readme_key: after("rd", "me_", ALNUM, 70),
  prefect: after("pn", "u_", ALNUM, 36),
  shippo: after("ship", "po_live_", HEX, 40),
  typeform: after("tf", "p_", URL64, 44),
  yandex: after("AQ", "VN", URL64, 36),
  nvidia: after("nv", "api-", URL64, 64),
  together: after("tg", "p_v1_", URL64, 43),
  fireworks: after("f", "w_", ALNUM, 24),
  tavily: after("tv", "ly-dev-", ALNUM, 32),
  firecrawl: after("f", "c-", HEX, 32),
  e2b: after("e2", "b_", HEX, 40),
  cerebras: after("cs", "k-", LOWER + DIGITS, 48),
  jina: after("ji", "na_", ALNUM, 60),
  onepassword: (v) => `${"op"}s_eyJ${v.chars(ALNUM, 260)}`,
  sourcegraph: (v) => `${"sg"}p_${v.chars(HEX, 16)}_${v.chars(HEX, 40)}`,
  gitlab_trigger: after("gl", "ptt-", HEX, 40),
  gitlab_runner: after("GR13", "48941", URL64, 20),
  contentful: after("CF", "PAT-", URL64, 43),
  hubspot: (v) => `${"pat"}-na1-${uuid(v)}`,
  mailersend: after("ml", "sn.", HEX, 64),
  tailscale: (v) => `${"ts"}key-auth-${v.chars(ALNUM, 12)}CNTRL-${v.chars(ALNUM, 32)}`,
  mapbox: (v) => `${"sk"}.eyJ1Ijoi${v.chars(ALNUM, 60)}.${v.chars(URL64, 22)}`,
  asana: (v) => `2/${v.digits(16)}/${v.digits(16)}:${v.chars(HEX, 32)}`,
  deepseek: after("s", "k-", HEX, 32),
  elevenlabs: after("s", "k_", HEX, 48),
  fcm: (v) => `${"AAAA"}${v.chars(URL64, 7)}:${"APA9"}1b${v.chars(URL64, 134)}`,
  ngrok: (v) => `2${v.chars(ALNUM, 26)}_${v.chars(ALNUM, 21)}`,
  easypost: after("EZ", "AK", ALNUM, 54),
  scalingo: after("tk-", "us-", URL64, 48),
  infracost: after("ic", "o-", ALNUM, 32),
  vercel: after("vc", "p_", ALNUM, 56),
  okta: after("0", "0", URL64, 40),
  launchdarkly: (v) => `${"api"}-${uuid(v)}`,
  fly: (v) => `${"Fly"}V1 fm2_${v.chars(BASE64, 300)}`,
  posthog: after("ph", "x_", ALNUM, 43),
  duffel: after("duf", "fel_live_", URL64, 43),
};

function ibanOf(country: string, bban: string): string {
  let remainder = 0;
  for (const char of `${bban}${country}00`) {
    for (const digit of String(Number.parseInt(char, 36))) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return `${country}${String(98 - remainder).padStart(2, "0")}${bban}`.replace(/.{4}(?=.)/g, "$& ");
}
