import { afterEach, beforeEach, expect, it } from "vitest";
import { Generator } from "../../../../test/bench/corpus.ts";
import { type LocalService, openService } from "../../../../test/support/service.ts";
import { Query } from "../../../language/questions/query.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import { recall } from "./recall.ts";

let service: LocalService;
beforeEach(async () => {
  service = await openService();
});
afterEach(() => service.close());

/** Returns a port whose calls are counted in waves: concurrent calls are one round trip. */
function counting<Port extends object>(
  port: Port,
  count: { trips: number; calls: number },
  open: { now: number },
): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return async (...given: unknown[]) => {
        count.calls++;
        if (open.now++ === 0) count.trips++;
        try {
          await new Promise(setImmediate);
          return await value.apply(target, given);
        } finally {
          open.now--;
        }
      };
    },
  });
}

it.each([
  ["a user", { user_id: ["ada"] }],
  ["a session", { where: { path: "metadata.session_id", equals: ["s1"] } }],
  ["everybody", {}],
])("a recall of %s reads in three round trips and few calls, however much is stored", async (_, filters) => {
  const text = new Generator(3);
  for (const size of [20, 200]) {
    const memories = Array.from({ length: size }, () => ({
      content: text.memory(),
      user_id: "ada",
      metadata: { session_id: "s1" },
    }));
    for (let from = 0; from < size; from += 100) {
      await service.request("POST", "/memories/batch", { body: { memories: memories.slice(from, from + 100) } });
    }
    const count = { trips: 0, calls: 0 };
    const open = { now: 0 };
    const { runtime } = service;
    const ports = {
      ...runtime.ports,
      records: counting(runtime.ports.records, count, open),
      search: counting(runtime.ports.search, count, open),
    };
    const ctx = { ...runtime, ports, org: OPERATOR_ORG, viewer: undefined };
    const { items } = await recall(ctx, {
      query: new Query("Who did I work with?"),
      filters,
      maxTokens: 300,
      tokenizer: "o200k_base",
    });
    expect(items.length).toBeGreaterThan(0);
    expect(count.trips).toBeLessThanOrEqual(3);
    expect(count.calls).toBeLessThanOrEqual(12);
  }
});
