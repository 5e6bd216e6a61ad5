import { expect, it } from "vitest";
import { openIdleRuntime } from "../../../../test/support/idle-runtime.ts";
import { contextOf } from "../../../../test/support/principals.ts";
import type { Context } from "../../../runtime/context.ts";
import { createMemory } from "../../memory/create.ts";
import type { EventResult } from "../../memory/memory-results.ts";
import { getEvent, insertEvent, newEvent, putEvent } from "./events.ts";
import { addLeftOut, addResults, listResults, readResults } from "./results.ts";

async function open(): Promise<Context> {
  return contextOf((await openIdleRuntime()).runtime);
}

it("keeps all results in their order", async () => {
  const ctx = await open();
  let event = newEvent(ctx, { type: "memory.add", resource: "memory" });
  await ctx.ports.records.write(insertEvent(event));
  const all: EventResult[] = [];
  for (let part = 0; part < 200; part++) {
    const found = Array.from({ length: 60 }, (): EventResult => ({ id: ctx.ids("memory"), event: "ADD" }));
    const { event: after, pages } = addResults(event, found, ctx.clock());
    event = after;
    await ctx.ports.records.write(putEvent(event), ...pages);
    all.push(...found);
  }
  const stored = await getEvent(ctx, event.id);
  expect(stored.results).toEqual(all.slice(0, 100));
  expect(await listResults(ctx.ports.records, stored)).toEqual(all);
});

it("returns the texts of memories while they fit, and the ids of the others", async () => {
  const ctx = await open();
  const contents = Array.from({ length: 8 }, (_, index) => `${index} ${"sky ".repeat(20_000)}`);
  const results: EventResult[] = [];
  const options = { extract_facts: false, extract_entities: false, compress: false };
  for (const content of contents) {
    const { id } = await createMemory(ctx, { content, options, door: "mem0" });
    results.push({ id, event: "ADD" });
  }
  const described = results.map(await readResults(ctx, results));
  expect(described.map(({ id, event }) => ({ id, event }))).toEqual(results);
  expect(described.map(({ memory }) => memory)).toEqual(
    contents.map((content, index) => (index < 6 ? content : undefined)),
  );
});

it("says how many sentences were left out, if it does not name all", async () => {
  const ctx = await open();
  const event = newEvent(ctx, { type: "memory.add", resource: "memory" });
  const questions = (count: number) =>
    Array.from({ length: count }, () => ({ text: "Why?", reason: "question" as const }));
  const few = addLeftOut(event, questions(60));
  expect(few.left_out_total).toBeUndefined();
  const many = addLeftOut(addLeftOut(few, questions(60)), questions(5));
  expect(many).toMatchObject({ left_out_total: 125 });
  expect(many.left_out).toHaveLength(100);
});
