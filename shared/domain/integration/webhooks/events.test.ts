import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecordChange } from "../../../ports/changes.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";
import { EVENT_KINDS, eventIn } from "./events.ts";
import { WEBHOOK_EVENTS } from "./webhook.ts";

const CREATED = "2026-03-01T12:00:00.100Z";
const LAST_YEAR = "2025-03-01T12:00:00.000Z";
const UPDATED = "2026-03-01T12:00:05.200Z";
const AT = Date.parse("2026-03-01T12:00:05.000Z");

const recordOf = (kind: string, fields: object = {}): StoredRecord => ({
  pk: "org_1#x",
  sk: kind,
  kind,
  org: "org_1",
  id: "x_1",
  created_at: CREATED,
  updated_at: CREATED,
  version: 1,
  revision: 1,
  ...fields,
});

function changeOf(before: StoredRecord | undefined, after: StoredRecord | undefined, at = AT): RecordChange {
  const { pk = "", sk = "" } = after ?? before ?? {};
  return { key: { pk, sk }, before, after, sequence: "1", at };
}

const made = (kind: string, fields: object = {}) => changeOf(undefined, recordOf(kind, fields));
const gone = (kind: string, fields: object = {}, at = AT) => changeOf(recordOf(kind, fields), undefined, at);
const changed = (kind: string, before: object, after: object) =>
  changeOf(recordOf(kind, before), recordOf(kind, { updated_at: UPDATED, revision: 2, ...after }));

const CHUNK = { id: "mem_01JNZ3V5C0E8X2R7T4Y6W9QABC_1_0" };
const QUEUED = { processing: { status: "queued" } };
const DONE = { processing: { status: "done" } };

describe("a change is an event", () => {
  it.each([
    ["memory.created", made("memory"), CREATED],
    ["memory.created", made("memory", { created_at: LAST_YEAR, updated_at: LAST_YEAR }), "2026-03-01T12:00:05.000Z"],
    ["memory.updated", changed("memory", {}, { version: 2 }), UPDATED],
    ["memory.restored", changed("memory", {}, { version: 2, restored_version: 2 }), UPDATED],
    ["memory.updated", changed("memory", { restored_version: 1 }, { version: 2, restored_version: 1 }), UPDATED],
    ["memory.expired", changed("memory", {}, { version: 2, expire_at: UPDATED }), UPDATED],
    ["memory.expired", gone("memory", { expire_at: "2026-03-01T12:00:04.000Z" }), "2026-03-01T12:00:04.000Z"],
    ["memory.deleted", gone("memory"), "2026-03-01T12:00:05.000Z"],
    ["memory.deleted", gone("memory", { expire_at: "2026-03-02T12:00:00.000Z" }), "2026-03-01T12:00:05.000Z"],
    ["memory.deleted", gone("memory", { updated_at: UPDATED }), UPDATED],
    ["memory.updated", changed("memory", CHUNK, { ...CHUNK, version: 2 }), UPDATED],
    ["compression.completed", changed("memory", QUEUED, { ...DONE, updated_at: CREATED }), "2026-03-01T12:00:05.000Z"],
    ["session.created", made("session", { status: "active" }), CREATED],
    ["session.closed", changed("session", { status: "active" }, { status: "closed", closed_at: UPDATED }), UPDATED],
    ["session.archived", changed("session", {}, { status: "archived", archived_at: UPDATED }), UPDATED],
    [
      "session.restored",
      changed("session", { status: "archived" }, { status: "active", updated_at: UPDATED }),
      UPDATED,
    ],
    [
      "session.restored",
      changed("session", { status: "archived" }, { status: "closed", updated_at: UPDATED }),
      UPDATED,
    ],
    ["session.message.created", made("message"), CREATED],
    ["skill.created", made("skill"), CREATED],
    ["skill.updated", changed("skill", {}, { version: 2 }), UPDATED],
    ["skill.reviewed", changed("skill", { human_reviewed: false }, { human_reviewed: true }), UPDATED],
    ["skill.deleted", gone("skill"), "2026-03-01T12:00:05.000Z"],
    ["skill.executed", made("execution"), CREATED],
    ["agent.created", made("agent"), CREATED],
    ["agent.updated", changed("agent", {}, { version: 2 }), UPDATED],
    ["agent.deleted", gone("agent"), "2026-03-01T12:00:05.000Z"],
    ["source.ingested", changed("source", { generation: 0 }, taken(1)), UPDATED],
    ["source.ingested", changed("source", taken(1), taken(2)), UPDATED],
    ["source.ingested", made("source", { ...taken(1), status: "no_text" }), UPDATED],
    ["source.deleted", gone("source", taken(1)), "2026-03-01T12:00:05.000Z"],
  ])("%s", (event, change, timestamp) => {
    expect(eventIn(change)).toMatchObject({ event, timestamp, org: "org_1", id: expect.stringMatching(/^evt_/) });
  });
});

