import fc from "fast-check";
import { afterAll, expect, it, vi } from "vitest";
import { createOrganization, openService } from "../../../../test/support/service.ts";
import type { RecordKey } from "../../../ports/record-store.ts";
import { decisionsOf } from "../../memory/fact-reader.ts";
import { listMemoriesAfter } from "../../memory/memory-lists.ts";
import type { MemoryRow } from "./rows/row.ts";

const service = await openService();
const { org, key: source } = await createOrganization(service);
const target = (await createOrganization(service)).key;
afterAll(() => service.close());

const newUser = () => service.runtime.ids("test");

async function send(key: string, method: string, path: string, body?: object) {
  const answer = await service.request(method, path, { key, ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

interface ShownFact {
  id: string;
  value: string;
  [field: string]: unknown;
}

const factsOf = async (key: string, user: string, query = ""): Promise<ShownFact[]> =>
  (await send(key, "GET", `/facts?user_id=${user}&limit=100${query}`)).data.facts;

/** Returns the visible fields of a user's facts, without their ids and in a fixed order. */
async function pictureOf(key: string, user: string, query = "") {
  const facts = await factsOf(key, user, query);
  const nameOf = (id: unknown) => {
    const fact = facts.find((each) => each.id === id);
    return fact && [fact.content, fact.attribute, fact.value];
  };
  const shown = facts.map(({ subject, attribute, value, status, act, decision, ...fact }) => {
    const { valid_from, valid_to, observed_at, content, supersedes, superseded_by } = fact;
    const fields = { subject, attribute, value, status, act, decision, valid_from, valid_to, observed_at, content };
    return JSON.stringify({ ...fields, after: nameOf(supersedes), before: nameOf(superseded_by) });
  });
  return shown.sort();
}

const picturesOf = async (key: string, user: string) => [
  await pictureOf(key, user),
  await pictureOf(key, user, "&as_of=2026-02-15"),
  await pictureOf(key, user, "&status=current"),
];

const exportOf = async (key: string, user_id: string, format = "json") =>
  send(key, "POST", "/exports", { user_id, format });

async function importRows(key: string, body: object) {
  const { event_id } = await send(key, "POST", "/imports", body);
  return eventOf(key, event_id);
}

const eventOf = (key: string, id: string) =>
  vi.waitFor(
    async () => {
      const event = await send(key, "GET", `/events/${id}`);
      expect(["completed", "FAILED"]).toContain(event.status);
      return event;
    },
    { timeout: 20_000, interval: 20 },
  );

const STATEMENTS = [
  "I live in Lisbon.",
  "I moved to Porto.",
  "I moved to Berlin. My sister works for Acme.",
  "I no longer work at Acme.",
  "I like tea and I like chess.",
  "The port of geo-cache is 7300.",
  "The port of geo-cache is 7400, and the launch is on 14 May 2026.",
  "I was in Rome from 3 May 2026 to 9 May 2026.",
];

const statement = fc.record({ content: fc.constantFrom(...STATEMENTS), month: fc.integer({ min: 1, max: 6 }) });

const date = fc.constantFrom("2025-11-01", "2026-03-01T08:00:00+01:00");
const correction = fc
  .record(
    {
      subject: fc.constantFrom("user", "Ada"),
      attribute: fc.constantFrom("works_at", "lives_in"),
      value: fc.constantFrom("Oslo", "Bern"),
      valid_from: fc.option(date),
      valid_to: fc.option(date),
    },
    { requiredKeys: [] },
  )
  .filter((fields) => Object.keys(fields).length > 0);

const decision = fc.record({
  place: fc.nat(20),
  act: fc.oneof(
    fc.constantFrom({ method: "POST", path: "/retract" }, { method: "POST", path: "/restore" }),
    correction.map((body) => ({ method: "PUT", path: "", body })),
  ),
});

async function tell(user_id: string, statements: { content: string; month: number }[]): Promise<void> {
  for (const { content, month } of statements) {
    await send(source, "POST", "/memories", { user_id, content, occurred_at: `2026-0${month}-10T09:00:00Z` });
  }
}

it("gives another organization the same facts, whatever was decided", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(statement, { minLength: 1, maxLength: 4 }),
      fc.array(decision, { minLength: 1, maxLength: 6 }),
      async (statements, decided) => {
        const user = newUser();
        await tell(user, statements);
        const facts = await factsOf(source, user);
        fc.pre(facts.length > 0);
        for (const { place, act } of decided) {
          const { id } = facts[place % facts.length] as ShownFact;
          await send(source, act.method, `/facts/${id}${act.path}`, "body" in act ? act.body : undefined);
        }
        const { format_version, memories } = await exportOf(source, user);
        const event = await importRows(target, { format_version, memories });
        expect(event).toMatchObject({ status: "completed", progress: { failed: 0 } });
        expect(await picturesOf(target, user)).toEqual(await picturesOf(source, user));
        expect((await exportOf(target, user)).memories).toEqual(memories);
      },
    ),
    { numRuns: 25 },
  );
});

const lives = { content: "I live in Lisbon.", month: 1 };

/** Creates a user at the source with one fact that was corrected and retracted; returns the rows of its export. */
async function decided(): Promise<{ user: string; rows: MemoryRow[] }> {
  const user = newUser();
  await tell(user, [lives]);
  const [fact] = await factsOf(source, user);
  await send(source, "PUT", `/facts/${fact?.id}`, { value: "Porto" });
  await send(source, "POST", `/facts/${fact?.id}/retract`);
  return { user, rows: (await exportOf(source, user)).memories };
}

