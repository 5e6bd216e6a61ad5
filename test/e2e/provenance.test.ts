import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DOORS } from "../../shared/runtime/schemas/provenance.ts";
import { ITEM_STEPS } from "../../shared/runtime/upgrades/steps/item-steps.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

const USER = "ada";

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
  caller = await target.organization();
});
afterAll(() => target.close());

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
async function ask(answer: Promise<{ status: number; body: any }>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data ?? body;
}

/** The memory with a word, once it is stored. */
async function memoryWith(word: string) {
  let found: { id: string } | undefined;
  await eventually(async () => {
    const { memories } = await ask(caller.get(`/memories?user_id=${USER}&limit=100`));
    found = memories.find(({ content }: { content: string }) => content.includes(word));
    expect(found, word).toBeDefined();
  });
  return ask(caller.get(`/memories/${found?.id}`));
}

/** Stores a memory by each door, except `unknown`; returns the id that it was made from, if any. */
const ENTRIES: Record<Exclude<(typeof DOORS)[number], "unknown">, (content: string) => Promise<string | undefined>> = {
  async memories(content) {
    await ask(caller.post("/memories", { content, user_id: USER }));
    return undefined;
  },
  async mem0(content) {
    const given = { messages: [{ role: "user", content }], user_id: USER };
    return (await ask(caller.post("/v3/memories/add", given))).event_id;
  },
  async mcp(content) {
    const call = { name: "remember", arguments: { content, user_id: USER } };
    await ask(caller.post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call }));
    return undefined;
  },
  async sessions(content) {
    const given = { agent_id: "guide", user_id: USER, config: { memory: "as_they_come" } };
    const { id } = await ask(caller.post("/sessions", given));
    await ask(caller.post(`/sessions/${id}/messages`, { role: "user", content }));
    return id;
  },
  async imports(content) {
    const answer = await ask(caller.post("/imports", { memories: [{ content, user_id: USER }] }));
    return answer.event_id ?? answer.id;
  },
  async sources(content) {
    await ask(caller.post("/sources/ingest", { type: "text", content, user_id: USER }));
    return undefined;
  },
  async connections(content) {
    const config = { url: "https://docs.example.com", sync_interval_minutes: 0 };
    const { id } = await ask(caller.post("/connections/web_crawler", { user_id: USER, config }));
    const document = { title: "Notes", content, external_id: "doc" };
    await ask(caller.post(`/connections/${id}/sync`, { documents: [document] }));
    return undefined;
  },
};

describe("the provenance of a memory", () => {
  it.each(Object.entries(ENTRIES))("names its writer, its door and its origin: %s", async (door, enter) => {
    const word = `Quillon${door}`;
    const derived_from = await enter(`I moved to ${word} in May.`);
    const { provenance } = await memoryWith(word);
    expect(provenance).toMatchObject({ door, written_by: expect.stringMatching(/^ak_/) });
    if (derived_from !== undefined) expect(provenance.derived_from).toBe(derived_from);
  });

  it("stays when others change, restore and process the memory, and cannot be sent", async () => {
    const stored = await ask(caller.post("/memories", { content: "I live in Porto.", user_id: USER }));
    const { provenance } = stored;
    const other = await target.organization();
    const { key } = await ask(
      caller.post("/api-keys", { name: "another", permissions: ["memory:read", "memory:write"] }),
    );
    const another = caller.as(key);
    await ask(another.put(`/memories/${stored.id}`, { content: "I live in Faro.", metadata: { speaker: "user" } }));
    await ask(another.post(`/memories/${stored.id}/restore`, { version: 1 }));
    expect((await ask(caller.get(`/memories/${stored.id}`))).provenance).toEqual(provenance);
    const forged = { door: "memories", written_by: "usr_other" };
    for (const answer of [
      await another.post("/memories", { content: "I live in Lagos.", user_id: USER, provenance: forged }),
      await another.put(`/memories/${stored.id}`, { content: "I live in Lagos.", provenance: forged }),
    ]) {
      expect(answer.status).toBe(400);
    }
    expect((await other.get(`/memories/${stored.id}`)).status).toBe(404);
  });

  it("names the agent whose key stored it", async () => {
    const agent = await ask(caller.post("/agents", { name: "Guide", model: "m" }));
    const permissions = ["memory:read", "memory:write"];
    const { key } = await ask(caller.post("/api-keys", { name: "its", permissions, agent_id: agent.id }));
    const { provenance } = await ask(caller.as(key).post("/memories", { content: "I met Ada.", user_id: USER }));
    expect(provenance).toMatchObject({ door: "memories", agent_id: agent.id });
  });

  it("is unknown but for the writer where an earlier release stored the memory", () => {
    const [step] = ITEM_STEPS.filter(({ version }) => version === 6);
    if (step === undefined || !("upgrade" in step)) throw new Error("the step is missing");
    const record = { pk: "org_1#mem_1", sk: "memory", kind: "memory", created_by: "ak_1" };
    const upgraded = { ...record, provenance: { written_by: "ak_1", door: "unknown" } };
    expect(step.upgrade(record)).toEqual([upgraded]);
    expect(step.upgrade(upgraded)).toBeUndefined();
  });
});

