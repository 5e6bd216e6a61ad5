import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { createOrganization, openService } from "../../../../test/support/service.ts";
import type { FactDraft } from "../../../language/slots/fact.ts";
import { fromItem } from "../../../ports/item.ts";
import { queryPages } from "../../../ports/pages.ts";
import type { RecordStore, StoredRecord, Write } from "../../../ports/record-store.ts";
import { cleanRecords } from "../../operations/maintenance/cleanup-passes.ts";
import { Tally } from "../../operations/maintenance/pass.ts";
import { factsIn, factsOfMemories, factsOfSlots, type PlacedFact, type StatingRecord } from "../fact-reader.ts";
import { listFacts } from "../list-facts.ts";
import type { Memory } from "../memory.ts";
import { memoryKey } from "../memory-keys.ts";
import { findMemory, findMemoryRecords } from "../records.ts";
import { storeObserved } from "../store-observed.ts";
import { FACT_KIND, putFact, type StoredFact, toStoredFact, withoutCorrections } from "./records.ts";

const service = await openService();
const { org, key } = await createOrganization(service);
afterAll(() => service.close());

const reader = () => ({ ...service.runtime, org, viewer: undefined });
const newUser = () => service.runtime.ids("test");

const CITIES = ["Lisbon", "Porto", "Berlin", "Rome", "Oslo"];
const statementOf = (place: number) => ({
  content: `I live in ${CITIES[place]}.`,
  occurred_at: `2026-0${place + 1}-10T09:00:00Z`,
});

