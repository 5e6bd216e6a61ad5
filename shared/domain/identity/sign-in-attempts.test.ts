import { afterAll, describe, expect, it } from "vitest";
import { openService } from "../../../test/support/service.ts";
import { countAttempt, forgiveAttempts, readAttempts, WINDOW_MS } from "./sign-in-attempts.ts";

let now = Date.parse("2026-01-31T12:00:00Z");
let subjects = 0;

const service = await openService({}, () => now);
afterAll(() => service.close());

const newSubject = () => ({ email: `${subjects++}@example.com` });
const fail = (subject: { email: string }) => countAttempt(service.runtime, subject, "password");
const stateOf = async (subject: { email: string }) => {
  const [state] = await readAttempts(service.runtime.ports.records, [subject], now);
  return state;
};

describe("failed attempts", () => {
  it("lock the account at the tenth for fifteen minutes, then start from zero", async () => {
    const subject = newSubject();
    for (const remaining of [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]) {
      expect(await fail(subject)).toBe(remaining);
      now += 1000;
    }
    const until = now - 1000 + WINDOW_MS;
    expect(await stateOf(subject)).toEqual({ failures: 10, locked_until: new Date(until).toISOString() });
    await expect(fail(subject)).rejects.toMatchObject({
      code: "INVALID_CREDENTIALS",
      details: { field: "password", attempts_remaining: 0, retry_after: WINDOW_MS / 1000 - 1 },
    });
    now = until - 1;
    await expect(fail(subject)).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" });
    now = until;
    expect(await stateOf(subject)).toEqual({ failures: 0 });
    expect(await fail(subject)).toBe(9);
  });

  it("keep it locked although the earliest ones expire", async () => {
    const subject = newSubject();
    await fail(subject);
    now += WINDOW_MS - 1000;
    for (let more = 0; more < 9; more++) await fail(subject);
    now += 2000;
    await expect(fail(subject)).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" });
  });

  it("count for fifteen minutes each", async () => {
    const subject = newSubject();
    for (let more = 0; more < 5; more++) await fail(subject);
    now += WINDOW_MS / 2;
    for (let more = 0; more < 4; more++) await fail(subject);
    now += WINDOW_MS / 2;
    expect(await stateOf(subject)).toEqual({ failures: 4 });
    expect(await fail(subject)).toBe(5);
  });

  it("are limited to ten even if concurrent", async () => {
    const subject = newSubject();
    const ended = await Promise.allSettled(Array.from({ length: 40 }, () => fail(subject)));
    const counted = ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(counted.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("can be deleted, for one subject only", async () => {
    const [subject, other] = [newSubject(), newSubject()];
    for (let more = 0; more < 10; more++) await fail(subject);
    expect(await fail(other)).toBe(9);
    expect(await countAttempt(service.runtime, { secondFactorOf: subject.email }, "otp")).toBe(9);
    await forgiveAttempts(service.runtime, subject);
    expect(await fail({ email: ` ${subject.email.toUpperCase()} ` })).toBe(9);
    expect((await stateOf(subject))?.failures).toBe(1);
  });
});
