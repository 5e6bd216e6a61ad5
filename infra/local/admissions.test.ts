import { LRUCache } from "lru-cache";
import { expect, it } from "vitest";
import { hashSecret } from "../../shared/domain/identity/api-keys.ts";
import type { LastOrganizations } from "../../shared/domain/identity/authenticate.ts";
import { credentialIn } from "../../shared/domain/identity/credential.ts";
import { admitInTurn } from "./admissions.ts";

const MAX_REFUSED = 10_000;
const keyOfNumber = (number: number) => `one of many ${number}`;

/** Records the queues in which requests waited, and how long these pause. */
function setUp() {
  const taken: [queue: string, pauseMs?: number][] = [];
  const turns = { take: async (...queue: [string, number?]) => void taken.push(queue) };
  const lastOrganizations: LastOrganizations = new LRUCache({ max: 100_000 });
  for (const key of ["known", "other"]) lastOrganizations.set(hashSecret(key), "org_1");
  for (let number = 0; number <= MAX_REFUSED; number++) lastOrganizations.set(hashSecret(keyOfNumber(number)), "org_2");
  return { taken, admit: admitInTurn(turns, lastOrganizations) };
}

const credentialOf = (key: string) => credentialIn(new Headers({ "x-api-key": key }));

it("queues requests by organization, and unknown callers by address", async () => {
  const { taken, admit } = setUp();
  await admit(credentialOf("known"), "10.0.0.1");
  await admit(credentialOf("other"), "10.0.0.2");
  await admit(credentialOf("unknown"), "10.0.0.1");
  await admit(undefined, "10.0.0.1");
  expect(taken).toEqual([["org_1"], ["org_1"], ["from 10.0.0.1"], ["from 10.0.0.1"]]);
});

it("queues a credential over its limit separately, with pauses between refusals, until a request succeeds", async () => {
  const { taken, admit } = setUp();
  const answered = await admit(credentialOf("known"), "10.0.0.1");
  answered(429);
  const again = await admit(credentialOf("known"), "10.0.0.1");
  await admit(credentialOf("other"), "10.0.0.1");
  again(200);
  await admit(credentialOf("known"), "10.0.0.1");
  const [, second, third, fourth] = taken;
  expect(second).toEqual([`over its limit: ${hashSecret("known")}`, expect.any(Number)]);
  expect(second?.[1]).toBeGreaterThan(0);
  expect([third, fourth]).toEqual([["org_1"], ["org_1"]]);
});

it("gives no separate queue to unknown credentials or to other addresses of a network", async () => {
  const { taken, admit } = setUp();
  for (const key of ["made up", "made up", "made up too"]) {
    const answered = await admit(credentialOf(key), "2001:db8::1");
    answered(429);
  }
  await admit(credentialOf("made up"), "2001:db8::2");
  expect(new Set(taken.map(([queue]) => queue)).size).toBe(1);
  expect(taken.every(([, pauseMs]) => pauseMs === undefined)).toBe(true);
});

it("remembers the credentials that were over their limit most recently", async () => {
  const { taken, admit } = setUp();
  for (let number = 0; number <= MAX_REFUSED; number++) {
    const answered = await admit(credentialOf(keyOfNumber(number)), "10.0.0.1");
    answered(429);
  }
  await admit(credentialOf(keyOfNumber(MAX_REFUSED)), "10.0.0.1");
  await admit(credentialOf(keyOfNumber(0)), "10.0.0.1");
  expect(taken.slice(-2).map(([queue]) => queue)).toEqual([
    `over its limit: ${hashSecret(keyOfNumber(MAX_REFUSED))}`,
    "org_2",
  ]);
});
