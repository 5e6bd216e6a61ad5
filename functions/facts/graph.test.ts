import { expect, it } from "vitest";
import type { PlacedFact } from "../../shared/domain/memory/fact-reader.ts";
import { createSlices } from "../../shared/kernel/slices.ts";
import { graphOf, MAX_GRAPH_FACTS } from "./graph.ts";

const AT = "2026-01-31T12:00:00.000Z";
/** Values with a date take longest: each is searched for dates. */
const facts = Array.from({ length: MAX_GRAPH_FACTS }, (_, index) => {
  const known = { subject: "user", attribute: "visited", status: "current", confidence: 1 };
  return { ...known, value: `Town${index} by the river on 12 March at 5`, observed_at: AT, valid_from: AT };
}) as PlacedFact[];

it("lets others use the thread while it builds the largest graph", async () => {
  let turns = 0;
  let isBuilt = false;
  const take = () => {
    turns++;
    if (!isBuilt) setImmediate(take);
  };
  setImmediate(take);
  const nodes = await graphOf(facts, "ada", createSlices({ org: "org_1" }));
  isBuilt = true;
  expect(nodes.size).toBe(MAX_GRAPH_FACTS + 1);
  expect(turns).toBeGreaterThan(3);
});

it("stops when nobody waits for the answer", async () => {
  const signal = AbortSignal.abort(new Error("the client has left"));
  await expect(graphOf(facts, "ada", async () => signal.throwIfAborted())).rejects.toThrow("the client has left");
});
