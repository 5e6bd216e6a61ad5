import { expect, it } from "vitest";
import { hashSecret } from "../../shared/identity/api-keys.ts";
import { admitInTurn } from "./admissions.ts";

/** Lines that were waited in, and for how long they rest. */
function setUp() {
  const taken: [line: string, restMs?: number][] = [];
  const turns = { take: async (...line: [string, number?]) => void taken.push(line) };
  const organizations: Record<string, string> = { known: "org_1", other: "org_1" };
  const authenticator = {
    lastOrganizationOf: (headers: Headers) => organizations[headers.get("x-api-key") ?? ""],
  };
  return { taken, admit: admitInTurn(turns, authenticator) };
}

const showing = (key: string) => new Headers({ "x-api-key": key });

it("has an organization wait in one line, and whoever is not known by address", async () => {
  const { taken, admit } = setUp();
  await admit(showing("known"), "10.0.0.1");
  await admit(showing("other"), "10.0.0.2");
  await admit(showing("unknown"), "10.0.0.1");
  await admit(new Headers(), "10.0.0.1");
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
