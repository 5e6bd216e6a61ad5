import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createOrganization, type LocalService, openService } from "../../../test/support/service.ts";
import { bearer, signInUser } from "../../../test/support/users.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../kernel/durations.ts";
import type { Runtime } from "../../runtime/context.ts";
import { ACCESS_TOKEN_SECONDS, CLIENT_TOKEN_SECONDS, readKeyRing } from "./signing-keys.ts";
import { AccessTokens } from "./tokens.ts";

const OPERATOR = { kind: "user", id: "user_1" } as const;
let now: number;
let service: LocalService;
let org: string;

beforeEach(async () => {
  now = Date.parse("2026-01-31T12:00:00Z");
  service = await openService({ SIGNING_ROTATION_DAYS: "30" }, () => now);
  ({ org } = await createOrganization(service));
});

afterEach(() => service.close());

const ring = () => readKeyRing(service.runtime.ports.records);
const numbers = async () => (await ring()).keys.map(({ number }) => number);
const secret = (number: number) => service.runtime.ports.secrets.get(`signing/signing-key-${number}`);
const signIn = async () => (await signInUser(service, { org, role: "viewer" })).token;
const isAccepted = async (token: string) =>
  (await service.request("GET", "/memories", { key: null, headers: bearer(token) })).status === 200;

/** Another process on the same store, with empty caches. */
function anotherProcess(change: Partial<Runtime> = {}): Runtime {
  const runtime = { ...service.runtime, ...change };
  return { ...runtime, tokens: new AccessTokens(runtime.ports.records, runtime.clock) };
}

const CLAIMS = { sub: "user_1", org: "org_1", epoch: 1, session: "s" };
const issueIn = async (runtime: Runtime) => (await runtime.tokens.issue(runtime, CLAIMS)).access_token;
const kidOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;

