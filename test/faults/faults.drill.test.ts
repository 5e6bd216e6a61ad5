import { randomInt } from "node:crypto";
import { describe, expect, it, type TestContext } from "vitest";
import type { Ports } from "../../shared/ports/ports.ts";
import type { RecordStore, Write } from "../../shared/ports/record-store.ts";
import type { SearchDocument, SearchIndex } from "../../shared/ports/search-index.ts";
import { createOrganization, openService } from "../support/service.ts";
import { FaultPlan } from "./fault-plan.ts";
import { faultyPorts } from "./faulty-ports.ts";
import { runFaults } from "./run.ts";

const TIMEOUT_MS = 240_000;
const OPERATIONS = 400;
const RATE = 0.03;
const FIXED_SEED = 7;
const OTHER_SEED = process.env.PROPERTY_SEED === "random" ? randomInt(2 ** 31) : 8;

describe.each([
  ["a fixed", FIXED_SEED],
  ["another", OTHER_SEED],
])("operations while ports fail by %s seed", (_name, seed) => {
  it(`leave all that was acknowledged, once, and come to rest (--seed ${seed})`, { timeout: TIMEOUT_MS }, async () => {
    const { record, plan } = await runFaults({ operations: OPERATIONS, seed, rate: RATE, lanes: 4 });
    const met = [...plan.met.values()].flatMap((faults) => [...faults.values()]);
    expect(
      met.reduce((sum, count) => sum + count, 0),
      "faults",
    ).toBeGreaterThan(OPERATIONS / 10);
    expect(record.violations).toEqual([]);
  });
});

describe("the checks find", () => {
  /** With one client, so that only the seed decides what happens, not the speed of the machine. */
  const rulesOf = async (within: (ports: Ports) => Ports) => {
    const { record } = await runFaults({ operations: 100, seed: FIXED_SEED, rate: 1e-9, lanes: 1, within });
    return [...new Set(record.violations.map(({ rule }) => rule))];
  };
  /** The port with some members replaced; the others stay bound to the port itself because of its private fields. */
  const but = <Port extends object>(port: Port, changed: Partial<Port>): Port =>
    new Proxy(port, {
      get(target, member) {
        const value: unknown = Reflect.get(member in changed ? changed : target, member, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });

  it("writes that are acknowledged and not done", { timeout: TIMEOUT_MS }, async () => {
    let memories = 0;
    const isLost = (write: Write) => "put" in write && write.put.kind === "memory" && ++memories % 3 === 0;
    const within = (ports: Ports): Ports => {
      const write: RecordStore["write"] = async (...writes) =>
        writes.some(isLost) ? undefined : ports.records.write(...writes);
      return { ...ports, records: but(ports.records, { write }) };
    };
    expect(await rulesOf(within)).toContain("lost or doubled");
  });

  it("documents that do not come to be searched", { timeout: TIMEOUT_MS }, async () => {
    /** Keeps half of the documents, always the same ones, so that no sync restores the others. */
    const isKept = ({ id }: SearchDocument) => id.charCodeAt(id.length - 1) % 2 === 0;
    const within = (ports: Ports): Ports => {
      const upsert: SearchIndex["upsert"] = (documents) => ports.search.upsert(documents.filter(isKept));
      return { ...ports, search: but(ports.search, { upsert }) };
    };
    expect(await rulesOf(within)).toContain("search");
  });
});

describe("a service whose store is down", () => {
  async function open({ onTestFinished }: Pick<TestContext, "onTestFinished">) {
    const plan = new FaultPlan(FIXED_SEED, 0);
    const lines: string[] = [];
    let now = Date.now();
    const clock = () => now;
    const service = await openService({}, clock, {
      around: (ports) => faultyPorts(ports, plan, clock),
      print: (text) => lines.push(...text.split("\n")),
    });
    onTestFinished(service.close);
    const forget = () => {
      now += 60_000;
    };
    return { service, plan, lines, forget };
  }

  it("answers a credential that it does not remember with 503, and says why in the log", async (context) => {
    const { service, plan, lines, forget } = await open(context);
    const { key } = await createOrganization(service);
    expect((await service.request("GET", "/memories", { key })).status).toBe(200);
    forget();
    plan.down.add("records");
    const { status, body, headers } = await service.request("GET", "/memories", { key });
    expect([status, body.success, body.error?.code]).toEqual([503, false, "SERVICE_UNAVAILABLE"]);
    expect(headers.get("retry-after")).toBe("1");
    const told = lines.map((line) => JSON.parse(line)).find(({ message }) => message === "BACKEND_FAILED");
    expect(told).toMatchObject({ request_id: body.meta.request_id, level: "ERROR" });
    plan.down.clear();
    expect((await service.request("GET", "/memories", { key })).status).toBe(200);
  });

  // Concurrently, because a write waits for seconds until it is clear that the index does not catch up.
  it.concurrent.for(["records", "search", "blobs", "embedder", "secrets"] as const)(
    "or whose %s are, answers nothing worse than 503",
    { timeout: TIMEOUT_MS },
    async (port, context) => {
      const { service, plan, forget } = await open(context);
      const { key } = await createOrganization(service);
      // Long enough for a blob where that matters.
      const content = "Ada prefers tea. ".repeat(port === "blobs" ? 5_000 : 1);
      const asked = [
        ["POST", "/memories", { content }],
        ["POST", "/search", { query: "tea" }],
        ["GET", "/memories?limit=1", undefined],
        ["GET", "/memories/stats", undefined],
        ["POST", "/sessions", { agent_id: "guide", user_id: "ada" }],
        ["POST", "/webhooks", { name: "Archive", url: "https://hooks.example.com/", events: ["memory.created"] }],
        ["POST", "/skills", { name: "Serve", trigger: "a guest", action: "Serve tea.", domain: "house" }],
        ["POST", "/sources/ingest", { type: "text", content }],
        ["POST", "/v3/memories/add", { memory: "Ada prefers tea.", user_id: "ada" }],
        ["GET", "/ready", undefined],
      ] as const;
      plan.down.add(port);
      forget();
      // Concurrently for the same reason.
      const answers = asked.map(async ([method, path, body]) => {
        const { status, body: answer } = await service.request(method, path, { key, body });
        return status >= 500 ? [path, answer.error.code] : [path, "SERVICE_UNAVAILABLE"];
      });
      expect(await Promise.all(answers)).toEqual(asked.map(([, path]) => [path, "SERVICE_UNAVAILABLE"]));
      plan.down.clear();
    },
  );
});

describe("faulty ports", () => {
  const nothing = { get: async () => undefined, write: async () => {} } as unknown as RecordStore;
  const fates = async (seed: number) => {
    const plan = new FaultPlan(seed, 0.3);
    plan.isOn = true;
    const ports = new Proxy({}, { get: () => nothing }) as Ports;
    const { records } = faultyPorts(ports, plan, Date.now);
    const calls = Array.from({ length: 50 }, () => records.get({ pk: "p", sk: "s" }));
    return (await Promise.allSettled(calls)).map((call) =>
      call.status === "rejected" ? `${call.reason.message}` : "",
    );
  };

  it("fail the same calls in the same way under one seed, and others under another", async () => {
    const first = await fates(1);
    expect(first.filter((fate) => fate !== "").length).toBeGreaterThan(5);
    expect(await fates(1)).toEqual(first);
    expect(await fates(2)).not.toEqual(first);
  });
});
