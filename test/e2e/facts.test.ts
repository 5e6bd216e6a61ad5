import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import type { Fact } from "../../shared/domain/memory/facts/wire.ts";
import type { Answered } from "../support/service.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
  caller = await target.organization();
});
afterAll(() => target.close());

let users = 0;
const newUser = () => `witness_${++users}`;

async function ok(answer: Promise<Answered>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data;
}

const say = async (user_id: string, content: string, occurred_at: string, by = caller): Promise<string> =>
  (await ok(by.post("/memories", { content, user_id, occurred_at }))).id;

type ShownFact = z.output<typeof Fact>;

const factsOf = async (user_id: string, query = "", by = caller): Promise<ShownFact[]> =>
  (await ok(by.get(`/facts?user_id=${user_id}${query}`))).facts;

const told = (facts: ShownFact[]) => facts.map(({ value, status }) => `${value} ${status}`);

/** Expects the facts of a list with their status; lists may lag behind on AWS. */
const expectTold = (list: Parameters<typeof factsOf>, expected: string[]) =>
  eventually(async () => expect(told(await factsOf(...list))).toEqual(expected));

type Statement = [content: string, occurred_at: string];
const HISTORY: Statement[] = [
  ["I live in Lisbon.", "2026-01-10T09:00:00Z"],
  ["I moved to Porto.", "2026-03-10T09:00:00Z"],
  ["I moved to Berlin.", "2026-05-10T09:00:00Z"],
];
const [LISBON, PORTO, BERLIN] = HISTORY as [Statement, Statement, Statement];

const NO_COMPRESSION = { original_tokens: 4, compressed_tokens: 4, reduction_percentage: 0 };

/** Returns what a reader sees of a user's facts, independent of ids. */
async function pictureOf(user: string, by = caller) {
  const facts = await factsOf(user, "", by);
  const valueBy = (id: string | undefined) => facts.find((fact) => fact.id === id)?.value;
  return facts.map(({ value, status, valid_from, valid_to, supersedes, superseded_by }) => {
    return { value, status, valid_from, valid_to, after: valueBy(supersedes), before: valueBy(superseded_by) };
  });
}

it("lists no fact of a statement that fits no slot", async () => {
  const user = newUser();
  await say(user, "The new scanner shows every scratch.", "2024-01-10T09:00:00Z");
  await expectTold([user], []);
});

describe("the facts of a slot", () => {
  it("return current and superseded values, and the value at a time", async () => {
    const user = newUser();
    const lisbon = await say(user, ...LISBON);
    await say(user, ...PORTO);
    const facts = await factsOf(user);
    expect(told(facts)).toEqual(["Lisbon superseded", "Porto current"]);
    const [before, now] = facts as [ShownFact, ShownFact];
    expect(before).toMatchObject({ memory_id: lisbon, superseded_by: now.id });
    expect("I live in Lisbon.".slice(before.span.start, before.span.end)).toBe(before.content);
    expect(now).toMatchObject({ supersedes: before.id, subject: "user", attribute: "lives_in" });
    await expectTold([user, "&as_of=2026-02-01"], ["Lisbon current"]);
    await expectTold([user, "&status=current"], ["Porto current"]);
    await expectTold([user, "&subject=User&attribute=lives_in&limit=1"], ["Lisbon superseded"]);
    expect(await factsOf(user, "&subject=Ada")).toEqual([]);
    expect(await factsOf(user, "&attribute=works_at")).toEqual([]);
  });

  it("are the same for any order of arrival", async () => {
    const pictures = [];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
      [2, 0, 1],
    ]) {
      const user = newUser();
      for (const index of order) await say(user, ...(HISTORY[index] ?? LISBON));
      pictures.push(await pictureOf(user));
    }
    for (const picture of pictures) expect(picture).toEqual(pictures[0]);
    expect(pictures[0]?.map(({ status }) => status)).toEqual(["superseded", "superseded", "current"]);
  });

  it("have one current value if several are stored concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const user = newUser();
      const statements = ["Lisbon", "Porto", "Berlin", "Rome"].map((city) => `I live in ${city}.`);
      await Promise.all(statements.map((content) => say(user, content, "2026-01-10T09:00:00Z")));
      const facts = await factsOf(user);
      expect(facts).toHaveLength(statements.length);
      expect(facts.filter(({ status }) => status === "current")).toHaveLength(1);
    }
  });

  it("are current again when their successor is deleted, and superseded when it is repeated", async () => {
    const user = newUser();
    await say(user, ...LISBON);
    const before = await pictureOf(user);
    const porto = await say(user, ...PORTO);
    const after = await pictureOf(user);
    await ok(caller.delete(`/memories/${porto}`));
    expect(await pictureOf(user)).toEqual(before);
    await say(user, ...PORTO);
    expect(await pictureOf(user)).toEqual(after);
  });

  it("follow changes and restores of their memory", async () => {
    const user = newUser();
    const id = await say(user, ...LISBON);
    const before = await factsOf(user);
    await ok(caller.put(`/memories/${id}`, { content: "I moved to Porto." }));
    await expectTold([user], ["Porto current"]);
    expect((await caller.get(`/facts/${before[0]?.id}`)).body.error.code).toBe("FACT_NOT_FOUND");
    await ok(caller.post(`/memories/${id}/restore`, { version: 1 }));
    expect(await factsOf(user)).toEqual(before);
    await ok(caller.put(`/memories/${id}`, { metadata: { seen: true } }));
    expect(await factsOf(user)).toEqual(before);
    await ok(caller.put(`/memories/${id}`, { occurred_at: "2025-12-01T00:00:00Z" }));
    const [moved] = (await factsOf(user)) as [ShownFact];
    expect(Date.parse(moved.observed_at)).toBe(Date.parse("2025-12-01"));
  });

  it("disappear when their memory expires", async () => {
    const user = newUser();
    await say(user, ...LISBON);
    const porto = await say(user, ...PORTO);
    await ok(caller.post(`/memories/${porto}/expire`, {}));
    await expectTold([user], ["Lisbon current"]);
  });

  it("are listed in pages", async () => {
    const user = newUser();
    for (const each of HISTORY) await say(user, ...each);
    const first = await ok(caller.get(`/facts?user_id=${user}&limit=2`));
    const second = await ok(caller.get(`/facts?user_id=${user}&limit=2&offset=2`));
    expect(first.pagination).toMatchObject({ total: 3, limit: 2, offset: 0, has_next: true });
    expect(second.pagination).toEqual({ total: 3, limit: 2, offset: 2, has_next: false });
    expect([...first.facts, ...second.facts]).toEqual(await factsOf(user));
  });
});

