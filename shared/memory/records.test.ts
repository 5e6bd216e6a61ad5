import { beforeEach, describe, expect, it } from "vitest";
import { openIdleHome } from "../../test/support/idle-home.ts";
import { MAX_SHARES } from "../agents/shares.ts";
import type { Context } from "../platform/context.ts";
import { firstVersion } from "./create.ts";
import { MAX_ENTITIES } from "./links.ts";
import type { Memory } from "./memory.ts";
import { findMemory, insertMemory, listMemories } from "./records.ts";
import { reviseMemory } from "./revise.ts";
import { putViewer, refreshViewers } from "./viewers.ts";
import { toViewer } from "./visibility.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const OWNER = "agt_owner";

let ctx: Context;

beforeEach(async () => {
  const { home } = await openIdleHome({ clock: () => NOW });
  const principal = {
    kind: "api_key",
    id: "ak_1",
    org: "org_1",
    operator: false,
    plan: "pro",
    permissions: [],
  } as const;
  ctx = { ...home, org: "org_1", viewer: undefined, principal };
});

async function store(id: string, fields: Partial<Memory> = {}): Promise<Memory> {
  const conceived = {
    id,
    org: ctx.org,
    content: "The lighthouse is lit.",
    metadata: {},
    created_by: "ak_1",
    agent_id: OWNER,
    entities: [],
    facts: [],
    compression: { original_tokens: 5, compressed_tokens: 5, reduction_percentage: 0 },
    processing: { status: "done" as const },
    processing_ms: 0,
    ...fields,
  };
  const memory = { ...firstVersion(conceived, "2025-12-01T00:00:00.000Z"), ...fields };
  await ctx.ports.records.write(...insertMemory(memory, { content: memory.content }));
  for (const share of memory.shares ?? []) await ctx.ports.records.write(putViewer(memory, toViewer(share)));
  return memory;
}

/** Ids of what an agent sees, oldest first, and when that was made as its list has it. */
async function seenBy(viewer: string): Promise<string[]> {
  const page = { limit: 100, offset: 0 };
  const sort = { field: "created_at", descending: false } as const;
  const { memories } = await listMemories({ ...ctx, viewer }, {}, sort, page);
  return memories.map(({ id }) => id);
}

describe("a memory that is made out to be older", () => {
  const created_at = "2020-01-01T00:00:00.000Z";
  const shares = Array.from({ length: MAX_SHARES }, (_, place) => ({
    agent_id: `agt_${place}`,
    access_type: "read" as const,
    shared_at: "2025-12-02T00:00:00.000Z",
    shared_by: "ak_1",
  }));
  const entities = Array.from({ length: MAX_ENTITIES }, (_, place) => ({
    id: `ent_${place}`,
    name: `Lamp ${place}`,
    type: "other",
  }));

  it("is so at once, however many see it and whatever it names", async () => {
    const { id } = await store("mem_1", { shares, entities });
    const { version } = await reviseMemory(ctx, id, { created_at });
    expect(version).toBe(2);
    expect(await findMemory(ctx, id)).toMatchObject({ created_at, version: 2, shares, entities });
  });

  it("moves in the lists of all who see it as soon as they follow the change", async () => {
    await store("mem_1", { created_at: "2025-01-01T00:00:00.000Z", shares });
    const { id } = await store("mem_2", { shares });
    for (const viewer of [OWNER, "agt_7"]) expect(await seenBy(viewer)).toEqual(["mem_1", id]);
    const moved = await reviseMemory(ctx, id, { created_at });
    await refreshViewers(ctx.ports.records, moved, NOW);
    for (const viewer of [OWNER, "agt_7"]) expect(await seenBy(viewer)).toEqual([id, "mem_1"]);
    const before = { created_before: "2021-01-01T00:00:00.000Z" };
    const sort = { field: "updated_at", descending: false } as const;
    const { memories } = await listMemories({ ...ctx, viewer: "agt_7" }, before, sort, { limit: 10, offset: 0 });
    expect(memories.map((memory) => memory.id)).toEqual([id]);
  });
});

it("a change of content is written at once, also where an import brought as many names as may be", async () => {
  const entities = Array.from({ length: MAX_ENTITIES }, (_, n) => ({ id: `ent_${n}`, name: `L${n}`, type: "other" }));
  const { id } = await store("mem_1", { entities });
  const people = Array.from({ length: 26 }, (_, n) => `Captain ${String.fromCodePoint(65 + n)}dams met Ann Lee${n}.`);
  const content = people.join(" ");
  await reviseMemory(ctx, id, { content, created_at: "2020-01-01T00:00:00.000Z" });
  expect(await findMemory(ctx, id)).toMatchObject({ content, version: 2 });
});