async function ask(method: string, path: string, body?: object) {
  const answer = await service.request(method, path, { key, ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

const say = async (user_id: string, place: number): Promise<string> =>
  (await ask("POST", "/memories", { user_id, ...statementOf(place) })).id;

const listed = async (user_id: string): Promise<PlacedFact[]> =>
  (await listFacts(reader(), { user_id }, { limit: 100, offset: 0 }, new AbortController().signal)).facts;

it("a list ends when the client leaves", async () => {
  await say("leaver", 0);
  const signal = AbortSignal.abort(new Error("the client has left"));
  const page = { limit: 1, offset: 0 };
  await expect(listFacts(reader(), { user_id: "leaver" }, page, signal)).rejects.toThrow("the client has left");
});

/** Returns what the facts say, without their ids. */
function pictureOf(facts: PlacedFact[]) {
  const valueBy = (id: string | undefined) => facts.find((fact) => fact.id === id)?.value;
  return facts.map(({ value, status, valid_from, valid_to, supersedes, superseded_by }) => {
    return { value, status, valid_from, valid_to, after: valueBy(supersedes), before: valueBy(superseded_by) };
  });
}

/** Operations on a statement that are undone again; each returns the statement's id afterwards. */
const DEEDS: { [name: string]: (user: string, place: number, id: string) => Promise<string> } = {
  async delete(user, place, id) {
    await ask("DELETE", `/memories/${id}`);
    return say(user, place);
  },
  async expire(user, place, id) {
    await ask("POST", `/memories/${id}/expire`, {});
    return say(user, place);
  },
  async revise(_user, _place, id) {
    const { version } = await ask("GET", `/memories/${id}`);
    await ask("PUT", `/memories/${id}`, { content: "I live in Atlantis." });
    await ask("POST", `/memories/${id}/restore`, { version });
    return id;
  },
  async retract(user, place, id) {
    const fact = (await listed(user)).find(({ value }) => value === CITIES[place]);
    await ask("POST", `/facts/${fact?.id}/retract`);
    await ask("POST", `/facts/${fact?.id}/restore`);
    return id;
  },
};

it("leads to the same facts by any order of statements, and by anything that is done and undone", async () => {
  const places = CITIES.map((_, place) => place);
  const deeds = fc.array(fc.tuple(fc.constantFrom(...Object.keys(DEEDS)), fc.constantFrom(...places)), {
    maxLength: 4,
  });
  const order = fc.shuffledSubarray(places, { minLength: places.length });
  const plain = newUser();
  for (const place of places) await say(plain, place);
  const expected = pictureOf(await listed(plain));
  expect(expected.map(({ status }) => status)).toEqual([...places.slice(1).map(() => "superseded"), "current"]);
  await fc.assert(
    fc.asyncProperty(order, deeds, async (said, done) => {
      const user = newUser();
      const ids = new Map<number, string>();
      for (const place of said) ids.set(place, await say(user, place));
      for (const [name, place] of done) {
        ids.set(place, (await DEEDS[name]?.(user, place, ids.get(place) ?? "")) ?? "");
      }
      expect(pictureOf(await listed(user))).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

it("reads a slot alike by its name, by its memories and in lists", async () => {
  const user = newUser();
  const id = await say(user, 1);
  await say(user, 0);
  const memory = await findMemory(reader(), id);
  const facts = await listed(user);
  expect(facts).toHaveLength(2);
  expect(await factsOfMemories(reader(), memory ? [memory] : [])).toEqual(facts);
  const slots = [...new Set(memory?.observations?.map(({ slot }) => slot))];
  expect(await factsOfSlots(reader(), user, slots)).toEqual(facts);
});

it("tells users apart whose names are alike", async () => {
  const names = ["a", "a#", "a#user|lives_in", "a%23", "%", "ü".repeat(256), `${"ü".repeat(255)}y`];
  for (const [place, name] of names.entries()) await say(name, place % CITIES.length);
  for (const [place, name] of names.entries()) {
    expect((await listed(name)).map(({ value }) => value)).toEqual([CITIES[place % CITIES.length]]);
  }
});

it.each(["a", "#", "%", "ﷺ", "𝔘", "İ"])("keeps the keys of names of %s within what DynamoDB allows", (letter) => {
  const name = letter.repeat(100 / letter.length);
  const span = { start: 0, end: 1 };
  const draft = {
    subject: name,
    attribute: name,
    value: name,
    act: "state",
    cardinality: "single",
    confidence: 1,
    span,
  };
  const observed_at = "2026-01-10T09:00:00Z";
  const known = { id: `fact_${"0".repeat(26)}`, memory_id: "mem_1", observed_at, content: name };
  const of = { org, user_id: letter.repeat(256), created_at: observed_at, version: 1 };
  const { gsi1sk = "" } = putFact({ ...draft, ...known, ...of } as StoredFact).put;
  expect(Buffer.byteLength(gsi1sk)).toBeLessThanOrEqual(1024);
});

async function recordsOf(memory: string): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  const { pk } = memoryKey(org, memory);
  for await (const items of queryPages(service.runtime.ports.records, { pk, limit: 100 })) records.push(...items);
  return records.filter(({ kind }) => kind === FACT_KIND);
}

it("keeps one record a fact, which goes with what states it", async () => {
  const user = newUser();
  const id = await say(user, 0);
  const [first] = await recordsOf(id);
  await ask("POST", `/memories/${id}/restore`, { version: 1 });
  expect(await recordsOf(id)).toEqual([first]);
  await ask("PUT", `/memories/${id}`, { content: "I live in Porto." });
  expect((await recordsOf(id)).map(({ value }) => value)).toEqual(["Porto"]);
  await ask("DELETE", `/memories/${id}`);
  await service.runtime.drainChangeFeed();
  expect(await recordsOf(id)).toEqual([]);
});

it("repeats in a memory what the records of its facts say, as long as nobody decides about them", async () => {
  const user = newUser();
  const id = await say(user, 0);
  const unread = { getMany: () => Promise.reject(new Error("reads facts")) } as unknown as RecordStore;
  const repeated = async (without: Partial<StatingRecord> = {}) => {
    const records = await findMemoryRecords(reader(), [id]);
    const memories = records.map((record) => ({ ...fromItem<Memory>(record), ...without }));
    const facts = await factsIn({ org, ports: { records: unread } }, memories).catch(() => undefined);
    expect(await factsIn(reader(), memories)).toEqual((await recordsOf(id)).map(toStoredFact));
    return facts !== undefined && facts.length > 0;
  };
  expect(await repeated()).toBe(true);
  const [fact] = await listed(user);
  await ask("PUT", `/facts/${fact?.id}`, { value: "Lisboa" });
  expect(await repeated()).toBe(false);
  await ask("PUT", `/memories/${id}`, { content: "I live in Porto." });
  expect(await repeated()).toBe(true);
  // The statement is kept, and so is who wrote it.
  const { key: other } = (await ask("POST", "/api-keys", { name: "other", permissions: ["memory:write"] })) as {
    key: string;
  };
  const body = { content: "I live in Porto. It rains." };
  expect((await service.request("PUT", `/memories/${id}`, { key: other, body })).status).toBe(200);
  await repeated();
  // Long content is no part of the record.
  await ask("PUT", `/memories/${id}`, { content: "I live in Oslo." });
  expect([await repeated(), await repeated({ content: undefined })]).toEqual([true, false]);
});

it("stores what a new reading is surer of, unless a person decided about it, and the same reading never again", async () => {
  const user = newUser();
  const names = ["Oslo", "Rome", "Ghent", "Riga", "Turin", "Basel", "Bonn", "Kyiv", "Lyon", "Cork"];
  const content = names.map((name, place) => `Person${String.fromCharCode(97 + place)} lives in ${name}.`).join(" ");
  const id = await ask("POST", "/memories", { user_id: user, content }).then((memory) => memory.id);
  const stored = (await recordsOf(id)).map(toStoredFact);
  expect(stored).toHaveLength(names.length);
  const [decided] = await listed(user);
  await ask("POST", `/facts/${decided?.id}/retract`);
  const runtime = { ...service.runtime, org };
  const at = stored[0]?.observed_at ?? "";
  const written: number[] = [];
  const counting = (records: RecordStore): RecordStore =>
    Object.assign(Object.create(records), {
      write: (...writes: Write[]) => {
        written.push(writes.length);
        return records.write(...writes);
      },
    });
  const readWith = async (change: Partial<FactDraft>) => {
    const memory = await findMemory(reader(), id);
    const drafts = stored.map((fact) => ({ ...withoutCorrections(fact), ...change }));
    const ports = { ...runtime.ports, records: counting(runtime.ports.records) };
    if (memory !== undefined) await storeObserved({ ...runtime, ports }, memory, { at, drafts });
  };
  await readWith({ confidence: 0.9 });
  await readWith({ confidence: 0.9 });
  await readWith({ confidence: 0.9, is_guess: true });
  expect(written).toEqual([names.length, 1, names.length]);
  const kept = (await recordsOf(id)).map(toStoredFact).filter((fact) => fact.id !== decided?.id);
  expect(kept.every(({ confidence, is_guess }) => confidence === 0.9 && is_guess)).toBe(true);
  expect(await listed(user)).toMatchObject([{ status: "retracted", confidence: decided?.confidence }]);
});

it("stores and replaces the facts of a long text whole, and cleans up what no memory names", async () => {
  const user = newUser();
  const names = Array.from({ length: 90 }, (_, place) => `Person${String.fromCharCode(97 + (place % 26))}x${place}`);
  const content = names.map((name) => `${name} Miller has lived in Zurich.`).join(" ");
  const { id } = await ask("POST", "/memories", { user_id: user, content });
  const stored = await recordsOf(id);
  expect(stored.length).toBeGreaterThan(40);
  await ask("PUT", `/memories/${id}`, { content: content.replaceAll("Miller", "Baker").replaceAll("Zurich", "Basel") });
  const named = (await findMemory(reader(), id))?.observations?.map((reference) => reference.id) ?? [];
  expect(named).toHaveLength(stored.length);
  const idsOf = async () => (await recordsOf(id)).map((record) => String(record.id)).sort();
  expect(await idsOf()).toEqual(expect.arrayContaining(named));
  for (const fact of await listed(user)) expect(fact.value).toContain("Basel");
  const before = new Date(service.runtime.clock() + 1000).toISOString();
  const options = { operations: ["orphaned_memories" as const], dry_run: false, older_than_days: 0, before };
  const runtime = { ...service.runtime, org };
  let cursor: string | undefined;
  do cursor = await cleanRecords(runtime, { id: "job_test", options }, new Tally({}), cursor);
  while (cursor !== undefined);
  expect(await idsOf()).toEqual(named.sort());
});

it("compares memories about no user where their subject has a name", async () => {
  const ids: string[] = [];
  for (const content of ["Nadia lives in Ghent.", "Nadia lives in Bruges.", "I live in Bonn."]) {
    ids.push((await ask("POST", "/memories", { content, occurred_at: `2026-0${ids.length + 1}-10T09:00:00Z` })).id);
  }
  const memories = await Promise.all(ids.map((id) => findMemory(reader(), id)));
  const found = memories.flatMap((memory) => memory ?? []);
  const facts = await factsOfMemories(reader(), found);
  expect(facts.map(({ value, status }) => [value, status])).toEqual([
    ["Ghent", "superseded"],
    ["Bruges", "current"],
  ]);
});