describe("facts of imported memories", () => {
  it.each([
    ["even if the row contains facts", { facts: [], entities: [], compression: NO_COMPRESSION }],
    ["if the row contains no facts", {}],
  ])("are read from their content, %s", async (_how, told) => {
    const user = newUser();
    const memories = [LISBON, PORTO].map(([content, occurred_at]) => ({
      content,
      user_id: user,
      occurred_at,
      ...told,
    }));
    expect((await caller.post("/imports", { memories })).status).toBe(202);
    await expectTold([user], ["Lisbon superseded", "Porto current"]);
  });
});

describe("a decision on a fact", () => {
  async function two(): Promise<{ user: string; lisbon: ShownFact; porto: ShownFact }> {
    const user = newUser();
    await say(user, ...LISBON);
    await say(user, ...PORTO);
    const [lisbon, porto] = (await factsOf(user)) as [ShownFact, ShownFact];
    return { user, lisbon, porto };
  }

  it("is recorded, and can be undone", async () => {
    const { user, porto } = await two();
    const before = await pictureOf(user);
    const retracted = await ok(caller.post(`/facts/${porto.id}/retract`));
    expect(retracted).toMatchObject({ status: "retracted", decision: "retracted", version: 2 });
    expect(retracted.decisions).toEqual([{ action: "retracted", by: expect.any(String), at: expect.any(String) }]);
    await expectTold([user], ["Lisbon current", "Porto retracted"]);
    const restored = await ok(caller.post(`/facts/${porto.id}/restore`));
    expect(restored.decisions.map(({ action }: { action: string }) => action)).toEqual(["retracted", "restored"]);
    expect(restored.history).toHaveLength(2);
    expect(await pictureOf(user)).toEqual(before);
  });

  it("is idempotent", async () => {
    const { porto } = await two();
    const once = await ok(caller.post(`/facts/${porto.id}/retract`));
    expect(await ok(caller.post(`/facts/${porto.id}/retract`))).toEqual(once);
  });

  it("restores a superseded fact as the current one", async () => {
    const { user, lisbon } = await two();
    expect(await ok(caller.post(`/facts/${lisbon.id}/restore`))).toMatchObject({ decision: "restored" });
    const [first] = await factsOf(user);
    expect(first).toMatchObject({ value: "Lisbon", status: "current" });
  });

  it("corrects the attribute and value, and keeps the previous ones", async () => {
    const { user, porto } = await two();
    const corrected = await ok(caller.put(`/facts/${porto.id}`, { attribute: "works_in", value: "Oporto" }));
    expect(corrected).toMatchObject({ attribute: "works_in", value: "Oporto", version: 2 });
    expect(corrected.decisions).toMatchObject([
      { action: "corrected", before: { attribute: "lives_in", value: "Porto" } },
    ]);
    await expectTold([user, "&subject=user&attribute=lives_in"], ["Lisbon current"]);
    await expectTold([user, "&subject=user&attribute=works_in"], ["Oporto current"]);
  });

  it("changes nothing if the body is what GET returned, and rejects another version", async () => {
    const { lisbon } = await two();
    const shown = await ok(caller.get(`/facts/${lisbon.id}`));
    expect(await ok(caller.put(`/facts/${lisbon.id}`, shown))).toEqual(shown);
    const body = { value: "Lisboa" };
    const late = await caller.put(`/facts/${lisbon.id}`, body, { headers: { "If-Match": '"7"' } });
    expect(late.status).toBe(412);
  });

  it("corrects the start date, which null resets", async () => {
    const { user, porto } = await two();
    await ok(caller.put(`/facts/${porto.id}`, { valid_from: "2025-01-01" }));
    await expectTold([user], ["Porto superseded", "Lisbon current"]);
    const { body } = await caller.put(`/facts/${porto.id}`, { valid_from: null });
    expect(body.data.valid_from).toBe(porto.valid_from);
  });
});

