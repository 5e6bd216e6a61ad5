import { strToU8, zipSync } from "fflate";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import { contextOf } from "../../../../test/support/principals.ts";
import { timestamp } from "../../../kernel/clock.ts";
import { TRANSFER_QUEUE } from "../../../ports/queues.ts";
import type { Context } from "../../../runtime/context.ts";
import { messageOf } from "../../../runtime/jobs/queue.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import { admit } from "../../memory/admit-text.ts";
import { countMemories, listMemoriesAfter } from "../../memory/memory-lists.ts";
import { eraseMentions } from "../../operations/erasure/mentions.ts";
import { getEvent } from "../compat/events.ts";
import { beginFileImport, beginImport, importRows } from "./import.ts";
import { listSkipped } from "./records.ts";
import { toRow } from "./rows/row.ts";

vi.mock(import("../../memory/admit-text.ts"), { spy: true });

const ROWS = 120;
const TURN_MS = 60_000;

let runtime: Context;

beforeEach(async () => {
  runtime = contextOf((await openIdleRuntime({ queues: [TRANSFER_QUEUE] })).runtime);
});

/** Imports the rows to the end; returns the event. */
async function importAll(rows: unknown[]) {
  const job = await beginImport(runtime, rows);
  await runJob(runtime, [importRows], messageOf(job), TURN_MS);
  expect(await runtime.ports.blobs.get(job.input.blob)).toBeUndefined();
  return getEvent(runtime, job.id);
}

async function contents(): Promise<string[]> {
  const { memories } = await listMemoriesAfter({ ...runtime, viewer: undefined }, {}, { limit: 1000 });
  return memories.map(({ content }) => content).sort();
}

const rows = Array.from({ length: ROWS }, (_, position) => ({
  content: `Berth ${position} is free.`,
  entities: [{ name: "Berth", type: "place" }],
  facts: [],
  compression: { original_tokens: 5, compressed_tokens: 5, reduction_percentage: 0 },
}));
const expected = rows.map(({ content }) => content).sort();

it("stores a row that names an entity twice, once in a relation, and the rows after it", async () => {
  const named = [
    { name: "Ada", type: "person" },
    { name: "ada", type: "person", relationship_type: "knows", strength: 0.5 },
    { name: "ADA", type: "person" },
    { name: "Ada", type: "place" },
  ];
  const event = await importAll([{ ...rows[0], entities: named }, ...rows.slice(1)]);
  expect(event).toMatchObject({ status: "COMPLETED", progress: { done: ROWS, failed: 0 } });
  expect(await contents()).toEqual(expected);
  const { memories } = await listMemoriesAfter({ ...runtime, viewer: undefined }, {}, { limit: 1000 });
  const known = memories.find(({ content }) => content === rows[0]?.content)?.entities;
  expect(known?.map(({ id: _id, ...entity }) => entity)).toEqual([named[1], named[3]]);
});

it("lets others in between rows that take long to read", async () => {
  const long = rows.slice(0, 20);
  let turn = 0;
  const others = setInterval(() => turn++, 0);
  onTestFinished(() => clearInterval(others));
  const read = new Set<number>();
  vi.mocked(admit).mockImplementation(async (_runtime, text) => {
    read.add(turn);
    const until = performance.now() + 5;
    while (performance.now() < until);
    return { text, leftOut: [] };
  });
  onTestFinished(() => void vi.mocked(admit).mockReset());
  const event = await importAll(long);
  expect(event).toMatchObject({ status: "COMPLETED", progress: { done: long.length, failed: 0 } });
  expect(read.size).toBeGreaterThan(4);
});

it("keeps who said it and the question that it answers, also in an export", async () => {
  const said = { content: "Berth 3.", speaker: "Carla", in_reply_to: "Which berth is free?" };
  await importAll([said]);
  const { memories } = await listMemoriesAfter({ ...runtime, viewer: undefined }, {}, { limit: 10 });
  expect(memories).toMatchObject([said]);
  expect(memories.map((memory) => toRow(memory))).toMatchObject([said]);
});

it("reports a row whose record would be too large, and stores the others", async () => {
  const long = (characters: number) => "\u6f22".repeat(characters);
  const entity = { type: long(64), relationship_type: long(256) };
  const entities = Array.from({ length: 90 }, (_, n) => ({ ...entity, name: `${n} ${long(190)}` }));
  const fact = { confidence: 1, category: long(256) };
  const facts = Array.from({ length: 60 }, (_, n) => ({ ...fact, content: `${n} ${long(390)}` }));
  const categories = Array.from({ length: 100 }, (_, n) => `${n} ${long(250)}`);
  const content = "x".repeat(64_000);
  const event = await importAll([{ ...rows[0], content, entities, facts, categories }, ...rows.slice(1)]);
  expect(event).toMatchObject({ status: "COMPLETED", progress: { done: ROWS - 1, failed: 1 } });
  expect(event.errors).toMatchObject([{ index: 0, code: "VALIDATION_ERROR" }]);
  expect(await contents()).toEqual(expected.filter((each) => each !== rows[0]?.content));
});