it("stores who imported a decision, and when it was made", async () => {
  const { user, rows } = await decided();
  await importRows(target, { memories: rows });
  const [fact] = await factsOf(target, user);
  const { decisions, version } = (await send(target, "GET", `/facts/${fact?.id}`)).data;
  const at = rows[0]?.fact_decisions?.[0]?.at;
  const by = expect.any(String);
  expect(decisions).toEqual([
    { action: "corrected", by, at, before: { value: "Lisbon" } },
    { action: "retracted", by, at },
  ]);
  expect(version).toBe(3);
  const restored = await send(target, "POST", `/facts/${fact?.id}/restore`);
  expect(restored.data).toMatchObject({ value: "Porto", status: "current" });
});

it("keeps the original text over more corrections than a fact lists", async () => {
  const user = newUser();
  await tell(user, [lives]);
  const [fact] = await factsOf(source, user);
  for (let turn = 0; turn <= 50; turn++) await send(source, "PUT", `/facts/${fact?.id}`, { value: `City ${turn}` });
  const { memories } = await exportOf(source, user);
  expect(memories[0].fact_decisions).toMatchObject([{ fact: { value: "Lisbon" }, corrected: { value: "City 50" } }]);
  await send(source, "PUT", `/facts/${fact?.id}`, { value: "Lisbon" });
  expect((await exportOf(source, user)).memories[0].fact_decisions).toBeUndefined();
});

it("keeps two concurrent decisions about one memory", async () => {
  const user = newUser();
  await tell(user, [{ content: "I like tea and I like chess.", month: 1 }]);
  const facts = await factsOf(source, user);
  expect(facts.length).toBeGreaterThan(1);
  await Promise.all(facts.map(({ id }) => send(source, "POST", `/facts/${id}/retract`)));
  expect((await exportOf(source, user)).memories[0].fact_decisions).toHaveLength(facts.length);
});

it("reads only facts of memories with decisions, in one round trip", async () => {
  const { user } = await decided();
  await tell(user, [
    { content: "I moved to Berlin.", month: 2 },
    { content: "I like tea and I like chess.", month: 3 },
  ]);
  const { records } = service.runtime.ports;
  const getMany = vi.fn((keys: RecordKey[]) => records.getMany(keys));
  const ports = { ...service.runtime.ports, records: { ...records, getMany } };
  const { memories } = await listMemoriesAfter(
    { ...service.runtime, org, viewer: undefined },
    { user_id: user },
    { limit: 9 },
  );
  expect(memories).toHaveLength(3);
  const undecided = memories.filter(({ content }) => content !== lives.content);
  expect([...(await decisionsOf({ ports, org }, undecided)).keys()]).toEqual([]);
  expect(getMany).not.toHaveBeenCalled();
  expect((await decisionsOf({ ports, org }, memories)).size).toBe(1);
  expect(getMany.mock.calls).toMatchObject([[{ length: 1 }]]);
});

it.each(["jsonl", "csv"])("are imported from %s, too", async (format) => {
  const { user } = await decided();
  const { event_id } = await exportOf(source, user, format);
  const { files } = await eventOf(source, event_id);
  const { pathname, search } = new URL(files[0].download_url);
  const { bytes } = await service.request("GET", pathname + search, { key: null });
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], "memories"));
  const answer = await service.request("POST", "/imports/upload", { key: target, body: form });
  expect(await eventOf(target, answer.body.event_id)).toMatchObject({ imported: 1 });
  expect(await picturesOf(target, user)).toEqual(await picturesOf(source, user));
});

it.each([1, 2])("accepts an export of format %i, which contains no decisions", async (format_version) => {
  const { user, rows } = await decided();
  const memories = rows.map(({ fact_decisions: _, ...row }) => row);
  expect(await importRows(target, { format_version, memories })).toMatchObject({ imported: 1 });
  expect(await factsOf(target, user)).toMatchObject([{ value: "Lisbon", status: "current", version: 1 }]);
});

type Carried = NonNullable<MemoryRow["fact_decisions"]>;

const HOSTILE: { [name: string]: { given: (own: Carried[number]) => unknown; outcome: "imported" | "failed" } } = {
  "of a fact that the text does not state": {
    given: (own) => [{ ...own, fact: { ...own.fact, value: "Rome" } }],
    outcome: "imported",
  },
  "of another place of the text": {
    given: (own) => [{ ...own, fact: { ...own.fact, span: { start: 0, end: 999_999_999 } } }],
    outcome: "imported",
  },
  "that names a fact's id": { given: (own) => [{ ...own, id: "fact_1" }], outcome: "failed" },
  "of an unknown attribute": { given: (own) => [{ ...own, corrected: { memory_id: "mem_1" } }], outcome: "failed" },
  "of a date that is none": { given: (own) => [{ ...own, corrected: { valid_from: "soon" } }], outcome: "failed" },
  "that decides nothing": { given: ({ fact, at }) => [{ fact, at }], outcome: "failed" },
  "of another action": { given: (own) => [{ ...own, decision: "deleted" }], outcome: "failed" },
  "a thousand times": { given: (own) => Array.from({ length: 1000 }, () => own), outcome: "failed" },
};

it.each(Object.entries(HOSTILE))("a decision %s changes no fact", async (_name, { given, outcome }) => {
  const { user, rows } = await decided();
  const [row] = rows as [MemoryRow];
  const [own] = row.fact_decisions as [Carried[number]];
  const event = await importRows(target, { memories: [{ ...row, fact_decisions: given(own) }] });
  const failed = outcome === "failed" ? 1 : 0;
  expect(event).toMatchObject({ progress: { total: 1, done: 1 - failed, failed } });
  if (failed) expect(event.errors[0].message).toContain("fact_decisions");
  const expected = failed ? [] : [{ value: "Lisbon", status: "current", version: 1 }];
  expect(await factsOf(target, user)).toMatchObject(expected);
});
