import { LRUCache } from "lru-cache";
import { expect, it } from "vitest";
import { hashSecret } from "../../shared/domain/identity/api-keys.ts";
import type { LastOrganizations } from "../../shared/domain/identity/authenticate.ts";
import { credentialIn } from "../../shared/domain/identity/credential.ts";
import { admitInTurn } from "./admissions.ts";

const MAX_REFUSED = 10_000;
const manyth = (number: number) => `one of many ${number}`;

/** Records the queues in which requests waited, and how long these pause. */
function setUp() {
  const taken: [line: string, restMs?: number][] = [];
  const turns = { take: async (...line: [string, number?]) => void taken.push(line) };
  const lastOrganizations: LastOrganizations = new LRUCache({ max: 100_000 });
  for (const key of ["known", "other"]) lastOrganizations.set(hashSecret(key), "org_1");
  for (let number = 0; number <= MAX_REFUSED; number++) lastOrganizations.set(hashSecret(manyth(number)), "org_2");
  return { taken, admit: admitInTurn(turns, lastOrganizations) };
}

const showing = (key: string) => credentialIn(new Headers({ "x-api-key": key }));

it("queues requests by organization, and unknown callers by address", async () => {
  const { taken, admit } = setUp();
  await admit(showing("known"), "10.0.0.1");
  await admit(showing("other"), "10.0.0.2");
  await admit(showing("unknown"), "10.0.0.1");
  await admit(undefined, "10.0.0.1");
  expect(taken).toEqual([["org_1"], ["org_1"], ["from 10.0.0.1"], ["from 10.0.0.1"]]);
});

it("has a credential over its limit wait by itself, with a rest between refusals, until something of it passes", async () => {
  const { taken, admit } = setUp();
  const answered = await admit(showing("known"), "10.0.0.1");
  answered(429);
  const again = await admit(showing("known"), "10.0.0.1");
  await admit(showing("other"), "10.0.0.1");
  again(200);
  await admit(showing("known"), "10.0.0.1");
  const [, second, third, fourth] = taken;
  expect(second).toEqual([`over its limit: ${hashSecret("known")}`, expect.any(Number)]);
  expect(second?.[1]).toBeGreaterThan(0);
  expect([third, fourth]).toEqual([["org_1"], ["org_1"]]);
});

it("gives nobody another line for showing what was never let in, nor for another address of a network", async () => {
  const { taken, admit } = setUp();
  for (const key of ["made up", "made up", "made up too"]) {
    const answered = await admit(showing(key), "2001:db8::1");
    answered(429);
  }
  await admit(showing("made up"), "2001:db8::2");
  expect(new Set(taken.map(([line]) => line)).size).toBe(1);
  expect(taken.every(([, restMs]) => restMs === undefined)).toBe(true);
});

it("remembers those that were over their limit last", async () => {
  const { taken, admit } = setUp();
  for (let number = 0; number <= MAX_REFUSED; number++) {
    const answered = await admit(showing(manyth(number)), "10.0.0.1");
    answered(429);
  }
  await admit(showing(manyth(MAX_REFUSED)), "10.0.0.1");
  await admit(showing(manyth(0)), "10.0.0.1");
  expect(taken.slice(-2).map(([line]) => line)).toEqual([
    `over its limit: ${hashSecret(manyth(MAX_REFUSED))}`,
    "org_2",
  ]);
});
