import { describe, expect, it } from "vitest";
import { covers, isPermission, PERMISSIONS, ROLE_PERMISSIONS, ROLES } from "./permissions.ts";

describe("permissions", () => {
  it("are those of the contract, and the one for benchmarks", () => {
    expect([...PERMISSIONS].sort()).toEqual([
      ..."admin:all agents:manage agents:read agents:write compression:benchmark memory:delete memory:read".split(" "),
      ..."memory:write search:read search:write skills:execute skills:manage skills:read".split(" "),
    ]);
  });

  it("of each role are as decided", () => {
    const all: Record<(typeof ROLES)[number], string> = {
      admin: "admin:all",
      editor:
        "memory:read memory:write memory:delete search:read search:write skills:read skills:execute skills:manage agents:read agents:write agents:manage",
      viewer: "memory:read search:read skills:read agents:read",
      agent: "memory:read memory:write search:read skills:read skills:execute agents:read",
      user: "memory:read memory:write memory:delete search:read skills:read skills:execute agents:read agents:write",
    };
    for (const role of ROLES)
      expect([role, [...ROLE_PERMISSIONS[role]].sort()]).toEqual([role, all[role].split(" ").sort()]);
  });

  it("are covered only by themselves and by admin:all", () => {
    for (const needed of PERMISSIONS) {
      for (const held of PERMISSIONS) {
        expect([held, needed, covers([held], needed)]).toEqual([held, needed, held === needed || held === "admin:all"]);
      }
      expect(covers([], needed)).toBe(false);
      const others = PERMISSIONS.filter((each) => each !== needed && each !== "admin:all");
      expect(covers(others, needed)).toBe(false);
    }
  });

  it("are known by their exact names", () => {
    for (const name of ["memory:*", "Memory:read", "memory:read ", "admin", "", "constructor"]) {
      expect(isPermission(name)).toBe(false);
    }
  });
});
