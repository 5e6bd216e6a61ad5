import fc from "fast-check";
import { afterAll, beforeEach, expect, it } from "vitest";
import { createOrganization, openService } from "../../../test/support/service.ts";
import { fromItem } from "../../ports/item.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import { factsOfFound, factsOfMemories } from "../memory/fact-reader.ts";
import { decisiveFor, validityOf } from "../memory/fact-validity.ts";
import type { Memory } from "../memory/memory.ts";
import { findMemoryRecords } from "../memory/records.ts";

const service = await openService();
afterAll(() => service.close());

const STATEMENTS = [
  ...["Lisbon", "Porto", "Oslo"].map((city) => `I live in ${city}.`),
  ...["I meant Rome.", "I don't live in Porto any more.", "I moved to Bergen last week.", "I live in Oslo again."],
  ...["I like tea.", "I don't like tea any more.", "I work at Acme.", "I no longer work at Acme."],
];
let org: string;
let key: string;
beforeEach(async () => {
  ({ org, key } = await createOrganization(service));
});

async function ask(method: string, path: string, body?: object) {
  const answer = await service.request(method, path, { key, ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** A reader who may see everything, with the number of memories that it reads. */
function reader() {
  const { records } = service.runtime.ports;
  const read = { memories: 0 };
  const counting = new Proxy(records, {
    get: (store: RecordStore, name) => {
      if (name !== "getMany") return Reflect.get(store, name).bind(store);
      return (...asked: Parameters<RecordStore["getMany"]>) => {
        read.memories += asked[0].length;
        return store.getMany(...asked);
      };
    },
  });
  const ports = { ...service.runtime.ports, records: counting };
  return { ctx: { ...service.runtime, ports, org, viewer: undefined }, read };
}

async function memoriesOf(ids: string[]): Promise<Memory[]> {
  return (await findMemoryRecords(reader().ctx, ids)).map(fromItem<Memory>);
}

it("judges hits as if the memories of all facts were read", async () => {
  const said = fc.array(
    fc.record({ place: fc.nat(STATEMENTS.length - 1), isGone: fc.boolean(), isHit: fc.boolean() }),
    {
      minLength: 4,
      maxLength: 12,
    },
  );
  let number = 0;
  await fc.assert(
    fc.asyncProperty(said, fc.option(fc.nat(12), { nil: undefined }), async (statements, day) => {
      const user_id = `user-${number++}`;
      const ids: string[] = [];
      for (const [at, { place }] of statements.entries()) {
        const occurred_at = new Date(Date.UTC(2026, 0, 10 * (at + 1))).toISOString();
        ids.push((await ask("POST", "/memories", { user_id, content: STATEMENTS[place], occurred_at })).id);
      }
      for (const [at, { isGone }] of statements.entries()) {
        if (isGone) await ask("POST", `/memories/${ids[at]}/expire`, {});
      }
      const found = ids.filter((_, at) => statements[at]?.isHit && !statements[at]?.isGone);
      const [best, behind] = [found.slice(0, 2), new Set(found.slice(2))];
      const asOf = day === undefined ? undefined : Date.UTC(2026, 0, 10 * day + 5);
      const isShown = (id: string) => found.includes(id);
      const memories = await memoriesOf(best);
      const few = await factsOfFound(reader().ctx, memories, {
        isFound: (id) => behind.has(id),
        decisive: (facts) => decisiveFor(facts, isShown, asOf),
      });
      const all = await factsOfMemories(reader().ctx, memories);
      const judged = (facts: typeof all) => [...validityOf(facts, asOf)].filter(([id]) => isShown(id));
      expect(new Map(judged(few))).toEqual(new Map(judged(all)));
    }),
    { numRuns: 20 },
  );
});

it("reads few memories of a slot with many facts", async () => {
  const ids: string[] = [];
  for (let day = 1; day <= 28; day++) {
    const content = `I work at ${String.fromCharCode(64 + day)}${"corp".repeat(1 + (day % 3))}.`;
    const occurred_at = new Date(Date.UTC(2026, 0, day)).toISOString();
    ids.push((await ask("POST", "/memories", { user_id: "ada", content, occurred_at })).id);
  }
  const [first = "", second = "", ...others] = ids;
  const { ctx, read } = reader();
  const isShown = (id: string) => id === first || id === second;
  const facts = await factsOfFound(ctx, await memoriesOf([first, second]), {
    isFound: () => false,
    decisive: (placed) => decisiveFor(placed, isShown, undefined),
  });
  expect(validityOf(facts, undefined).get(first)?.successors).toEqual(new Set(others.slice(-1)));
  expect(read.memories).toBeLessThanOrEqual(4);
});
