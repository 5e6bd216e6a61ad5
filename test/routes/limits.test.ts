import { describe, expect, it } from "vitest";
import { loadGroups } from "../../infra/groups.ts";
import { LIMITED_OPERATIONS, PLANS, planLimit } from "../../shared/identity/plans.ts";
import { GENERAL_LIMIT, LIMIT_ROWS } from "../fixtures/contract-limits.ts";

const definitions = (await loadGroups()).flatMap(({ routes }) => routes.map(({ definition }) => definition));
const limitOf = new Map(definitions.map(({ method, path, limit }) => [`${method.toUpperCase()} ${path}`, limit]));
const operations = LIMIT_ROWS.flatMap(({ operations: those }) => those);

describe("the limits of plans", () => {
  it("are those of the contract's tables, enterprise without any", () => {
    const limitsOf = (name: Parameters<typeof planLimit>[1]) => PLANS.map((plan) => planLimit(plan, name));
    expect(PLANS).toEqual(["free", "pro", "team", "enterprise"]);
    expect(limitsOf("general")).toEqual([...GENERAL_LIMIT, undefined]);
    for (const { title, perMinute, operations: those } of LIMIT_ROWS) {
      for (const { name } of those) expect([title, limitsOf(name)]).toEqual([title, [...perMinute, undefined]]);
    }
    expect(LIMIT_ROWS).toHaveLength(25);
  });

  it("name every operation of the contract, and no other", () => {
    expect(operations.map(({ name }) => name).sort()).toEqual([...LIMITED_OPERATIONS].sort());
  });

  it("are in force on the routes that the contract speaks of", () => {
    const spoken = operations.flatMap(({ name, routes }) => routes.map((route) => [route, name] as const));
    expect(spoken.length).toBeGreaterThan(40);
    const built = spoken.filter(([route]) => limitOf.has(route));
    expect(built.map(([route]) => [route, limitOf.get(route)])).toEqual(built);
    const missing = spoken.filter(([route]) => !limitOf.has(route)).map(([route]) => route);
    expect(missing).toEqual([]);
  });

  it("leave no operation without a route", () => {
    const bound = new Set(limitOf.values());
    expect(operations.filter(({ name }) => !bound.has(name))).toEqual([]);
  });
});
