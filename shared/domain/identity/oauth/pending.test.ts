import { afterAll, expect, it } from "vitest";
import { replaced } from "../../../../test/support/replaced.ts";
import { openService } from "../../../../test/support/service.ts";
import { beginSignIn, TIMEOUT_SECONDS, takeSignIn } from "./pending.ts";

const START = Date.parse("2026-01-31T12:00:00Z");
const GIVEN = { provider: "google", redirectUri: "https://app.example/", clientState: "the client's" } as const;

let now = START;

const service = await openService({}, () => now);
afterAll(() => service.close());

it("returns a pending sign-in for its state once, and only for its provider", async () => {
  const begun = await beginSignIn(service.runtime, GIVEN);
  expect(await takeSignIn(service.runtime, "google", begun.state)).toEqual(begun);
  expect(await takeSignIn(service.runtime, "google", begun.state)).toBeUndefined();
  const other = await beginSignIn(service.runtime, GIVEN);
  expect(new Set([begun.state, begun.verifier, begun.nonce, other.state, other.verifier, other.nonce]).size).toBe(6);
  expect(await takeSignIn(service.runtime, "github", other.state)).toBeUndefined();
  expect(await takeSignIn(service.runtime, "google", other.state)).toBeUndefined();
});

it("deletes a sign-in that nobody completed", async () => {
  const [begun, late] = [await beginSignIn(service.runtime, GIVEN), await beginSignIn(service.runtime, GIVEN)];
  now = START + (TIMEOUT_SECONDS - 1) * 1000;
  expect(await takeSignIn(service.runtime, "google", begun.state)).toEqual(begun);
  now = START + TIMEOUT_SECONDS * 1000;
  expect(await takeSignIn(service.runtime, "google", late.state)).toBeUndefined();
});

it("stores nothing that lets a reader of the records complete a sign-in", async () => {
  const written: unknown[] = [];
  const { records } = service.runtime.ports;
  const write: typeof records.write = (...writes) => {
    written.push(...writes);
    return records.write(...writes);
  };
  const ports = { ...service.runtime.ports, records: replaced(records, { write }) };
  const spied = { ...service.runtime, ports };
  const { state, verifier, nonce } = await beginSignIn(spied, GIVEN);
  expect(written).toHaveLength(1);
  for (const secret of [state, verifier, nonce]) expect(JSON.stringify(written)).not.toContain(secret);
});
