import { describe, expect, it } from "vitest";
import { LOOKALIKES, SECRETS, Values } from "../../../test/bench/secrets/values.ts";
import { LINEAR, orderOfGrowth } from "../../../test/support/processor-time.ts";
import { findSecrets } from "./find-secrets.ts";
import { redact, restore, secretsWithin } from "./redact.ts";
import { TOKEN_FORMATS } from "./token-formats.ts";

/** The types and values that are found in a text. */
function found(text: string): [string, string][] {
  return findSecrets(text).map(({ type, start, end }) => [type, text.slice(start, end)]);
}

describe("formats", () => {
  it("knows at least 45 types of keys and tokens", () => {
    expect(new Set(TOKEN_FORMATS.map(({ type }) => type)).size).toBeGreaterThanOrEqual(45);
  });

  it.each(Object.keys(SECRETS).filter((name) => !["password", "passphrase", "pin"].includes(name)))(
    "finds %s",
    (name) => {
      const contexts: Record<string, string> = {
        de_tax_id: "Steuer-ID ",
        es_dni: "DNI ",
        pl_pesel: "PESEL ",
        nl_bsn: "BSN ",
      };
      for (let seed = 1; seed <= 20; seed++) {
        const value = (SECRETS[name] as (values: Values) => string)(new Values(seed));
        expect(found(`${contexts[name] ?? ""}${value} was sent`), value).not.toEqual([]);
      }
    },
  );

  it.each(Object.keys(LOOKALIKES))("finds nothing in %s", (name) => {
    for (let seed = 1; seed <= 20; seed++) {
      const value = (LOOKALIKES[name] as (values: Values) => string)(new Values(seed));
      expect(found(`It says ${value} here.`), value).toEqual([]);
    }
  });

  it("leaves a number with a wrong check digit", () => {
    expect(found("card 4111 1111 1111 1111")).toEqual([["card_number", "4111 1111 1111 1111"]]);
    expect(found("card 4111 1111 1111 1112")).toEqual([]);
    expect(found("DE89 3704 0044 0532 0130 00 please")).toEqual([["iban", "DE89 3704 0044 0532 0130 00"]]);
    expect(found("DE88 3704 0044 0532 0130 00 please")).toEqual([]);
  });

  it("leaves the number of an order that happens to satisfy the check of cards", () => {
    expect(found("order number 4111 1111 1111 1111")).toEqual([]);
  });

  it("takes a private key whose end is missing as far as it reaches", () => {
    const key = `-----BEGIN ${"PRIVATE KEY"}-----\n${"QUJD".repeat(20)}\n`;
    expect(redact(`the key:\n${key}`).text).toBe("the key:\n[REDACTED:private_key]");
  });
});

describe("words", () => {
  it.each([
    ["our wifi password is mango-kayak-42", "mango-kayak-42"],
    ["The password is bluebird.", "bluebird"],
    ["password: 12345678", "12345678"],
    ['"password": "two words here"', undefined],
    ["das Passwort vom Router lautet Hafen#77", "Hafen#77"],
    ["le mot de passe du wifi est citron-vert-9", "citron-vert-9"],
    ["ons wifi-wachtwoord mango77x is", "mango77x"],
    ["hunter2x is the password of the printer", "hunter2x"],
    ["the passphrase is correct horse battery staple", "correct horse battery staple"],
    ["dbPassword = 'kayak42mango'", "kayak42mango"],
    ["密码是kayak42", "kayak42"],
    ["パスワードはkayak42です", "kayak42"],
  ])("reads %j", (text, value) => {
    expect(found(text)[0]?.[1]).toBe(value);
  });

  it.each([
    ["docker login -u harborbot -p 7hQzt-Wr9Lm registry", "7hQzt-Wr9Lm"],
    ["az login --username ada --password Kl7-mangoTree", "Kl7-mangoTree"],
  ])("reads the command %j", (text, value) => {
    expect(found(text)).toContainEqual(["password", value]);
  });

  it.each([
    "The login -p flag takes a password",
    "ssh login -p 2222",
    "docker login -u bob -p $TOKEN",
    "my password is too long",
    "The password is wrong.",
    "Password: required",
    "password: string;",
    "password = getPassword()",
    "Das Passwort ist falsch.",
    "Le mot de passe est incorrect.",
    "the password is [REDACTED:password]",
    "Pin 4 of the header is ground.",
  ])("finds none in %j", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("redact", () => {
  const TEXT = "PIN: 4711, the password is kayak-mango-42 and [REDACTED:pin] was typed";

  it("replaces values by their types and restores them", () => {
    const { text, secrets } = redact(TEXT);
    expect(text).toBe("PIN: [REDACTED:pin], the password is [REDACTED:password] and [REDACTED:pin] was typed");
    expect(restore(text, secrets)).toBe(TEXT);
  });

  it("finds nothing new in its own result", () => {
    const { text } = redact(TEXT);
    expect(redact(text)).toEqual({ text, secrets: [] });
  });

  it("gives a part the secrets within it", () => {
    const { text, secrets } = redact(TEXT);
    const start = text.indexOf("the password");
    expect(restore(text.slice(start), secretsWithin(secrets, start, text.length))).toBe(
      TEXT.slice(TEXT.indexOf("the p")),
    );
  });
});

it("takes time in proportion to the length of hostile texts", async () => {
  const hostile = [
    "password is ",
    "eyJ",
    "4111-",
    "-----BEGIN PRIVATE KEY-----",
    "a://b:",
    "token ",
    "DE89",
    "AKIA",
    "xoxb-",
    "пароль: ",
    "changed Ab1$cd ",
    "sms 123456 ",
    "backup codes\n",
    "a1b2 ",
    "passport ",
    "seed phrase ",
    "login -p a1 ",
    "key is b7f20c9e4d8143a6952ef1bc ",
  ];
  for (const part of hostile) {
    const finding = (length: number) => {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
      return () => findSecrets(text);
    };
    expect(await orderOfGrowth([20_000, 160_000], finding, LINEAR), part).toBeLessThanOrEqual(LINEAR);
  }
});
