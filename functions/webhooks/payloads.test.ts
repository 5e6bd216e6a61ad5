import { describe, expect, it } from "vitest";
import type { Permission } from "../../shared/runtime/access/permissions.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { payloadsOf } from "./payloads.ts";

function caller(...permissions: Permission[]): Context {
  const records = { getMany: async () => [] };
  return { principal: { permissions }, ports: { records } } as unknown as Context;
}

const item = (bytes: number) => {
  const payload = JSON.stringify({ content: "x".repeat(bytes) });
  return { org: "org_1", delivery_id: "dlv_1", event: "memory.created" as const, payload };
};

describe("the payloads of a list", () => {
  it("are omitted once the response is full, with the responses of receivers counted", async () => {
    const items = Array.from({ length: 5 }, () => item(1_000_000));
    const shown = await payloadsOf(caller("admin:all"), items, () => 500_000);
    expect(shown.map(({ isFull }) => isFull)).toEqual([false, false, false, true, true]);
    expect(shown.map(({ payload }) => payload !== null)).toEqual([true, true, true, false, false]);
  });

  it("are omitted if the caller may not read the resource, or if they were deleted", async () => {
    const [one] = await payloadsOf(caller("agents:manage"), [item(3)], () => 0);
    expect(one).toEqual({ payload: null, isFull: false });
    const [own, deleted] = await payloadsOf(
      caller("agents:manage", "memory:read"),
      [item(3), { ...item(3), payload: undefined, payload_parts: 2 }],
      () => 0,
    );
    expect([own?.payload, deleted?.payload]).toEqual([{ content: "xxx" }, null]);
  });
});
