import { afterAll, beforeAll, expect, it } from "vitest";
import { NOT_IN_ROWS } from "../../shared/domain/integration/transfers/rows/row.ts";
import { VERSIONED } from "../../shared/domain/memory/memory.ts";
import * as wire from "../../shared/domain/memory/wire.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

let target: Target;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

// biome-ignore lint/suspicious/noExplicitAny: answers of many routes
type Loose = any;

/** A value for each field that a request can give a memory; a test fails while a new field has none. */
const GIVEN: Record<string, unknown> = {
  content: "Ada moved to Zurich in May.",
  user_id: "ada",
  category: "home",
  type: "event",
  speaker: "Grace",
  in_reply_to: "Where does Ada live now?",
  quote: "I moved to Zurich in May.",
  metadata: { source: "call", nested: { stars: 4 } },
  expire_at: "2999-01-01T00:00:00.000Z",
  occurred_at: "2026-05-03T10:00:00.000+02:00",
};
/** Fields that the service derives from the others or counts. */
const DERIVED = ["id", "created_at", "updated_at", "entities", "facts", "compression", "version"];

async function done(answer: ReturnType<Caller["get"]>): Promise<Loose> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data ?? body;
}

async function importRow(caller: Caller, row: object): Promise<void> {
  const { event_id } = await done(caller.post("/imports", { memories: [row] }));
  await eventually(async () => expect((await done(caller.get(`/events/${event_id}`))).status).toBe("completed"));
}

it("has a value for every field of a memory", () => {
  const known = new Set([...Object.keys(GIVEN), ...DERIVED, ...NOT_IN_ROWS]);
  expect(Object.keys(wire.Memory.shape).filter((field) => !known.has(field))).toEqual([]);
});

it("keeps every field through an import, an export and another import", async () => {
  const [first, second] = [await target.organization(), await target.organization()];
  await importRow(first, GIVEN);
  const [row] = (await done(first.post("/exports", {}))).memories;
  await importRow(second, row);
  for (const caller of [first, second]) {
    const [{ id }] = (await done(caller.get("/memories?user_id=ada"))).memories;
    expect(await done(caller.get(`/memories/${id}`))).toMatchObject(GIVEN);
  }
});

it("drops the quotation with the words that rested on it", async () => {
  const caller = await target.organization();
  await importRow(caller, GIVEN);
  const [{ id }] = (await done(caller.get("/memories?user_id=ada"))).memories;
  expect(await done(caller.put(`/memories/${id}`, { metadata: {} }))).toHaveProperty("quote");
  expect(await done(caller.put(`/memories/${id}`, { content: "Tea." }))).not.toHaveProperty("quote");
});

it("brings back every versioned field", async () => {
  const caller = await target.organization();
  const { content, metadata, occurred_at } = GIVEN;
  const { id } = await done(caller.post("/memories", { content, metadata, occurred_at }));
  const change = { content: "Tea.", metadata: { other: true }, occurred_at: "2020-01-01T00:00:00.000Z" };
  // `sent` follows the content: what its placeholders stand for (secrets.test.ts).
  expect([...Object.keys(change), "sent"].sort()).toEqual([...VERSIONED].sort());
  await done(caller.put(`/memories/${id}`, change));
  await done(caller.post(`/memories/${id}/restore`, { version: 1 }));
  const restored = await done(caller.get(`/memories/${id}`));
  for (const field of Object.keys(change)) expect(restored[field]).toEqual(GIVEN[field]);
});