describe("access to facts", () => {
  const ALL = ["memory:read", "memory:write", "agents:read", "agents:write"];

  async function agentOf(admin: Caller): Promise<{ id: string; own: Caller }> {
    const { id } = await ok(admin.post("/agents", { name: "Guide", model: "m" }));
    const { key } = await ok(admin.post("/api-keys", { name: "an agent's", permissions: ALL, agent_id: id }));
    return { id, own: admin.as(key) };
  }

  it("excludes facts of another organization, which supersede none", async () => {
    const user = newUser();
    const other = await target.organization();
    await say(user, ...LISBON);
    await say(user, ...PORTO, other);
    await expectTold([user], ["Lisbon current"]);
    const [theirs] = (await factsOf(user, "", other)) as [ShownFact];
    for (const answer of [
      caller.get(`/facts/${theirs.id}`),
      caller.put(`/facts/${theirs.id}`, { value: "x" }),
      caller.post(`/facts/${theirs.id}/retract`),
      caller.post(`/facts/${theirs.id}/restore`),
    ]) {
      const { status, body } = await answer;
      expect([status, body.error.code]).toEqual([404, "FACT_NOT_FOUND"]);
    }
  });

  it("of an agent covers its own and shared memories, in lists, histories and totals", async () => {
    const user = newUser();
    const { id, own } = await agentOf(caller);
    const hidden = await say(user, ...BERLIN);
    await say(user, ...LISBON, own);
    const shown = await ok(own.get(`/facts?user_id=${user}`));
    expect(told(shown.facts)).toEqual(["Lisbon current"]);
    expect(shown.pagination.total).toBe(1);
    const [lisbon] = shown.facts as [ShownFact];
    expect((await ok(own.get(`/facts/${lisbon.id}`))).history).toHaveLength(1);
    await expectTold([user], ["Lisbon superseded", "Berlin current"]);
    const [, berlin] = (await factsOf(user)) as [ShownFact, ShownFact];
    expect((await own.get(`/facts/${berlin.id}`)).status).toBe(404);

    await ok(caller.post(`/agents/${id}/memories`, { memory_id: hidden, access_type: "read" }));
    await expectTold([user, "", own], ["Lisbon superseded", "Berlin current"]);
    const refused = await own.post(`/facts/${berlin.id}/retract`);
    expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
    expect((await own.post(`/facts/${lisbon.id}/retract`)).status).toBe(200);
  });

  it("requires the permissions for memories", async () => {
    const user = newUser();
    await say(user, ...LISBON);
    const [fact] = (await factsOf(user)) as [ShownFact];
    const { key } = await ok(caller.post("/api-keys", { name: "reader", permissions: ["memory:read"] }));
    const reader = caller.as(key);
    expect(await factsOf(user, "", reader)).toHaveLength(1);
    expect((await reader.post(`/facts/${fact.id}/retract`)).status).toBe(403);
    expect((await reader.put(`/facts/${fact.id}`, { value: "x" })).status).toBe(403);
  });
});
