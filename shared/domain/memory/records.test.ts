import { beforeEach, expect, it } from "vitest";
import { openIdleRuntime } from "../../../test/support/idle-runtime.ts";
import type { Context } from "../../runtime/context.ts";
import { MAX_SHARES } from "../agents/shares.ts";
import { firstVersion } from "./create.ts";
import { MAX_ENTITIES } from "./links.ts";
import type { Memory } from "./memory.ts";
import { findMemory, insertMemory, replaceMemory } from "./records.ts";
import { reviseMemory } from "./revise.ts";
import { putViewer } from "./viewers.ts";
import { toViewer } from "./visibility.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

let ctx: Context;

beforeEach(async () => {
  const { runtime } = await openIdleRuntime({ clock: () => NOW });
  const org = "org_1";
  const principal = { kind: "api_key", id: "ak_1", org, operator: false, plan: "pro", permissions: [] } as const;
  ctx = { ...runtime, org, viewer: undefined, principal };
});

async function store(id: string, fields: Partial<Memory> = {}): Promise<Memory> {
  const initial = {
    id,
    org: ctx.org,
    content: "The lighthouse is lit.",
    metadata: {},
    created_by: "ak_1",
    agent_id: "agt_owner",
    entities: [],
    facts: [],
    compression: { original_tokens: 5, compressed_tokens: 5, reduction_percentage: 0 },
    processing: { status: "done" as const },
    processing_ms: 0,
    ...fields,
  };
  const memory = firstVersion(initial, { door: "memories" }, "2025-12-01T00:00:00.000Z");
  await ctx.ports.records.write(...insertMemory(memory, { content: memory.content }));
  for (const share of memory.shares ?? []) await ctx.ports.records.write(putViewer(memory, toViewer(share)));
  return memory;
}

it("a change of the provenance of a memory is refused", async () => {
  const memory = await store("mem_0", {});
  const forged = { ...memory, provenance: { written_by: "ak_2", door: "mcp" as const } };
  const stored = { content: memory.content };
  expect(() => replaceMemory(memory, forged, stored)).toThrow("keeps its provenance");
  expect(replaceMemory(memory, { ...memory, revision: 2 }, stored)).not.toEqual([]);
});

it("a memory with many viewers and entities gets a new event time in one write", async () => {
  const occurred_at = "2020-01-01T00:00:00.000+02:00";
  const share = { access_type: "read" as const, shared_at: "2025-12-02T00:00:00.000Z", shared_by: "ak_1" };
  const shares = Array.from({ length: MAX_SHARES }, (_, index) => ({ ...share, agent_id: `agt_${index}` }));
  const lamp = { type: "other", relationship_type: "related_to" };
  const entities = Array.from({ length: MAX_ENTITIES }, (_, n) => ({ ...lamp, id: `ent_${n}`, name: `Lamp ${n}` }));
  const { id, created_at } = await store("mem_1", { shares, entities });
  expect(await reviseMemory(ctx, id, { occurred_at }, { door: "memories" })).toMatchObject({ version: 2 });
  expect(await findMemory(ctx, id)).toMatchObject({ occurred_at, created_at, version: 2, shares, entities });
});

it("a memory with the maximum number of imported entities gets new content in one write", async () => {
  const entities = Array.from({ length: MAX_ENTITIES }, (_, n) => ({ id: `ent_${n}`, name: `L${n}`, type: "other" }));
  const { id } = await store("mem_1", { entities });
  const people = Array.from({ length: 26 }, (_, n) => `Captain ${String.fromCodePoint(65 + n)}dams met Ann Lee${n}.`);
  const content = people.join(" ");
  await reviseMemory(ctx, id, { content, occurred_at: "2020-01-01T00:00:00.000Z" }, { door: "memories" });
  expect(await findMemory(ctx, id)).toMatchObject({ content, version: 2 });
});
