import { beforeEach, expect, it } from "vitest";
import { openIdleHome } from "../../test/support/idle-home.ts";
import { getEvent } from "../compat/events.ts";
import { listMemoriesAfter } from "../memory/records.ts";
import type { Context } from "../platform/context.ts";
import type { RecordStore, Write } from "../platform/ports.ts";
import { TRANSFER_QUEUE } from "../platform/queues.ts";
import { beginImport } from "./import.ts";
import { resumeTransfers } from "./overdue.ts";
import { workOn } from "./work.ts";

const ROWS = 120;
const TURN_MS = 60_000;

let home: Context;
let now: number;

beforeEach(async () => {
  now = Date.parse("2026-01-01T00:00:00Z");
  const queues = [{ name: TRANSFER_QUEUE, maxReceives: 5, visibilitySeconds: 600 }];
  const idle = await openIdleHome({ clock: () => now, queues });
  const principal = {
    kind: "user",
    id: "user_1",
    org: "org_1",
    operator: false,
    plan: "pro",
    permissions: [],
  } as const;
  home = { ...idle.home, org: "org_1", viewer: undefined, principal };
});

/** The home whose records fail at each write that the test picks, before it is done or after it. */
function failing(when: (place: number) => "before" | "after" | undefined): Context {
  let place = 0;
  const { records } = home.ports;
  const write = async (...writes: Write[]) => {
    const failure = when(place++);
    if (failure === "before") throw new Error("the line went dead");
    await records.write(...writes);
    if (failure === "after") throw new Error("the answer was lost");
  };
  const faulty = new Proxy(records, {
    get: (target, name: keyof RecordStore) => (name === "write" ? write : target[name].bind(target)),
  });
  return {
    ...home,
    ports: new Proxy(home.ports, { get: (ports, name) => (name === "records" ? faulty : ports[name as "blobs"]) }),
  };
}

async function contents(): Promise<string[]> {
  const { memories } = await listMemoriesAfter({ ...home, viewer: undefined }, {}, { limit: 1000 });
  return memories.map(({ content }) => content).sort();
}

const rows = Array.from({ length: ROWS }, (_, place) => ({
  content: `Berth ${place} is free.`,
  entities: [{ name: "Berth", type: "place" }],
  facts: [],
  compression: { original_tokens: 5, compressed_tokens: 5, reduction_percentage: 0 },
}));
const expected = rows.map(({ content }) => content).sort();

it.each(["before", "after"] as const)("stores each row once where writes fail %s they are done", async (when) => {
  const { id } = await beginImport(home, rows);
  const faulty = failing((place) => (place % 4 === 3 ? when : undefined));
  for (let turn = 0; turn < 12; turn++) await workOn(faulty, id, TURN_MS);
  expect(await contents()).toEqual(expected);
  expect(await getEvent(home, id)).toMatchObject({
    status: "COMPLETED",
    progress: { total: ROWS, done: ROWS, failed: 0 },
  });
  await workOn(home, id, TURN_MS);
  expect(await contents()).toEqual(expected);
});

it("stores each row once where several work on it at a time", async () => {
  const { id } = await beginImport(home, rows);
  await Promise.all([1, 2, 3].map(() => workOn(home, id, TURN_MS)));
  await workOn(home, id, TURN_MS);
  expect(await contents()).toEqual(expected);
  expect((await getEvent(home, id)).status).toBe("COMPLETED");
});

it("goes on with what was begun and left, and gives up what never gets further", async () => {
  const { id } = await beginImport(home, rows);
  expect(await resumeTransfers(home)).toBe(0);
  now += 11 * 60_000;
  expect(await resumeTransfers(home)).toBe(1);
  const stuck = failing((place) => (place % 3 === 2 ? "before" : undefined));
  for (let turn = 0; turn < 4; turn++) await workOn(stuck, id, TURN_MS);
  expect((await getEvent(home, id)).status).toBe("RUNNING");
  await workOn(home, id, TURN_MS);
  expect(await getEvent(home, id)).toMatchObject({ status: "FAILED", errors: [{ code: "INTERNAL_ERROR" }] });
  now += 60 * 60_000;
  expect(await resumeTransfers(home)).toBe(0);
  expect(await contents()).toEqual([]);
});

it("stores a row that names an entity twice, as one that it relates to, and the rows behind it", async () => {
  const named = [
    { name: "Ada", type: "person" },
    { name: "ada", type: "person", relationship_type: "knows", strength: 0.5 },
    { name: "ADA", type: "person" },
    { name: "Ada", type: "place" },
  ];
  const { id } = await beginImport(home, [{ ...rows[0], entities: named }, ...rows.slice(1)]);
  await workOn(home, id, TURN_MS);
  expect(await getEvent(home, id)).toMatchObject({ status: "COMPLETED", progress: { done: ROWS, failed: 0 } });
  expect(await contents()).toEqual(expected);
  const { memories } = await listMemoriesAfter({ ...home, viewer: undefined }, {}, { limit: 1000 });
  const known = memories.find(({ content }) => content === rows[0]?.content)?.entities;
  expect(known?.map(({ id: _id, ...entity }) => entity)).toEqual([named[1], named[3]]);
});

it("names a row whose record would be too large, and stores the others", async () => {
  const long = (characters: number) => "\u6f22".repeat(characters);
  const entities = Array.from({ length: 90 }, (_, n) => ({
    name: `${n} ${long(190)}`,
    type: long(64),
    relationship_type: long(256),
  }));
  const facts = Array.from({ length: 60 }, (_, n) => ({
    content: `${n} ${long(390)}`,
    confidence: 1,
    category: long(256),
  }));
  const categories = Array.from({ length: 100 }, (_, n) => `${n} ${long(250)}`);
  const content = "x".repeat(64_000);
  const { id } = await beginImport(home, [{ ...rows[0], content, entities, facts, categories }, ...rows.slice(1)]);
  await workOn(home, id, TURN_MS);
  const event = await getEvent(home, id);
  expect(event).toMatchObject({ status: "COMPLETED", progress: { done: ROWS - 1, failed: 1 } });
  expect(event.errors).toMatchObject([{ index: 0, code: "VALIDATION_ERROR" }]);
  expect(await contents()).toEqual(
    rows
      .slice(1)
      .map((row) => row.content)
      .sort(),
  );
});
