import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { findHash, hashDummyPassword, hashPassword, verifyPassword } from "./password-hash.ts";

const PASSWORD = "correct horse battery staple";
/** Created by the reference implementation through Python's argon2-cffi. */
const FOREIGN = "$argon2id$v=19$m=8192,t=3,p=2$c29tZXNhbHRzb21lc2FsdA$2PlnkQoxdPUvcmVpps/sLy1v/pLOJZe9";

describe("a password's hash", () => {
  it("matches only its password, and is never the same twice", async () => {
    const hash = await hashPassword(PASSWORD);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await verifyPassword(PASSWORD, hash)).toBe(true);
    expect(await verifyPassword(`${PASSWORD} `, hash)).toBe(false);
    expect(await hashPassword(PASSWORD)).not.toBe(hash);
    expect(await hashDummyPassword(PASSWORD)).toBe(false);
  });

  it("matches whichever way letters are composed", async () => {
    expect(await verifyPassword("cafe\u0301 au lait 12", await hashPassword("caf\u00e9 au lait 12"))).toBe(true);
  });

  it("may come from another system with another cost", async () => {
    expect(await verifyPassword(PASSWORD, FOREIGN)).toBe(true);
    expect(await verifyPassword("another", FOREIGN)).toBe(false);
  });

  it("is refused in any other form", async () => {
    await expect(verifyPassword(PASSWORD, PASSWORD)).rejects.toThrow("no argon2id hash");
  });
});

it("a flood of passwords waits in a bounded queue and is processed", async () => {
  const flood = Array.from({ length: 20 * availableParallelism() + 60 }, () => hashDummyPassword(PASSWORD));
  const ended = await Promise.allSettled(flood);
  const refused = ended.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(flood.length - 20);
  for (const reason of refused)
    expect(reason).toMatchObject({ code: "SERVICE_UNAVAILABLE", details: { retry_after: 2 } });
  expect(await hashDummyPassword(PASSWORD)).toBe(false);
});

it("finds the matching hash among several, with the same and with other salts", async () => {
  const first = await hashPassword("a password of the first");
  const second = await hashPassword("a password of the second", first);
  const other = await hashPassword("a password of another");
  expect(second.split("$").at(-2)).toBe(first.split("$").at(-2));
  const all = [undefined, first, second, other];
  expect(await findHash("a password of the second", all)).toBe(2);
  expect(await findHash("a password of another", all)).toBe(3);
  expect(await findHash("a password of nobody", all)).toBe(-1);
  expect(await findHash("a password of nobody", [])).toBe(-1);
});
