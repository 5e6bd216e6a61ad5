import { afterAll, beforeAll, expect, it } from "vitest";
import type * as z from "zod";
import type { Graph } from "../../functions/facts/schemas.ts";
import { type Caller, eventually, openTarget, type Target } from "../support/target.ts";

type Shown = z.output<typeof Graph>;

const STORY = [
  ["2026-01-12", "I live in Berlin and work as a nurse at the Charité."],
  ["2026-01-20", "My name is Ada Berg. My birthday is 4 May 1988."],
  ["2026-02-03", "My sister Mia lives in Porto and keeps two cats."],
  ["2026-05-04", "I moved to Zurich."],
] as const;

let target: Target;
let caller: Caller;

beforeAll(async () => {
  target = await openTarget();
  caller = await target.organization();
  for (const [occurred_at, content] of STORY) {
    const { status } = await caller.post("/memories", { content, user_id: "ada", occurred_at });
    expect(status).toBe(201);
  }
  await eventually(async () => expect(readable(await graphOf())).toContain("Mia –lives in→ Porto"));
});
afterAll(() => target.close());

async function graphOf(query = "", by = caller): Promise<Shown> {
  const { status, body } = await by.get(`/graph?user_id=ada${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

/** The edges in words; one that no longer holds is dashed. */
function readable({ nodes, edges }: Shown): string[] {
  const nameOf = (id: string) => nodes.find((node) => node.id === id)?.name;
  const arrow = (verb: string, former: boolean) => (former ? `╌${verb}⇢` : `–${verb}→`);
  return edges.map(({ source, verb, target, former }) => `${nameOf(source)} ${arrow(verb, former)} ${nameOf(target)}`);
}

it("shows a person by name in the middle, facts as edges with their verb, and former ones as such", async () => {
  const graph = await graphOf();
  expect(graph.focus).toBe("user");
  expect(graph.nodes[0]).toMatchObject({ id: "user", kind: "user", name: "Ada Berg", depth: 0, relevance: 1 });
  expect(readable(graph).toSorted()).toEqual([
    "Ada Berg –lives in→ Zurich",
    "Ada Berg –sibling→ Mia",
    "Ada Berg –works as→ nurse",
    "Ada Berg –works at→ Charité",
    "Ada Berg ╌lives in⇢ Berlin",
    "Mia –lives in→ Porto",
  ]);
  const kinds = Object.fromEntries(graph.nodes.map(({ name, kind, depth }) => [name, [kind, depth]]));
  expect(kinds).toMatchObject({ Zurich: ["place", 1], Mia: ["person", 1], Porto: ["place", 2], nurse: ["value", 1] });
  const { relevance: former = 1 } = graph.nodes.find(({ name }) => name === "Berlin") ?? {};
  expect(former).toBeLessThan(graph.nodes.find(({ name }) => name === "Zurich")?.relevance ?? 0);
  expect(graph.left_out).toEqual({ nodes: 0, facts: 0 });
});

it("shows the most relevant nodes, each connected with the focus, and counts the others", async () => {
  const whole = await graphOf();
  for (const limit of [1, 3, 5]) {
    const graph = await graphOf(`&limit=${limit}`);
    expect(graph.nodes).toEqual(whole.nodes.slice(0, limit));
    expect(graph.left_out.nodes).toBe(whole.nodes.length - limit);
    expect(graph.edges).toHaveLength(limit - 1);
  }
  expect((await graphOf("&depth=1")).nodes.map(({ name }) => name)).not.toContain("Porto");
});

it("takes an entity or a node of an earlier answer as the focus", async () => {
  const { nodes } = await graphOf();
  const mia = nodes.find(({ name }) => name === "Mia");
  for (const focus of [mia?.id ?? "", mia?.entity_id ?? ""]) {
    const graph = await graphOf(`&focus=${encodeURIComponent(focus)}&depth=1`);
    expect(graph.focus).toBe(mia?.id);
    expect(graph.nodes.map(({ name, depth }) => [name, depth])).toEqual(
      expect.arrayContaining([
        ["Mia", 0],
        ["Ada Berg", 1],
        ["Porto", 1],
      ]),
    );
  }
  for (const focus of ["name:nobody", "ent_0123456789abcdef0123456789"]) {
    const { status, body } = await caller.get(`/graph?user_id=ada&focus=${focus}`);
    expect([status, body.error.code]).toEqual([404, "ENTITY_NOT_FOUND"]);
  }
});

it("shows what was true at a moment", async () => {
  const told = readable(await graphOf("&as_of=2026-02-01"));
  expect(told).toContain("Ada Berg –lives in→ Berlin");
  expect(told.join()).not.toContain("Zurich");
});

it("shows another organization nothing", async () => {
  const graph = await graphOf("", await target.organization());
  expect(graph.nodes).toMatchObject([{ id: "user", name: "ada", depth: 0 }]);
  expect(graph.edges).toEqual([]);
});

it("has facts and memories of an entity, and facts of a memory", async () => {
  const { nodes, edges } = await graphOf();
  const porto = nodes.find(({ name }) => name === "Porto")?.entity_id;
  const valuesOf = async (query: string) =>
    (await caller.get(`/facts?${query}`)).body.data.facts.map(({ value }: { value: string }) => value);
  expect(await valuesOf(`entity_id=${porto}`)).toEqual(["Porto"]);
  expect(await valuesOf(`entity_id=${porto}&status=superseded`)).toEqual([]);
  const berlin = edges.find(({ target }) => target === "name:berlin")?.memory_id;
  expect((await valuesOf(`memory_id=${berlin}`)).toSorted()).toEqual(["Berlin", "Charité", "nurse"]);
  expect(await valuesOf(`memory_id=${berlin}&attribute=lives_in&as_of=2026-02-01`)).toEqual(["Berlin"]);
  const foreign = await target.organization();
  expect((await foreign.get(`/facts?memory_id=${berlin}`)).body.data.facts).toEqual([]);
  expect((await foreign.get(`/facts?entity_id=${porto}`)).body.data.facts).toEqual([]);

  const { memories, pagination } = (await caller.get(`/memories?entity_id=${porto}`)).body.data;
  expect(memories).toMatchObject([{ content: STORY[2][1] }]);
  expect(pagination.total).toBe(1);
  expect((await foreign.get(`/memories?entity_id=${porto}`)).body.data.memories).toEqual([]);
});
