/**
 * Fake values of secrets and of what resembles them, made when they are needed: no file of the repository contains a
 * value that a scanner of a git host would take for a real one. Prefixes are put together from parts for that reason.
 */

/** Returns numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const ALNUM = LOWER + UPPER + DIGITS;
const BASE32 = `${UPPER}234567`;
const BASE64 = `${ALNUM}+/`;
const URL64 = `${ALNUM}-_`;
const WORDS =
  "mango kayak harbor violet tundra copper lantern maple orbit pepper quartz raven saddle timber walnut zephyr".split(
    " ",
  );

/** Makes the values of one seed. */
export class Values {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  pick<T>(list: readonly T[] | string): T | string {
    return list[this.below(list.length)] as T | string;
  }

  chars(alphabet: string, count: number): string {
    return Array.from({ length: count }, () => this.pick(alphabet)).join("");
  }

  digits(count: number): string {
    return this.chars(DIGITS, count);
  }

  word(): string {
    return this.pick(WORDS) as string;
  }

  /** A value that satisfies the last digit's check, by trial. */
  checked(make: () => string, isValid: (value: string) => boolean): string {
    for (;;) {
      const value = make();
      if (isValid(value)) return value;
    }
  }
}

function luhn(value: string): boolean {
  const digits = value.replace(/\D/g, "");
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The remainder by 97 of a number with letters as 10 to 35. */
function mod97(value: string): number {
  let remainder = 0;
  for (const char of value) {
    for (const digit of String(Number.parseInt(char, 36))) remainder = (remainder * 10 + Number(digit)) % 97;
  }
  return remainder;
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

function iban(values: Values, country: string, bban: string): string {
  const check = 98 - mod97(`${bban}${country}00`);
  const whole = `${country}${String(check).padStart(2, "0")}${bban}`;
  return values.below(2) === 0 ? whole : (whole.match(/.{1,4}/g) ?? []).join(" ");
}

function card(values: Values, prefix: string, length: number): string {
  const plain = values.checked(() => prefix + values.digits(length - prefix.length), luhn);
  if (length !== 16) return plain;
  return values.below(3) === 0 ? plain : (plain.match(/.{4}/g) ?? []).join(values.below(2) === 0 ? " " : "-");
}

const jwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const two = (value: number) => String(value).padStart(2, "0");

/** Makers of secrets, by name. */
export const SECRETS: Record<string, (values: Values) => string> = {
  aws_access_key: (v) => `${"AK"}${"IA"}${v.chars(BASE32, 16)}`,
  aws_secret_key: (v) => `aws_secret_access_key = ${v.chars(BASE64, 40)}`,
  github_token: (v) => `${"gh"}${v.pick("pousr")}_${v.chars(ALNUM, 36)}`,
  github_fine_grained: (v) => `${"github"}_pat_${v.chars(ALNUM, 22)}_${v.chars(ALNUM, 59)}`,
  gitlab_token: (v) => `${"gl"}pat-${v.chars(URL64, 20)}`,
  slack_token: (v) => `${"xo"}x${v.pick("bp")}-${v.digits(11)}-${v.digits(12)}-${v.chars(ALNUM, 24)}`,
  slack_webhook: (v) =>
    `https://${"hooks"}.slack.com/services/T${v.chars(UPPER, 8)}/B${v.chars(UPPER, 8)}/${v.chars(ALNUM, 24)}`,
  stripe_key: (v) => `${v.pick(["s", "r"])}${"k_li"}ve_${v.chars(ALNUM, 24)}`,
  google_api_key: (v) => `${"AI"}za${v.chars(URL64, 35)}`,
  google_oauth_secret: (v) => `${"GOC"}SPX-${v.chars(URL64, 28)}`,
  openai_key: (v) => `${"s"}k-proj-${v.chars(URL64, 40)}T3Blbk${"FJ"}${v.chars(URL64, 40)}`,
  anthropic_key: (v) => `${"s"}k-ant-api03-${v.chars(URL64, 93)}AA`,
  huggingface_token: (v) => `${"h"}f_${v.chars(LOWER + UPPER, 34)}`,
  npm_token: (v) => `${"np"}m_${v.chars(ALNUM, 36)}`,
  pypi_token: (v) => `${"py"}pi-AgEIcHlwaS5vcmc${v.chars(URL64, 70)}`,
  docker_token: (v) => `${"dck"}r_pat_${v.chars(URL64, 27)}`,
  digitalocean_token: (v) => `${"do"}p_v1_${v.chars(HEX, 64)}`,
  sendgrid_key: (v) => `${"S"}G.${v.chars(URL64, 22)}.${v.chars(URL64, 43)}`,
  twilio_key: (v) => `Twilio ${"S"}K${v.chars(HEX, 32)}`,
  mailchimp_key: (v) => `${v.chars(HEX, 32)}-${"us"}${1 + v.below(20)}`,
  telegram_token: (v) => `${v.digits(10).replace(/^0/, "7")}:${"AA"}${v.chars(URL64, 33)}`,
  discord_token: (v) => `M${v.chars(ALNUM, 23)}.${v.chars(ALNUM, 6)}.${v.chars(URL64, 38)}`,
  shopify_token: (v) => `${"shp"}at_${v.chars(HEX, 32)}`,
  square_token: (v) => `${"sq"}0csp-${v.chars(URL64, 43)}`,
  notion_token: (v) => `${"nt"}n_${v.chars(ALNUM, 46)}`,
  linear_key: (v) => `${"lin"}_api_${v.chars(ALNUM, 40)}`,
  airtable_token: (v) => `${"pa"}t${v.chars(ALNUM, 14)}.${v.chars(HEX, 64)}`,
  atlassian_token: (v) => `${"ATA"}TT3${v.chars(URL64, 180)}=${v.chars(HEX.toUpperCase(), 8)}`,
  databricks_token: (v) => `${"da"}pi${v.chars(HEX, 32)}`,
  vault_token: (v) => `${"hv"}s.${v.chars(URL64, 92)}`,
  newrelic_key: (v) => `${"NR"}AK-${v.chars(UPPER + DIGITS, 27)}`,
  grafana_token: (v) => `${"gl"}sa_${v.chars(ALNUM, 32)}_${v.chars(HEX, 8)}`,
  sentry_token: (v) => `${"sn"}tryu_${v.chars(HEX, 64)}`,
  supabase_token: (v) => `${"sb"}p_${v.chars(HEX, 40)}`,
  postman_key: (v) => `${"PM"}AK-${v.chars(HEX, 24)}-${v.chars(HEX, 34)}`,
  rubygems_key: (v) => `${"ruby"}gems_${v.chars(HEX, 48)}`,
  groq_key: (v) => `${"gs"}k_${v.chars(ALNUM, 52)}`,
  replicate_token: (v) => `${"r"}8_${v.chars(ALNUM, 37)}`,
  azure_storage_key: (v) => `AccountName=ourstore;Account${"Key"}=${v.chars(BASE64, 86)}==`,
  jwt: (v) =>
    `${jwtPart({ alg: "HS256", typ: "JWT" })}.${jwtPart({ sub: v.digits(8), iat: 1700000000 + v.below(9999) })}.${v.chars(URL64, 43)}`,
  private_key: (v) => {
    const label = `${v.pick(["RSA ", "EC ", "OPENSSH ", ""])}PRIVATE ${"KEY"}`;
    const lines = Array.from({ length: 5 }, () => v.chars(BASE64, 64)).join("\n");
    return `-----${"BEGIN"} ${label}-----\n${lines}\n-----END ${label}-----`;
  },
  connection_string: (v) =>
    `${v.pick(["postgres", "mysql", "mongodb+srv", "redis", "amqp"])}://${v.word()}:${v.chars(ALNUM, 12)}@db.${v.word()}.example:5432/main`,
  ado_connection: (v) => `Server=db.${v.word()}.example;Database=crm;User Id=app;Password=${v.chars(ALNUM, 14)};`,
  basic_auth_url: (v) => `https://${v.word()}:${v.chars(ALNUM, 14)}@git.${v.word()}.example/team/repo.git`,
  bearer: (v) => `Authorization: Bearer ${v.chars(URL64, 40)}`,
  env_secret: (v) => `${v.word().toUpperCase()}_API_KEY=${v.chars(ALNUM, 32)}`,
  json_secret: (v) => `{"client_id": "${v.word()}", "client_secret": "${v.chars(ALNUM, 40)}"}`,
  visa: (v) => card(v, "4", 16),
  mastercard: (v) => card(v, String(51 + v.below(5)), 16),
  amex: (v) => card(v, "37", 15),
  iban_de: (v) => iban(v, "DE", v.digits(18)),
  iban_fr: (v) => iban(v, "FR", v.digits(10) + v.chars(UPPER, 2) + v.digits(11)),
  iban_es: (v) => iban(v, "ES", v.digits(20)),
  iban_it: (v) => iban(v, "IT", v.chars(UPPER, 1) + v.digits(22)),
  iban_nl: (v) => iban(v, "NL", v.chars(UPPER, 4) + v.digits(10)),
  iban_pl: (v) => iban(v, "PL", v.digits(24)),
  iban_pt: (v) => iban(v, "PT", v.digits(21)),
  iban_gb: (v) => iban(v, "GB", v.chars(UPPER, 4) + v.digits(14)),
  us_ssn: (v) => `${100 + v.below(560)}-${two(1 + v.below(98))}-${String(1 + v.below(9998)).padStart(4, "0")}`,
  de_tax_id: (v) => {
    const base = `${1 + v.below(9)}${[..."0123456789"]
      .sort(() => v.below(3) - 1)
      .join("")
      .slice(0, 9)}`;
    let product = 10;
    for (const digit of base) {
      const sum = (Number(digit) + product) % 10 || 10;
      product = (sum * 2) % 11;
    }
    return `${base}${(11 - product) % 10}`;
  },
  fr_nir: (v) => {
    const base = `${1 + v.below(2)}${two(v.below(99))}${two(1 + v.below(12))}${two(1 + v.below(90))}${v.digits(6)}`;
    const key = 97 - (Number(base) % 97);
    const parts = [base[0], base.slice(1, 3), base.slice(3, 5), base.slice(5, 7), base.slice(7, 10), base.slice(10)];
    return `${parts.join(" ")} ${two(key)}`;
  },
  es_dni: (v) => {
    const number = v.digits(8);
    return `${number}${"TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23]}`;
  },
  it_fiscal_code: (v) => {
    const month = v.pick("ABCDEHLMPRST");
    const base = `${v.chars("BCDFGLMNPRST", 6)}${two(v.below(99))}${month}${two(1 + v.below(28))}${v.chars(UPPER, 1)}${v.digits(3)}`;
    const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    const sum = [...base].reduce((total, char, index) => {
      const value = Number.parseInt(char, 36);
      const digit = value < 10 ? value : value - 10;
      return total + (index % 2 === 0 ? (odd[digit] as number) : digit);
    }, 0);
    return base + UPPER[sum % 26];
  },
  pl_pesel: (v) => {
    const base = `${two(50 + v.below(49))}${two(1 + v.below(12))}${two(1 + v.below(28))}${v.digits(4)}`;
    return base + ((10 - (weighted(base, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10);
  },
  br_cpf: (v) => {
    let digits = v.digits(9);
    for (const first of [10, 11]) {
      const sum = weighted(
        digits,
        Array.from({ length: first - 1 }, (_, index) => first - index),
      );
      digits += ((sum * 10) % 11) % 10;
    }
    return digits.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4");
  },
  nl_bsn: (v) =>
    v.checked(
      () => `${1 + v.below(9)}${v.digits(8)}`,
      (bsn) => weighted(bsn, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
    ),
  uk_nino: (v) =>
    `${v.pick("ACEHJLMPRS")}${v.pick("ACEHJLMPRS")} ${v.digits(2)} ${v.digits(2)} ${v.digits(2)} ${v.pick("ABCD")}`,
  cn_id: (v) => {
    const base = `110105${1950 + v.below(55)}${two(1 + v.below(12))}${two(1 + v.below(28))}${v.digits(3)}`;
    const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    return base + "10X98765432"[weighted(base, weights) % 11];
  },
  /** Passwords as people choose them. */
  password: (v) => {
    const shapes = [
      () => `${v.word()}-${v.word()}-${v.digits(2)}`,
      () => `${v.word()[0]?.toUpperCase()}${v.word()}${v.digits(2)}!`,
      () => `${v.chars(ALNUM, 10)}${v.digits(2)}`,
      () => `${v.word()}_${v.word()}${v.digits(3)}`,
      () => `${v.chars(ALNUM, 4)}#${v.chars(ALNUM, 5)}${v.digits(1)}`,
      () => `${v.word()}${v.digits(4)}`,
    ];
    return (v.pick(shapes) as () => string)();
  },
  pin: (v) => v.digits(4),
  passphrase: (v) => `${v.word()} ${v.word()} ${v.word()} ${v.word()}`,
};

/** Makers of what resembles a secret and is none, by name. */
export const LOOKALIKES: Record<string, (values: Values) => string> = {
  order: (v) => `${v.digits(3)}-${v.digits(7)}-${v.digits(7)}`,
  number: (v) => v.digits(8).replace(/^0/, "4"),
  long_number: (v) => v.digits(16).replace(/^./, "9"),
  sha: (v) => v.chars(HEX, 40),
  short_sha: (v) => v.chars(HEX, 8),
  sha256: (v) => `sha256:${v.chars(HEX, 64)}`,
  uuid: (v) => `${v.chars(HEX, 8)}-${v.chars(HEX, 4)}-4${v.chars(HEX, 3)}-a${v.chars(HEX, 3)}-${v.chars(HEX, 12)}`,
  version: (v) => `${v.below(20)}.${v.below(30)}.${v.below(40)}`,
  phone: (v) => `+49 30 ${v.digits(4)} ${v.digits(4)}`,
  us_phone: (v) => `(415) 555-${v.digits(4)}`,
  isbn: (v) => `978-3-16-${v.digits(6)}-${v.digits(1)}`,
  ean: (v) => `40${v.digits(11)}`,
  part: (v) => `${v.chars(UPPER, 2)}-${v.digits(4)}-${v.chars(UPPER, 1)}${v.digits(2)}`,
  tracking: (v) => `1Z${v.chars(UPPER + DIGITS, 16)}`,
  mac: (v) => Array.from({ length: 6 }, () => v.chars(HEX, 2)).join(":"),
  ip: (v) => `10.${v.below(255)}.${v.below(255)}.${v.below(255)}`,
  iso: () => "2026-03-14T09:30:00Z",
  plate: (v) => `B-${v.chars(UPPER, 2)} ${v.digits(4)}`,
  flight: (v) => `LH${v.digits(4)}`,
  booking: (v) => v.chars(UPPER, 6),
  url: (v) => `https://shop.example/item/${v.chars(LOWER + DIGITS, 12)}?ref=${v.chars(LOWER, 6)}`,
  path: (v) => `src/${v.word()}/${v.word()}.test.ts`,
  color: (v) => `#${v.chars(HEX, 6)}`,
  money: (v) => `${v.digits(2).replace(/^0/, "3")},${v.digits(3)}.50`,
  public_key: (v) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${v.chars(BASE64, 44)}`,
  publishable: (v) => `${"p"}k_live_${v.chars(ALNUM, 24)}`,
  slug: (v) => `${v.word()}-${v.word()}-${v.digits(4)}`,
  base64_image: (v) => `data:image/png;base64,${v.chars(BASE64, 80)}`,
  integrity: (v) => `sha512-${v.chars(BASE64, 86)}==`,
  imei: (v) => `35${v.digits(13)}`,
  vin: (v) => `WVWZZZ1K${v.chars(UPPER.replace(/[IOQ]/g, ""), 1)}${v.chars(DIGITS, 8)}`,
  chain: (v) => `0x${v.chars(HEX, 40)}`,
  coordinates: (v) => `52.${v.digits(6)}, 13.${v.digits(6)}`,
};

/** Replaces `{name}` in a message by a value of that name. */
export function filled(message: string, makers: Record<string, (values: Values) => string>, values: Values) {
  const made: string[] = [];
  const text = message.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const make = makers[name];
    if (make === undefined) throw new Error(`no values of '${name}' in: ${whole}`);
    made.push(make(values));
    return made.at(-1) as string;
  });
  return { text, made };
}