describe("signing keys", () => {
  it("are created once, even by processes that start at the same time", async () => {
    const processes = Array.from({ length: 5 }, () => anotherProcess());
    const issued = await Promise.all(processes.map(issueIn));
    expect(await numbers()).toEqual([1]);
    const [key] = (await ring()).keys;
    expect(new Set(issued.map(kidOf))).toEqual(new Set([key?.kid]));
    for (const { tokens } of processes) {
      for (const each of issued) expect(await tokens.verify(each)).toEqual(CLAIMS);
    }
  });

  it("sign even in a process whose clock is behind that of the creator", async () => {
    const kid = kidOf(await issueIn(anotherProcess()));
    const behind = anotherProcess({ clock: () => now - 10 * MINUTE_MS });
    expect(kidOf(await issueIn(behind))).toBe(kid);
    expect(await numbers()).toEqual([1]);
  });

  it("are published only as public halves", async () => {
    await signIn();
    expect(JSON.stringify(await ring())).not.toContain('"d"');
    expect(JSON.parse((await secret(1)) ?? "{}")).toMatchObject({ d: expect.any(String) });
  });

  it("are replaced when they are old, and nobody is signed out", async () => {
    const [here, there] = [anotherProcess(), anotherProcess()];
    const first = kidOf(await issueIn(here));
    await issueIn(there);
    now += 30 * DAY_MS - 1;
    await issueIn(here);
    expect(await numbers()).toEqual([1]);
    now += 1;
    const old = await issueIn(here);
    expect(await numbers()).toEqual([1, 2]);
    const second = (await ring()).keys[1]?.kid;
    expect(kidOf(old)).toBe(first);

    now += MINUTE_MS - 1;
    const [last, elsewhere] = [await issueIn(here), await issueIn(there)];
    expect([kidOf(last), kidOf(elsewhere)]).toEqual([first, first]);
    now += 1;
    const [next, nextElsewhere] = [await issueIn(here), await issueIn(there)];
    expect([kidOf(next), kidOf(nextElsewhere)]).toEqual([second, second]);
    for (const { tokens } of [here, there, anotherProcess()]) {
      for (const each of [old, last, elsewhere, next, nextElsewhere]) expect(await tokens.verify(each)).toEqual(CLAIMS);
    }

    now += 15 * MINUTE_MS - 2 * SECOND_MS;
    expect(await there.tokens.verify(last)).toEqual(CLAIMS);
    now += (CLIENT_TOKEN_SECONDS - ACCESS_TOKEN_SECONDS) * SECOND_MS;
    expect(await numbers()).toEqual([1, 2]);
    now += 2 * MINUTE_MS;
    await issueIn(there);
    expect(await numbers()).toEqual([2]);
    expect(await secret(1)).toBeUndefined();
    expect(await secret(2)).toBeDefined();
  });

  it("are published a minute before they sign, so that every process knows them in time", async () => {
    const [signer, verifier] = [anotherProcess(), anotherProcess()];
    await verifier.tokens.verify(await issueIn(signer));
    await signer.tokens.rotate(signer, "age", OPERATOR);
    const { records } = verifier.ports;
    const get = vi.fn<typeof records.get>((key) => records.get(key));
    const counting = anotherProcess({ ports: { ...verifier.ports, records: { ...records, get } } });
    now += 55 * SECOND_MS;
    expect(await counting.tokens.verify(await issueIn(signer))).toEqual(CLAIMS);
    now += 5 * SECOND_MS;
    const next = await issueIn(signer);
    expect(kidOf(next)).toBe((await ring()).keys[1]?.kid);
    get.mockClear();
    expect(await counting.tokens.verify(next)).toEqual(CLAIMS);
    expect(get).not.toHaveBeenCalled();
  });

  it("are rotated once by concurrent requests", async () => {
    await signIn();
    const processes = Array.from({ length: 5 }, () => anotherProcess());
    await Promise.all(processes.map((runtime) => runtime.tokens.rotate(runtime, "age", OPERATOR)));
    expect(await numbers()).toEqual([1, 2]);
    await Promise.all(processes.map((runtime) => runtime.tokens.rotate(runtime, "age", OPERATOR)));
    expect(await numbers()).toEqual([1, 2]);
  });

  it("that were compromised verify nothing any more, and the next one signs at once", async () => {
    const before = await signIn();
    expect(await isAccepted(before)).toBe(true);
    const elsewhere = anotherProcess();
    expect(await elsewhere.tokens.verify(before)).toBeDefined();
    await service.runtime.tokens.rotate(service.runtime, "compromised", OPERATOR);
    expect(await isAccepted(before)).toBe(false);
    expect(await isAccepted(await signIn())).toBe(true);
    expect(await numbers()).toEqual([2]);
    expect(await secret(1)).toBeUndefined();
    now += 10 * SECOND_MS;
    expect(await elsewhere.tokens.verify(before)).toBeUndefined();
  });

  it("whose private half was lost are replaced at once, and their tokens stay valid", async () => {
    const before = await signIn();
    await service.runtime.ports.secrets.remove("signing/signing-key-1");
    const restarted = anotherProcess();
    const after = await issueIn(restarted);
    expect(await numbers()).toEqual([1, 2]);
    for (const each of [before, after]) expect(await restarted.tokens.verify(each)).toBeDefined();
  });

  it("that cannot be replaced continue to sign, and a line is logged", async () => {
    const lines: unknown[][] = [];
    const { ports, logger } = service.runtime;
    await signIn();
    now += 31 * DAY_MS;
    const putIfAbsent = () => Promise.reject(new Error("down"));
    const runtime = anotherProcess({
      ports: { ...ports, secrets: { ...ports.secrets, get: (name) => ports.secrets.get(name), putIfAbsent } },
      logger: { ...logger, error: (...line) => lines.push(line) },
    });
    expect(await runtime.tokens.verify(await issueIn(runtime))).toEqual(CLAIMS);
    expect(lines).toMatchObject([["SIGNING_KEY_NOT_RENEWED", {}]]);
    await issueIn(anotherProcess());
    expect(await numbers()).toEqual([1, 2]);
  });
});
