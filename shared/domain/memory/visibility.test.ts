import fc from "fast-check";
import { expect, it } from "vitest";
import type { Share } from "./memory.ts";
import { accessLevelOf, requireAccess, SHARED_ACCESS, viewersOf } from "./visibility.ts";

const NOW = Date.parse("2026-03-01T00:00:00.000Z");
const AGENTS = ["agent_a", "agent_b", "agent_c"];

const share: fc.Arbitrary<Share> = fc.record(
  {
    agent_id: fc.constantFrom(...AGENTS),
    access_type: fc.constantFrom(...SHARED_ACCESS),
    shared_at: fc.constant("2026-01-01T00:00:00.000Z"),
    shared_by: fc.constant("ak_1"),
    expires_at: fc.integer({ min: -2, max: 2 }).map((away) => new Date(NOW + away).toISOString()),
  },
  { requiredKeys: ["agent_id", "access_type", "shared_at", "shared_by"] },
);
const memory = fc.record(
  {
    id: fc.constant("mem_1"),
    agent_id: fc.constantFrom(...AGENTS),
    shares: fc.uniqueArray(share, { selector: ({ agent_id }) => agent_id }),
  },
  { requiredKeys: ["id"] },
);

it("gives agents access to what they stored and to active shares, and everybody else access to everything", () => {
  const property = fc.property(memory, (each) => {
    expect(accessLevelOf(each, undefined, NOW)).toBe("own");
    const isLasting = ({ expires_at }: Share) => expires_at === undefined || Date.parse(expires_at) > NOW;
    for (const agent of AGENTS) {
      const lasting = each.shares?.find((one) => one.agent_id === agent && isLasting(one));
      expect(accessLevelOf(each, agent, NOW)).toBe(each.agent_id === agent ? "own" : lasting?.access_type);
    }
  });
  fc.assert(property);
});

it("lists exactly the agents with access as viewers", () => {
  const property = fc.property(memory, (each) => {
    const named = viewersOf(each, NOW);
    const reaches = new Map(named.map(({ agent, reach }) => [agent, reach]));
    for (const agent of AGENTS) {
      const isOwner = each.agent_id === agent;
      if (!isOwner) expect(reaches.get(agent)).toBe(accessLevelOf(each, agent, NOW));
      else expect(named.filter((viewer) => viewer.agent === agent)[0]?.reach).toBe("own");
    }
  });
  fc.assert(property);
});

it.each([
  ["own", "read_write", true],
  ["own", "own", true],
  ["read_write", "read_write", true],
  ["read_write", "own", false],
  ["read", "read_write", false],
  ["read", "own", false],
] as const)("decides whether %s is enough for %s", (reach, needed, isEnough) => {
  const viewer = "agent_a";
  const shared_at = "2026-01-01T00:00:00.000Z";
  const seen =
    reach === "own"
      ? { id: "mem_1", agent_id: viewer }
      : { id: "mem_1", shares: [{ agent_id: viewer, access_type: reach, shared_at, shared_by: "ak_1" }] };
  const demand = () => requireAccess(seen, { viewer, clock: () => NOW }, needed);
  if (isEnough) expect(demand).not.toThrow();
  else
    expect(demand).toThrow(
      expect.objectContaining({ code: "FORBIDDEN", details: { memory_id: "mem_1", access_type: reach } }),
    );
  expect(() => requireAccess(seen, { viewer: undefined, clock: () => NOW }, "own")).not.toThrow();
});
