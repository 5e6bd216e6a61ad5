import { beforeEach, describe, expect, it } from "vitest";
import { JOBS } from "../../../../functions/workers/sweep/jobs.ts";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import { contextOf } from "../../../../test/support/principals.ts";
import { findEvent } from "../../../domain/integration/compat/events.ts";
import { deleteByNames } from "../../../domain/integration/compat/forget.ts";
import { rememberConversation } from "../../../domain/integration/compat/remember.ts";
import { exportMemories } from "../../../domain/integration/transfers/export.ts";
import { importRows } from "../../../domain/integration/transfers/import.ts";
import { createMemory } from "../../../domain/memory/create.ts";
import { listMemoriesAfter } from "../../../domain/memory/memory-lists.ts";
import { timestamp } from "../../../kernel/clock.ts";
import type { Json } from "../../../ports/json.ts";
import { REMEMBER_QUEUE, TRANSFER_QUEUE } from "../../../ports/queues.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";
import type { Context } from "../../context.ts";
import { isOver } from "../../jobs/job.ts";
import { findJob } from "../../jobs/records.ts";
import { runJob } from "../../jobs/run.ts";
import { sweepJobs } from "../../jobs/sweep.ts";
import { step } from "./05-requests-as-jobs.ts";

const ORG = "org_1";
const TURN_MS = 60_000;
const FILE = { blob: "x", bytes: 1, memories: 0 };
const HANDLERS = [importRows, exportMemories, rememberConversation, deleteByNames];

let ctx: Context;
let id: string;

beforeEach(async () => {
  ctx = contextOf((await openIdleRuntime({ queues: [TRANSFER_QUEUE, REMEMBER_QUEUE] })).runtime);
  id = ctx.ids("event");
});

type Fields = { [name: string]: Json };

/** An event and the record stored with it, as the last release without this engine wrote them. */
function former(event: Fields, sk: string, kind: string, fields: Fields): [StoredRecord, StoredRecord] {
  const created_at = timestamp(ctx.clock());
  const pk = `${ORG}#${id}`;
  const own = { id, org: ORG };
  const indexed = { gsi1pk: `${ORG}#events`, gsi1sk: `${created_at}#${id}` };
  const pending = { gsi3pk: "pending-events#3", gsi3sk: `${created_at}#${id}` };
  const times = { created_at, updated_at: created_at, started_at: created_at };
  const state = { status: "RUNNING", results: [], errors: [], attempts: 2, revision: 5, ...times };
  const by = { kind: "api_key", id: "ak_1" };
  return [
    { ...own, ...event, ...state, by, ...indexed, ...pending, pk, sk: "event", kind: "compat_event" },
    { ...own, ...fields, pk, sk, kind },
  ];
}

function formerTransfer(what: "import" | "export", fields: Fields) {
  const created_at = timestamp(ctx.clock());
  const pending = { gsi2pk: "pending-transfers", gsi2sk: `${created_at}#${id}` };
  const common = { what, created_by: "ak_1", created_at, queued_at: created_at, attempts: 2 };
  const index = "ended_at" in fields ? {} : pending;
  return former({ type: `memory.${what}`, resource: what }, "transfer", "transfer", { ...common, ...fields, ...index });
}

const formerRequest = (type: string, request: Json, fields: Fields = {}) =>
  former({ type, resource: "memory" }, "request", "compat_request", { content: JSON.stringify(request), ...fields });

/** Stores the upgraded form of former records; returns the sort keys of the records that replace them. */
async function upgrade([event, work]: [StoredRecord, StoredRecord]): Promise<string[]> {
  const converted = step.replace(work) ?? [];
  const { records } = ctx.ports;
  await records.write({ put: event }, ...converted.map((put) => ({ put })));
  return converted.map(({ sk }) => sk);
}

/** Returns the event and the job of an upgraded record whose message is lost, after a sweep has completed the job. */
async function finish() {
  expect(await sweepJobs(ctx, JOBS)).toBe(1);
  const job = await runJob(ctx, HANDLERS, { org: ORG, job: id }, TURN_MS);
  expect(job && isOver(job)).toBe(true);
  return { job, event: await findEvent(ctx, id) };
}

async function contents(): Promise<string[]> {
  const { memories } = await listMemoriesAfter(ctx as Context & { viewer: undefined }, {}, { limit: 100 });
  return memories.map(({ content }) => content).sort();
}

