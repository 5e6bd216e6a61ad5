import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { replaced } from "../../../test/support/replaced.ts";
import { createOrganization, openService } from "../../../test/support/service.ts";
import { bearer, hire, tokenFor } from "../../../test/support/users.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Write } from "../../ports/record-store.ts";

const KEY = { "idempotency-key": "k1" };
const FIELDS = { name: "a key", permissions: ["memory:read"] };

it("stores no response that can be read without the credential", async () => {
  const { runtime, request, adminKey, close } = await openService();
  const { body } = await request("POST", "/api-keys", { body: FIELDS, headers: KEY });
  const [{ id: me }] = (await request("GET", "/api-keys")).body.data.api_keys.slice(-1);
  const { items } = await runtime.ports.records.query({ pk: `org_operator#idempotency#${me}`, limit: 10 });
  expect(items).toHaveLength(1);
  const answer = Buffer.from(String(items[0]?.answer), "base64");
  expect(() => gunzipSync(answer)).toThrow();
  expect(JSON.stringify(items)).not.toContain(body.data.key);

  const asBearer = { ...KEY, authorization: `Bearer ${adminKey}` };
  const again = await request("POST", "/api-keys", { body: FIELDS, headers: asBearer, key: null });
  expect(again.body.data.key).toBe(body.data.key);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  await close();
});

describe("a request that a store interrupts", () => {
  type Put = Extract<Write, { put: object }>;
  const reset = () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  const saysHowItEnded = (write: Write) => "update" in write && write.update.pk.includes("#idempotency#");
  const puts = (writes: Write[], kind: string) => writes.some((write) => (write as Put).put?.kind === kind);

  /** A service whose store fails the next write of a kind, before or after it is done, or every end of a request. */
  async function open() {
    let failing: { kind: string; isDone: boolean } | undefined;
    let endsAreLost = false;
    let offset = 0;
    const around = (ports: Ports): Ports => {
      const write = async (...writes: Write[]) => {
        const fault = failing && puts(writes, failing.kind) ? failing : undefined;
        if (fault) failing = undefined;
        if (endsAreLost && writes.some(saysHowItEnded)) throw reset();
        if (!fault || fault.isDone) await ports.records.write(...writes);
        if (fault) throw reset();
      };
      return { ...ports, records: replaced(ports.records, { write }) };
    };
    const service = await openService({}, () => Date.now() + offset, { around, print: () => {} });
    onTestFinished(service.close);
    const store = () => service.request("POST", "/memories", { body: { content: "Ada prefers tea." }, headers: KEY });
    const count = async () => (await service.request("GET", "/memories")).body.data.pagination.total;
    const fail = (kind: string, isDone: boolean) => {
      failing = { kind, isDone };
    };
    const loseEnds = () => {
      endsAreLost = true;
    };
    const wait = (milliseconds: number) => {
      offset += milliseconds;
    };
    return { store, count, fail, loseEnds, wait };
  }

  it.each([
    ["if nothing was written", "memory", false],
    ["at once if only its claim to the key was lost", "idempotency", true],
  ])("may be repeated %s", async (_where, kind, isDone) => {
    const { store, count, fail } = await open();
    fail(kind, isDone);
    expect((await store()).status).toBe(503);
    expect((await store()).status).toBe(201);
    expect(await count()).toBe(1);
  });

  it("is not repeated if it succeeded but the response was lost", async () => {
    const { store, count, fail } = await open();
    fail("memory", true);
    expect((await store()).status).toBe(503);
    const { status, body } = await store();
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
    expect(await count()).toBe(1);
  });

  it("is never repeated if its outcome could not be stored", async () => {
    const { store, count, loseEnds, wait } = await open();
    loseEnds();
    expect((await store()).status).toBe(201);
    expect((await store()).body.error.code).toBe("REQUEST_IN_PROGRESS");
    wait(16 * 60_000);
    const { status, body } = await store();
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
    expect(await count()).toBe(1);
  });
});

it("replays a response only to the same credential, not to the next token of the user", async () => {
  const service = await openService();
  const { org, key } = await createOrganization(service);
  const { id, token } = await hire(service, key, { role: "admin" });
  const ask = (asking: string) =>
    service.request("POST", "/api-keys", { key: null, body: FIELDS, headers: { ...KEY, ...bearer(asking) } });
  const first = await ask(token);
  expect((await ask(token)).body.data.key).toBe(first.body.data.key);
  const { status, body } = await ask(await tokenFor(service, org, id));
  expect([status, body.error?.code]).toEqual([409, "CONFLICT"]);
  await service.close();
});
