import { describe, expect, it } from "vitest";
import { MIX, PRICES, QUOTAS, WAIT_MS } from "./assumptions.ts";
import { addTraffic, type Figures, type RouteFigures, readFigures } from "./figures.ts";
import { costOf, type Deployables, loadAt, strainOf, strains } from "./model.ts";

const FUNCTIONS: Deployables = new Map([
  ["memories", { memoryMb: 1769 }],
  ["index-memories", { memoryMb: 1769, batchesAtOnce: 1 }],
  ["remember", { memoryMb: 1769 }],
]);
const NOTHING = addTraffic();

const read: RouteFigures = {
  ...NOTHING,
  route: "GET /memories/{id}",
  group: "memories",
  cpuMs: 4,
  waits: { dynamodb: 1 },
  calls: { dynamodb: 1 },
  read: { table: 1 },
  counted: NOTHING,
  after: [],
};

const write: RouteFigures = {
  ...read,
  route: "POST /memories",
  read: {},
  written: { table: 4, gsi1: 3 },
  counted: { ...NOTHING, calls: { dynamodb: 1 }, written: { table: 1 } },
  after: [
    { ...NOTHING, worker: "index-memories", events: 1, cpuMs: 10, waits: { search: 1 }, calls: { search: 1 } },
    { ...NOTHING, worker: "remember", events: 2, cpuMs: 0, calls: { sqs: 1 }, read: { gsi1: 2 } },
  ],
};

const figures = (...routes: RouteFigures[]): Figures => ({
  routes,
  flush: { ...NOTHING, written: { table: 10 } },
  limiter: NOTHING,
  credential: NOTHING,
});

describe("a request", () => {
  it("takes its processor time, longer on less than a core, and what it waits for", () => {
    expect(costOf(read, FUNCTIONS).answerMs).toBe(4 + WAIT_MS.dynamodb);
    const half: Deployables = new Map([["memories", { memoryMb: 1769 / 2 }]]);
    expect(costOf(read, half).answerMs).toBe(8 + WAIT_MS.dynamodb);
    const double: Deployables = new Map([["memories", { memoryMb: 1769 * 2 }]]);
    expect(costOf(read, double).answerMs).toBe(4 + WAIT_MS.dynamodb);
  });

  it("costs what counters and workers do for it as well", () => {
    const { all, busyMs, messages } = costOf(write, FUNCTIONS);
    expect(all.written).toEqual({ table: 5, gsi1: 3 });
    expect(all.read).toEqual({ gsi1: 2 });
    expect(all.calls).toEqual({ dynamodb: 2, search: 1, sqs: 1 });
    expect(busyMs).toEqual({ memories: 4 + WAIT_MS.dynamodb, "index-memories": 10 + WAIT_MS.search, remember: 0 });
    expect(messages).toBe(2);
  });

  it("costs more by the price of what it does more", () => {
    const price = (route: RouteFigures) => costOf(route, FUNCTIONS).dollarsAMillion;
    const more = { ...read, written: { table: 1, gsi1: 1 } };
    expect(price(more) - price(read)).toBeCloseTo(2 * PRICES.writeUnits.dollars);
    const sent = { ...read, calls: { ...read.calls, sqs: 1 } };
    expect(price(sent) - price(read)).toBeCloseTo(PRICES.queueRequests.dollars);
  });

  it("of a function that is gone asks for new figures", () => {
    expect(() => costOf({ ...read, group: "gone" }, FUNCTIONS)).toThrow("npm run costs");
  });
});

describe("a load", () => {
  it("is the mix of its requests at its rate, and the counters of as many processes as it keeps at work", () => {
    const load = loadAt(1000, figures(read, write), FUNCTIONS);
    const [reads, writes] = [1000 * MIX["GET /memories/{id}"]!, 1000 * MIX["POST /memories"]!];
    const processes = ((reads + writes) * (4 + WAIT_MS.dynamodb)) / 1000;
    expect(load.counterUnits).toBeCloseTo((10 * processes) / 5);
    expect(load.written.table).toBeCloseTo(5 * writes + load.counterUnits);
    expect(load.busy["index-memories"]).toBeCloseTo((writes * (10 + WAIT_MS.search)) / 1000);
  });

  it("knows no request without a share of the mix", () => {
    expect(() => loadAt(1, figures({ ...read, route: "GET /nowhere" }), FUNCTIONS)).toThrow("GET /nowhere");
  });
});

describe("the mix", () => {
  it("is of all requests that were counted, and whole", () => {
    expect(Object.keys(MIX).sort()).toEqual(
      readFigures()
        .routes.map(({ route }) => route)
        .sort(),
    );
    expect(Object.values(MIX).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  });
});

describe("limits", () => {
  const deployed = { throttleRate: 1000, searchInstanceCount: 2 };
  const at = (rate: number) => strains(loadAt(rate, figures(read, write), FUNCTIONS), deployed, FUNCTIONS);

  it("are told the most strained first", () => {
    const strained = at(2000).map(strainOf);
    expect(strained).toEqual(strained.toSorted((a, b) => b - a));
  });

  it("are strained in proportion to the rate where nothing grows with it", () => {
    const stage = (rate: number) => at(rate).find(({ limit }) => limit === "API stage")!;
    expect(strainOf(stage(1000))).toBe(1);
    expect(strainOf(stage(2000))).toBe(2);
    const index = at(1000).find(({ limit }) => limit.startsWith("Index partition"))!;
    expect(index.limit).toContain("gsi1");
    expect(index.needed).toBeCloseTo(1000 * MIX["POST /memories"]! * 3);
    expect(index.available).toBe(QUOTAS.partitionWrites);
  });
});