function taken(generation: number) {
  return { status: "active", generation, ingested_at: UPDATED };
}

describe("a change is not an event", () => {
  it.each([
    ["a move between tiers", changed("memory", {}, { revision: 1, tier: "cold" })],
    ["feedback", changed("memory", {}, { feedback_count: 1 })],
    ["a memory put into the queue", changed("memory", DONE, QUEUED)],
    ["a memory that could not be understood", changed("memory", QUEUED, { processing: { status: "failed" } })],
    ["the row of a memory that expired on request", gone("memory", { expire_at: CREATED })],
    ["a chunk of a source that is stored", made("memory", CHUNK)],
    ["a chunk of a source that goes", gone("memory", CHUNK)],
    ["a session that gets a message", changed("session", { status: "active" }, { status: "active", message_count: 1 })],
    ["a session that expires", gone("session", { status: "archived" })],
    ["a copied message", made("message", { copy_of: "msg_1" })],
    ["a message that goes into the archive", gone("message")],
    ["a use of a skill", changed("skill", {}, { usage_count: 1 })],
    ["an execution that goes with its skill", gone("execution")],
    ["a source that is begun", made("source", { status: "processing", generation: 0 })],
    ["a source that fails", changed("source", { generation: 1 }, { generation: 1, status: "failed" })],
    ["an upload that never came", gone("source", { status: "awaiting_upload" })],
    ["another kind of record", made("audit")],
    ["a change of nothing", changeOf(undefined, undefined)],
  ])("%s", (_what, change) => {
    expect(eventIn(change)).toBeUndefined();
  });
});

const recordsOf = (kind: string) =>
  fc
    .record({
      id: fc.constantFrom("x_1", "x_2", CHUNK.id),
      version: fc.integer({ min: 1, max: 3 }),
      revision: fc.integer({ min: 1, max: 3 }),
      status: fc.constantFrom("active", "closed", "archived", "awaiting_upload"),
      generation: fc.integer({ min: 0, max: 2 }),
      expire_at: fc.constantFrom(undefined, CREATED, UPDATED),
      processing: fc.constantFrom(QUEUED.processing, DONE.processing),
    })
    .map((fields) => recordOf(kind, { ...fields, pk: `org_1#${fields.id}` }));

const changes = fc
  .constantFrom(...EVENT_KINDS, "audit")
  .chain((kind) =>
    fc
      .tuple(fc.option(recordsOf(kind), { nil: undefined }), fc.option(recordsOf(kind), { nil: undefined }))
      .map(([before, after]) => changeOf(before && after ? { ...before, pk: after.pk } : before, after)),
  );

it("has the same id if it is repeated, a known name, and another id for another change", () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 20 }), (all) => {
      const states = new Map<string, string>();
      for (const change of all) {
        const event = eventIn(change);
        expect(eventIn(structuredClone({ ...change, sequence: "2" }))).toEqual(event);
        if (!event) continue;
        expect(WEBHOOK_EVENTS).toContain(event.event);
        const cause = JSON.stringify([change.key, event.event]);
        const known = states.get(event.id) ?? cause;
        expect(known).toBe(cause);
        states.set(event.id, cause);
      }
    }),
  );
});