async function importFile(file: string | Uint8Array, user_id?: string) {
  const job = await beginFileImport(runtime, Buffer.from(file), { ...(user_id !== undefined && { user_id }) });
  await runJob(runtime, [importRows], messageOf(job), TURN_MS);
  expect((await runtime.ports.blobs.list({ prefix: "imports/", limit: 10 })).blobs).toEqual([]);
  return getEvent(runtime, job.id);
}

it("splits a file into parts, processes them in turn, and deletes them", async () => {
  const many = Array.from({ length: 2100 }, (_, position) => ({ ...rows[0], content: `Berth ${position} is free.` }));
  const lines = many.map((row) => JSON.stringify(row));
  lines[1500] = "{";
  const event = await importFile(lines.join("\n"), "ada");
  expect(event).toMatchObject({
    status: "COMPLETED",
    progress: { total: 2100, done: 2099, failed: 1 },
    errors: [{ index: 1500, code: "VALIDATION_ERROR", message: expect.stringContaining("not valid JSON") }],
  });
  expect(await countMemories({ ...runtime, viewer: undefined }, { user_id: "ada" })).toBe(2099);
});

const zipOf = (conversations: string) =>
  zipSync({ "conversations.json": strToU8(conversations), "user.json": strToU8("{}") });

it("fails if all is damaged but files that are not imported", async () => {
  const event = await importFile(zipOf('[{"mapping": 5}, {"chat_messages": 5}]'));
  expect(event).toMatchObject({ status: "FAILED", progress: { total: 3, done: 1, failed: 2 } });
  const other = await importFile(zipOf(JSON.stringify([{ mapping: 5 }, rows[0]])));
  expect(other).toMatchObject({ status: "COMPLETED", progress: { total: 3, done: 2, failed: 1 } });
});

it("outlives the erasure of a user whose memories its skipped rows repeat", async () => {
  const said = [{ ...rows[0], id: "note-1", user_id: "ada" }];
  const first = await importAll(said);
  const second = await importAll(said);
  expect(second).toMatchObject({ progress: { total: 1, done: 1 } });
  const { memories } = await listMemoriesAfter({ ...runtime, viewer: undefined }, {}, { limit: 10 });
  const archive = { "a.md": strToU8("Berth 2 is free."), [`${memories[0]?.id}.png`]: new Uint8Array(9) };
  const third = await importFile(zipSync(archive), "grace");
  const named = await importFile(JSON.stringify(said), "ada");
  await eraseMentions(runtime, { user_id: "ada", asked_at: timestamp(runtime.clock()) }, undefined);
  for (const { id } of [first, second, third]) expect(await getEvent(runtime, id)).toMatchObject({ id });
  await expect(getEvent(runtime, named.id)).rejects.toMatchObject({ code: "EVENT_NOT_FOUND" });
});

it("keeps no secret of a file's name", async () => {
  const event = await importFile(
    zipSync({ "a.md": strToU8("Berth 1 is free."), "AKIAIOSFODNN7EXAMPLA.txt": new Uint8Array(9) }),
  );
  const page = { limit: 10, offset: 0 };
  expect((await listSkipped(runtime.ports.records, runtime.org, event.id, page)).items).toEqual([
    { index: 1, reason: "the file [REDACTED:aws_access_key].txt of the archive is not imported" },
  ]);
});

it.each([
  ["[1, 2", "ends within element"],
  [zipOf("[]"), "has no rows"],
  ["", "no column `content`|has no rows"],
  ["Just a text.", "no column `content`"],
])("fails as a whole if the file is %o", async (file, message) => {
  const event = await importFile(file);
  expect(event).toMatchObject({ status: "FAILED", errors: [{ code: "VALIDATION_ERROR" }] });
  expect(event.errors[0]?.message).toMatch(new RegExp(message));
});

it.each([
  ["fields", Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`field_${n}`, n]))],
  ["list members", { entities: Array.from({ length: 30_000 }, (_, n) => `name ${n}`) }],
])("refuses a row of too many %s before it validates the row, and stores the others", async (_, many) => {
  const event = await importAll([{ content: "Berth 1 is free.", ...many }, rows[0]]);
  expect(event).toMatchObject({ progress: { done: 1, failed: 1 } });
  expect(JSON.stringify(event)).toContain("has more than 25000 fields and list members");
  expect(await contents()).toEqual([rows[0]?.content]);
});
