import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changePlan } from "../../shared/domain/identity/records.ts";
import { ConditionFailedError } from "../../shared/ports/errors.ts";
import type { Ports } from "../../shared/ports/ports.ts";
import type { Write } from "../../shared/ports/record-store.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { LIMITED_OPERATIONS, PLANS, planLimit } from "../../shared/runtime/access/plans.ts";
import { countsVisitors } from "../../shared/runtime/http/group.ts";
import { GENERAL_LIMIT, LIMIT_ROWS } from "../fixtures/contract-limits.ts";
import { type Answered, createClient, type LocalService, openService } from "../support/service.ts";
import { guarded, routes, sendSample, titled } from "./harness.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const definitions = routes.map(({ definition }) => definition);
const limitOf = new Map(definitions.map(({ method, path, limit }) => [`${method.toUpperCase()} ${path}`, limit]));
const operations = LIMIT_ROWS.flatMap(({ operations: those }) => those);

describe("the limits of plans", () => {
  it("are those of the contract's tables, and enterprise has none", () => {
    const limitsOf = (name: Parameters<typeof planLimit>[1]) => PLANS.map((plan) => planLimit(plan, name));
    expect(PLANS).toEqual(["free", "pro", "team", "enterprise"]);
    expect(limitsOf("general")).toEqual([...GENERAL_LIMIT, undefined]);
    for (const { title, perMinute, operations: those } of LIMIT_ROWS) {
      for (const { name } of those) expect([title, limitsOf(name)]).toEqual([title, [...perMinute, undefined]]);
    }
    expect(LIMIT_ROWS).toHaveLength(25);
  });

  it("name exactly the operations of the contract", () => {
    expect(operations.map(({ name }) => name).sort()).toEqual([...LIMITED_OPERATIONS].sort());
  });

  it("apply to the routes that the contract names", () => {
    const spoken = operations.flatMap(({ name, routes }) => routes.map((route) => [route, name] as const));
    expect(spoken.length).toBeGreaterThan(40);
    const built = spoken.filter(([route]) => limitOf.has(route));
    expect(built.map(([route]) => [route, limitOf.get(route)])).toEqual(built);
    const missing = spoken.filter(([route]) => !limitOf.has(route)).map(([route]) => route);
    expect(missing).toEqual([]);
  });

  it("have a route for every operation", () => {
    const bound = new Set(limitOf.values());
    expect(operations.filter(({ name }) => !bound.has(name))).toEqual([]);
  });
});

/** Ports whose buckets are all empty, as if other clients had used them up. */
function withEmptyBuckets(ports: Ports): Ports {
  /** 1.5 minutes for buckets that fill within a minute, and 25 minutes for the one that fills within half an hour. */
  const fullIn = (bucket: string) => (bucket === "mails" ? 25 : 1.5) * 60_000;
  const write = async (...writes: Write[]) => {
    const [first] = writes;
    if (first === undefined || !("update" in first) || first.update.sk !== "rate_limits") {
      return ports.records.write(...writes);
    }
    const { kind: _kind, ttl: _ttl, ...set } = first.set ?? {};
    const names = [...Object.keys(set), ...Object.keys(first.add ?? {})];
    const used = Object.fromEntries(names.map((name) => [name, Date.now() + fullIn(name)]));
    throw new ConditionFailedError(0, { ...first.update, kind: "rate_limits", ...used });
  };
  const records = new Proxy(ports.records, {
    get: (target, member) => {
      if (member === "write") return write;
      const value = Reflect.get(target, member);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...ports, records };
}

describe("a response to a limited request", () => {
  let service: LocalService;
  /** The cases in which a plan limits the caller. */
  let planned: LocalService;
  const ADDRESS = { incoming: { socket: { remoteAddress: "198.51.100.7" } } };

  beforeAll(async () => {
    [service, planned] = await Promise.all([openEmptied(), openEmptied()]);
    await planned.runtime.ports.records.write(changePlan(OPERATOR_ORG, "free"));
  });

  afterAll(() => Promise.all([service.close(), planned.close()]));

  function openEmptied(): Promise<LocalService> {
    return openService({}, undefined, { around: withEmptyBuckets });
  }

  function expectLimitTold({ status, headers, body }: Answered, route: string): void {
    expect(status, route).toBe(429);
    // OAuth has an envelope of its own (RFC 6749), with the same headers.
    if (typeof body.error === "string") {
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      return;
    }
    expect(body.error?.code, route).toBe("RATE_LIMITED");
    const { limit, retry_after } = body.error.details;
    expect(headers.get("retry-after")).toBe(`${retry_after}`);
    expect(retry_after).toBeGreaterThan(0);
    expect(headers.get("ratelimit-policy")).toMatch(new RegExp(`^"${limit}";q=\\d+;w=\\d+$`));
    const [, reset] = headers.get("ratelimit")?.match(new RegExp(`^"${limit}";r=0;t=(\\d+)$`)) ?? [];
    expect(Number(reset)).toBeGreaterThanOrEqual(retry_after);
  }

  it("has the same headers on every route that limits visitors or mails, and on no other", async () => {
    const limited = routes.filter(({ isPublic, definition }) => {
      return definition.errors?.includes("RATE_LIMITED") || (isPublic && countsVisitors(definition));
    });
    expect(limited.length).toBeGreaterThan(10);
    const visitor = createClient("http://localhost", service.adminKey, async (request) =>
      service.host.app.fetch(request, ADDRESS),
    );
    for (const route of routes) {
      const answer = await sendSample(visitor, route, { ids: { provider: "google" } });
      if (limited.includes(route)) expectLimitTold(answer, route.definition.name);
      else expect(answer.status, route.definition.name).not.toBe(429);
    }
  });

  it.each(titled(guarded))("has the same headers on %s", async (title, route) => {
    expectLimitTold(await sendSample(planned, route), title);
  });

  it("is created by the limiter only, which knows the state of the limit", () => {
    const folders = ["shared/**/*.ts", "functions/**/*.ts", "infra/**/*.ts"];
    const files = globSync(folders, { cwd: ROOT, exclude: ["**/node_modules/**"] });
    const own = files.filter((file) => !file.endsWith(".test.ts"));
    const makers = own.filter((file) =>
      /(?:ServiceError|super)\(\s*"RATE_LIMITED"|new RateLimitedError\(/.test(
        readFileSync(path.join(ROOT, file), "utf8"),
      ),
    );
    expect(makers).toEqual(["shared/runtime/access/rate-limit.ts"]);
  });
});
