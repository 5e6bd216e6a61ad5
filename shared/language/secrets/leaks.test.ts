import { describe, expect, it } from "vitest";
import { codesWithoutSecrets, leakedMessages } from "../../../test/bench/secrets/sets.ts";
import { findSecrets } from "./find-secrets.ts";

const valuesIn = (text: string) => findSecrets(text).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);

describe("secrets without a word for them", () => {
  it.each([
    ["Log in as tamsin with Kayak2024!, please.", "password Kayak2024!"],
    ["admin / w4lnut!59", "password w4lnut!59"],
    ["The password for the church wifi? It's m4ngo!40.", "password m4ngo!40"],
    ["curl -u ada:kayak720 https://api.example", "password kayak720"],
    ["847856 is your one-time passcode", "pin 847856"],
    ["Google backup codes: 0803 4607", "backup_code 0803 4607"],
    ["Backup codes: c3959-b82d0", "backup_code c3959-b82d0"],
    ["sort code 12-34-56 account 12345678", "bank_account 12345678"],
    ["Der PIN-Code für die Alarmanlage ist 1783.", "pin 1783"],
    ["My card's pin changed, now it's 2658.", "pin 2658"],
    ["Your Google code is 482913.", "pin 482913"],
    ["the guest password changed, now it's walnut_q117", "password walnut_q117"],
    ["Passwort geändert, neu: Hafen-1962", "password Hafen-1962"],
    ["мой пароль от почты Snegir2011zima", "password Snegir2011zima"],
    ["my sister's Disney+ pass — elsaIsOver1 — works", "password elsaIsOver1"],
    ["admin:Ravenna-55 on the router", "password Ravenna-55"],
    ["smtp://noreply@kade.example:winter-1987@mail.kade.example:587", "password winter-1987"],
    ["jdbc:oracle:thin:scott/Tig3rLily@//host:1521/XE", "password Tig3rLily"],
    ['JWT_SECRET="hunter-moon-over-kiel"', "secret hunter-moon-over-kiel"],
    ["Set-Cookie: connect.sid=s%3AuIwbI_xWjgnVOZ0hl; Path=/", "session_cookie s%3AuIwbI_xWjgnVOZ0hl"],
    [`private key of the wallet: 0x${"3f".repeat(32)}`, `ethereum_key 0x${"3f".repeat(32)}`],
  ])("%s", (text, found) => expect(valuesIn(text)).toEqual([found]));

  it("takes all of a value that is longer than a line", () => {
    const token = `IQoJb3JpZ2luX2Vj${"aB3/".repeat(200)}`;
    expect(valuesIn(`AWS_SESSION_TOKEN=${token}`)).toEqual([`aws_session_token ${token}`]);
    const other = "xY7_kQ9zPw3LmB5t".repeat(50);
    expect(valuesIn(`refresh_token=${other}`)).toEqual([`token ${other}`]);
  });

  it("is found in 98 of 100 messages in the styles of leaks", () => {
    const leaked = ["leaks.set.txt", "leaks-later.set.txt"].flatMap(leakedMessages);
    const missed = leaked.filter(({ text, secrets }) => {
      const found = valuesIn(text);
      return !secrets.every((secret) => found.some((each) => each.includes(secret)));
    });
    expect(missed.length / leaked.length).toBeLessThanOrEqual(0.02);
  });

  it.each([
    "The locker code is 4471.",
    "The gate code is 7731, then press the bell.",
    "Der Code für die Haustür ist 1907.",
    "le code de l'immeuble est 4448",
    "el código del portal es 337293",
    "il codice del cancello è 6604",
    "kod do bramy: 434234",
    "門の暗証番号は 5820 です",
    "API_KEY=your-api-key-here",
    "password reset does not work on Safari",
    "The boarding pass is B12x4567.",
    `transaction 0x${"3f".repeat(32)} went through`,
  ])("is not seen in %s", (text) => expect(valuesIn(text)).toEqual([]));

  it("is not seen in messages about codes, logins and locks", () => {
    expect(codesWithoutSecrets("ordinary-codes.set.txt").flatMap(valuesIn)).toEqual([]);
  });
});