describe("work that was pending before an upgrade", () => {
  it("continues an import at its next row", async () => {
    const blob = `imports/${ORG}/${id}/rows.json`;
    const rows = ["one", "two", "three"].map((content) => ({ content }));
    await ctx.ports.blobs.put(blob, { bytes: Buffer.from(JSON.stringify(rows)), contentType: "application/json" });
    const progress = { total: 3, position: 1, imported: 1, skipped: 0, failed: 0 };
    expect(await upgrade(formerTransfer("import", { blob, owner: "user_1", ...progress }))).toEqual(["job"]);
    const { event, job } = await finish();
    expect(await contents()).toEqual(["three", "two"]);
    expect(event).toMatchObject({ status: "COMPLETED", progress: { total: 3, done: 3, failed: 0 } });
    expect(job).toMatchObject({ state: "completed", input: { owner: "user_1" }, submitted_by: "ak_1" });
  });

  it("continues an export after its last file", async () => {
    await createMemory(ctx, { content: "Ada drinks tea.", door: "memories" });
    const files = [{ blob: "exports/one", bytes: 10, memories: 4 }];
    const { cursor } = await listMemoriesAfter({ ...ctx, viewer: undefined }, {}, { limit: 1 });
    const fields = { filter: {}, expected: 5, files, written: 4, ...(cursor !== undefined && { cursor }) };
    expect(await upgrade(formerTransfer("export", fields))).toEqual(["job"]);
    const { event, job } = await finish();
    expect(event).toMatchObject({ status: "COMPLETED", progress: { total: 5, done: 5, failed: 0 } });
    expect(job).toMatchObject({ checkpoint: { written: 5, files: [...files, { memories: 1 }] } });
  });

  it("stores what was found in a conversation, and keeps the conversation until then", async () => {
    const remember = { messages: [{ role: "user", content: "I hike." }], draft: { user_id: "ann" } };
    const found = ["Ann is a nurse.", "Ann hikes."].map((content) => ({ content, category: "other" }));
    const place = { part: 0, found, stored: 1 };
    expect(await upgrade(formerRequest("memory.add", { remember }, { place }))).toEqual(["request", "job"]);
    const { event } = await finish();
    expect(await contents()).toEqual(["Ann hikes."]);
    expect(event).toMatchObject({ status: "COMPLETED", results: [{ event: "ADD" }] });
    expect(await ctx.ports.records.get({ pk: `${ORG}#${id}`, sk: "request" })).toBeUndefined();
  });

  it("deletes by names", async () => {
    await createMemory(ctx, { content: "Ada drinks tea.", user_id: "ada", door: "memories" });
    expect(await upgrade(formerRequest("memory.delete", { delete: { user_id: "ada" } }))).toEqual(["job"]);
    expect((await finish()).event).toMatchObject({ status: "COMPLETED", progress: { done: 1 } });
    expect(await contents()).toEqual([]);
  });
});

describe("a transfer that ended before an upgrade", () => {
  it.each([
    ["an import", "import", { total: 1, position: 1, imported: 1, skipped: 0, failed: 0 }, "completed"],
    ["an import that was given up", "import", { total: 2, position: 1, imported: 1, skipped: 0, failed: 0 }, "failed"],
    ["an export", "export", { filter: {}, expected: 0, files: [FILE], written: 0 }, "completed"],
    ["an export that was given up", "export", { filter: {}, expected: 9, files: [], written: 0 }, "failed"],
  ] as const)("is kept as long as its event: %s", async (_what, kind, fields, state) => {
    const ended_at = timestamp(ctx.clock());
    await upgrade(formerTransfer(kind, { ...(fields as unknown as Fields), blob: "rows", ended_at }));
    expect(await findJob(ctx.ports.records, ORG, id)).toMatchObject({ kind, state, finished_at: ended_at });
    const record = await ctx.ports.records.get({ pk: `${ORG}#${id}`, sk: "job" });
    expect(record?.ttl).toBe(Math.ceil(Date.parse(ended_at) / 1000) + 30 * 86_400);
    expect(await sweepJobs(ctx, JOBS)).toBe(0);
  });
});

it("does not convert any other record", () => {
  const [event] = formerTransfer("import", {});
  expect(step.replace(event)).toBeUndefined();
});
