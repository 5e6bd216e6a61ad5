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
    ["The safe opens with 22-61-40.", "combination 22-61-40"],
    ["Backup codes: c3959-b82d0", "backup_code c3959-b82d0"],
    ["sort code 12-34-56 account 12345678", "bank_account 12345678"],
    ["Der Code für die Alarmanlage ist 1783.", "pin 1783"],
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

  it("is not seen in messages about codes, logins and locks", () => {
    expect(codesWithoutSecrets("ordinary-codes.set.txt").flatMap(valuesIn)).toEqual([]);
  });
});