describe("the provenance of a fact", () => {
  interface Shown {
    value: string;
    provenance: object;
  }

  async function factsOf(user: string): Promise<Shown[]> {
    return (await ask(caller.get(`/facts?user_id=${user}&limit=100`))).facts;
  }

  const provenanceOf = (facts: Shown[], value: string) => facts.find((fact) => fact.value === value)?.provenance;

  it("names who wrote the words, also after another key corrects it or changes the rest of the memory", async () => {
    const user = "fay";
    const { id, provenance } = await ask(caller.post("/memories", { content: "I live in Porto.", user_id: user }));
    const permissions = ["memory:read", "memory:write"];
    const { id: key_id, key } = await ask(caller.post("/api-keys", { name: "another", permissions }));
    const another = caller.as(key);
    const first = { written_by: provenance.written_by, door: "memories", derived_from: id };
    expect(provenanceOf(await factsOf(user), "Porto")).toEqual(first);

    await ask(another.put(`/memories/${id}`, { content: "I live in Porto. I like tea." }));
    const facts = await factsOf(user);
    expect(provenanceOf(facts, "Porto")).toEqual(first);
    expect(provenanceOf(facts, "tea")).toEqual({ ...first, written_by: key_id });

    const { facts: found } = await ask(caller.get(`/facts?user_id=${user}&attribute=lives_in`));
    await ask(another.put(`/facts/${found[0].id}`, { value: "Faro" }));
    expect(provenanceOf(await factsOf(user), "Faro")).toEqual(first);
    const forged = { ...first, written_by: key_id };
    await another.put(`/facts/${found[0].id}`, { value: "Lagos", provenance: forged });
    for (const { value, provenance } of await factsOf(user)) {
      expect(provenance).toEqual(value === "tea" ? { ...first, written_by: key_id } : first);
    }
  });

  it("names the agent that changed the words", async () => {
    const agent = await ask(caller.post("/agents", { name: "Scribe", model: "m" }));
    const permissions = ["memory:read", "memory:write"];
    const { key } = await ask(caller.post("/api-keys", { name: "scribe", permissions, agent_id: agent.id }));
    const stored = await ask(caller.as(key).post("/memories", { content: "Ines lives in Porto.", user_id: "gil" }));
    const { facts } = await ask(caller.get(`/facts?memory_id=${stored.id}`));
    expect(facts.map(({ provenance }: Shown) => provenance)).toContainEqual(
      expect.objectContaining({ agent_id: agent.id, door: "memories", derived_from: stored.id }),
    );
  });
});

it("each version names who made it", async () => {
  const stored = await ask(caller.post("/memories", { content: "I live in Porto.", user_id: "hal" }));
  const permissions = ["memory:read", "memory:write"];
  const { id: key_id, key } = await ask(caller.post("/api-keys", { name: "editor", permissions }));
  await ask(caller.as(key).put(`/memories/${stored.id}`, { content: "I live in Faro." }));
  await ask(caller.post(`/memories/${stored.id}/restore`, { version: 1 }));
  const { versions } = await ask(caller.get(`/memories/${stored.id}/versions`));
  const first = stored.provenance.written_by;
  expect(versions.map(({ changed_by }: { changed_by: string }) => changed_by)).toEqual([first, key_id, first]);
});
